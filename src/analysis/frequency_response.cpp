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
    double* const parts[inputs] = {&command.value, &command.rate, &command.curvature, &command.start_rate};
    *parts[input] = h;
    State state = around;
    block(state, command, out.data());
    take(state, h, s.b.col(input), s.d.col(input));
  }
  return s;
}

/// A channel's part of the loop, its middle: from target to command, rig and measurement. The targets and
/// commands of all other channels rest at zero.
class Middle {
 public:
  Middle(const Experiment& experiment, std::size_t channel)
      : experiment_(experiment), wires_(experiment.wires()), rest_(wires_) {
    const Channel& own = experiment.channels()[channel];
    const Row& row = experiment.loop().row();
    const Compensator* compensator = experiment.compensators()[channel].get();
    const bool per_step = compensator != nullptr && compensator->per_step();
    target_ = {row.find(own.name() + (per_step ? ".planned" : ".target")).port.at};
    command_ = {row.find(own.name() + ".command").port.at};
    followed_ = row.bind(own.followed(), own.unit()).port;
    std::fill_n(rest_.data(), rest_.size(), 0.0);
    owners_ = {own.name()};
    if (own.control == Control::displacement) return;
    // All channels act on one specimen.
    owners_ = {"specimen", "model"};
    for (const Channel& other : experiment.channels()) owners_.push_back(other.name());
  }

  /// From the command to what is measured.
  double follow(State& state, const Command& command) {
    wires_ = rest_;
    wires_.put(command_, command);
    Frame frame{state, wires_};
    // Where the model gives the specimen's motion, no rig stands in between.
    experiment_.loop().rig_count() > 0 ? experiment_.loop().through_rig(frame)
                                       : experiment_.loop().middle(frame);
    return wires_[followed_];
  }
  /// From the target to the command and to what is measured, which the compensator sees.
  void track(State& state, const Command& target, double* command_and_measured) {
    wires_ = rest_;
    wires_.put(target_, target);
    Frame frame{state, wires_};
    experiment_.loop().middle(frame);
    command_and_measured[0] = wires_[command_.value()];
    command_and_measured[1] = wires_[followed_];
  }
  const std::vector<std::string>& owners() const { return owners_; }

 private:
  const Experiment& experiment_;
  Wires wires_, rest_;
  CommandPort target_, command_;
  Port followed_;
  std::vector<std::string> owners_;  ///< of the State
};

}  // namespace

ChannelSystems channel_systems(const Experiment& experiment, std::size_t channel) {
  Middle middle(experiment, channel);
  const std::vector<std::string>& owners = middle.owners();
  const Compensator* compensator = experiment.compensators()[channel].get();
  const State around = frozen_state(experiment);

  ChannelSystems systems;
  systems.plant = perturb(
      experiment, owners, around,
      [&](State& state, const Command& command, double* out) { out[0] = middle.follow(state, command); }, 1,
      experiment.rig_dt());
  systems.per_step = compensator != nullptr && compensator->per_step();
  if (systems.per_step) {
    systems.planner = perturb(
        experiment, owners, around,
        [&](State& state, const Command& piece, double* out) {
          out[0] = compensator->plan(state, {piece.value, piece.rate, piece.curvature}).c0;
        },
        1, experiment.dt());
  }
  systems.tracking = perturb(
      experiment, owners, around,
      [&](State& state, const Command& target, double* out) { middle.track(state, target, out); }, 2,
      experiment.rig_dt());
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
