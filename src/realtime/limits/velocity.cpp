#include "realtime/limits/kinds.hpp"
#include "realtime/settings.hpp"

namespace gusset {
namespace {

/// Velocity of every channel: commanded where it is told displacements, measured where it is told forces
/// or accelerations.
class VelocityLimit final : public Limit {
 public:
  explicit VelocityLimit(const LimitContext& context)
      : Limit(Cause::velocity, context.action), guards_(guards_of(context.experiment)) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.commands.size(); ++c) {
      if (!guards_[c].velocity) continue;
      const double velocity =
          guards_[c].force_control ? snapshot.velocities[c] : snapshot.commands[c].velocity;
      take_larger(reading, velocity, *guards_[c].velocity, static_cast<int>(c));
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].velocity) continue;
      snapshot.commands[c].velocity = snapshot.velocities[c] = 1.01 * *guards_[c].velocity;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind velocity_limit{
    "velocity", Cause::velocity, Action::ramp_down, Action::hold, "velocity beyond limits.velocity",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      if (!any_limit(context.experiment, &Limits::velocity)) return nullptr;
      return std::make_unique<VelocityLimit>(context);
    }};

}  // namespace gusset
