#include "modes_text.hpp"

#include <cmath>
#include <cstdio>

namespace gusset::app {
namespace {

/// In percent. No "-0.000": what rounds to nothing is nothing.
double tidy_percent(double share) { return std::abs(share) < 5e-6 ? 0.0 : 100 * share; }

}  // namespace

void print_modes(const ModeTable& table, bool large) {
  constexpr std::size_t shown = 20, floors = 10;
  std::puts(table.linear ? "Modes: exact structure and hybrid test"
                         : "Modes: exact structure and hybrid test, yielding parts and devices as at rest");
  std::puts("mode  exact [Hz]  damping [%]   test [Hz]  damping [%]  elongation [%]  shape");
  for (std::size_t k = 0; k < table.modes.size() && k < shown; ++k) {
    const Mode& mode = table.modes[k];
    std::printf("%4zu  %10.4f  %11.3f", k + 1, mode.exact_frequency, tidy_percent(mode.exact_damping));
    if (mode.frequency) {
      std::printf("  %10.4f  %11.3f  %+14.3f ", *mode.frequency, tidy_percent(*mode.damping),
                  tidy_percent(*mode.period_elongation));
    } else {
      std::printf("  %-40s",
                  large ? "(structure too large to take this from)" : "(the test has no such mode)");
    }
    for (std::size_t i = 0; i < mode.shape.size() && i < floors; ++i) std::printf(" %6.3f", mode.shape[i]);
    std::puts(mode.shape.size() > floors ? " …" : "");
  }
  if (table.modes.size() > shown) std::printf("      … %zu more\n", table.modes.size() - shown);
  if (!table.decays.empty()) {
    std::fputs("over-damped, no vibration: time constants ", stdout);
    constexpr std::size_t few = 6;
    for (std::size_t i = 0; i < table.decays.size() && i < few; ++i) {
      std::printf("%s%s", i > 0 ? ", " : "", readable(table.decays[i], "s").c_str());
    }
    std::puts(table.decays.size() > few ? ", …" : "");
  }
  if (table.free > 0) std::puts("moves freely: nothing holds the structure against the ground");
  std::fflush(stdout);
}

Json modes_json(const ModeTable& table) {
  Json modes = Json::array();
  for (const Mode& mode : table.modes) {
    modes.push_back({{"frequency", number(mode.frequency)},
                     {"damping", number(mode.damping)},
                     {"exact_frequency", number(mode.exact_frequency)},
                     {"exact_damping", number(mode.exact_damping)},
                     {"period_elongation", number(mode.period_elongation)},
                     {"period_error", number(mode.period_error)},
                     {"shape", mode.shape}});
  }
  return modes;
}

}  // namespace gusset::app
