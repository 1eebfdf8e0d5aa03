#include "analysis/rehearsals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "analysis/runaway.hpp"
#include "base/linear_system.hpp"
#include "base/noise.hpp"
#include "structure/sparse_modes.hpp"

namespace gusset {
namespace {

/// A rehearsal longer than this tells nothing more, and people wait for it.
constexpr std::int64_t most_rehearsed = 2'000'000;

/// Where motions and forces are found.
class MotionPorts {
 public:
  explicit MotionPorts(const Experiment& experiment) : dt_(experiment.dt()) {
    const int floors = experiment.structure().size();
    for (int i = 0; i < floors; ++i) motions_.push_back(experiment.response().displacement[i]);
    const Row& row = experiment.loop().row();
    for (const Channel& channel : experiment.channels()) {
      const std::string force = channel.name() + ".force";
      if (row.has(force) && row.find(force).signal.unit == "N") forces_.push_back(row.find(force).port);
      // What includes the ground's motion drifts with it.
      const bool relative = channel.ground == 0 || floors == 0;
      const std::string measured = channel.name() + ".measured";
      if (channel.control != Control::displacement || !relative || !row.has(measured)) continue;
      motions_.push_back(row.find(measured).port);
    }
    for (const Layout::Field& field : experiment.layout().fields()) {
      if (field.owner == "storeys" && std::string_view(field.name) == "force") storeys_ = field.segment;
    }
  }
  std::size_t motions() const { return motions_.size(); }
  std::size_t forces() const { return forces_.size() + static_cast<std::size_t>(storeys_.size); }
  double dt() const { return dt_; }
  double motion(const Wires& wires, std::size_t i) const { return wires[motions_[i]]; }
  double force(const State& state, const Wires& wires, std::size_t i) const {
    return i < forces_.size() ? wires[forces_[i]] : state.at(storeys_)[i - forces_.size()];
  }

 private:
  double dt_;
  std::vector<Port> motions_, forces_;
  Segment storeys_;  ///< forces of yielding storeys
};

/// A loop under way, and the motions of this step and of the last.
struct Watched {
  State state;
  Wires wires;
  std::vector<double> now, before;

