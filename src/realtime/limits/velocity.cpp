#include <algorithm>

#include "realtime/limits/kinds.hpp"
#include "realtime/settings.hpp"

namespace gusset {
namespace {

/// Velocity of every channel that is commanded a displacement.
class VelocityLimit final : public Limit {
 public:
  VelocityLimit(const LimitContext& context, double limit)
      : Limit(Cause::velocity, context.action), limit_(limit), guards_(guards_of(context.experiment)) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.commands.size(); ++c) {
      const int channel = static_cast<int>(c);
      if (guards_[c].force_control) continue;
      take_larger(reading, snapshot.commands[c].velocity, limit_, channel);
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      snapshot.commands[c].velocity = 1.01 * limit_;
    }
  }

 private:
  double limit_;
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind velocity_limit{
    "velocity", Cause::velocity, Action::ramp_down, Action::hold, "velocity commanded beyond limits.velocity",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      const auto& limit = context.experiment.limits().velocity;
      const std::vector<Guard> guards = guards_of(context.experiment);
      const bool moved = std::any_of(guards.begin(), guards.end(),
                                     [](const Guard& guard) { return !guard.force_control; });
      if (!limit || !moved) return nullptr;
      return std::make_unique<VelocityLimit>(context, *limit);
    }};

}  // namespace gusset
