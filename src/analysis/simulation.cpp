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

/// Watches the limits of the experiment on the row of every sub-step.
class Watch {
 public:
  explicit Watch(const Experiment& experiment) : experiment_(experiment) {
    const PublishedRow& row = experiment.row();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Signal& signal = row.signals[i];
      const Channel* channel = experiment.channel_of(signal.name);
      std::optional<double> limit;
      if (channel != nullptr) {
        const Limits& own = channel->limits;
        if (signal.unit == "m") limit = own.displacement;
        if (signal.unit == "N") limit = own.force;
        // Under force control what moves is measured; a shake table is told accelerations.
        const bool moved = channel->control == Control::displacement;
        if (!moved && signal.name == channel->name() + ".velocity") limit = own.velocity;
        if (channel->control == Control::acceleration && signal.name == channel->name() + ".command") {
          limit = own.acceleration;
        }
      }
      seen_.push_back({signal.name, row.ports[i], limit});
    }
    for (const Channel& channel : experiment.channels()) {
      if (channel.control != Control::displacement) continue;
      if (!channel.limits.velocity && !channel.limits.acceleration) continue;
      moved_.push_back({&channel, {experiment.loop().row().find(channel.name() + ".command").port.at}});
    }
  }

  /// What is wrong in the row of a sub-step that ends at `time`.
  std::optional<Stop> look(const Wires& wires, double time) const {
    for (const Seen& seen : seen_) {
      const double value = wires[seen.port];
      if (!std::isfinite(value)) return Stop{time, seen.name, value, std::nullopt};
      if (seen.limit && std::abs(value) > *seen.limit) return Stop{time, seen.name, value, *seen.limit};
    }
    for (const auto& [channel, port] : moved_) {
      const Command command = wires.command(port);
      const Limits& limits = channel->limits;
      if (limits.velocity && std::abs(command.rate) > *limits.velocity) {
        return Stop{time, channel->name() + ".velocity", command.rate, limits.velocity};
      }
      if (limits.acceleration && std::abs(command.curvature) > *limits.acceleration) {
        return Stop{time, channel->name() + ".acceleration", command.curvature, limits.acceleration};
      }
    }
    return std::nullopt;
  }
  /// The same of the response at the beginning of a step.
  std::optional<Stop> look_at_response(const Wires& wires, double time) const {
    const int n = experiment_.structure().size();
    for (int i = 0; i < n; ++i) {
      const double value = wires[experiment_.response().displacement[i]];
      if (!std::isfinite(value)) {
        return Stop{time, Structure::name_of(i) + ".displacement", value, std::nullopt};
      }
    }
    return std::nullopt;
  }

 private:
  struct Seen {
    std::string name;
    Port port;
    std::optional<double> limit;  ///< by unit: gains of a compensator have none
  };
  const Experiment& experiment_;
  std::vector<Seen> seen_;
  std::vector<std::pair<const Channel*, CommandPort>> moved_;  ///< with a limit of velocity or acceleration
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
         (3 * n + 1 + static_cast<double>(experiment.row().size()) * static_cast<double>(experiment.substeps()) +
          (reference ? n : 0));
}

Simulation simulate(const Experiment& experiment, const SimulationOptions& options) {
  Simulation result;
  const int n = experiment.structure().size();
  const int substeps = experiment.substeps();
  const auto rows = static_cast<std::size_t>(experiment.steps()) + 1;
  const std::size_t width = experiment.row().size();

  Table structure{"structure", 0, experiment.dt(), {}};
  TableWriter writer(structure, rows);
  for (int i = 0; i < n; ++i) {
    writer.add(Structure::name_of(i) + ".displacement", "m");
    writer.add(Structure::name_of(i) + ".velocity", "m/s");
    writer.add(Structure::name_of(i) + ".acceleration", "m/s^2");
  }
  writer.add("ground.acceleration", "m/s^2");
  const std::vector<DissipatedEnergy>& energies = experiment.energies();  // of yielding parts until then
  for (const DissipatedEnergy& energy : energies) writer.add(energy.signal.name, energy.signal.unit);
  const std::size_t own = structure.channels.size();
  // A rig at the integrator's rate shares the structure's table.
  Table fast{"rig", 0, experiment.rig_dt(), {}};
  TableWriter fast_writer(fast, rows * static_cast<std::size_t>(substeps));
  for (const Signal& signal : experiment.row().signals) {
    (substeps == 1 ? writer : fast_writer).add(signal.name, signal.unit, experiment.control_of(signal.name));
  }
  const auto record_row = [&](const double* row) {
    if (substeps == 1) {
      writer.append(own, row, width);
    } else {
      fast_writer.append(0, row, width);
    }
  };

  const Watch watch(experiment);
  const LoadingPorts& ports = experiment.response();
  Experiment::Start start = experiment.start();
  State& state = start.state;
  Wires& wires = start.row;
  Frame frame{state, wires};
  std::vector<double> rows_of_step(width * static_cast<std::size_t>(substeps));
  experiment.row().copy(wires, rows_of_step.data());
  record_row(rows_of_step.data());
  for (std::int64_t step = 0; step <= experiment.steps(); ++step) {
    const Input input = experiment.input(step);
    for (std::size_t e = 0; e < energies.size(); ++e) {
      structure.channels[own - energies.size() + e].values.push_back(energies[e].of(state, wires));
    }
    structure.channels[own - energies.size() - 1].values.push_back(input.acceleration);
    experiment.put(input, wires);
    const double time = experiment.dt() * static_cast<double>(step);
    std::optional<Stop> stop;
    // Behind the last step only the response at the end of the test is asked for.
    if (step == experiment.steps()) {
      experiment.loop().begin(frame);
    } else {
      std::size_t substep = 0;
      experiment.loop().step(frame, [&] {
        experiment.row().copy(wires, rows_of_step.data() + width * substep++);
        if (!stop) stop = watch.look(wires, time + experiment.rig_dt() * static_cast<double>(substep));
      });
      if (!stop) stop = watch.look_at_response(wires, time);
    }
    for (int i = 0; i < n; ++i) {
      std::size_t column = 3 * static_cast<std::size_t>(i);
      for (const Port port : {ports.displacement, ports.velocity, ports.acceleration}) {
        structure.channels[column++].values.push_back(wires[port[i]]);
      }
    }
    result.stop = stop;
    if (step == experiment.steps() || result.stop) break;
    for (int k = 0; k < substeps; ++k) record_row(rows_of_step.data() + static_cast<std::size_t>(k) * width);
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
