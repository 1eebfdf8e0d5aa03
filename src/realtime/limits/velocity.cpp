#include "realtime/limits/kinds.hpp"
#include "realtime/settings.hpp"

namespace gusset {
namespace {

/// Velocity of every channel: commanded where it is told displacements, both as the command announces it and
/// as it follows from one command to the next; measured where it is told forces or accelerations.
class VelocityLimit final : public Limit {
 public:
  VelocityLimit(const LimitContext& context, double limit)
      : Limit(Cause::velocity, context.action), limit_(limit), guards_(guards_of(context.experiment)) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.commands.size(); ++c) {
      const int channel = static_cast<int>(c);
      if (guards_[c].force_control) {
        take_larger(reading, snapshot.velocities[c], limit_, channel);
        continue;
      }
      take_larger(reading, snapshot.commands[c].velocity, limit_, channel);
      // A trace more than the limit is rounding of the positions.
      take_larger(reading, snapshot.rates[c] / (1 + 1e-9), limit_, channel);
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
