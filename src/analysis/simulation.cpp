#include "analysis/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/exact.hpp"
#include "analysis/indicators.hpp"
#include "base/linear_system.hpp"
#include "supervise/judge.hpp"

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

/// The first published number of a sub-step that is not finite any more, or of the response at its beginning.
std::optional<Stop> not_finite(const Experiment& experiment, const Wires& wires, double begin, double end) {
  const PublishedRow& row = experiment.row();
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double value = wires[row.ports[i]];
    if (!std::isfinite(value)) return Stop{end, row.signals[i].name, value, std::nullopt};
  }
  for (int i = 0; i < experiment.structure().size(); ++i) {
    const double value = wires[experiment.response().displacement[i]];
    if (!std::isfinite(value))
      return Stop{begin, Structure::name_of(i) + ".displacement", value, std::nullopt};
  }
  return std::nullopt;
}

/// A limit that was passed, by the signal that passed it.
Stop stop_by(const Finding& finding, const Experiment& experiment) {
  return {finding.time, signal_of(finding, experiment.channels()), finding.value, finding.limit};
}

Table reference_table(const Test& test, std::size_t rows) {
  const Experiment& experiment = *test.experiment;
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
    exact.advance(test.input(step).acceleration, test.input(step + 1).acceleration);
  }
  return table;
}

}  // namespace

void add_reference(const Test& test, std::vector<Table>& tables) {
  const Experiment& experiment = *test.experiment;
  // The reference is dense: beyond this it takes longer than the test.
  constexpr int largest_reference = 200;
  const int n = experiment.structure().size();
  if (!experiment.affine() || n == 0 || n > largest_reference || tables.empty()) return;
  tables.push_back(reference_table(test, tables.front().rows()));
}

std::vector<std::string> unreachable_forces(const Experiment& experiment,
                                            const std::vector<double>& largest) {
  std::vector<std::string> sentences;
  for (const MountedRig& rig : experiment.rigs()) {
    for (std::size_t i = 0; i < rig.channels.size(); ++i) {
      const std::optional<double> most = rig->unreachable_force(i);
      const double force = largest[rig.channels[i]];
      if (!most || force <= *most) continue;
      char text[200];
      if (std::isfinite(force)) {
        std::snprintf(
            text, sizeof text,
            ".force reaches %.4g kN, and the actuator with all its pressure makes %.4g kN: numerical: "
            "raise rig.inner_steps",
            1e-3 * force, 1e-3 * *most);
      } else {
        std::snprintf(text, sizeof text,
                      ".force is not finite: numerical, unless the structure ran away before: raise "
                      "rig.inner_steps");
      }
      sentences.push_back(experiment.channels()[rig.channels[i]].name() + text);
    }
  }
  return sentences;
}

double memory_needed(const Test& test, bool reference) {
  const Experiment& experiment = *test.experiment;
  const double n = experiment.structure().size();
  const double rows = static_cast<double>(test.steps) + 1;
  return 8 * rows *
         (3 * n + 1 +
          static_cast<double>(experiment.row().size()) * static_cast<double>(experiment.substeps()) +
          (reference ? n : 0));
}

Simulation simulate(const Test& test, const SimulationOptions& options) {
  const Experiment& experiment = *test.experiment;
  Simulation result;
  const int n = experiment.structure().size();
  const int substeps = experiment.substeps();
  const auto rows = static_cast<std::size_t>(test.steps) + 1;
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

  LimitJudge judge(experiment.channels(), experiment.guards(), experiment.loop(), options.limits,
                   experiment.dt(), experiment.rig_dt());
  RunawayWatch runaway(test);
  const LoadingPorts& ports = experiment.response();
  Experiment::Start start = test.start();
  State& state = start.state;
  Wires& wires = start.row;
  Frame frame{state, wires};
  frame.judge = &judge;
  judge.start(wires);
  std::vector<double> rows_of_step(width * static_cast<std::size_t>(substeps));
  experiment.row().copy(wires, rows_of_step.data());
  record_row(rows_of_step.data());
  for (std::int64_t step = 0; step <= test.steps; ++step) {
    const Input input = test.input(step);
    for (std::size_t e = 0; e < energies.size(); ++e) {
      structure.channels[own - energies.size() + e].values.push_back(energies[e].of(state, wires));
    }
    structure.channels[own - energies.size() - 1].values.push_back(input.acceleration);
    experiment.put(input, wires);
    const double time = experiment.dt() * static_cast<double>(step);
    std::optional<Stop> stop;
    // Behind the last step only the response at the end of the test is asked for.
    if (step == test.steps) {
      experiment.loop().begin(frame);
    } else {
      std::size_t substep = 0;
      experiment.loop().step(frame, [&] {
        experiment.row().copy(wires, rows_of_step.data() + width * substep++);
        if (stop) return;
        stop = not_finite(experiment, wires, time, time + experiment.rig_dt() * static_cast<double>(substep));
        if (!stop && judge.first()) stop = stop_by(*judge.first(), experiment);
      });
    }
    for (int i = 0; i < n; ++i) {
      std::size_t column = 3 * static_cast<std::size_t>(i);
      for (const Port port : {ports.displacement, ports.velocity, ports.acceleration}) {
        structure.channels[column++].values.push_back(wires[port[i]]);
      }
    }
    runaway.look(wires, time);
    result.stop = stop;
    if (step == test.steps || result.stop) break;
    for (int k = 0; k < substeps; ++k) record_row(rows_of_step.data() + static_cast<std::size_t>(k) * width);
    if (options.progress && step % 8192 == 0) {
      options.progress(static_cast<double>(step) / static_cast<double>(test.steps));
    }
  }
  result.runaway = runaway.found();
  std::vector<double> forces;
  for (const LimitJudge::Peaks& peaks : judge.peaks()) forces.push_back(peaks.force);
  result.numerical = unreachable_forces(experiment, forces);
  result.tables.push_back(std::move(structure));
  if (substeps > 1) result.tables.push_back(std::move(fast));
  if (options.reference) add_reference(test, result.tables);
  summarize(result.tables, result.summary);
  for (const Layout::Field& field : experiment.layout().fields()) {
    // The largest share of a command that iterations left.
    if (std::string_view(field.name) != "unresolved") continue;
    result.summary.emplace_back(field.owner + ".unresolved", *state.at(field.segment));
  }
  for (const Layout::BranchField& field : experiment.layout().branches()) {
    if (std::string_view(field.name) != "refused") continue;
    // Every refusal of an adaptive compensator was one transition.
    result.summary.emplace_back(field.owner + ".refused",
                                state.branches[static_cast<std::size_t>(field.index)].transitions);
  }
  return result;
}

}  // namespace gusset
