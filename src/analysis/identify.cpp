#include "analysis/identify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "analysis/output_error.hpp"

namespace gusset {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr double least_power = 1e-4;  ///< of the strongest line: below, the rig is not excited
constexpr double least_coherence = 0.9;

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

/// Standard deviation of a root p of a0 + a1·s + …, over |p|: dp = −Σ p^i·da_i/A'(p).
double uncertainty_of(Complex p, const OutputErrorFit& fit) {
  const auto n = static_cast<Eigen::Index>(fit.a.size());
  Complex slope = 0;
  Eigen::VectorXcd gradient(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i > 0) {
      slope += static_cast<double>(i) * fit.a[static_cast<std::size_t>(i)] * std::pow(p, i - 1);
    }
    gradient(i) = std::pow(p, i);
  }
  const Eigen::MatrixXcd covariance = fit.covariance.topLeftCorner(n, n).cast<Complex>();
  const double variance = (gradient.transpose() * covariance * gradient.conjugate())(0).real();
  return std::sqrt(std::max(0.0, variance)) / std::abs(slope) / std::abs(p);
}

/// The better fit of two holds and two starting points; sets the hold.
std::optional<OutputErrorFit> best_fit(Identification& result, const std::vector<double>& u,
                                       const std::vector<double>& y, double dt,
                                       const IdentifyOptions& options) {
  const auto n = static_cast<std::size_t>(options.order);
  const double time = 1 / (2 * pi * std::max(result.measured.high, 1e-6));
  std::vector<std::vector<double>> starts;
  // (1 + τs/n)^n with τ the lag that the phase shows.
  const double tau = std::max(result.delay - options.dead_time, dt) / static_cast<double>(n);
  std::vector<double> equal{1};
  for (std::size_t i = 0; i < n; ++i) {
    equal.push_back(0);
    for (std::size_t k = equal.size() - 1; k > 0; --k) equal[k] += tau * equal[k - 1];
  }
  starts.push_back(equal);
  std::vector<Complex> product{1};
  bool usable = true;
  for (const Complex& z : discrete_poles(u, y, options.order)) {
    const Complex s = std::log(z) / dt;
    usable = usable && std::abs(z) < 1 && std::abs(s.imag()) < 0.9 * pi / dt;
    product.emplace_back(0);
    for (std::size_t i = product.size() - 1; i > 0; --i) product[i] -= product[i - 1] / s;
  }
  if (usable) {
    starts.emplace_back();
    for (const Complex& c : product) starts.back().push_back(c.real());
  }
  std::optional<OutputErrorFit> best;
  for (const Hold hold : {Hold::first_order, Hold::zero_order}) {
    for (const std::vector<double>& a : starts) {
      const std::vector<double> b(static_cast<std::size_t>(options.zeros), 0.0);
      std::optional<OutputErrorFit> fit = fit_output_error(u, y, dt, hold, a, b, time);
      if (!fit || (best && best->error <= fit->error)) continue;
      best = std::move(fit);
      result.hold = hold;
    }
  }
  return best;
}

double phase_slope(const MeasuredResponse& measured) {
  double last = 0;
  double turns = 0;
  double moment = 0;
  double weight = 0;
  bool begun = false;
  for (std::size_t i = 0; i < measured.frequency.size(); ++i) {
    const double f = measured.frequency[i];
    if (f < measured.low || f > measured.high || measured.coherence[i] < least_coherence) continue;
    double phase = std::arg(measured.response[i]);
    if (begun) turns -= std::round((phase + turns - last) / (2 * pi)) * 2 * pi;
    phase += turns;
    last = phase;
    begun = true;
    const double omega = 2 * pi * f;
    moment -= measured.power[i] * omega * phase;
    weight += measured.power[i] * omega * omega;
  }
  return weight > 0 ? moment / weight : 0;
}

