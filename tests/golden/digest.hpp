#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "build/experiment.hpp"

namespace gusset::test {

/// What is kept of one quantity of a test: a hash that sees every bit, and a number that a person can
/// compare. `value` is the sum of the absolute values of whatever went into the hash.
struct Line {
  std::string kind;  ///< state, branch, transitions, start, row or response
  std::string name;
  std::string unit;
  std::uint64_t hash = 0;
  double value = 0;

  friend bool operator==(const Line&, const Line&) = default;
};

using Digest = std::vector<Line>;

/// Hashes numbers as they come. Every step is invertible, so no single change can hide.
class Running {
 public:
  void add(double value) {
    mix(std::bit_cast<std::uint64_t>(value));
    sum_ += std::abs(value);
  }
  void mix(std::uint64_t bits) {
    hash_ = (hash_ ^ bits) * 0x100000001b3U;
    hash_ ^= hash_ >> 32U;
  }
  Line line(std::string kind, std::string name, std::string unit) const {
    return {std::move(kind), std::move(name), std::move(unit), hash_, sum_};
  }
  std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
  double sum_ = 0;
};

/// The State by the names of its Layout. Fields without entries are left out; where a field lies in
/// memory does not matter.
inline void digest_state(const Layout& layout, const State& state, Digest& digest) {
  for (const Layout::Field& field : layout.fields()) {
    if (field.segment.size == 0) continue;
    Running running;
    for (int i = 0; i < field.segment.size; ++i) running.add(state.at(field.segment)[i]);
    digest.push_back(running.line("state", field.owner + "." + field.name, field.unit));
  }
  for (const Layout::BranchField& field : layout.branches()) {
    const Branch& branch = state.branches[static_cast<std::size_t>(field.index)];
    Running value, transitions;
    value.add(branch.value);
    transitions.add(branch.transitions);
    digest.push_back(value.line("branch", field.owner + "." + field.name, ""));
    digest.push_back(transitions.line("transitions", field.owner + "." + field.name, ""));
  }
}

/// How the steps of a test are taken; the numbers may not depend on it.
enum class Way { whole, in_phases };

/// Runs `steps` steps from the start of the test with its own input. This is the one place that knows
/// how a loop is driven: a new loop changes this function and no data.
inline Digest digest_of(const Experiment& experiment, std::int64_t steps, Way way = Way::whole) {
  const std::vector<Signal> signals = experiment.row_signals();
  const auto width = signals.size();
  const auto floors = static_cast<std::size_t>(experiment.structure().size());
  std::vector<Running> start(width), rows(width), response(3 * floors);
  const auto read_row = [&](const double* row, std::vector<Running>& into) {
    for (std::size_t i = 0; i < width; ++i) into[i].add(row[i]);
  };

  auto [state, start_row] = experiment.start();
  read_row(start_row.data(), start);
  Output output = experiment.output();
  for (std::int64_t step = 0; step < steps; ++step) {
    output.poison();  // what a step does not write shows as NaN
    if (way == Way::whole) {
      experiment.step(state, experiment.input(step), output);
    } else {
      step_by_substeps(experiment, state, experiment.input(step), output, [](int) {});
    }
    for (int k = 0; k < experiment.substeps(); ++k) {
      read_row(output.rows.data() + static_cast<std::size_t>(k) * width, rows);
    }
    for (std::size_t i = 0; i < response.size(); ++i) response[i].add(output.structure[i]);
  }

  Digest digest;
  digest_state(experiment.layout(), state, digest);
  for (std::size_t i = 0; i < width; ++i) {
    digest.push_back(start[i].line("start", signals[i].name, signals[i].unit));
  }
  for (std::size_t i = 0; i < width; ++i) {
    digest.push_back(rows[i].line("row", signals[i].name, signals[i].unit));
  }
  const std::pair<const char*, const char*> motions[] = {
      {".displacement", "m"}, {".velocity", "m/s"}, {".acceleration", "m/s^2"}};
  for (std::size_t i = 0; i < floors; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string name = Structure::name_of(static_cast<int>(i)) + motions[k].first;
      digest.push_back(response[k * floors + i].line("response", name, motions[k].second));
    }
  }
  return digest;
}

/// Which mathematical library computed: it may choose other code on another processor, and then last
/// bits differ that nobody of us changed. golden_lockstep.py has the same function.
inline std::uint64_t library_probe() {
  Running running;
  for (int i = 1; i <= 500; ++i) {
    const double x = i / 64.0;
    running.add(std::sin(x));
    running.add(std::cos(x));
    running.add(std::tan(x));
    running.add(std::exp(-x));
    running.add(std::expm1(x));
    running.add(std::log(x));
    running.add(std::sqrt(x));
    running.add(std::tanh(x / 4));
    running.add(std::pow(x, 1.7));
  }
  return running.hash();
}

}  // namespace gusset::test
