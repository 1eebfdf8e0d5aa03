#include "rig/input_line.hpp"

#include <algorithm>
#include <cstring>

namespace gusset {

InputLine::InputLine(Layout& layout, const std::string& owner, const char* name, const char* unit,
                     const DelaySteps& steps, bool ramp, double scale)
    : steps_(steps), ramp_(ramp) {
  const int kept = steps.whole + (steps.fraction > 0 ? 1 : 0) + (ramp ? 1 : 0);
  history_ = layout.add(owner, name, unit, kept, scale);
}

InputLine::Course InputLine::step(State& state, double value, bool trial) const noexcept {
  double* history = state.at(history_);
  const int size = history_.size;
  // Value `age` samples old, 0 the newest.
  const auto aged = [&](int age) noexcept { return age == 0 ? value : history[std::min(age, size) - 1]; };
  const double f = steps_.fraction;
  const double now = aged(steps_.whole);
  Course course{};
  if (ramp_) {
    const double before = aged(steps_.whole + 1);
    const double earlier = f > 0 ? aged(steps_.whole + 2) : before;
    course = {before + f * (earlier - before), before, before, now + f * (before - now)};
  } else {
    const double before = f > 0 ? aged(steps_.whole + 1) : now;
    course = {before, before, now, now};
  }
  if (!trial && size > 0) {
    std::memmove(history + 1, history, sizeof(double) * static_cast<std::size_t>(size - 1));
    history[0] = value;
  }
  return course;
}

void InputLine::rest(State& state, double value) const {
  std::fill_n(state.at(history_), history_.size, value);
}

}  // namespace gusset