void judge(Identification& result, const IdentifyOptions& options) {
  const double fastest = result.poles.empty() ? 0 : std::abs(result.poles.back()) / (2 * pi);
  const double worst = result.uncertainty.empty()
                           ? 0
                           : *std::max_element(result.uncertainty.begin(), result.uncertainty.end());
  const std::string band = "the run excites the rig up to " + format("%.3g Hz", result.measured.high);
  const std::string wanted = "an order of " + std::to_string(options.order);
  if (fastest > 1.5 * result.measured.high) {
    result.too_narrow = true;
    result.remarks.push_back(band + ", which is too narrow for " + wanted +
                             ": its fastest pole would lie at " + format("%.3g Hz", fastest) +
                             "; sweep higher or ask for a lower order");
  } else if (worst > 0.1) {
    result.too_narrow = true;
    result.remarks.push_back(band + ", too narrow for " + wanted + " at this noise: a pole is uncertain by " +
                             format("%.0f %%", 100 * worst) +
                             "; sweep higher or longer, or ask for a lower order");
  }
  if (result.fit < 0.99) {
    result.remarks.push_back("the fitted function explains only " + format("%.2f %%", 100 * result.fit) +
                             " of the measured motion: give the dead time, or ask for another order");
  }
}

}  // namespace

MeasuredResponse measured_response(const std::vector<double>& command, const std::vector<double>& measured,
                                   double dt) {
  const std::size_t count = std::min(command.size(), measured.size());
  std::size_t length = 256;
  while (length * 2 <= count / 6 && length < 16384) length *= 2;
  while (length > count && length > 2) length /= 2;
  std::vector<double> window(length);
  for (std::size_t i = 0; i < length; ++i) {
    window[i] = 0.5 * (1 - std::cos(2 * pi * static_cast<double>(i) / static_cast<double>(length)));
  }
  std::vector<Complex> cross(length / 2 + 1);
  std::vector<double> uu(cross.size());
  std::vector<double> yy(cross.size());
  Eigen::FFT<double> fft;
  for (std::size_t start = 0; start + length <= count; start += length / 2) {
    const auto spectrum = [&](const std::vector<double>& signal) {
      double mean = 0;
      for (std::size_t i = 0; i < length; ++i) mean += signal[start + i] / static_cast<double>(length);
      std::vector<double> part(length);
      for (std::size_t i = 0; i < length; ++i) part[i] = window[i] * (signal[start + i] - mean);
      std::vector<Complex> result;
      fft.fwd(result, part);
      return result;
    };
    const std::vector<Complex> u = spectrum(command);
    const std::vector<Complex> y = spectrum(measured);
    for (std::size_t j = 0; j < cross.size(); ++j) {
      cross[j] += y[j] * std::conj(u[j]);
      uu[j] += std::norm(u[j]);
      yy[j] += std::norm(y[j]);
    }
  }
  MeasuredResponse result;
  const double strongest = *std::max_element(uu.begin(), uu.end());
  for (std::size_t j = 1; j + 1 < cross.size(); ++j) {
    const double f = static_cast<double>(j) / (static_cast<double>(length) * dt);
    result.frequency.push_back(f);
    result.response.push_back(uu[j] > 0 ? cross[j] / uu[j] : Complex(0));
    result.coherence.push_back(uu[j] * yy[j] > 0 ? std::norm(cross[j]) / (uu[j] * yy[j]) : 0);
    result.power.push_back(uu[j]);
    if (!(uu[j] > least_power * strongest)) continue;
    if (result.low == 0) result.low = f;
    result.high = f;
  }
  return result;
}

Identification identify(const std::vector<double>& command, const std::vector<double>& measured, double dt,
                        const IdentifyOptions& options) {
  const std::size_t count = std::min(command.size(), measured.size());
  const auto dead = static_cast<std::size_t>(std::lround(options.dead_time / dt));
  Identification result;
  result.measured = measured_response(command, measured, dt);
  result.delay = phase_slope(result.measured);

  // Around where the run starts, the command as late as the dead time makes it.
  std::vector<double> u(count, 0.0);
  std::vector<double> y(count);
  double size = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (k >= dead) u[k] = command[k - dead] - command[0];
    y[k] = measured[k] - measured[0];
    size += y[k] * y[k];
  }
  const std::optional<OutputErrorFit> fit = best_fit(result, u, y, dt, options);
  if (!fit) {
    result.too_narrow = true;
    result.lag = result.delay;
    result.remarks.emplace_back(
        "no stable transfer function of that order fits the run: ask for a lower order, give the "
        "dead "
        "time, or sweep wider");
    return result;
  }
  result.continuous = fit->continuous();
  result.model = result.continuous.discretize(result.hold, dt)
                     .series(TransferFunction::delay(static_cast<double>(dead) * dt, dt));
  result.gain = 1 / fit->a[0];
  result.fit = size > 0 ? 1 - fit->error / size : 0;
  result.polynomial = fit->a;
  result.poles = result.continuous.poles();
  std::sort(result.poles.begin(), result.poles.end(), [](const Complex& p, const Complex& q) {
    return std::abs(p) != std::abs(q) ? std::abs(p) < std::abs(q) : p.imag() < q.imag();
  });
  for (const Complex& pole : result.poles) result.uncertainty.push_back(uncertainty_of(pole, *fit));
  judge(result, options);
  const bool good = result.fit > 0.98;
  result.lag = good
                   ? fit->a[1] / fit->a[0] - (fit->b.empty() ? 0 : fit->b[0]) + static_cast<double>(dead) * dt
                   : result.delay;
  return result;
}

