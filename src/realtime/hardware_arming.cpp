#include "realtime/hardware_arming.hpp"

#include <algorithm>
#include <cstdio>

namespace gusset {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string microseconds(std::int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", 1e-3 * static_cast<double>(nanoseconds));
  return text;
}

ArmingItem examine_latency(const Experiment& experiment, const ArmingOptions& options,
                           const std::optional<KeptLatency>& latency) {
  const std::string fix = "; fix: gusset doctor --seconds 300";
  ArmingItem item{"measured latency", false, !options.allow_degraded, ""};
  if (!latency) {
    item.detail = "nobody has measured for " + in_words(least_measured) +
                  " how late this machine wakes a loop under this kernel: seconds say little" + fix;
    return item;
  }
  const double half_period = 0.5e9 * experiment.rig_dt();
  item.ok = static_cast<double>(latency->worst) <= half_period;
  item.detail = "at most " + microseconds(latency->worst) + ", measured for " + in_words(latency->seconds) +
                " on " + latency->when;
  if (!item.ok)
    item.detail +=
        "; half a period of this test is " + microseconds(static_cast<std::int64_t>(half_period)) + fix;
  return item;
}

}  // namespace

std::vector<std::string> missing_limits(const Experiment& experiment, const Channel& channel) {
  const auto measured = [&](const std::string& name, const char* unit) {
    const std::vector<Row::Entry>& feedback = experiment.cut().feedback;
    return std::any_of(feedback.begin(), feedback.end(), [&](const Row::Entry& entry) {
      return entry.name() == name && entry.signal.unit == unit;
    });
  };
  const Limits& limits = channel.limits;
  std::vector<std::string> missing;
  const auto ask = [&](const char* key, const std::optional<double>& limit) {
    if (!limit) missing.emplace_back(key);
  };
  const std::string& name = channel.name();
  const bool position = measured(name + ".measured", "m") || measured(name + ".displacement", "m");
  if (position || channel.control == Control::displacement) {
    ask("displacement", limits.displacement);
    ask("velocity", limits.velocity);
  }
  if (channel.control == Control::acceleration) {
    ask("acceleration", limits.acceleration);
    return missing;
  }
  if (measured(name + ".force", "N") || channel.control == Control::force) ask("force", limits.force);
  if (channel.control == Control::force) {
    ask("force_error", limits.force_error);
  } else {
    ask("tracking_error", limits.tracking_error);
  }
  return missing;
}

std::vector<ArmingItem> examine_hardware(const Experiment& experiment, const ArmingOptions& options,
                                         const std::optional<KeptLatency>& latency) {
  std::vector<ArmingItem> items;
  if (!options.operator_arms) items.push_back({"operator", false, true, "nobody has armed the test"});
  if (options.lockstep) {
    items.push_back({"clock", false, true,
                     "--lockstep sends commands as fast as they are answered, and this rig can move; run it "
                     "without, or rehearse with a rig that says \"rig virtual\" and \"mode lockstep\""});
  }
  if (options.on_miss == OnMiss::catch_up) {
    items.push_back(
        {"on_miss", false, true,
         "realtime.on_miss = \"catch-up\" makes up for lost time by moving faster; write \"trip\" or "
         "\"hold\" for a rig that can move"});
  }
  for (const Channel& channel : experiment.channels()) {
    const std::vector<std::string> missing = missing_limits(experiment, channel);
    items.push_back({channel.name() + " limits", missing.empty(), true,
                     missing.empty() ? "stroke, velocity, force and error have limits"
                                     : "a rig that can move needs " + joined(missing) +
                                           " in [limits] or [limits." + channel.name() + "]"});
  }
  if (!options.faults.empty()) {
    items.push_back({"faults", false, true,
                     "[[faults]] of the file would act on a real rig: " + joined(options.faults) +
                         "; take them out, or give them with --fault"});
  }
  if (!options.asked_faults.empty()) {
    items.push_back({"faults on purpose", false, false, "--fault " + joined(options.asked_faults)});
  }
  if (!options.lockstep) items.push_back(examine_latency(experiment, options, latency));
  return items;
}

}  // namespace gusset
