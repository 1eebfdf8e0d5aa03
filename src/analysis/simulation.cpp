#include "analysis/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/exact.hpp"
#include "analysis/indicators.hpp"
#include "base/linear_system.hpp"

namespace gusset {
namespace {

/// Appends rows of numbers to the channels of a table.
class TableWriter {
 public:
  TableWriter(Table& table, std::size_t rows) : table_(table), rows_(rows) {}
  void add(std::string name, std::string unit, std::optional<Control> control = {}) {
    table_.channels.push_back({std::move(name), std::move(unit), {}, control});
    table_.channels.back().values.reserve(rows_);
  }
  void append(std::size_t first, const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) table_.channels[first + i].values.push_back(values[i]);
  }

 private:
  Table& table_;
  std::size_t rows_;
};

/// Watches the limits of the experiment on the wires of each step, and on the commands of each sub-step.
class Watch {
 public:
  explicit Watch(const Experiment& experiment) : experiment_(experiment) {
    for (const Signal& signal : experiment.row_signals()) {
      names_.push_back(signal.name);
      const Limits& own = experiment.limits_of(signal.name);
      limits_.push_back(signal.unit == "m" ? own.displacement : signal.unit == "N" ? own.force : std::nullopt);
    }
    // Under force control what moves is measured; a shake table is told accelerations.
    for (const Channel& channel : experiment.channels()) {
      const Limits& own = channel.limits;
      const bool moved = channel.control == Control::displacement;
      in_motion_.push_back(moved);
      looks_ = looks_ || (moved && (own.velocity || own.acceleration));
      if (moved) continue;
      for (std::size_t i = 0; i < names_.size(); ++i) {
        if (names_[i] == channel.interface.name + ".velocity") limits_[i] = own.velocity;
        if (channel.control == Control::acceleration && names_[i] == channel.interface.name + ".command") {
          limits_[i] = own.acceleration;
        }
      }
    }
  }

  /// One step of the test. `step` keeps the commands of its last sub-step only, so where they have limits
  /// it is taken apart.
  void step(State& state, const Input& input, Output& output) {
    broken_.reset();
    if (!looks_) {
      experiment_.step(state, input, output);
      return;
    }
    const double start = experiment_.dt() * static_cast<double>(state.step);
    step_by_substeps(experiment_, state, input, output, [&](int substep) {
      if (!broken_) look(output, start + experiment_.rig_dt() * (substep + 1));
    });
  }

  std::optional<Stop> check(const Output& output, std::int64_t step) const {
    const auto width = static_cast<std::size_t>(experiment_.row_width());
    for (std::size_t i = 0; i < output.rows.size(); ++i) {
      const std::size_t substep = i / width;
      const std::string& name = names_[i % width];
      const double value = output.rows[i];
      const double time = experiment_.dt() * static_cast<double>(step) +
                          experiment_.rig_dt() * static_cast<double>(substep + 1);
      if (!std::isfinite(value)) return Stop{time, name, value, std::nullopt};
      const std::optional<double>& limit = limits_[i % width];
      if (limit && std::abs(value) > *limit) return Stop{time, name, value, *limit};
    }
    const double time = experiment_.dt() * static_cast<double>(step);
    const int n = experiment_.structure().size();
    for (int i = 0; i < n; ++i) {
      const double value = output.structure[static_cast<std::size_t>(i)];
      if (!std::isfinite(value)) {
        return Stop{time, Structure::name_of(i) + ".displacement", value, std::nullopt};
      }
    }
    return broken_;
  }

 private:
  void look(const Output& output, double time) {
    for (std::size_t c = 0; c < output.commands.size(); ++c) {
      if (!in_motion_[c]) continue;
      const Limits& limits = experiment_.channels()[c].limits;
      const std::string& name = experiment_.channels()[c].interface.name;
      const Command& command = output.commands[c];
      if (limits.velocity && std::abs(command.rate) > *limits.velocity) {
        broken_ = Stop{time, name + ".velocity", command.rate, limits.velocity};
      } else if (limits.acceleration && std::abs(command.curvature) > *limits.acceleration) {
        broken_ = Stop{time, name + ".acceleration", command.curvature, limits.acceleration};
      }
    }
  }