  Watched(const MotionPorts& ports, State from, Wires row)
      : state(std::move(from)), wires(std::move(row)), now(ports.motions()), before(now) {
    look(ports);
    before = now;
  }
  void look(const MotionPorts& ports) {
    std::swap(before, now);
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = ports.motion(wires, i);
  }
  void step(const Experiment& experiment, const Input& input, const MotionPorts& ports) {
    experiment.step(state, input, wires);
    look(ports);
  }
  double rate(std::size_t i, double dt) const { return (now[i] - before[i]) / dt; }
};

/// Written so that a NaN becomes the largest instead of being passed over.
void raise_to(double& largest, double value) {
  if (!(std::abs(value) <= largest)) largest = std::abs(value);
}

/// Of the lowest mode at rest that the test is long enough to see.
double lowest_period(const Test& test) {
  const Experiment& experiment = *test.experiment;
  const double duration = experiment.dt() * static_cast<double>(test.steps);
  double period = 0;
  if (experiment.structure().size() > 0) {
    const LinearSystem whole = experiment.whole(true);
    const std::vector<double> frequencies = whole.size() >= large_structure
                                                ? lowest_modes(whole, 10).frequencies
                                                : natural_frequencies(experiment.whole());
    for (const double omega : frequencies) {
      const double own = omega > 0 ? 2 * M_PI / omega : std::numeric_limits<double>::infinity();
      if (own <= duration) period = std::max(period, own);
    }
  }
  if (period == 0) period = duration / 20;
  return std::max(period, 20 * experiment.dt());
}

/// What moves the test at a step: the ground's acceleration, or a predefined displacement.
double drive_of(const Test& test, std::int64_t step) {
  const Input input = test.input(step);
  return std::abs(test.experiment->structure().size() > 0 ? input.acceleration : input.displacement);
}

std::int64_t start_of_twins(const Test& test, const BaseRehearsal& base) {
  double peak = 0;
  for (std::int64_t step = 0; step < base.steps; ++step) peak = std::max(peak, drive_of(test, step));
  std::int64_t first = 0;
  while (peak > 0 && first < base.steps && drive_of(test, first) < 0.1 * peak) ++first;
  return std::min(first + base.window, base.steps / 2);
}

/// Changes every velocity by ±size, signs at random; where the integrator keeps increments instead, those by dt
/// times as much. The states of a plant that are kept side by side in one field, displacements, velocities and
/// drives, are each changed by a share of what they are: a plant has no past that could contradict them.
void strike(const Experiment& experiment, State& state, double size, double share, std::uint64_t seed) {
  std::uint64_t count = 0;
  const auto sign = [&] { return uniform(seed, count++) < 0.5 ? -1.0 : 1.0; };
  const std::vector<Layout::Field>& fields = experiment.layout().fields();
  const auto keeps_velocity = [](const Layout::Field& field) {
    const std::string_view name = field.name;
    return std::string_view(field.unit) == "m/s" && (name == "velocity" || name == "speed");
  };
  const bool velocities = std::any_of(fields.begin(), fields.end(), [&](const Layout::Field& field) {
    return field.owner == "numerical" && keeps_velocity(field);
  });
  for (const Layout::Field& field : fields) {
    if (field.kind != Layout::Kind::signal) continue;
    const std::string_view name = field.name;
    const bool increments = !velocities && field.owner == "numerical" && name == "increment";
    const bool plant = name == "state" && std::string_view(field.unit) == "SI";
    double* values = state.at(field.segment);
    for (int i = 0; i < field.segment.size; ++i) {
      if (keeps_velocity(field)) values[i] += sign() * size;
      if (increments) values[i] += sign() * size * experiment.dt();
      if (plant) values[i] *= 1 + sign() * share;
    }
  }
}

/// ln D of blocks by a straight line, where D is above rounding.
double slope_of(const std::vector<double>& distances, double floor, double block) {
  double n = 0, t = 0, y = 0, tt = 0, ty = 0;
  for (std::size_t b = distances.size() / 2; b < distances.size(); ++b) {
    if (!(distances[b] > floor)) continue;
    const double time = block * static_cast<double>(b), value = std::log(distances[b]);
    n += 1;
    t += time;
    y += value;
    tt += time * time;
    ty += time * value;
  }
  const double spread = n * tt - t * t;
  return n >= 2 && spread > 0 ? (n * ty - t * y) / spread : 0;
}

/// Half of peak to peak of everything watched while a loop goes on.
MotionSize amplitude_of(const Test& test, const MotionPorts& ports, Watched& loop, std::int64_t from,
                        std::int64_t steps) {
  struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void take(double value) {
      low = std::isnan(value) ? value : std::min(low, value);
      high = std::max(high, value);
    }
    double half() const { return 0.5 * (high - low); }
  };
  std::vector<Range> motions(ports.motions()), rates(motions), forces(ports.forces());
  for (std::int64_t step = from; step < from + steps; ++step) {
    loop.step(*test.experiment, test.input(step), ports);
    for (std::size_t i = 0; i < motions.size(); ++i) {
      motions[i].take(loop.now[i]);
      rates[i].take(loop.rate(i, ports.dt()));
    }
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i].take(ports.force(loop.state, loop.wires, i));
  }
  MotionSize size;
  for (const Range& range : motions) raise_to(size.motion, range.half());
  for (const Range& range : rates) raise_to(size.rate, range.half());
  for (const Range& range : forces) raise_to(size.force, range.half());
  return size;
}

/// Sensors without noise, gains where they are. A rig keeps its dead band.
void silence(const Experiment& experiment, State& state) {
  for (const Layout::BranchField& field : experiment.layout().branches()) {
    if (std::string_view(field.name) != "freeze") continue;
    const bool rig = std::any_of(experiment.channels().begin(), experiment.channels().end(),
                                 [&](const Channel& channel) { return channel.name() == field.owner; });
    if (!rig) state.branches[static_cast<std::size_t>(field.index)].value = 1;
  }
}

}  // namespace

BaseRehearsal rehearse_base(const Test& test, const std::vector<Segment>& devices) {
  const Experiment& experiment = *test.experiment;
  BaseRehearsal base;
  base.steps = std::min(test.steps, most_rehearsed);
  base.period = lowest_period(test);
  base.window = static_cast<std::int64_t>(std::llround(base.period / experiment.dt()));
  base.started = start_of_twins(test, base);
  base.bound = runaway_factor * motion_scale(test).displacement;
  base.devices.resize(devices.size());
  const MotionPorts ports(experiment);
  Experiment::Start start = test.start();
  Watched loop(ports, std::move(start.state), std::move(start.row));
  for (std::int64_t step = 0; step < base.steps; ++step) {
    if (step == base.started) {
      base.start = loop.state;
      base.start_row = loop.wires;
    }
    loop.step(experiment, test.input(step), ports);
    for (std::size_t i = 0; i < loop.now.size(); ++i) {
      raise_to(base.scale.motion, loop.now[i]);
      raise_to(base.scale.rate, loop.rate(i, ports.dt()));
    }
    for (std::size_t i = 0; i < ports.forces(); ++i) {
      raise_to(base.scale.force, ports.force(loop.state, loop.wires, i));
    }
    for (std::size_t i = 0; i < devices.size(); ++i) raise_to(base.devices[i], *loop.state.at(devices[i]));
    const bool finite = std::isfinite(base.scale.motion) && std::isfinite(base.scale.force);
    if (!finite || (base.bound > 0 && base.scale.motion > base.bound)) {
      base.ran_away_at = experiment.dt() * static_cast<double>(step + 1);
      base.steps = step + 1;
      break;
    }
  }
  base.end = std::move(loop.state);
  base.end_row = std::move(loop.wires);
  return base;
}

