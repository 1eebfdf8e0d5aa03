#include "link/url.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "base/error.hpp"

namespace gusset {
namespace {

const std::vector<std::string_view> schemes{"local", "shm", "udp", "tcp", "plugin", "memory"};
constexpr const char* examples =
    "write local:, shm:NAME, udp://127.0.0.1:7400, tcp://127.0.0.1:7400, plugin:/path/driver.so or "
    "memory:/dev/NAME";

}  // namespace

Url parse_url(const std::string& text, const std::string& option) {
  const auto fail = [&](const std::string& cause, const std::string& fix) {
    throw InputError({option, 0, 0}, cause, fix);
  };
  Url url;
  url.text = text;
  const std::size_t colon = text.find(':');
  url.scheme = text.substr(0, colon);
  if (std::find(schemes.begin(), schemes.end(), url.scheme) == schemes.end() || colon == std::string::npos) {
    const std::string_view close = nearest(url.scheme, schemes);
    fail("\"" + text + "\" is not the address of a rig" +
             (close.empty() ? "" : "; did you mean " + std::string(close) + ":?"),
         examples);
  }
  std::string rest = text.substr(colon + 1);
  if (url.scheme == "local") {
    if (!rest.empty()) fail("local: takes nothing after the colon", "write local:");
  } else if (url.scheme == "shm") {
    const bool plain =
        !rest.empty() && rest.size() <= 100 && std::all_of(rest.begin(), rest.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '-' || c == '_';
        });
    if (!plain) {
      fail("\"" + rest + "\" cannot name shared memory",
           "write shm: and up to 100 letters, digits, '-' or '_', e.g. shm:lab");
    }
    url.name = rest;
  } else if (url.scheme == "plugin" || url.scheme == "memory") {
    if (rest.empty()) fail(url.scheme + ": needs a path", examples);
    url.name = rest;
  } else {
    if (!rest.starts_with("//")) fail("\"" + text + "\" lacks the two slashes", examples);
    rest = rest.substr(2);
    const std::size_t last = rest.rfind(':');
    if (last == std::string::npos || last == 0) {
      fail("\"" + text + "\" has no host or no port", examples);
    }
    url.host = rest.substr(0, last);
    if (url.host.front() == '[' && url.host.back() == ']') {
      url.host = url.host.substr(1, url.host.size() - 2);
    }
    const char* end = rest.data() + rest.size();
    const auto parsed = std::from_chars(rest.data() + last + 1, end, url.port);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
      fail("\"" + rest.substr(last + 1) + "\" is not a port", "give a number from 0 to 65535");
    }
  }
  return url;
}

}  // namespace gusset
