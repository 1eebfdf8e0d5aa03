#include "realtime/settings.hpp"

#include "realtime/limits/limit.hpp"

namespace gusset {

const char* name_of(OnMiss policy) {
  return policy == OnMiss::trip ? "trip" : policy == OnMiss::hold ? "hold" : "catch-up";
}

RealtimeSettings read_realtime(const Document& document) {
  RealtimeSettings settings;
  const Section& section = document.section("realtime");
  if (section.has("on_miss")) {
    const std::string word = section.choice("on_miss", {"trip", "hold", "catch-up"});
    settings.on_miss = word == "trip"   ? OnMiss::trip
                       : word == "hold" ? OnMiss::hold
                                        : OnMiss::catch_up;
  }
  settings.misses = section.integer("misses", settings.misses, 1, 1'000'000);
  const auto time = [&](const char* key, double fallback, bool zero) {
    if (!section.has(key)) return fallback;
    return zero ? section.non_negative(key, dim::time) : section.positive(key, dim::time);
  };
  if (section.has("heartbeat")) settings.heartbeat = section.positive("heartbeat", dim::time);
  settings.ramp = time("ramp", settings.ramp, false);
  settings.fade_in = time("fade_in", settings.fade_in, true);
  settings.fade_out = time("fade_out", settings.fade_out, false);
  settings.longest_hold = time("longest_hold", settings.longest_hold, false);
  const double span = section.number("span", dim::none, 100);
  if (!(span >= 0 && span <= 100)) {
    section.fail("span", "realtime.span is not between 0 and 100", "write a percentage, e.g. span = 60");
  }
  settings.span = span / 100;
  settings.priority = section.integer("priority", settings.priority, 0, 99);
  settings.core = section.integer("core", settings.core, -1, 1023);

  const Section& limits = document.section("limits");
  if (limits.has("tracking_error")) {
    settings.tracking_error = limits.positive("tracking_error", dim::length);
  }
  if (limits.has("energy")) settings.energy = limits.positive("energy", dim::energy);
  settings.stale = limits.integer("stale", settings.stale, 1, 1'000'000);
  if (limits.has("frozen")) settings.frozen = limits.positive("frozen", dim::time);
  const Section& actions = document.section("limits.actions");
  for (const LimitKind* kind : limit_kinds()) {
    if (!actions.has(kind->name)) continue;
    const std::string word =
        actions.choice(kind->name, {"indicate", "hold", "ramp-down", "interlock"});
    Action& action = settings.actions[static_cast<std::size_t>(kind->cause)].emplace();
    for (const Action candidate :
         {Action::indicate, Action::hold, Action::ramp_down, Action::interlock}) {
      if (word == name_of(candidate)) action = candidate;
    }
    if (action < kind->least) {
      actions.fail(kind->name,
                   "a test may not go on after \"" + std::string(kind->name) + "\"",
                   std::string("write ") + name_of(kind->least) + " or something more severe");
    }
  }
  settings.faults = read_faults(document);
  settings.memory = read_memory_map(document);
  return settings;
}

}  // namespace gusset
