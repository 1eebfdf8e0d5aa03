#include "realtime/kept_latency.hpp"

#include <sys/utsname.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace gusset {
namespace {

std::filesystem::path place() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::filesystem::path(state) / "gusset" / "latency.json";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return std::filesystem::path(home) / ".local" / "state" / "gusset" / "latency.json";
}

}  // namespace

std::string in_words(double seconds) {
  const auto whole = std::llround(seconds);
  return whole >= 120 ? std::to_string(whole / 60) + " min" : std::to_string(whole) + " s";
}

KeptLatency this_machine() {
  utsname system{};
  uname(&system);
  KeptLatency own;
  own.machine = system.nodename;
  own.kernel = std::string(system.release) + " " + system.version;
  return own;
}

std::optional<KeptLatency> kept_latency() {
  std::ifstream file(place());
  if (!file) return std::nullopt;
  const nlohmann::json text = nlohmann::json::parse(file, nullptr, false);
  if (!text.is_object()) return std::nullopt;
  try {
    KeptLatency kept{text.at("machine"), text.at("kernel"), text.at("seconds"), text.at("worst_ns"),
                     text.at("when")};
    const KeptLatency own = this_machine();
    if (kept.machine != own.machine || kept.kernel != own.kernel || !(kept.seconds >= least_measured)) {
      return std::nullopt;
    }
    return kept;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

bool keep_latency(const KeptLatency& measured) {
  if (!(measured.seconds >= least_measured)) return false;
  const std::filesystem::path path = place();
  if (path.empty()) return false;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::trunc);
  file << nlohmann::ordered_json{{"machine", measured.machine},
                                 {"kernel", measured.kernel},
                                 {"seconds", measured.seconds},
                                 {"worst_ns", measured.worst},
                                 {"when", measured.when}}
              .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
       << '\n';
  return static_cast<bool>(file.flush());
}

}  // namespace gusset
