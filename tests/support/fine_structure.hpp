#pragma once

#include <Eigen/Core>

#include <cmath>
#include <functional>
#include <vector>

namespace gusset::test {

/// A shear building with devices that yield, whole and without any test in between, by leapfrog in very small
/// steps with force laws of its own: shares no line with the program.
///
///   v_{j+½} = v_{j−½} + h·a_j,   x_{j+1} = x_j + h·v_{j+½}
///   a_j = M⁻¹·(−C·w − K·x_j − Σ b·f) − a_g,   w = v_{j−½} + ½h·a_{j−1}
class FineStructure {
 public:
  /// Force of a device from its drift and the drift's velocity; keeps its own memory.
  using Law = std::function<double(double drift, double velocity)>;
  struct Device {
    int floor;  ///< between this one and the one below
    Law law;
    int pulls = -2;  ///< the floor that its lower end really pulls; −2: the one below
  };

  FineStructure(std::vector<double> mass, std::vector<double> damping, std::vector<double> stiffness,
                std::vector<Device> devices)
      : mass_(std::move(mass)), devices_(std::move(devices)) {
    const auto n = static_cast<Eigen::Index>(mass_.size());
    damping_ = storeys(damping, n);
    stiffness_ = storeys(stiffness, n);
  }

  /// Displacements relative to the ground at t_i = i·dt, i = 0 … steps; `ground` gives a_g(t_i), linear in
  /// between.
  std::vector<Eigen::VectorXd> run(const std::function<double(std::int64_t)>& ground, std::int64_t steps,
                                   double dt, int finer) {
    const auto n = static_cast<Eigen::Index>(mass_.size());
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n), v = x, a = x, w = x;
    std::vector<Eigen::VectorXd> at_samples{x};
    const double h = dt / finer;
    for (std::int64_t i = 0; i < steps; ++i) {
      const double from = ground(i), to = ground(i + 1);
      for (int j = 0; j < finer; ++j) {
        w = v + 0.5 * h * a;
        Eigen::VectorXd force = -(damping_ * w) - stiffness_ * x;
        for (const Device& device : devices_) {
          const int below = device.floor - 1;
          const double drift = x(device.floor) - (below >= 0 ? x(below) : 0);
          const double rate = w(device.floor) - (below >= 0 ? w(below) : 0);
          const double f = device.law(drift, rate);
          force(device.floor) -= f;
          const int pulled = device.pulls == -2 ? below : device.pulls;
          if (pulled >= 0) force(pulled) += f;
        }
        const double a_g = from + (to - from) * j / finer;
        for (Eigen::Index k = 0; k < n; ++k) a(k) = force(k) / mass_[static_cast<std::size_t>(k)] - a_g;
        const bool first = i == 0 && j == 0;
        v += (first ? 0.5 : 1.0) * h * a;
        x += h * v;
      }
      at_samples.push_back(x);
    }
    return at_samples;
  }

 private:
  static Eigen::MatrixXd storeys(const std::vector<double>& values, Eigen::Index n) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double value = values[static_cast<std::size_t>(i)];
      matrix(i, i) += value;
      if (i == 0) continue;
      matrix(i - 1, i - 1) += value;
      matrix(i, i - 1) -= value;
      matrix(i - 1, i) -= value;
    }
    return matrix;
  }

  std::vector<double> mass_;
  std::vector<Device> devices_;
  Eigen::MatrixXd damping_, stiffness_;
};

/// An elastic spring beside one that slides.
inline FineStructure::Law fine_bilinear(double k, double yield, double hardening) {
  return [=, slider = 0.0](double x, double) mutable {
    const double reach = yield / k;
    if (x - slider > reach) slider = x - reach;
    if (slider - x > reach) slider = x + reach;
    return hardening * k * x + (1 - hardening) * k * (x - slider);
  };
}

/// Bouc-Wen with n = 2, β = γ = ½, by the midpoint rule over the way.
inline FineStructure::Law fine_bouc_wen(double k, double yield, double hardening) {
  return [=, z = 0.0, last = 0.0](double x, double) mutable {
    const double du = (x - last) / yield;
    const auto slope = [du](double at) { return 1 - at * at * (0.5 * (du * at > 0 ? 1 : -1) + 0.5); };
    z += du * slope(z + 0.5 * du * slope(z));
    last = x;
    return hardening * k * x + (1 - hardening) * k * yield * z;
  };
}

/// Linear below v_r, smoothly.
inline FineStructure::Law fine_viscous(double c, double exponent, double small) {
  return [=](double, double v) { return c * v / std::pow(std::hypot(v, small), 1 - exponent); };
}

}  // namespace gusset::test
