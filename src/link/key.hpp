#pragma once

#include <string>
#include <vector>

#include "link/url.hpp"

namespace gusset {

/// A secret that both ends share, from a file, and what is to be said of it.
struct SharedKey {
  std::string bytes;
  std::vector<std::string> remarks;  ///< others may read it; it is easily guessed
};

/// Throws InputError if the file has fewer than 16 bytes, or the link cannot sign anything.
SharedKey read_key(const std::string& path, const Url& url);

}  // namespace gusset