  const Experiment& experiment_;
  std::vector<bool> in_motion_;  ///< the channel is told displacements
  bool looks_ = false;           ///< one of those has a limit of velocity or acceleration
  std::optional<Stop> broken_;
  std::vector<std::string> names_;
  std::vector<std::optional<double>> limits_;  ///< by unit: gains of a compensator have none
};

Table reference_table(const Experiment& experiment, std::size_t rows) {
  Table table{"reference", 0, experiment.dt(), {}};
  TableWriter writer(table, rows);
  const int n = experiment.structure().size();
  for (int i = 0; i < n; ++i) writer.add("reference." + Structure::name_of(i) + ".displacement", "m");
  const LinearStart start = experiment.whole_start();
  ExactResponse exact(experiment.whole(), start.displacement, start.velocity, experiment.dt());
  for (std::size_t k = 0; k < rows; ++k) {
    for (int i = 0; i < n; ++i) {
      table.channels[static_cast<std::size_t>(i)].values.push_back(exact.displacement(i));
    }
    const auto step = static_cast<std::int64_t>(k);
    exact.advance(experiment.input(step).acceleration, experiment.input(step + 1).acceleration);
  }
  return table;
}

}  // namespace

void add_reference(const Experiment& experiment, std::vector<Table>& tables) {
  // The reference is dense: beyond this it takes longer than the test.
  constexpr int largest_reference = 200;
  const int n = experiment.structure().size();
  if (!experiment.affine() || n == 0 || n > largest_reference || tables.empty()) return;
  tables.push_back(reference_table(experiment, tables.front().rows()));
}

double memory_needed(const Experiment& experiment, bool reference) {
  const double n = experiment.structure().size();
  const double rows = static_cast<double>(experiment.steps()) + 1;
  return 8 * rows *
         (3 * n + 1 + experiment.row_width() * static_cast<double>(experiment.substeps()) +
          (reference ? n : 0));
}

Simulation simulate(const Experiment& experiment, const SimulationOptions& options) {
  Simulation result;
  const int n = experiment.structure().size();
  const int substeps = experiment.substeps();
  const auto rows = static_cast<std::size_t>(experiment.steps()) + 1;
  const auto width = static_cast<std::size_t>(experiment.row_width());

  Table structure{"structure", 0, experiment.dt(), {}};
  TableWriter writer(structure, rows);
  for (int i = 0; i < n; ++i) {
    writer.add(Structure::name_of(i) + ".displacement", "m");
    writer.add(Structure::name_of(i) + ".velocity", "m/s");
    writer.add(Structure::name_of(i) + ".acceleration", "m/s^2");
  }
  writer.add("ground.acceleration", "m/s^2");
  std::vector<int> energies;  // what yielding parts dissipated until then
  for (const Layout::Field& field : experiment.layout().fields()) {
    if (std::string_view(field.name) != "dissipated") continue;
    writer.add(field.owner + ".dissipated", "J");
    energies.push_back(field.segment.offset);
  }
  const std::size_t own = structure.channels.size();
  // A rig at the integrator's rate shares the structure's table.
  Table fast{"rig", 0, experiment.rig_dt(), {}};
  TableWriter fast_writer(fast, rows * static_cast<std::size_t>(substeps));
  for (const Signal& signal : experiment.row_signals()) {
    (substeps == 1 ? writer : fast_writer).add(signal.name, signal.unit, experiment.control_of(signal.name));
  }
  const auto record_row = [&](const double* row) {
    if (substeps == 1) {
      writer.append(own, row, width);
    } else {
      fast_writer.append(0, row, width);
    }
  };

  Watch watch(experiment);
  Experiment::Start start = experiment.start();
  State& state = start.state;
  Output output = experiment.output();
  record_row(start.row.data());
  for (std::int64_t step = 0; step <= experiment.steps(); ++step) {
    const Input input = experiment.input(step);
    for (std::size_t e = 0; e < energies.size(); ++e) {
      structure.channels[own - energies.size() + e].values.push_back(
          state.values[static_cast<std::size_t>(energies[e])]);
    }
    watch.step(state, input, output);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) {
        structure.channels[static_cast<std::size_t>(3 * i + k)].values.push_back(
            output.structure[static_cast<std::size_t>(k * n + i)]);
      }
    }
    structure.channels[own - energies.size() - 1].values.push_back(input.acceleration);
    // The last step serves only to know velocity and acceleration at the end of the test.
    if (step == experiment.steps()) break;
    result.stop = watch.check(output, step);
    if (result.stop) break;
    for (int k = 0; k < substeps; ++k) record_row(output.rows.data() + static_cast<std::size_t>(k) * width);
    if (options.progress && step % 8192 == 0) {
      options.progress(static_cast<double>(step) / static_cast<double>(experiment.steps()));
    }
  }
  result.tables.push_back(std::move(structure));
  if (substeps > 1) result.tables.push_back(std::move(fast));
  if (options.reference) add_reference(experiment, result.tables);
  summarize(result.tables, result.summary);
  for (const Layout::BranchField& field : experiment.layout().branches()) {
    if (std::string_view(field.name) != "refused") continue;
    // Every refusal of an adaptive compensator was one transition.
    result.summary.emplace_back(field.owner + ".refused",
                                state.branches[static_cast<std::size_t>(field.index)].transitions);
  }
  return result;
}

}  // namespace gusset
