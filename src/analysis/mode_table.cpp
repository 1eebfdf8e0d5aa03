#include "analysis/mode_table.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/assignment.hpp"
#include "analysis/growth.hpp"
#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"
#include "base/balance.hpp"
#include "base/error.hpp"
#include "structure/sparse_modes.hpp"

namespace gusset {
namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

/// An eigenvalue, or a pole, with its eigenvector.
struct Eigenpair {
  Complex value;
  Eigen::VectorXcd vector;
};

/// Eigenvalues with their vectors, one of each conjugate pair.
std::vector<Eigenpair> eigenpairs(Eigen::MatrixXd matrix) {
  const Eigen::VectorXd scales = balance(matrix);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix);
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  std::vector<Eigenpair> pairs;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const Complex value = solver.eigenvalues()(i);
    if (value.imag() < 0) continue;
    pairs.push_back({value, scales.asDiagonal() * vectors.col(i)});
  }
  return pairs;
}

/// Turned so that its largest entry is 1: a mode whose floors pass zero together comes out real.
std::vector<double> real_shape(const Eigen::VectorXcd& shape) {
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  std::vector<double> real;
  for (const Complex& entry : shape) real.push_back((entry / shape(largest)).real());
  return real;
}

double modal_assurance(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
  const double sizes = a.squaredNorm() * b.squaredNorm();
  return sizes > 0 ? std::norm(a.dot(b)) / sizes : 0;
}

constexpr double farthest = 0.5;  ///< of a pair's poles, in units of |s_exact|
constexpr Eigen::Index largest_with_shapes = 200;

/// What the test may have of a mode.
struct Candidate {
  Complex pole;
  Eigen::VectorXcd shape;  ///< of the floors; empty: not known
};

std::vector<Candidate> candidates_of(const TestMatrix& test, double dt) {
  std::vector<Candidate> candidates;
  const bool shapes = !test.floors.empty() && test.matrix.rows() <= largest_with_shapes;
  if (!test.matrix.allFinite()) return candidates;
  const auto add = [&](const Complex& value, Eigen::VectorXcd shape) {
    if (value.imag() > 0) candidates.push_back({std::log(value) / dt, std::move(shape)});
  };
  if (shapes) {
    for (const Eigenpair& pair : eigenpairs(test.matrix)) add(pair.value, pair.vector(test.floors));
  } else {
    for (const Complex& value : spectrum(test.matrix).values) add(value, {});
  }
  return candidates;
}

void pair_up(std::vector<Mode>& modes, const std::vector<Eigenpair>& exact,
             const std::vector<Candidate>& candidates, double dt) {
  const auto rows = static_cast<Eigen::Index>(modes.size());
  const auto columns = static_cast<Eigen::Index>(candidates.size());
  // Every mode may go without a partner, at a price that no pair within reach has.
  constexpr double alone = 10, never = 1e6;
  Eigen::MatrixXd cost = Eigen::MatrixXd::Constant(rows, columns + rows, alone);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Complex s = exact[static_cast<std::size_t>(i)].value;
    for (Eigen::Index j = 0; j < columns; ++j) {
      const Candidate& candidate = candidates[static_cast<std::size_t>(j)];
      const double distance = std::abs(candidate.pole - s) / std::abs(s);
      const Eigen::Index floors = candidate.shape.size();
      const double mac = floors > 0 ? modal_assurance(candidate.shape,
                                                      exact[static_cast<std::size_t>(i)].vector.head(floors))
                                    : 1;
      const bool reach = distance <= farthest && s.imag() * dt < pi;
      cost(i, j) = reach ? distance + 1 - mac : never;
    }
  }
  const std::vector<int> partners = assign_columns(cost);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (partners[i] < 0 || partners[i] >= static_cast<int>(columns)) continue;
    const Complex pole = candidates[static_cast<std::size_t>(partners[i])].pole;
    Mode& mode = modes[i];
    mode.frequency = pole.imag() / (2 * pi);
    mode.damping = -pole.real() / std::abs(pole);
    mode.period_elongation = mode.exact_frequency / *mode.frequency - 1;
    mode.period_error = *mode.frequency / mode.exact_frequency - 1;
  }
}

