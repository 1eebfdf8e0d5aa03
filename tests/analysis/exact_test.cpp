#include "analysis/exact.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/LU>
#include <cmath>

namespace gusset {
namespace {

LinearSystem single(double omega, double zeta) {
  LinearSystem system;
  system.mass = Eigen::MatrixXd::Constant(1, 1, 3.0);
  system.damping = Eigen::MatrixXd::Constant(1, 1, 2 * zeta * omega * 3);
  system.stiffness = Eigen::MatrixXd::Constant(1, 1, omega * omega * 3);
  system.influence = Eigen::VectorXd::Ones(1);
  return system;
}

Eigen::VectorXd one(double value) { return Eigen::VectorXd::Constant(1, value); }

/// Free vibration from d0, v0: under-, critically and overdamped.
double closed_form(double omega, double zeta, double d0, double v0, double t) {
  const double decay = std::exp(-zeta * omega * t);
  const double rate = v0 + zeta * omega * d0;
  if (zeta == 1) return decay * (d0 + rate * t);
  if (zeta < 1) {
    const double damped = omega * std::sqrt(1 - zeta * zeta);
    return decay * (d0 * std::cos(damped * t) + rate / damped * std::sin(damped * t));
  }
  const double real = omega * std::sqrt(zeta * zeta - 1);
  return decay * (d0 * std::cosh(real * t) + rate / real * std::sinh(real * t));
}

RC_GTEST_PROP(ExactResponse, FreeVibrationOfOneMass, ()) {
  const double omega = std::pow(10, 0.01 * *rc::gen::inRange(-100, 250));
  const double zeta = *rc::gen::element(0.0, 0.01, 0.3, 0.99, 1.0, 1.7);
  const double dt = 0.01 * *rc::gen::inRange(1, 200) / omega;
  const double d0 = 1e-3 * *rc::gen::inRange(-10, 11);
  const double v0 = 1e-3 * *rc::gen::inRange(-10, 11) * omega;
  ExactResponse exact(single(omega, zeta), one(d0), one(v0), dt);
  for (int i = 1; i <= 100; ++i) {
    exact.advance(0, 0);
    RC_ASSERT(std::abs(exact.displacement(0) - closed_form(omega, zeta, d0, v0, i * dt)) < 1e-12);
  }
}

TEST(ExactResponse, TwoMassesAsASumOfModes) {
  // m·x'' + k·[2 −1; −1 1]·x = 0: squared frequencies (3 ± √5)/2·k/m, shapes (1, φ) with golden φ.
  const double k = 40;
  LinearSystem system;
  system.mass = 5 * Eigen::Matrix2d::Identity();
  system.stiffness.resize(2, 2);
  system.stiffness << 2 * k, -k, -k, k;
  system.damping = Eigen::Matrix2d::Zero();
  system.influence = Eigen::Vector2d::Ones();
  const double golden = (1 + std::sqrt(5)) / 2;
  const Eigen::Vector2d shapes[] = {{1, golden}, {1, 1 - golden}};
  const double omegas[] = {std::sqrt((3 - std::sqrt(5)) / 2 * k / 5),
                           std::sqrt((3 + std::sqrt(5)) / 2 * k / 5)};
  const double weights[] = {0.01, 0.003};
  const double rates[] = {0.02, -0.07};
  const double dt = 0.05;
  ExactResponse exact(system, weights[0] * shapes[0] + weights[1] * shapes[1],
                      rates[0] * shapes[0] + rates[1] * shapes[1], dt);
  for (int i = 1; i <= 400; ++i) {
    exact.advance(0, 0);
    Eigen::Vector2d d = Eigen::Vector2d::Zero(), v = d;
    for (int mode = 0; mode < 2; ++mode) {
      const double w = omegas[mode];
      const double t = i * dt;
      d += shapes[mode] * (weights[mode] * std::cos(w * t) + rates[mode] / w * std::sin(w * t));
      v += shapes[mode] * (rates[mode] * std::cos(w * t) - weights[mode] * w * std::sin(w * t));
    }
    for (int dof = 0; dof < 2; ++dof) {
      ASSERT_NEAR(exact.displacement(dof), d(dof), 1e-12) << i;
      ASSERT_NEAR(exact.velocity(dof), v(dof), 1e-12) << i;
    }
  }
}

/// Ground acceleration with corners at every step of 20 ms.
double corner(int i) { return std::sin(1.7 * i) + 0.5 * std::cos(0.3 * i * i); }

TEST(ExactResponse, PiecewiseLinearGroundAgainstRungeKutta) {
  LinearSystem system;
  system.mass = Eigen::Vector3d(2, 1, 0.5).asDiagonal();
  system.stiffness.resize(3, 3);
  system.stiffness << 900, -400, 0, -400, 700, -300, 0, -300, 300;
  system.damping = 0.003 * system.stiffness + 0.2 * system.mass;
  system.influence = Eigen::Vector3d(1, 1, 0);  // the third coordinate is absolute
  const Eigen::Vector3d d0(0.01, 0, -0.02), v0(0, 0.1, 0);
  const double dt = 0.02;
  ExactResponse exact(system, d0, v0, dt);

  const Eigen::Matrix3d inverse = system.mass.inverse();
  Eigen::VectorXd x(6);
  x << d0, v0;
  const auto rate = [&](const Eigen::VectorXd& y, double ground) {
    Eigen::VectorXd r(6);
    r << y.tail(3),
        -inverse * (system.damping * y.tail(3) + system.stiffness * y.head(3)) - system.influence * ground;
    return r;
  };
  const int fine = 200;
  const double h = dt / fine;
  for (int i = 0; i < 150; ++i) {
    exact.advance(corner(i), corner(i + 1));
    const double slope = (corner(i + 1) - corner(i)) / dt;
    for (int k = 0; k < fine; ++k) {
      const double a0 = corner(i) + slope * k * h;
      const Eigen::VectorXd k1 = rate(x, a0);
      const Eigen::VectorXd k2 = rate(x + 0.5 * h * k1, a0 + 0.5 * h * slope);
      const Eigen::VectorXd k3 = rate(x + 0.5 * h * k2, a0 + 0.5 * h * slope);
      const Eigen::VectorXd k4 = rate(x + h * k3, a0 + h * slope);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    for (int dof = 0; dof < 3; ++dof) {
      ASSERT_NEAR(exact.displacement(dof), x(dof), 1e-10) << i;
      ASSERT_NEAR(exact.velocity(dof), x(3 + dof), 1e-9) << i;
    }
  }
}

TEST(ExactResponse, StepsOfAnySizeAgree) {
  // Two steps of Δt and one of 2Δt under the same straight line of ground acceleration.
  const LinearSystem system = single(7, 0.05);
  ExactResponse halves(system, one(0.01), one(0.2), 0.1);
  ExactResponse whole(system, one(0.01), one(0.2), 0.2);
  for (int i = 0; i < 50; ++i) {
    const double a = corner(i), b = corner(i + 1);
    whole.advance(a, b);
    halves.advance(a, 0.5 * (a + b));
    halves.advance(0.5 * (a + b), b);
    ASSERT_NEAR(whole.displacement(0), halves.displacement(0), 1e-13);
    ASSERT_NEAR(whole.velocity(0), halves.velocity(0), 1e-12);
  }
}

TEST(ExactResponse, RigidBodyFallsFreely) {
  // No spring at all: d = d0 + v0·t − a·t²/2.
  ExactResponse exact(single(0, 0), one(1), one(2), 0.5);
  for (int i = 1; i <= 20; ++i) {
    exact.advance(9.81, 9.81);
    const double t = 0.5 * i;
    ASSERT_NEAR(exact.displacement(0), 1 + 2 * t - 0.5 * 9.81 * t * t, 1e-11);
  }
}

}  // namespace
}  // namespace gusset
