#include "realtime/arming.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "realtime/hardware_arming.hpp"

namespace gusset {
namespace {

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace

bool Arming::granted() const {
  return std::none_of(items.begin(), items.end(),
                      [](const ArmingItem& item) { return !item.ok && item.refuses; });
}

std::string Arming::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ArmingItem& item : items) {
    list.push_back(
        {{"name", item.name}, {"ok", item.ok}, {"refuses", item.refuses}, {"detail", item.detail}});
  }
  return nlohmann::ordered_json{{"granted", granted()}, {"items", list}}.dump(2);
}

std::optional<ArmingItem> examine_stages(const Loop& loop) {
  const std::string stage = loop.not_realtime();
  if (stage.empty()) return std::nullopt;
  return ArmingItem{"stages", false, true,
                    "\"" + stage + "\" may not run in real time; run it with --lockstep, or replace it"};
}

Arming examine_arming(const Experiment& experiment, const Review& review,
                      const std::vector<std::unique_ptr<Limit>>& limits, const Readiness& readiness,
                      const std::vector<Grant>& grants, const ArmingOptions& options) {
  Arming arming;
  arming.items.push_back({"stability", review.stable, !options.force_unstable,
                          "spectral radius " + digits(review.spectral_radius) +
                              (review.stability.affine ? ": " : " at rest: ") + review.stability.sentence +
                              (review.stable ? "" : "; go on with --force-unstable")});
  for (const ChannelReview& channel : review.channels) {
    for (const Need& need : channel.needs) {
      if (!need.available()) continue;
      arming.items.push_back({channel.name + " " + need.quantity, need.enough(), options.hardware,
                              "needs " + digits(need.needed) + " " + need.unit + " of " +
                                  digits(*need.available()) + " " + need.unit});
    }
  }
  const std::string broken = self_test(limits, experiment.channels().size());
  arming.items.push_back({"limits", broken.empty(), true,
                          broken.empty() ? std::to_string(limits.size()) + " limits tested"
                                         : "the limit \"" + broken + "\" does not work"});
  if (options.hardware) {
    for (ArmingItem& item : examine_hardware(experiment, options, kept_latency())) {
      arming.items.push_back(std::move(item));
    }
  }
  if (options.lockstep) return arming;
  if (std::optional<ArmingItem> stages = examine_stages(experiment.loop())) {
    arming.items.push_back(std::move(*stages));
  }
  // With hardware a late loop is a danger; with a virtual rig only the timing is worse.
  const bool strict = options.hardware && !options.allow_degraded;
  for (const ReadinessCheck& check : readiness.checks) {
    if (check.ok) continue;
    arming.items.push_back({check.name, false, strict && check.required,
                            check.found + ": " + check.consequence + "; fix: " + check.fix});
  }
  for (const Grant& grant : grants) {
    if (!grant.granted) {
      // Deep sleep of idle cores costs microseconds: advice, as the doctor says.
      const bool needed = grant.name != "dma latency";
      arming.items.push_back({grant.name, false, strict && needed, "not granted: " + grant.detail});
    }
  }
  return arming;
}

}  // namespace gusset
