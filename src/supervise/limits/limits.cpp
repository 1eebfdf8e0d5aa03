#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {

const std::vector<const LimitKind*>& limit_kinds() {
  static const std::vector<const LimitKind*> kinds{
      &non_finite_limit, &stroke_limit,    &velocity_limit, &acceleration_limit,
      &force_limit,      &tracking_limit,  &energy_limit,   &stale_limit,
      &frozen_limit,     &deadline_limit,  &link_limit,     &recorder_limit,
      &rig_limit,        &no_motion_limit, &sensor_limit,   &tare_limit};
  return kinds;
}

std::vector<std::unique_ptr<Limit>> make_limits(const LimitContext& context) {
  std::vector<std::unique_ptr<Limit>> limits;
  for (const LimitKind* kind : limit_kinds()) {
    const auto& chosen = context.settings.actions[static_cast<std::size_t>(kind->cause)];
    LimitContext own = context;
    own.action = chosen.value_or(kind->action);
    std::unique_ptr<Limit> limit = kind->make(own);
    if (limit != nullptr) limits.push_back(std::move(limit));
  }
  return limits;
}

bool any_limit(const std::vector<Guard>& guards, std::optional<double> Guard::*which) {
  return std::any_of(guards.begin(), guards.end(),
                     [&](const Guard& own) { return (own.*which).has_value(); });
}

Reading Limit::read(const Snapshot& snapshot) const noexcept {
  const Reading before = measured(snapshot), next = commanded(snapshot);
  return next.use > before.use || before.channel < 0 ? (next.use >= before.use ? next : before) : before;
}

void take_larger(Reading& reading, double value, double limit, int channel) noexcept {
  const double share = std::abs(value) / limit;
  const double use = std::isnan(share) ? std::numeric_limits<double>::infinity() : share;
  if (use > reading.use || reading.channel < 0) reading = {use, value, channel};
}

std::string self_test(const std::vector<std::unique_ptr<Limit>>& limits, std::size_t channels) {
  for (const auto& limit : limits) {
    Snapshot snapshot(channels);
    if (limit->read(snapshot).use > 1) return name_of(limit->cause());
    limit->provoke(snapshot);
    if (!(limit->read(snapshot).use > 1)) return name_of(limit->cause());
  }
  return {};
}

}  // namespace gusset
