#include "realtime/recording.hpp"

namespace gusset {

RunStreams run_streams(const Test& test) {
  const Experiment& experiment = *test.experiment;
  RunStreams streams;
  const int n = experiment.structure().size();
  streams.storeys = n;
  const std::int64_t steps = test.steps;
  const int substeps = experiment.substeps();

  StreamPlan structure{"structure", 0, experiment.dt(), {}, steps + 1};
  for (int i = 0; i < n; ++i) {
    const std::string name = Structure::name_of(i);
    structure.signals.push_back({name + ".displacement", "m"});
    structure.signals.push_back({name + ".velocity", "m/s"});
    structure.signals.push_back({name + ".acceleration", "m/s^2"});
  }
  structure.signals.push_back({"ground.acceleration", "m/s^2"});
  for (const DissipatedEnergy& energy : experiment.energies()) {
    structure.signals.push_back({energy.signal.name, energy.signal.unit});
  }
  StreamPlan rig{"rig", 0, experiment.rig_dt(), {}, steps * substeps + 1};
  for (const Signal& signal : experiment.row().signals) {
    (substeps == 1 ? structure : rig)
        .signals.push_back({signal.name, signal.unit, experiment.control_of(signal.name)});
  }
  streams.plans.push_back(std::move(structure));
  if (substeps > 1) {
    streams.rig = streams.plans.size();
    streams.plans.push_back(std::move(rig));
  }
  streams.realtime = streams.plans.size();
  streams.plans.push_back({"realtime",
                           0,
                           experiment.rig_dt(),
                           {{"realtime.wake_up", "s"},     // how late the loop woke
                            {"realtime.compute", "s"},     // from the answer to the next command
                            {"realtime.round_trip", "s"},  // from a command to its answer
                            {"realtime.missed", "-"},      // periods the command went out late
                            {"realtime.stale", "-"},       // periods waited for the answer
                            {"realtime.tracking_delay", "s"},
                            {"realtime.margin", "-"},       // share used of the tightest limit
                            {"realtime.time_scale", "-"}},  // 1: the test's time passes as it should
                           steps * substeps + 1});
  for (std::size_t* index : {&streams.approach, &streams.retreat}) {
    *index = streams.plans.size();
    StreamPlan plan{index == &streams.approach ? "approach" : "retreat", 0, experiment.rig_dt(), {}, 0};
    for (const Channel& channel : experiment.channels()) {
      plan.signals.push_back({plan.name + "." + channel.name() + ".command", channel.unit()});
    }
    for (const Row::Entry& entry : experiment.cut().feedback) {
      if (entry.published) plan.signals.push_back({plan.name + "." + entry.name(), entry.signal.unit});
    }
    streams.plans.push_back(std::move(plan));
  }
  return streams;
}

namespace {

/// Of the value that an event of this cause carries, with a space before it; empty: a plain number.
const char* unit_of(Cause cause) {
  switch (cause) {
    case Cause::stroke:
    case Cause::tracking: return " m";
    case Cause::velocity: return " m/s";
    case Cause::acceleration: return " m/s^2";
    case Cause::force: return " N";
    default: return "";
  }
}

}  // namespace

std::vector<EventText> event_texts() {
  std::vector<EventText> texts;
  for (std::uint32_t i = 0; i < cause_count; ++i) {
    const auto cause = static_cast<Cause>(i);
    texts.push_back({static_cast<std::uint16_t>(i), "supervisor",
                     std::string(name_of(cause)) + ": " + explain(cause) + " ({}" + unit_of(cause) + ")"});
    texts.push_back({static_cast<std::uint16_t>(rig_stopped + i), "rig",
                     std::string("stopped by itself, ") + name_of(cause) + ": " + explain(cause)});
  }
  for (int i = 0; i <= static_cast<int>(RunState::stopped); ++i) {
    texts.push_back({static_cast<std::uint16_t>(state_entered + i), "supervisor",
                     std::string("state: ") + name_of(static_cast<RunState>(i))});
  }
  texts.push_back({deadline_missed, "loop", "deadline missed by {} s"});
  texts.push_back({answer_late, "link", "the rig's answer came {} periods late"});
  texts.push_back({tared, "loop", "force tared by {} N"});
  texts.push_back({held, "loop", "held for {} s"});
  texts.push_back({hold_asked, "socket", "hold asked for by process {:d}"});
  texts.push_back({resume_asked, "socket", "resume asked for by process {:d}"});
  texts.push_back({stop_asked, "socket", "stop asked for by process {:d}"});
  texts.push_back({stop_at_once_asked, "socket", "stop at once asked for by process {:d}"});
  return texts;
}

}  // namespace gusset
