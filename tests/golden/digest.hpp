#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "build/test.hpp"

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
enum class Way {
  whole,
  over_the_cut,  ///< the rig with a State and a row of its own, as if it were another process
};

/// A test of which the rig may stand elsewhere: what either end does not know is not a number.
class Ends {
 public:
  Ends(const Test& test, Way way)
      : experiment_(*test.experiment), apart_(way == Way::over_the_cut), near_(test.start()), far_(near_) {
    frame_.poison = true;  // what a step does not write shows as NaN
    if (!apart_) return;
    each_of_rig([&](double& near, double&) { near = std::nan(""); },
                [](double&, double& far) { far = std::nan(""); });
  }
  Ends(const Ends&) = delete;

  const Wires& row() const { return near_.row; }
  /// Takes a step; look() sees the row of every sub-step.
  template <class Look>
  void step(const Input& input, Look look) {
    const Loop& loop = experiment_.loop();
    const Loop::Cut& cut = experiment_.cut();
    experiment_.put(input, near_.row);
    bool over = false;
    while (!over) {
      loop.to_rig(frame_);
      if (apart_) {
        for (const Row::Entry& entry : cut.commands) far_.row[entry.port] = near_.row[entry.port];
        other_.substep = frame_.substep;
        other_.trial = frame_.trial;
        loop.through_rig(other_);
        for (const Row::Entry& entry : cut.feedback) near_.row[entry.port] = far_.row[entry.port];
      } else {
        loop.through_rig(frame_);
      }
      over = loop.from_rig(frame_);
      look();
    }
  }
  /// Both ends' State in one.
  State state() {
    if (!apart_) return near_.state;
    each_of_rig([](double& near, double& far) { near = far; }, [](double&, double&) {});
    for (const Kept& kept : experiment_.cut().state) {
      for (int i = kept.first_branch; i < kept.last_branch; ++i) {
        near_.state.branches[static_cast<std::size_t>(i)] = far_.state.branches[static_cast<std::size_t>(i)];
      }
    }
    return near_.state;
  }

 private:
  template <class Own, class Other>
  void each_of_rig(Own own, Other other) {
    for (std::size_t i = 0; i < near_.state.values.size(); ++i) {
      bool rigs = false;
      for (const Kept& kept : experiment_.cut().state) rigs = rigs || kept.has(static_cast<int>(i));
      if (rigs) {
        own(near_.state.values[i], far_.state.values[i]);
      } else {
        other(near_.state.values[i], far_.state.values[i]);
      }
    }
  }

  const Experiment& experiment_;
  bool apart_;
  Experiment::Start near_, far_;
  Frame frame_{near_.state, near_.row}, other_{far_.state, far_.row};
};

/// Runs `steps` steps from the start of the test with its own input. This is the one place that knows
/// how a loop is driven: a new loop changes this function and no data.
inline Digest digest_of(const Test& test, std::int64_t steps, Way way = Way::whole) {
  const Experiment& experiment = *test.experiment;
  const std::vector<Signal>& signals = experiment.row().signals;
  const auto width = signals.size();
  const auto floors = static_cast<std::size_t>(experiment.structure().size());
  std::vector<Running> start(width), rows(width), response(3 * floors);
  Ends ends(test, way);
  const auto read_row = [&](std::vector<Running>& into) {
    for (std::size_t i = 0; i < width; ++i) into[i].add(ends.row()[experiment.row().ports[i]]);
  };
  read_row(start);
  const LoadingPorts& ports = experiment.response();
  for (std::int64_t step = 0; step < steps; ++step) {
    ends.step(test.input(step), [&] { read_row(rows); });
    std::size_t place = 0;
    for (const Port port : {ports.displacement, ports.velocity, ports.acceleration}) {
      for (std::size_t i = 0; i < floors; ++i) response[place++].add(ends.row()[port[static_cast<int>(i)]]);
    }
  }
  const State state = ends.state();

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
