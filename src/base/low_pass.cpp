#include "base/low_pass.hpp"

#include <cmath>
#include <numbers>

namespace gusset {

LowPass::LowPass(int order, double cutoff, double dt) {
  using std::numbers::pi;
  if (!(cutoff * dt < 0.98 * pi)) return;
  const double k = std::tan(0.5 * cutoff * dt);
  for (int i = 0; i < order / 2; ++i) {
    const double q = 1 / (2 * std::sin((2 * i + 1) * pi / (2 * order)));
    const double d = 1 + k / q + k * k;
    sections_.push_back({k * k / d, 2 * (k * k - 1) / d, (1 - k / q + k * k) / d});
  }
}

double LowPass::step(double* state, double value) const noexcept {
  for (const Section& s : sections_) {
    const double out = s.b * value + state[0];
    state[0] = 2 * s.b * value - s.a1 * out + state[1];
    state[1] = s.b * value - s.a2 * out;
    value = out;
    state += 2;
  }
  return value;
}

void LowPass::rest(double* state, double value) const noexcept {
  for (const Section& s : sections_) {
    state[1] = (s.b - s.a2) * value;
    state[0] = (1 - s.b) * value;
    state += 2;
  }
}

}  // namespace gusset
