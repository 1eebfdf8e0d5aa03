#include "session/environment.hpp"

#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

namespace gusset {

std::string environment_json() {
  using Json = nlohmann::ordered_json;
  utsname system{};
  uname(&system);
  std::string processor, line;
  std::ifstream file("/proc/cpuinfo");
  while (processor.empty() && std::getline(file, line)) {
    if (line.starts_with("model name")) processor = line.substr(line.find(':') + 2);
  }
  return Json{{"host", system.nodename},
              {"system", std::string(system.sysname) + " " + system.release + ", " + system.machine},
              {"processor", processor},
              {"cores", std::thread::hardware_concurrency()},
#ifdef __clang__
              {"compiler", "Clang " __clang_version__}}
#else
              {"compiler", "GCC " __VERSION__}}
#endif
      .dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace gusset
