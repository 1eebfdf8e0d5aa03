#pragma once

#include <string_view>

namespace gusset {

/// The attribute `format` of a run file is the name followed by the version. The version grows when
/// a reader of the old one would misread the new; what is merely added leaves it.
inline constexpr std::string_view run_format_name = "gusset-run/";
inline constexpr int run_format_version = 1;

}  // namespace gusset
