#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "build/test.hpp"
#include "link/rig_core.hpp"
#include "support/documents.hpp"

// Tests put together out of their parts, without a file: several channels on one specimen.
namespace gusset::test {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Moves a vector by one step; linear in it and in the ground's acceleration.
using StepMap = std::function<void(Vector& state, double ground)>;

/// The matrix of a linear step, column by column.
inline Matrix matrix_of(const StepMap& step, Eigen::Index size) {
  Matrix matrix(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    Vector state = Vector::Unit(size, j);
    step(state, 0);
    matrix.col(j) = state;
  }
  return matrix;
}

/// ẏ = rates(y) over a time h by many steps of the classical Runge-Kutta method: nothing that the library uses.
inline void integrate(Vector& y, double h, int steps,
                      const std::function<Vector(const Vector&, double)>& rates) {
  const double k = h / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * k;
    const Vector a = rates(y, t), b = rates(y + 0.5 * k * a, t + 0.5 * k),
                 c = rates(y + 0.5 * k * b, t + 0.5 * k), d = rates(y + k * c, t + k);
    y += k / 6 * (a + 2 * b + 2 * c + d);
  }
}

/// A ground motion with many frequencies, at rest in the beginning.
inline double shaking(int step, double dt) {
  const double t = step * dt;
  return t < 0.004 ? 0 : 2 * std::sin(7 * t) + std::sin(19 * t) + 0.5 * std::sin(43 * t);
}

/// Without excitation of its own.
inline Test test_of(Experiment experiment) {
  return {std::make_shared<const Experiment>(std::move(experiment)), {}, 0, 0};
}

/// Runs the test with its rig behind a link's rig, next to the test in one piece, and compares every signal to
/// the bit. Returns the name of the first that differs; empty if none does.
inline std::string differs_in_lockstep(const Test& test, int steps) {
  const Experiment& experiment = *test.experiment;
  const Loop& loop = experiment.loop();
  const Loop::Cut& cut = experiment.cut();
  Experiment::Start one = experiment.start(), far = experiment.start();
  RigCore core(test);
  Frame whole{one.state, one.row}, half{far.state, far.row};
  Message message, reply;
  std::vector<double> values(cut.commands.size()), feedback(cut.feedback.size());
  for (int i = 0; i < steps; ++i) {
    Input input;
    input.acceleration = shaking(i, experiment.dt());
    input.next_acceleration = shaking(i + 1, experiment.dt());
    experiment.put(input, one.row);
    experiment.put(input, far.row);
    bool over = false;
    do {
      loop.to_rig(whole);
      loop.through_rig(whole);
      loop.to_rig(half);
      for (std::size_t c = 0; c < values.size(); ++c) values[c] = far.row[cut.commands[c].port];
      ++message.sequence;
      message.step = i;
      message.substep = half.substep;
      message.phase = LinkPhase::test;
      core.answer(message, values.data(), reply, feedback.data());
      if (core.cause() != Cause::none) return "the rig tripped";
      for (std::size_t k = 0; k < feedback.size(); ++k) far.row[cut.feedback[k].port] = feedback[k];
      loop.from_rig(whole);
      over = loop.from_rig(half);
      for (const Signal& signal : experiment.row().signals) {
        const Port port = loop.row().find(signal.name).port;
        if (one.row[port] != far.row[port]) return signal.name;
      }
    } while (!over);
  }
  return {};
}

}  // namespace gusset::test
