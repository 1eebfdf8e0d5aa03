#include "realtime/limits/kinds.hpp"
#include "realtime/settings.hpp"

namespace gusset {
namespace {

/// Velocity of every channel: commanded where it is told displacements, measured where it is told forces
/// or accelerations.
class VelocityLimit final : public Limit {
 public:
  VelocityLimit(const LimitContext& context, double limit)
      : Limit(Cause::velocity, context.action), limit_(limit), guards_(guards_of(context.experiment)) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.commands.size(); ++c) {
      const int channel = static_cast<int>(c);
      const double velocity =
          guards_[c].force_control ? snapshot.velocities[c] : snapshot.commands[c].velocity;
      take_larger(reading, velocity, limit_, channel);
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      snapshot.commands[c].velocity = snapshot.velocities[c] = 1.01 * limit_;
    }
  }

 private:
  double limit_;
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind velocity_limit{
    "velocity", Cause::velocity, Action::ramp_down, Action::hold, "velocity beyond limits.velocity",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      const auto& limit = context.experiment.limits().velocity;
      if (!limit) return nullptr;
      return std::make_unique<VelocityLimit>(context, *limit);
    }};

}  // namespace gusset
