#include "realtime/settings.hpp"

namespace gusset {

RealtimeSettings read_realtime(const Document& document) {
  RealtimeSettings settings;
  static_cast<LimitSettings&>(settings) = read_limit_settings(document);
  const Section& section = document.section("realtime");
  const auto time = [&](const char* key, double fallback, bool zero) {
    if (!section.has(key)) return fallback;
    return zero ? section.non_negative(key, dim::time) : section.positive(key, dim::time);
  };
  settings.ramp = time("ramp", settings.ramp, false);
  settings.fade_in = time("fade_in", settings.fade_in, true);
  settings.fade_out = time("fade_out", settings.fade_out, false);
  settings.longest_hold = time("longest_hold", settings.longest_hold, false);
  const double span = section.number("span", dim::none, 100);
  if (!(span >= 0 && span <= 100)) {
    section.fail("span", "realtime.span is not between 0 and 100", "write a percentage, e.g. span = 60");
  }
  settings.span = span / 100;
  settings.tare = section.flag("tare", settings.tare);
  settings.priority = section.integer("priority", settings.priority, 0, 99);
  settings.core = section.integer("core", settings.core, -1, 1023);

  settings.faults = read_faults(document);
  settings.memory = read_memory_map(document);
  return settings;
}

}  // namespace gusset
