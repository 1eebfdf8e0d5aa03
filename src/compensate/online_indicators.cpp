#include "compensate/online_indicators.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gusset {

using std::numbers::pi;

OnlineIndicators::OnlineIndicators(const Section& section, const std::string& channel, Layout& layout,
                                   double dt) {
  const double window = section.positive("window", dim::time, 2.0);
  const double wanted = section.positive("to", dim::frequency, 2 * pi * 10) / (2 * pi);
  const double to = std::min(wanted, 0.45 / dt);  // no line beyond the Nyquist frequency
  const int count = section.integer("lines", 20, 1, 200);
  const double decay = std::exp(-dt / window);
  for (int j = 1; j <= count; ++j) {
    const double f = to * j / count;
    lines_.push_back({f, decay * std::cos(2 * pi * f * dt), decay * std::sin(2 * pi * f * dt)});
  }
  const std::string owner = channel + ".indicators";
  area_ = layout.add(owner, "area", "m^2", 4, 1e-6, Layout::Kind::parameter);
  spectra_ = layout.add(owner, "spectra", "m", 4 * count, 1e-3, Layout::Kind::parameter);
}

const CompensatorSignal& OnlineIndicators::signal(int index) {
  static const CompensatorSignal all[signals] = {{"ti", "m^2"}, {"amplitude", "-"}, {"delay", "s"}};
  return all[index];
}

void OnlineIndicators::observe(State& state, double target, double measured, double* results) const noexcept {
  double* area = state.at(area_);
  // Around where the test starts: a constant offset would hide the motion.
  const double x = target - area[3];
  const double y = measured - area[3];
  area[0] += 0.25 * ((x - area[1]) * (y + area[2]) - (y - area[2]) * (x + area[1]));
  area[1] = x;
  area[2] = y;
  double* s = state.at(spectra_);
  double real = 0;
  double imaginary = 0;
  double power = 0;
  double moment = 0;
  for (const Line& line : lines_) {
    // The phase of both turns alike, so only their relation counts.
    const double xr = line.cosine * s[0] + line.sine * s[1] + x;
    const double xi = line.cosine * s[1] - line.sine * s[0];
    const double yr = line.cosine * s[2] + line.sine * s[3] + y;
    const double yi = line.cosine * s[3] - line.sine * s[2];
    s[0] = xr;
    s[1] = xi;
    s[2] = yr;
    s[3] = yi;
    s += 4;
    const double own = xr * xr + xi * xi;
    // Sums run backwards in time, X_j = Σ x_{k−m}·e^{−2πjfmδ}: the conjugate of a forward spectrum.
    real += yr * xr + yi * xi;
    imaginary -= yi * xr - yr * xi;
    power += own;
    moment += own * line.frequency;
  }
  results[0] = area[0];
  results[1] = 1;
  results[2] = 0;
  if (power > 0) {
    results[1] = std::sqrt(real * real + imaginary * imaginary) / power;
    results[2] = -std::atan2(imaginary, real) / (2 * pi * moment / power);
  }
}

void OnlineIndicators::start(State& state, double displacement) const { state.at(area_)[3] = displacement; }

}  // namespace gusset
