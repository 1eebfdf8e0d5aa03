#include "excitation/processing.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "excitation/fourier.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

/// How long the filter rings [s].
double ringing(const Band& band) {
  double longest = 0;
  for (const auto& corner : {band.highpass, band.lowpass}) {
    if (corner) longest = std::max(longest, 2.0 * band.order / *corner);
  }
  return longest;
}

}  // namespace

double Band::gain(double frequency) const {
  double gain = 1;
  if (lowpass) gain /= 1 + std::pow(frequency / *lowpass, 2 * order);
  if (highpass) {
    if (!(frequency > 0)) return 0;
    gain /= 1 + std::pow(*highpass / frequency, 2 * order);
  }
  return gain;
}

std::vector<double> filtered(const std::vector<double>& signal, double dt, const Band& band) {
  if (!band.highpass && !band.lowpass) return signal;
  return filter_by(signal, dt, ringing(band), [&](double f) { return band.gain(f); });
}

IntegratedMotion integrate_twice(const std::vector<double>& acceleration, double dt, double highpass) {
  const Band band{highpass, std::nullopt};
  const double margin = ringing(band);
  const auto integral = [&](int times) {
    return filter_by(acceleration, dt, margin, [&](double f) -> std::complex<double> {
      if (!(f > 0)) return 0;
      return band.gain(f) / std::pow(std::complex<double>(0, 2 * pi * f), times);
    });
  };
  return {integral(2), integral(1), integral(0)};
}

IntegratedMotion integrate_plainly(const std::vector<double>& acceleration, double dt) {
  IntegratedMotion motion;
  motion.acceleration = acceleration;
  double v = 0;
  double d = 0;
  for (std::size_t i = 0; i < acceleration.size(); ++i) {
    motion.velocity.push_back(v);
    motion.displacement.push_back(d);
    if (i + 1 == acceleration.size()) break;
    d += dt * v + dt * dt * (2 * acceleration[i] + acceleration[i + 1]) / 6;
    v += 0.5 * dt * (acceleration[i] + acceleration[i + 1]);
  }
  return motion;
}

std::vector<double> baseline_corrected(const std::vector<double>& acceleration, double dt) {
  const std::vector<double> velocity = integrate_plainly(acceleration, dt).velocity;
  const auto n = static_cast<Eigen::Index>(velocity.size());
  // Time from 0 to 1, so that the powers are of one size.
  const double length = dt * static_cast<double>(std::max<Eigen::Index>(n - 1, 1));
  Eigen::MatrixXd powers(n, 3);
  Eigen::VectorXd v(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double t = dt * static_cast<double>(i) / length;
    powers.row(i) << t, t * t, t * t * t;
    v(i) = velocity[static_cast<std::size_t>(i)];
  }
  const Eigen::Vector3d c = powers.householderQr().solve(v);
  std::vector<double> result = acceleration;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double t = dt * static_cast<double>(i) / length;
    result[i] -= (c(0) + 2 * c(1) * t + 3 * c(2) * t * t) / length;
  }
  return result;
}

std::vector<double> resampled(const std::vector<double>& signal, double dt, double new_dt) {
  constexpr double lobes = 32;
  const auto sinc = [](double x) { return x == 0 ? 1.0 : std::sin(pi * x) / (pi * x); };
  const double stretch = std::max(1.0, new_dt / dt);  // of the kernel, where samples get fewer
  const double end = dt * static_cast<double>(signal.size() - 1);
  const auto count = static_cast<std::size_t>(std::floor(end / new_dt * (1 + 1e-12) + 1e-9)) + 1;
  std::vector<double> result;
  result.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double place = static_cast<double>(k) * new_dt / dt;
    const double nearest = std::round(place);
    if (stretch == 1 && std::abs(place - nearest) < 1e-9) {
      result.push_back(signal[std::min(static_cast<std::size_t>(nearest), signal.size() - 1)]);
      continue;
    }
    const double reach = lobes * stretch;
    double sum = 0;
    double weights = 0;
    const auto first = static_cast<long>(std::ceil(place - reach));
    const auto last = static_cast<long>(std::floor(place + reach));
    for (long i = first; i <= last; ++i) {
      const double x = (static_cast<double>(i) - place) / stretch;
      const double weight = sinc(x) * sinc(x / lobes);
      weights += weight;  // zero outside the record counts too
      if (i >= 0 && i < static_cast<long>(signal.size())) sum += weight * signal[static_cast<std::size_t>(i)];
    }
    result.push_back(sum / weights);
  }
  return result;
}

}  // namespace gusset
