#include "analysis/tracking.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace gusset {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

std::size_t power_of_two(std::size_t least) {
  std::size_t n = 1;
  while (n < least) n *= 2;
  return n;
}

/// Spectrum of the signal without its mean, padded with zeros to n samples.
std::vector<Complex> spectrum_of(const std::vector<double>& signal, std::size_t count, std::size_t n) {
  double mean = 0;
  for (std::size_t i = 0; i < count; ++i) mean += signal[i];
  mean /= static_cast<double>(std::max<std::size_t>(count, 1));
  std::vector<double> padded(n, 0.0);
  for (std::size_t i = 0; i < count; ++i) padded[i] = signal[i] - mean;
  std::vector<Complex> spectrum;
  Eigen::FFT<double> fft;
  fft.fwd(spectrum, padded);
  return spectrum;
}

}  // namespace

std::vector<double> tracking_indicator(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t count = std::min(x.size(), y.size());
  std::vector<double> indicator(count, 0.0);
  double sum = 0;
  for (std::size_t k = 1; k < count; ++k) {
    sum += 0.25 * ((x[k] - x[k - 1]) * (y[k] + y[k - 1]) - (y[k] - y[k - 1]) * (x[k] + x[k - 1]));
    indicator[k] = sum;
  }
  return indicator;
}

FrequencyIndex frequency_index(const std::vector<double>& x, const std::vector<double>& y, double dt) {
  const std::size_t count = std::min(x.size(), y.size());
  FrequencyIndex index;
  if (count < 2) return index;
  const std::size_t n = power_of_two(count);
  const std::vector<Complex> xs = spectrum_of(x, count, n);
  const std::vector<Complex> ys = spectrum_of(y, count, n);
  Complex cross = 0;
  double power = 0;
  double moment = 0;
  for (std::size_t j = 1; j <= n / 2; ++j) {
    const double own = std::norm(xs[j]);
    cross += ys[j] * std::conj(xs[j]);  // (Y/X)·|X|²
    power += own;
    moment += own * static_cast<double>(j) / (static_cast<double>(n) * dt);
  }
  if (!(power > 0)) return index;
  index.amplitude = std::abs(cross) / power;
  index.phase = std::arg(cross);
  index.frequency = moment / power;
  index.delay = -index.phase / (2 * pi * index.frequency);
  return index;
}

double correlation_delay(const std::vector<double>& x, const std::vector<double>& y, double dt,
                         double longest) {
  const std::size_t count = std::min(x.size(), y.size());
  if (count < 4) return 0;
  const std::size_t n = power_of_two(2 * count);
  std::vector<Complex> product = spectrum_of(x, count, n);
  const std::vector<Complex> ys = spectrum_of(y, count, n);
  for (std::size_t j = 0; j < n; ++j) product[j] = ys[j] * std::conj(product[j]);
  std::vector<double> correlation;
  Eigen::FFT<double> fft;
  fft.inv(correlation, product);
  const auto at = [&](long lag) {
    return correlation[static_cast<std::size_t>(lag < 0 ? lag + static_cast<long>(n) : lag)];
  };
  const long most = std::clamp(static_cast<long>(longest / dt), 1L, static_cast<long>(count) - 2);
  long best = 0;
  for (long lag = -most; lag <= most; ++lag) {
    if (at(lag) > at(best)) best = lag;
  }
  const double before = at(best - 1);
  const double after = at(best + 1);
  const double bend = before - 2 * at(best) + after;
  const double shift = bend < 0 ? 0.5 * (before - after) / bend : 0;
  return (static_cast<double>(best) + shift) * dt;
}

double energy_error(const std::vector<double>& x, const std::vector<double>& y,
                    const std::vector<double>& force) {
  const std::size_t count = std::min({x.size(), y.size(), force.size()});
  double error = 0;
  double work = 0;
  for (std::size_t k = 1; k < count; ++k) {
    const double f = 0.5 * (force[k] + force[k - 1]);
    error += f * ((y[k] - y[k - 1]) - (x[k] - x[k - 1]));
    work += std::abs(f * (x[k] - x[k - 1]));
  }
  return work > 0 ? error / work : 0;
}

Synchronisation synchronisation(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t count = std::min(x.size(), y.size());
  double mx = 0;
  double my = 0;
  for (std::size_t i = 0; i < count; ++i) {
    mx += x[i] / static_cast<double>(count);
    my += y[i] / static_cast<double>(count);
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) * (y[i] - my);
  }
  Synchronisation result;
  const double mean = 0.5 * (xx + yy);
  const double spread = std::hypot(0.5 * (xx - yy), xy);
  if (!(mean > 0)) return result;
  if (xy != 0) result.slope = (mean + spread - xx) / xy;
  result.width = std::sqrt(std::max(0.0, (mean - spread) / (mean + spread)));
  return result;
}

}  // namespace gusset
