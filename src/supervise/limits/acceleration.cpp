#include <algorithm>

#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Acceleration of every channel that is commanded a displacement, or the acceleration itself.
class AccelerationLimit final : public Limit {
 public:
  explicit AccelerationLimit(const LimitContext& context)
      : Limit(Cause::acceleration, context.action), guards_(context.guards) {}

  Reading commanded(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].acceleration) continue;
      const double limit = *guards_[c].acceleration;
      const int channel = static_cast<int>(c);
      if (guards_[c].own_cause == Cause::acceleration) {
        take_larger(reading, snapshot.commands[c].value, limit, channel);
      }
      if (guards_[c].force_control) continue;
      take_larger(reading, snapshot.accelerations[c], limit, channel);
    }
    return reading;
  }
  bool of_the_loop() const override { return true; }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].acceleration) continue;
      snapshot.accelerations[c] = 1.01 * *guards_[c].acceleration;
      snapshot.commands[c].value = -1.01 * *guards_[c].acceleration;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind acceleration_limit{
    "acceleration",
    Cause::acceleration,
    Action::ramp_down,
    Action::hold,
    "acceleration commanded beyond limits.acceleration",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      const std::vector<Guard>& guards = context.guards;
      const bool moved = std::any_of(guards.begin(), guards.end(), [](const Guard& guard) {
        return guard.acceleration && (!guard.force_control || guard.own_cause == Cause::acceleration);
      });
      if (!moved) return nullptr;
      return std::make_unique<AccelerationLimit>(context);
    }};

}  // namespace gusset
