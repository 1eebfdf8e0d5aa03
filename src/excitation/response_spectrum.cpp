#include "excitation/response_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gusset {
namespace {

/// One oscillator's step: with a_g = a0 + (a1 − a0)·t/h over a step of length h.
struct Step {
  double xx, xv, vx, vv;  ///< A
  double x0, x1, v0, v1;  ///< B

  Step(double omega, double damping, double h) {
    const double wd = omega * std::sqrt(1 - damping * damping);
    const double e = std::exp(-damping * omega * h);
    const double s = std::sin(wd * h);
    const double c = std::cos(wd * h);
    // Homogeneous: x = e^{−ζωt}·(x0·cos + (v0 + ζω·x0)/ω_d·sin).
    xx = e * (c + damping * omega / wd * s);
    xv = e * s / wd;
    vx = -omega * omega * xv;
    vv = e * (c - damping * omega / wd * s);
    // Particular, for −(a0 + r·t): x_p = −a0/ω² + 2ζr/ω³ − r·t/ω², v_p = −r/ω².
    const double w2 = omega * omega;
    const double w3 = w2 * omega;
    const auto response = [&](double a0, double r, double& x, double& v) {
      const double start = -a0 / w2 + 2 * damping * r / w3;
      const double rate = -r / w2;
      x = start + rate * h - xx * start - xv * rate;
      v = rate - vx * start - vv * rate;
    };
    response(1, -1 / h, x0, v0);  // a0 = 1, a1 = 0
    response(0, 1 / h, x1, v1);   // a0 = 0, a1 = 1
  }
};

}  // namespace

ResponseSpectrum response_spectrum(const std::vector<double>& a, double dt,
                                   const std::vector<double>& periods, double damping) {
  ResponseSpectrum result;
  result.period = periods;
  for (const double period : periods) {
    const double omega = 2 * std::numbers::pi / period;
    constexpr double per_period = 100;  // a peak between two of them is missed by 0.05 % at most
    const double parts = std::max(1.0, std::ceil(per_period * dt / period));
    const double h = dt / parts;
    const Step step(omega, damping, h);
    double x = 0;
    double v = 0;
    double sd = 0;
    double sv = 0;
    double sa = 0;
    const auto advance = [&](double from, double to) {
      const double next = step.xx * x + step.xv * v + step.x0 * from + step.x1 * to;
      v = step.vx * x + step.vv * v + step.v0 * from + step.v1 * to;
      x = next;
      sd = std::max(sd, std::abs(x));
      sv = std::max(sv, std::abs(v));
      sa = std::max(sa, std::abs(2 * damping * omega * v + omega * omega * x));
    };
    for (std::size_t i = 0; i + 1 < a.size(); ++i) {
      const double rise = (a[i + 1] - a[i]) / parts;
      for (double k = 0; k < parts; ++k) advance(a[i] + rise * k, a[i] + rise * (k + 1));
    }
    for (double t = 0; t < period; t += h) advance(0, 0);
    result.displacement.push_back(sd);
    result.velocity.push_back(sv);
    result.acceleration.push_back(sa);
    result.pseudo_acceleration.push_back(omega * omega * sd);
  }
  return result;
}

std::vector<double> spectrum_periods(double shortest, double longest, int count) {
  std::vector<double> periods;
  for (int i = 0; i < count; ++i) {
    periods.push_back(shortest * std::pow(longest / shortest, count > 1 ? i / (count - 1.0) : 0));
  }
  return periods;
}

}  // namespace gusset
