#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>

#include "base/state.hpp"
#include "build/test.hpp"

namespace gusset::test {

/// A loop as the checks see it: where it starts and how it steps. An Experiment is one, and so are
/// the deliberately wrong loops that the checks must reject.
struct SteppedLoop {
  State start;
  std::function<void(State&)> step;
};
/// Makes the same loop afresh, with nothing left over from an earlier one.
using LoopFactory = std::function<SteppedLoop()>;

/// Steps a test with its own inputs; the wires are filled with NaN before every step.
SteppedLoop loop_of(Test test);
/// An experiment in free vibration, without touching the wires.
SteppedLoop free_loop_of(std::shared_ptr<const Experiment> experiment);

/// Every bit of two states the same?
bool same_bits(const State& a, const State& b);

/// Does anything outside the State decide what a step gives? Takes a snapshot on the way, goes on,
/// and steps again from the snapshot: in the same loop, and in a fresh one.
bool has_hidden_state(const LoopFactory& make, int steps);

/// Does a step allocate or free memory, the first one included?
bool allocates(const SteppedLoop& loop, int steps);

/// The one-step matrix of an affine loop by perturbation of the State at `around`.
Eigen::MatrixXd one_step_matrix(const SteppedLoop& loop, const State& around);

/// Is a step the matrix, whatever the state? Compares A^k·x with k steps from x: a loop whose matrix
/// changes from step to step (a ring buffer's head moves) fails, and its spectral radius says
/// nothing.
bool matrix_predicts(const SteppedLoop& loop, int steps, double tolerance = 1e-9);

/// Runs the function in a child process in which every system call but the last exit is fatal.
enum class SystemCalls { none, some, cannot_tell };
SystemCalls system_calls_of(const std::function<void()>& work);

}  // namespace gusset::test
