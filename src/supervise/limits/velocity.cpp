#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Velocity of every channel as measured; and commanded where it is told displacements, both as the command
/// announces it and as it follows from one command to the next.
class VelocityLimit final : public Limit {
 public:
  explicit VelocityLimit(const LimitContext& context)
      : Limit(Cause::velocity, context.action), guards_(context.guards) {}

  Reading commanded(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].velocity || guards_[c].force_control) continue;
      const double limit = *guards_[c].velocity;
      take_larger(reading, snapshot.commands[c].rate, limit, static_cast<int>(c));
      // A trace more than the limit is rounding of the positions.
      take_larger(reading, snapshot.rates[c] / (1 + 1e-9), limit, static_cast<int>(c));
    }
    return reading;
  }
  Reading measured(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].velocity) continue;
      take_larger(reading, snapshot.velocities[c], *guards_[c].velocity, static_cast<int>(c));
    }
    return reading;
  }
  bool of_the_loop() const override { return true; }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].velocity) continue;
      snapshot.commands[c].rate = snapshot.velocities[c] = 1.01 * *guards_[c].velocity;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind velocity_limit{"velocity",
                               Cause::velocity,
                               Action::ramp_down,
                               Action::hold,
                               "velocity beyond limits.velocity",
                               [](const LimitContext& context) -> std::unique_ptr<Limit> {
                                 if (!any_limit(context.guards, &Guard::velocity)) return nullptr;
                                 return std::make_unique<VelocityLimit>(context);
                               }};

}  // namespace gusset
