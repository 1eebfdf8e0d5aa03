#include "support/step_checks.hpp"

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "support/allocation_counter.hpp"

namespace gusset::test {

SteppedLoop loop_of(Test test) {
  auto wires = std::make_shared<Wires>(test.experiment->wires());
  State start = test.start().state;
  return {std::move(start), [test = std::move(test), wires](State& state) {
            test.experiment->put(test.input(state.step), *wires);
            Frame frame{state, *wires};
            frame.poison = true;
            test.experiment->loop().step(frame);
          }};
}

SteppedLoop free_loop_of(std::shared_ptr<const Experiment> experiment) {
  auto wires = std::make_shared<Wires>(experiment->wires());
  return {experiment->start().state,
          [experiment, wires](State& state) { experiment->step(state, Input{}, *wires); }};
}

bool same_bits(const State& a, const State& b) {
  return a.step == b.step && a.branches == b.branches && a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)) == 0;
}

bool has_hidden_state(const LoopFactory& make, int steps) {
  const SteppedLoop loop = make();
  State state = loop.start;
  for (int i = 0; i < steps; ++i) loop.step(state);
  const State snapshot = state;
  for (int i = 0; i < steps; ++i) loop.step(state);
  for (const SteppedLoop& other : {loop, make()}) {
    State again = snapshot;
    for (int i = 0; i < steps; ++i) other.step(again);
    if (!same_bits(again, state)) return true;
  }
  return false;
}

bool allocates(const SteppedLoop& loop, int steps) {
  State state = loop.start;
  const AllocationCounter counter;
  for (int i = 0; i < steps; ++i) loop.step(state);
  return counter.count() > 0;
}

Eigen::MatrixXd one_step_matrix(const SteppedLoop& loop, const State& around) {
  const auto n = static_cast<Eigen::Index>(around.values.size());
  Eigen::MatrixXd matrix(n, n);
  State base = around;
  loop.step(base);
  for (Eigen::Index column = 0; column < n; ++column) {
    State state = around;
    state.values[static_cast<std::size_t>(column)] += 1;
    loop.step(state);
    for (Eigen::Index row = 0; row < n; ++row) {
      const auto i = static_cast<std::size_t>(row);
      matrix(row, column) = state.values[i] - base.values[i];
    }
  }
  return matrix;
}

bool matrix_predicts(const SteppedLoop& loop, int steps, double tolerance) {
  State zero = loop.start;
  std::fill(zero.values.begin(), zero.values.end(), 0.0);
  const Eigen::MatrixXd matrix = one_step_matrix(loop, zero);
  State state = loop.start;
  Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(state.values.data(), matrix.rows());
  for (int i = 0; i < steps; ++i) {
    loop.step(state);
    x = (matrix * x).eval();
    // Entry by entry against the size of the products that make it up: units differ widely.
    for (Eigen::Index row = 0; row < x.size(); ++row) {
      const double size = (matrix.row(row).cwiseAbs() * x.cwiseAbs())(0) + std::abs(x(row));
      const double difference = std::abs(state.values[static_cast<std::size_t>(row)] - x(row));
      if (difference > tolerance * (i + 1) * size) return false;
    }
  }
  return true;
}

SystemCalls system_calls_of(const std::function<void()>& work) {
#if GUSSET_SANITIZED
  (void)work;
  return SystemCalls::cannot_tell;
#else
  constexpr int refused = 77;
  const pid_t child = ::fork();
  if (child < 0) return SystemCalls::cannot_tell;
  if (child == 0) {
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) ::_exit(refused);
    work();
    // Not _exit(), which is exit_group: strict mode allows only the plain one.
    ::syscall(SYS_exit, 0);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return SystemCalls::cannot_tell;
  if (WIFEXITED(status)) {
    return WEXITSTATUS(status) == 0 ? SystemCalls::none : SystemCalls::cannot_tell;
  }
  return SystemCalls::some;
#endif
}

}  // namespace gusset::test
