#include "session/checklist.hpp"

#include "base/quantity_text.hpp"

namespace gusset {
namespace {

std::string box(const std::string& text) { return "[ ] " + text + "\n"; }

void channel_lines(const Channel& channel, const Review& review, std::string& out) {
  const auto line = [&](const char* quantity, const std::optional<double>& limit, const char* unit) {
    std::string text = std::string("    ") + quantity + ": ";
    for (const ChannelReview& reviewed : review.channels) {
      if (reviewed.name != channel.name()) continue;
      for (const Need& need : reviewed.needs) {
        if (need.quantity == quantity) text += "the test needs " + readable(need.needed, unit) + ", ";
      }
    }
    text += limit
                ? "Gusset acts at " + readable(*limit, unit) + "; the controller's interlock: outside of that"
                : std::string("Gusset has no limit");
    out += text + "\n";
  };
  out += box(
      "Channel " + channel.name() + ", told " + name_of(channel.control) +
      ". The controller's own interlocks are set, outside of Gusset's limits, and were tried on purpose:");
  line("displacement", channel.limits.displacement, "m");
  line("velocity", channel.limits.velocity, "m/s");
  line("acceleration", channel.limits.acceleration, "m/s^2");
  line("force", channel.limits.force, "N");
  if (channel.control == Control::force) {
    line("force error", channel.limits.force_error, "N");
  } else {
    line("tracking error", channel.limits.tracking_error, "m");
  }
}

}  // namespace

std::string pretest_checklist(const Test& test, const Review& review, const RealtimeSettings& settings) {
  const Experiment& experiment = *test.experiment;
  std::string out = "Before a test: " + experiment.title() + "\n\n";
  out += box("The file is the one that was rehearsed: " + readable(test.duration, "s") + ", a command each " +
             readable(experiment.rig_dt(), "s") + ", excitation at " + brief(100 * settings.span) + " %.");
  out += box(
      "check and analyze were run with the specimen and the delay that were measured, and with worse ones.");
  for (const Channel& channel : experiment.channels()) channel_lines(channel, review, out);
  for (const TravelReview& way : review_travel(test, review, settings)) {
    out +=
        box(std::string(way.back ? "The way back from " : "The approach to ") +
            readable(way.distance, way.unit) + " of " + way.channel + " takes " + readable(way.takes, "s") +
            " (" + readable(way.velocity, way.unit + "/s") + " at most): nothing is in the way.");
  }
  out +=
      box(settings.tare ? "Load cells: what they show at rest is taken off. That is right for this specimen."
                        : "Load cells: what they show at rest counts (realtime.tare = false).");
  out += box("Signs: every channel was pushed by hand, and its number moved the right way.");
  out += box("The rig was examined on blocks: gusset doctor --rig URL.");
  out += box("The machine was measured: gusset doctor --seconds 300.");
  out += box("Emergency stop: hard-wired, tried today, in the hand of somebody who does nothing else.");
  out += box("Nobody inside the barrier. Mechanical stops, relief valves and catch frames are in place.");
  out += box(
      "Rehearsed with the hydraulics off, then at low pressure without a specimen, then with a low span.");
  return out;
}

}  // namespace gusset
