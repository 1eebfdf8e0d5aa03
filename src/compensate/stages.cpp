#include "compensate/stages.hpp"

namespace gusset {

std::string compensator_stage(const Channel& channel) { return channel.name() + ".compensator"; }

PlanStage::PlanStage(Site& site, const Compensator& compensator, const Channel& channel, const Kept& state)
    : compensator_(compensator) {
  site.keep(state);
  const std::string unit = channel.unit();
  goal_ = site.bind(channel.name() + ".goal", unit);
  const std::string name = channel.name() + ".planned_goal";
  planned_ =
      site.claim({{name, unit}, {name + ".rate", unit + "/s"}, {name + ".curvature", unit + "/s^2"}}, false);
}

void PlanStage::run(Frame& frame) const noexcept {
  const double* goal = frame.at(goal_);
  const Piece planned = compensator_.plan(frame.state, {goal[0], goal[1], goal[2]});
  double* out = frame.at(planned_);
  out[0] = planned.c0;
  out[1] = planned.c1;
  out[2] = planned.c2;
}

DrawPlannedStage::DrawPlannedStage(Site& site, const Channel& channel, double dt) : dt_(dt) {
  planned_ = site.bind(channel.name() + ".planned_goal", channel.unit());
  target_ = site.bind_command(channel.name() + ".target", channel.unit());
  drawn_ = site.claim_command(channel.name() + ".planned", channel.unit(), false);
}

void DrawPlannedStage::run(Frame& frame) const noexcept {
  const double* piece = frame.at(planned_);
  evaluate({piece[0], piece[1], piece[2]}, (frame.substep + 1) * dt_, dt_, frame.row.data() + drawn_.at);
}

void DrawPlannedStage::start(Frame& frame, const LinearStart&) const {
  frame.row.put(drawn_, frame.row.command(target_));
}

CompensateStage::CompensateStage(Site& site, const Compensator& compensator, const Channel& channel,
                                 double dt, const Kept& state)
    : compensator_(compensator), dt_(dt) {
  if (compensator.per_step()) {
    site.share(compensator_stage(channel));
  } else {
    site.keep(state);
  }
  target_ =
      site.bind_command(channel.name() + (compensator.per_step() ? ".planned" : ".target"), channel.unit());
  command_ = site.claim_command(channel.name() + ".command", channel.unit());
}

void CompensateStage::run(Frame& frame) const noexcept {
  Command command = compensator_.command(frame.state, frame.row.command(target_));
  command.start_rate = command.rate - dt_ * command.curvature;
  frame.row.put(command_, command);
}

void CompensateStage::start(Frame& frame, const LinearStart&) const {
  frame.row.put(command_, frame.row.command(target_));
}

ObserveStage::ObserveStage(Site& site, const Compensator& compensator, const Channel& channel)
    : compensator_(compensator) {
  site.share(compensator_stage(channel));
  target_ = site.bind(channel.name() + ".target", channel.unit());
  followed_ = site.bind(channel.followed(), channel.unit());
  if (compensator.observes_force()) force_ = site.bind(channel.name() + ".force", "N");
  std::vector<Signal> results;
  for (const CompensatorSignal& signal : compensator.signals()) {
    results.push_back({channel.name() + ".compensator." + signal.name, signal.unit});
  }
  results_ = results.empty() ? site.scratch(0) : site.claim(results);
}

void ObserveStage::run(Frame& frame) const noexcept {
  compensator_.observe(frame.state, feedback(frame), frame.at(results_));
}

void ObserveStage::start(Frame& frame, const LinearStart&) const {
  const double target = frame[target_], force = force_.bound() ? frame[force_] : 0;
  compensator_.start(frame.state, target, force);
  // Observing the state of rest fills in the compensator's results without moving it.
  State rest = frame.state;
  compensator_.observe(rest, {target, force}, frame.at(results_));
}

IndicatorStage::IndicatorStage(Site& site, const OnlineIndicators& indicators, const Channel& channel,
                               const Kept& state)
    : indicators_(indicators) {
  site.keep(state);
  target_ = site.bind(channel.name() + ".target", channel.unit());
  followed_ = site.bind(channel.followed(), channel.unit());
  std::vector<Signal> results;
  for (int i = 0; i < OnlineIndicators::signals; ++i) {
    const CompensatorSignal& signal = OnlineIndicators::signal(i);
    results.push_back({channel.name() + ".indicator." + signal.name, signal.unit});
  }
  results_ = site.claim(results);
}

void IndicatorStage::start(Frame& frame, const LinearStart&) const {
  const double target = frame[target_];
  indicators_.start(frame.state, target);
  State rest = frame.state;
  indicators_.observe(rest, target, target, frame.at(results_));
}

}  // namespace gusset