std::string proposed_compensators(const Identification& identification, double rig_dt, double integrator_dt) {
  const double lag = std::max(0.0, identification.lag);
  const std::string delay = "delay = \"" + format("%.6g", lag * 1e3) + " ms\"";
  const auto coefficient = [&](std::size_t i) {
    return i < identification.polynomial.size() ? identification.polynomial[i] : 0.0;
  };
  std::string text = "# From the identified rig: lag " + format("%.5g", lag * 1e3) +
                     " ms at low frequency, gain " + format("%.5g", identification.gain) +
                     ".\n# rig.dt = " + format("%.6g", rig_dt * 1e3) +
                     " ms, integrator.dt = " + format("%.6g", integrator_dt * 1e3) +
                     " ms. One [compensator] may be in force; the others are comments.\n";
  bool first = true;
  const auto propose = [&](const std::string& kind, const std::vector<std::string>& lines) {
    const std::string mark = first ? "" : "# ";
    text += "\n" + mark + "[compensator]\n" + mark + "kind = \"" + kind + "\"\n";
    for (const std::string& line : lines) text += mark + line + "\n";
    first = false;
  };
  propose("inverse", {"alpha = " + format("%.6g", 1 + lag / rig_dt)});
  propose("linear-acceleration", {delay, "beta = 0", "gamma = 0.5"});
  propose("derivative-feedforward",
          {"kp = 20", "ti = \"5 s\"", "kff = \"" + format("%.6g", 20 * lag) + " s\"  # kff/kp is the lag"});
  propose("polynomial", {delay, "order = 3"});
  propose("lagrange", {delay, "order = 2"});
  propose("phase-lead", {delay, "lag = \"" + format("%.6g", 1e3 * std::max(rig_dt, 0.1 * lag)) + " ms\""});
  propose("dual", {"alpha = " + format("%.6g", 1 + lag / rig_dt), "alpha_force = 1"});
  propose("adaptive-inverse",
          {"alpha = " + format("%.6g", 1 + lag / rig_dt), "kp = \"100 1/m^2\"", "ki = \"100 1/(m^2*s)\""});
  propose("ats", {delay});
  propose("rls-fir", {delay});
  if (!identification.too_narrow && identification.polynomial.size() > 1) {
    std::vector<std::string> lines{"a0 = " + format("%.6g", coefficient(0)),
                                   "a1 = \"" + format("%.6g", coefficient(1)) + " s\""};
    if (coefficient(2) != 0) lines.push_back("a2 = \"" + format("%.6g", coefficient(2)) + " s^2\"");
    if (coefficient(3) != 0) lines.push_back("a3 = \"" + format("%.6g", coefficient(3)) + " s^3\"");
    propose("model-based", lines);
    propose("amb", lines);
    if (coefficient(2) > 0) {
      const double omega = std::sqrt(coefficient(0) / coefficient(2));
      propose(
          "smith",
          {"frequency = \"" + format("%.6g", omega / (2 * pi)) + " Hz\"",
           "damping_ratio = " + format("%.6g", 0.5 * omega * coefficient(1) / coefficient(0)),
           "delay = \"" + format("%.6g", 1e3 * (lag - coefficient(1) / coefficient(0))) + " ms\"", "kp = 1"});
    }
  }
  propose("pi-lead", {"kp = 1", "ki = \"" + format("%.6g", 0.5 / std::max(lag, rig_dt)) + " 1/s\"",
                      "b0 = \"100 1/s\"", "b1 = " + format("%.6g", 1 + 100 * lag)});
  return text;
}

}  // namespace gusset
