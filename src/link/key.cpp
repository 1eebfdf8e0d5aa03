#include "link/key.hpp"

#include <sys/stat.h>

#include <set>

#include "base/error.hpp"
#include "runs/atomic_file.hpp"

namespace gusset {

SharedKey read_key(const std::string& path, const Url& url) {
  constexpr std::size_t least = 16, different = 8;
  constexpr const char* fix = "make one with: head -c 32 /dev/urandom > key && chmod 600 key";
  if (url.scheme != "udp" && url.scheme != "tcp") {
    throw InputError({"--key", 0, 0}, "nothing is signed over " + url.scheme + ": the key would do nothing",
                     "leave --key out, or use udp:// or tcp://");
  }
  SharedKey key{read_file(path), {}};
  if (key.bytes.size() < least) {
    throw InputError({path, 0, 0},
                     "the shared key has " + std::to_string(key.bytes.size()) + " bytes, fewer than 16", fix);
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & (S_IRGRP | S_IROTH)) != 0) {
    key.remarks.push_back("others may read the key " + path + ": chmod 600 " + path);
  }
  if (std::set<char>(key.bytes.begin(), key.bytes.end()).size() < different) {
    key.remarks.push_back("the key " + path + " is easily guessed: " + fix);
  }
  return key;
}

}  // namespace gusset
