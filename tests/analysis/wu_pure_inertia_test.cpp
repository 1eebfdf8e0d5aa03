// Wu 2009, section III.A: a rigid mass as specimen. Everything here has a closed form.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <numbers>

#include "analysis/analysis.hpp"
#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"
#include "support/documents.hpp"
#include "support/recorded.hpp"

namespace gusset {
namespace {

using test::build_for_analysis;
using test::wu_pure_inertia;

constexpr double reference = 2 * std::numbers::pi;

double closed_limit(double gamma) { return 2 * std::sqrt((1 - gamma) / (1 + gamma)); }

/// A number of [low, high] with a resolution that shrinks to neat values.
double pick(double low, double high) { return low + (high - low) * 1e-4 * *rc::gen::inRange(0, 10001); }

struct Case {
  double gamma, xi, omega;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << "gamma " << c.gamma << ", xi " << c.xi << ", Omega " << c.omega;
}

/// First row of **A** of Wu 2009 eq. 10: d_{i+1} from d_i, d_{i−1}, d_{i−2}.
Eigen::RowVector3d wu_row(const Case& c) {
  const double xo = c.xi * c.omega;
  return Eigen::RowVector3d(2 - (1 + c.gamma) * c.omega * c.omega - c.gamma, xo + 2 * c.gamma - 1, -c.gamma) /
         (1 + xo);
}

Eigen::Matrix3d wu_matrix(const Case& c) {
  Eigen::Matrix3d w = Eigen::Matrix3d::Zero();
  w.row(0) = wu_row(c);
  w(1, 0) = w(2, 1) = 1;
  return w;
}

/// Largest root of the characteristic polynomial (eq. 12) by simultaneous iteration: no eigenvalue
/// solver involved.
double largest_root(const Case& c) {
  using Complex = std::complex<double>;
  const Eigen::RowVector3d a = wu_row(c);
  const auto polynomial = [&](Complex z) { return ((z - a(0)) * z - a(1)) * z - a(2); };
  Complex roots[] = {{0.4, 0.9}, {-0.65, 0.72}, {-0.6, -0.75}};
  for (int sweep = 0; sweep < 500; ++sweep) {
    for (int i = 0; i < 3; ++i) {
      const Complex others = (roots[i] - roots[(i + 1) % 3]) * (roots[i] - roots[(i + 2) % 3]);
      roots[i] -= polynomial(roots[i]) / others;
    }
  }
  return std::max({std::abs(roots[0]), std::abs(roots[1]), std::abs(roots[2])});
}

TEST(WuPureInertia, NumbersOfThePaper) {
  for (const auto& [gamma, limit] : {std::pair{0.1, 1.8091}, {0.5, 1.1547}, {0.8, 0.6667}}) {
    const Crossing found = stability_limit(wu_pure_inertia(gamma, 0.05, 0.1));
    ASSERT_EQ(found.kind, Crossing::Kind::found);
    EXPECT_NEAR(found.value * reference, limit, 5e-5);
  }
}

RC_GTEST_PROP(WuPureInertia, LimitIsTheClosedFormWhateverTheDamping, ()) {
  const double gamma = pick(0.001, 0.999);
  const double xi = pick(0, 0.9);
  const Crossing found = stability_limit(wu_pure_inertia(gamma, xi, 0.1));
  RC_ASSERT(found.kind == Crossing::Kind::found);
  RC_ASSERT(std::abs(found.value * reference - closed_limit(gamma)) < 1e-4);
}

TEST(WuPureInertia, LimitIsMuchBetterThanAskedFor) {
  // Bisected to 1e-10: only the rounding allowance of a double eigenvalue may show.
  for (const double gamma : {0.05, 0.3, 0.62, 0.95}) {
    const Crossing found = stability_limit(wu_pure_inertia(gamma, 0.1, 0.1));
    EXPECT_NEAR(found.value * reference, closed_limit(gamma), 1e-7) << gamma;
  }
}

RC_GTEST_PROP(WuPureInertia, NoStepIsStableFromMassRatioOneOn, ()) {
  const double gamma = pick(1.0005, 20);
  const double xi = pick(0, 0.9);
  RC_ASSERT(stability_limit(wu_pure_inertia(gamma, xi, 0.1)).kind == Crossing::Kind::always);
  const Analysis analysis = analyze(wu_pure_inertia(gamma, xi, std::pow(10, pick(-3, 0.3))));
  RC_ASSERT(!analysis.stable);
  RC_ASSERT(analysis.spectral_radius > 1);
}

TEST(WuPureInertia, MassRatioOneIsUnstableAtEveryStep) {
  for (const double xi : {0.0, 0.05, 0.5}) {
    const Crossing limit = stability_limit(wu_pure_inertia(1, xi, 0.1));
    EXPECT_EQ(limit.kind, Crossing::Kind::always) << xi;
  }
}

RC_GTEST_PROP(WuPureInertia, MatrixIsThatOfEquationTen, ()) {
  const Case c{pick(0.01, 3), pick(0, 1), std::pow(10, pick(-3, 0.3))};
  const Experiment experiment = build_for_analysis(wu_pure_inertia(c.gamma, c.xi, c.omega));
  Linearizer linearizer;
  const Eigen::MatrixXd& matrix = linearizer.matrix(experiment);
  RC_ASSERT(matrix.rows() == 3);
  // Ours: [d_i, d_i − d_{i−1}, M_E·a_{i−1}]; Wu's: [d_i, d_{i−1}, d_{i−2}]. The force is measured in
  // units of M_E/Δt² so that all entries are of order one.
  const double mass = c.gamma * 300;
  const double force = mass / (experiment.dt() * experiment.dt());
  const Eigen::DiagonalMatrix<double, 3> unit(1, 1, force);
  Eigen::Matrix3d t;
  t << 1, 0, 0, 1, -1, 0, 1, -2, 1;
  const Eigen::Matrix3d ours = unit.inverse() * matrix * unit;
  RC_ASSERT((ours * t - t * wu_matrix(c)).norm() <= 1e-12);
}

RC_GTEST_PROP(WuPureInertia, RadiusIsThatOfEquationTwelve, ()) {
  const Case c{pick(0.01, 2), pick(0.01, 0.8), std::pow(10, pick(-1.5, 0.3))};
  const double expected = largest_root(c);
  const double radius = test::spectral_radius(wu_pure_inertia(c.gamma, c.xi, c.omega));
  // A double root is good to half the digits only.
  RC_ASSERT(std::abs(radius - expected) < 1e-7 * expected);
}

/// Grows from the start and tells by what factor 1000 steps multiply the dominant part.
double simulated_growth(const Experiment& experiment, const Eigen::VectorXcd& left) {
  State state = experiment.start().state;
  test::Recorded output(experiment);
  const auto amplitude = [&] {
    std::complex<double> sum = 0;
    for (Eigen::Index i = 0; i < left.size(); ++i) {
      sum += left(i) * state.values[static_cast<std::size_t>(i)];
    }
    return std::abs(sum);
  };
  const double before = amplitude();
  for (int i = 0; i < 1000; ++i) output.step(state, {});
  return amplitude() / before;
}

TEST(WuPureInertia, ThousandStepsGrowAsTheRadiusSays) {
  for (const Case& c : {Case{0.8, 0.2, 0.60},
                        {0.8, 0.2, 0.70},
                        {0.5, 0.05, 1.10},
                        {0.5, 0.05, 1.16},
                        {1.003, 0.0, 0.0628},
                        {0.1, 0.02, 0.3}}) {
    const Experiment experiment = build_for_analysis(wu_pure_inertia(c.gamma, c.xi, c.omega));
    Linearizer linearizer;
    const Eigen::MatrixXd matrix = linearizer.matrix(experiment);
    // The left eigenvector picks one mode out of the response without waiting for the others to die.
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix.transpose());
    Eigen::Index dominant = 0;
    const double radius = solver.eigenvalues().cwiseAbs().maxCoeff(&dominant);
    const double growth = simulated_growth(experiment, solver.eigenvectors().col(dominant));
    EXPECT_NEAR(std::log(growth), 1000 * std::log(radius), 1e-6) << c;
    EXPECT_NEAR(std::log(growth), 1000 * std::log(largest_root(c)), 1e-6) << c;
  }
}

TEST(WuPureInertia, ZeroStabilityRadiusIsTheMassRatio) {
  for (const double gamma : {0.1, 0.8, 1.0, 1.5}) {
    const Document document = wu_pure_inertia(gamma, 0.2, 0.05);
    EXPECT_NEAR(interface_radius(document, build_for_analysis(document)), gamma, 1e-6);
  }
}

}  // namespace
}  // namespace gusset
