#pragma once

#include <string>
#include <string_view>

namespace gusset {

/// SHA-256 in hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view bytes);

}  // namespace gusset
