#include "analysis/frequency_response.hpp"

#include <algorithm>
#include <functional>
#include <numbers>

#include "analysis/linearize.hpp"

namespace gusset {
namespace {

/// What a block is given: displacement, velocity and acceleration at the end, velocity at the start.
constexpr int inputs = 4;

/// One step of a block: takes a command, writes the outputs.
using Block = std::function<void(State&, const Command&, double* outputs)>;

StateSpace perturb(const Experiment& experiment, const std::vector<std::string>& owners, const State& around,
                   const Block& block, int outputs, double dt) {
  const Layout& layout = experiment.layout();
  std::vector<int> entries;
  for (const Layout::Field& field : layout.fields()) {
    if (field.kind == Layout::Kind::parameter) continue;
    const bool own = std::any_of(owners.begin(), owners.end(), [&](const std::string& owner) {
      return field.owner == owner || field.owner.starts_with(owner + ".");
    });
    if (!own) continue;
    for (int i = 0; i < field.segment.size; ++i) entries.push_back(field.segment.offset + i);
  }
  const auto n = static_cast<Eigen::Index>(entries.size());
  StateSpace s;
  s.dt = dt;
  s.a.resize(n, n);
  s.b.resize(n, inputs);
  s.c.resize(outputs, n);
  s.d.resize(outputs, inputs);
  std::vector<double> base_out(static_cast<std::size_t>(outputs));
  std::vector<double> out = base_out;
  State base = around;
  block(base, {}, base_out.data());
  const auto take = [&](const State& state, double h, auto column, auto direct) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(entries[static_cast<std::size_t>(i)]);
      column(i) = (state.values[at] - base.values[at]) / h;
    }
    for (Eigen::Index i = 0; i < outputs; ++i) {
      const auto at = static_cast<std::size_t>(i);
      direct(i) = (out[at] - base_out[at]) / h;
    }
  };
  const bool affine = experiment.affine();
  for (Eigen::Index j = 0; j < n; ++j) {
    const int entry = entries[static_cast<std::size_t>(j)];
    const double h = affine ? 1.0 : tangent_share * layout.field_of(entry).scale;
    State state = around;
    state.values[static_cast<std::size_t>(entry)] += h;
    block(state, {}, out.data());
    take(state, h, s.a.col(j), s.c.col(j));
  }
  const double h = affine ? 1.0 : tangent_share * 1e-3;
  for (int input = 0; input < inputs; ++input) {
    Command command;
    double* const parts[inputs] = {&command.value, &command.rate, &command.curvature,
                                   &command.start_rate};
    *parts[input] = h;
    State state = around;
    block(state, command, out.data());
    take(state, h, s.b.col(input), s.d.col(input));
  }
  return s;
}

struct Places {
  std::size_t measured = 0, force = 0, count = 0;
};

/// A channel's transfer system: its own rig, or an assembly with the other channels at rest.
class Transfer {
 public:
  Transfer(const Experiment& experiment, std::size_t channel) : experiment_(experiment), channel_(channel) {
    const Assembly* assembly = experiment.assembly();
    const std::vector<Channel>& channels = experiment.channels();
    signals_ = assembly != nullptr ? assembly->signals(channel) : experiment.rigs()[channel]->signals();
    if (assembly == nullptr) {
      owners_ = {channels[channel].interface.name};
      row_.resize(signals_.size());
      return;
    }
    owners_ = {"specimen", "model"};
    commands_.resize(channels.size());
    for (std::size_t c = 0; c < channels.size(); ++c) {
      owners_.push_back(channels[c].interface.name);
      first_.push_back(static_cast<int>(row_.size()));
      row_.resize(row_.size() + assembly->signals(c).size());
    }
  }

  const double* advance(State& state, const Command& command) {
    if (experiment_.assembly() == nullptr) {
      experiment_.rigs()[channel_]->advance(state, command, row_.data());
      return row_.data();
    }
    commands_[channel_] = command;
    experiment_.assembly()->advance(0, state, commands_.data(), {row_.data(), first_.data()});
    return row_.data() + first_[channel_];
  }
  const std::vector<Signal>& signals() const { return signals_; }
  const std::vector<std::string>& owners() const { return owners_; }

 private:
  const Experiment& experiment_;
  std::size_t channel_;
  std::vector<Signal> signals_;
  std::vector<std::string> owners_;
  std::vector<Command> commands_;
  std::vector<double> row_;
  std::vector<int> first_;
};

/// What follows the target: the force where that is commanded.
Places places_of(const std::vector<Signal>& signals, bool force) {
  Places places;
  places.count = signals.size();
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i].name == (force ? "force" : "measured")) places.measured = i;
    if (signals[i].name == "force") places.force = i;
  }
  return places;
}

}  // namespace

ChannelSystems channel_systems(const Experiment& experiment, std::size_t channel) {
  Transfer transfer(experiment, channel);
  const std::vector<std::string>& name = transfer.owners();
  const Compensator* compensator = experiment.compensators()[channel].get();
  const State around = frozen_state(experiment);
  const Places places =
      places_of(transfer.signals(), experiment.channels()[channel].control == Control::force);
  std::vector<double> results(compensator != nullptr ? compensator->signals().size() + 1 : 1);

  ChannelSystems systems;
  systems.plant = perturb(
      experiment, name, around,
      [&](State& state, const Command& command, double* out) {
        out[0] = transfer.advance(state, command)[places.measured];
      },
      1, experiment.rig_dt());
  systems.per_step = compensator != nullptr && compensator->per_step();
  if (systems.per_step) {
    systems.planner = perturb(
        experiment, name, around,
        [&](State& state, const Command& piece, double* out) {
          out[0] =
              compensator->plan(state, {piece.value, piece.rate, piece.curvature}).c0;
        },
        1, experiment.dt());
  }
  systems.tracking = perturb(
      experiment, name, around,
      [&](State& state, const Command& target, double* out) {
        Command command = target;
        if (compensator != nullptr) {
          command = compensator->command(state, target);
          command.start_rate = command.rate - experiment.rig_dt() * command.curvature;
        }
        out[0] = command.value;
        const double* measured = transfer.advance(state, command);
        out[1] = measured[places.measured];
        if (compensator != nullptr) {
          compensator->observe(state, {measured[places.measured], measured[places.force]},
                               results.data());
        }
      },
      2, experiment.rig_dt());
  return systems;
}

TransferFunction compensator_transfer_function(const Experiment& experiment, std::size_t channel) {
  const ChannelSystems systems = channel_systems(experiment, channel);
  return TransferFunction::from(systems.per_step ? systems.planner : systems.tracking);
}

BlockResponse frequency_response(const ChannelSystems& systems, double frequency) {
  const std::complex<double> s(0, 2 * std::numbers::pi * frequency);
  const std::complex<double> before = std::exp(-s * systems.plant.dt);
  const Eigen::Vector4cd harmonic(1.0, s, s * s, s * before);
  BlockResponse response;
  response.plant = (systems.plant.response(frequency) * harmonic)(0);
  if (systems.per_step) {
    response.compensator = systems.planner.response(frequency)(0, 0);
    response.combined = response.compensator * response.plant;
  } else {
    const Eigen::VectorXcd both = systems.tracking.response(frequency) * harmonic;
    response.compensator = both(0);
    response.combined = both(1);
  }
  return response;
}

}  // namespace gusset
