#pragma once

#include <Eigen/Core>
#include <vector>

#include "build/experiment.hpp"

namespace gusset {

/// Gets the one-step matrix A of x_{i+1} = A·x_i by perturbing the state, entry by entry, and calling
/// the very `step` that a test runs: compensator, sub-steps, delay and specimen included. Inputs are
/// zero. Entries that are *parameters* are frozen: they would add eigenvalues of modulus 1.
///
/// An affine loop is perturbed by 1 around zero, so that A is exact to rounding. A nonlinear one is
/// perturbed around a given state by h = the entry's declared scale and by a thousandth of that. Where the
/// two slopes agree to 10⁻⁶ the first is taken, which rounding spoils least; else h shrinks once more: a
/// curve that bends within the scale, as friction does, has its tangent taken. If a branch changes at
/// every h there is no derivative, and the entry is named in an InputError.
///
/// Keeps its work space, so one object can serve thousands of experiments.
class Linearizer {
 public:
  /// A around zero for an affine loop, around the initial state otherwise.
  const Eigen::MatrixXd& matrix(const Experiment& experiment);
  /// A around a state.
  const Eigen::MatrixXd& matrix(const Experiment& experiment, const State& around);

  /// The state entries that rows and columns of the last matrix stand for.
  const std::vector<int>& entries() const { return entries_; }

 private:
  void perturb(const Experiment& experiment, const State& around, bool affine);
  /// The column of `entry`, perturbed by h. Returns the branch that changed; their number if none did.
  std::size_t slope(const Experiment& experiment, const State& around, int entry, double h,
                    Eigen::Ref<Eigen::VectorXd> column);

  Eigen::MatrixXd matrix_;
  Eigen::VectorXd finer_;
  std::vector<double> scales_;
  std::vector<int> entries_;
  State state_, base_;
  Wires wires_;
};

/// Of an entry's scale: small enough for a tangent of any curve that a test is made of, and large enough
/// against rounding for six digits of it.
inline constexpr double tangent_share = 1e-6;

/// The state an analysis starts from: all signals zero if the loop is affine, the initial state
/// otherwise; parameters as at t_0, and every adaptation switched off (its branch "freeze" set).
State frozen_state(const Experiment& experiment);

/// d(measured force at t_{i+1})/d(measured force at t_i) as Δt → 0, everything else held: the matrix
/// H of the coupled integration (Wu 2009, appendix; up to the order of the outputs). The loop is
/// zero-stable if its spectral radius is at most 1.
Eigen::MatrixXd interface_gain(const Experiment& experiment);

}  // namespace gusset
