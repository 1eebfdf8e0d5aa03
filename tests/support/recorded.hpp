#pragma once

#include <vector>

#include "build/experiment.hpp"

namespace gusset::test {

/// Steps an experiment and keeps what passed between its blocks, everything being made not a number before
/// it is written if asked for.
class Recorded {
 public:
  explicit Recorded(const Experiment& experiment, bool poison = false)
      : experiment_(experiment), poison_(poison), wires_(experiment.wires()) {
    rows.resize(experiment.row().size() * static_cast<std::size_t>(experiment.substeps()));
    structure.resize(3 * static_cast<std::size_t>(experiment.structure().size()));
  }

  void step(State& state, const Input& input) {
    experiment_.put(input, wires_);
    Frame frame{state, wires_};
    frame.poison = poison_;
    double* row = rows.data();
    experiment_.loop().step(frame, [&] {
      experiment_.row().copy(wires_, row);
      row += experiment_.row().size();
    });
    if (structure.empty()) return;
    double* value = structure.data();
    const LoadingPorts& ports = experiment_.response();
    for (const Port port : {ports.displacement, ports.velocity, ports.acceleration}) {
      value = std::copy_n(wires_.at(port), port.size, value);
    }
  }
  /// The goal of a channel, as the last sub-step left it.
  Piece goal(int channel) { return experiment_.response().goals(wires_)[channel]; }
  /// A published number of a sub-step.
  double at(int substep, const std::string& signal) const {
    const int index = experiment_.row().index(signal);
    return rows.at(static_cast<std::size_t>(substep) * experiment_.row().size() +
                   static_cast<std::size_t>(index));
  }

  std::vector<double> rows;       ///< one published row a sub-step
  std::vector<double> structure;  ///< displacements, velocities, accelerations of t_i

 private:
  const Experiment& experiment_;
  bool poison_;
  Wires wires_;
};

/// The published row of a start.
inline std::vector<double> row_of(const Experiment& experiment, const Wires& wires) {
  std::vector<double> row(experiment.row().size());
  experiment.row().copy(wires, row.data());
  return row;
}

}  // namespace gusset::test