/// Of a large structure the lowest modes of the whole, and nothing of the test's.
ModeTable lowest_whole_modes(const Experiment& experiment) {
  constexpr int few = 10;
  const LinearSystem whole = experiment.whole(true);
  const NaturalModes natural = lowest_modes(whole, few);
  const Eigen::SparseMatrix<double> damping = whole.matrix(whole.damping_entries);
  ModeTable table;
  table.linear = whole.linear;
  for (Eigen::Index k = 0; k < natural.shapes.cols(); ++k) {
    const double omega = natural.frequencies[static_cast<std::size_t>(k)];
    if (!(omega > 0)) continue;
    const Eigen::VectorXd shape = natural.shapes.col(k);
    Mode mode;
    mode.exact_damping = shape.dot(damping * shape) / (2 * omega);
    if (mode.exact_damping >= 1) continue;
    mode.exact_frequency = omega * std::sqrt(1 - mode.exact_damping * mode.exact_damping) / (2 * pi);
    mode.shape = real_shape(shape.cast<Complex>());
    table.modes.push_back(std::move(mode));
  }
  return table;
}

}  // namespace

ModeTable compare_modes(const LinearSystem& whole, const TestMatrix& test, double dt) {
  ModeTable table;
  table.linear = whole.linear;
  std::vector<Eigenpair> exact = eigenpairs(whole.rates());
  double fastest = 0;
  for (const Eigenpair& pair : exact) fastest = std::max(fastest, std::abs(pair.value));
  // Poles at 0 are of rounding: pairs of them come apart by its square root.
  const double nothing = 1e-7 * fastest;
  std::erase_if(exact, [&](const Eigenpair& pair) {
    const double size = std::abs(pair.value);
    if (pair.value.imag() > 1e-9 * size && size > nothing) return false;
    if (size <= nothing) {
      ++table.free;
    } else if (pair.value.real() < 0) {
      table.decays.push_back(-1 / pair.value.real());
    }
    return true;
  });
  std::sort(table.decays.rbegin(), table.decays.rend());
  std::sort(exact.begin(), exact.end(),
            [](const Eigenpair& a, const Eigenpair& b) { return a.value.imag() < b.value.imag(); });
  for (const Eigenpair& pair : exact) {
    Mode mode;
    mode.exact_frequency = pair.value.imag() / (2 * pi);
    mode.exact_damping = (0.0 - pair.value.real()) / std::abs(pair.value);  // of an undamped mode 0, not -0
    mode.shape = real_shape(pair.vector.head(whole.size()));
    table.modes.push_back(std::move(mode));
  }
  pair_up(table.modes, exact, candidates_of(test, dt), dt);
  return table;
}

ModeTable mode_table(const Experiment& experiment) {
  if (too_large_for_eigenvalues(experiment)) return lowest_whole_modes(experiment);
  Linearizer linearizer;
  Eigen::MatrixXd matrix;
  try {
    matrix = linearizer.matrix(experiment);
  } catch (const InputError&) {
    // No derivative at rest: the exact modes stand alone.
  }
  std::vector<Eigen::Index> floors;
  if (const Integrator* integrator = experiment.method().integrator();
      integrator != nullptr && matrix.size() > 0) {
    const Segment segment = integrator->displacement();
    if (segment.size == experiment.structure().size()) {
      const std::vector<int>& entries = linearizer.entries();
      for (int i = 0; i < segment.size; ++i) {
        const auto at = std::find(entries.begin(), entries.end(), segment.offset + i);
        if (at != entries.end()) floors.push_back(at - entries.begin());
      }
    }
  }
  return compare_modes(experiment.whole(), {matrix, std::move(floors)}, experiment.dt());
}

}  // namespace gusset
