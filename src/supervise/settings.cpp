#include "supervise/settings.hpp"

#include "supervise/limits/limit.hpp"

namespace gusset {

const char* name_of(OnMiss policy) {
  return policy == OnMiss::trip ? "trip" : policy == OnMiss::hold ? "hold" : "catch-up";
}

LimitSettings read_limit_settings(const Document& document) {
  LimitSettings settings;
  const Section& section = document.section("realtime");
  if (section.has("on_miss")) {
    const std::string word = section.choice("on_miss", {"trip", "hold", "catch-up"});
    settings.on_miss = word == "trip" ? OnMiss::trip : word == "hold" ? OnMiss::hold : OnMiss::catch_up;
  }
  settings.misses = section.integer("misses", settings.misses, 1, 1'000'000);
  if (section.has("heartbeat")) settings.heartbeat = section.positive("heartbeat", dim::time);
  const Section& limits = document.section("limits");
  settings.stale = limits.integer("stale", settings.stale, 1, 1'000'000);
  if (limits.has("frozen")) settings.frozen = limits.positive("frozen", dim::time);
  const Section& actions = document.section("limits.actions");
  for (const LimitKind* kind : limit_kinds()) {
    if (!actions.has(kind->name)) continue;
    const std::string word = actions.choice(kind->name, {"indicate", "hold", "ramp-down", "interlock"});
    Action& action = settings.actions[static_cast<std::size_t>(kind->cause)].emplace();
    for (const Action candidate : {Action::indicate, Action::hold, Action::ramp_down, Action::interlock}) {
      if (word == name_of(candidate)) action = candidate;
    }
    if (action < kind->least) {
      actions.fail(kind->name, "a test may not go on after \"" + std::string(kind->name) + "\"",
                   std::string("write ") + name_of(kind->least) + " or something more severe");
    }
  }
  return settings;
}

}  // namespace gusset