Twins rehearse_twins(const Test& test, const BaseRehearsal& base, double share) {
  const Experiment& experiment = *test.experiment;
  Twins twins;
  twins.share = share;
  twins.from = experiment.dt() * static_cast<double>(base.started);
  const std::int64_t blocks = base.window > 0 ? (base.steps - base.started) / base.window : 0;
  if (blocks < 4 || !base.moved() || base.ran_away_at) return twins;
  constexpr std::uint64_t seeds = 3;
  const MotionPorts ports(experiment);
  Watched own(ports, base.start, base.start_row);
  std::vector<Watched> others;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    others.emplace_back(ports, base.start, base.start_row);
    strike(experiment, others.back().state, share * base.scale.rate, share, seed);
  }
  std::vector<std::vector<double>> distances(seeds, std::vector<double>(static_cast<std::size_t>(blocks)));
  for (std::int64_t step = 0; step < blocks * base.window; ++step) {
    const Input input = test.input(base.started + step);
    own.step(experiment, input, ports);
    for (std::size_t s = 0; s < seeds; ++s) {
      others[s].step(experiment, input, ports);
      double& distance = distances[s][static_cast<std::size_t>(step / base.window)];
      for (std::size_t i = 0; i < own.now.size(); ++i) {
        raise_to(distance, (others[s].now[i] - own.now[i]) / base.scale.motion);
        raise_to(distance, (others[s].rate(i, ports.dt()) - own.rate(i, ports.dt())) / base.scale.rate);
      }
    }
  }
  const double block = experiment.dt() * static_cast<double>(base.window);
  for (const std::vector<double>& distance : distances) {
    if (!(distance.front() > 0)) continue;  // the blow met nothing
    twins.judged = true;
    const double growth = distance.back() / distance.front();
    const double rate = slope_of(distance, 1e-6 * share, block);
    twins.seeds.push_back(growth);
    if (twins.seeds.size() == 1 || !(growth <= twins.growth)) {
      twins.growth = growth;
      twins.rate = rate;
      twins.distances = distance;
    }
  }
  return twins;
}

QuietTail rehearse_tail(const Test& test, const BaseRehearsal& base, bool stable_at_rest) {
  QuietTail tail;
  if (!base.moved() || base.ran_away_at) return tail;
  constexpr int look = 5, first = 60, longest = 240;  // T₁
  constexpr double negligible = 1e-6, flat = 0.05, blow = 1e-3;
  const Experiment& experiment = *test.experiment;
  const MotionPorts ports(experiment);
  Watched loop(ports, base.end, base.end_row);
  silence(experiment, loop.state);
  if (!stable_at_rest) strike(experiment, loop.state, blow * base.scale.rate, blow, 1);
  // Behind the record no ground acceleration is left. A rehearsal that was cut short jumps there.
  std::int64_t step = base.steps == test.steps ? test.steps : test.steps + 2;
  double middle = 0;
  for (int periods = look, end = first; periods <= longest; periods += look) {
    tail.amplitude = amplitude_of(test, ports, loop, step, look * base.window);
    step += look * base.window;
    tail.share = tail.amplitude.motion / base.scale.motion;
    raise_to(tail.share, tail.amplitude.rate / base.scale.rate);
    tail.periods = periods;
    if (!std::isfinite(tail.share)) {
      tail.kind = QuietTail::Kind::grows;
      tail.log_ratio = std::numeric_limits<double>::infinity();
      return tail;
    }
    tail.kind = QuietTail::Kind::decays;
    if (tail.share <= negligible && (stable_at_rest || periods == end)) return tail;
    if (periods == first / 2) middle = tail.share;
    if (periods < end) continue;
    tail.log_ratio = middle > 0 ? std::log(tail.share / middle) : std::numeric_limits<double>::infinity();
    if (tail.log_ratio > flat) tail.kind = QuietTail::Kind::grows;
    if (std::abs(tail.log_ratio) <= flat) tail.kind = QuietTail::Kind::flat;
    if (tail.kind != QuietTail::Kind::decays) return tail;
    middle = tail.share;
    end *= 2;
  }
  return tail;
}

}  // namespace gusset
