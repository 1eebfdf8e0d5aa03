#include <algorithm>

#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Commands that move while the rig does not: it would lunge when the pressure comes.
class NoMotionLimit final : public Limit {
 public:
  NoMotionLimit(Action action, double longest) : Limit(Cause::no_motion, action), longest_(longest) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    return {snapshot.still / longest_, snapshot.still, snapshot.still_channel};
  }
  void provoke(Snapshot& snapshot) const override { snapshot.still = 1.01 * longest_; }

 private:
  double longest_;  ///< [s]
};

constexpr double least_answers = 10;  ///< at a slow rig the time alone would be one or two

}  // namespace

const LimitKind no_motion_limit{
    "no-motion",
    Cause::no_motion,
    Action::ramp_down,
    Action::ramp_down,
    "a command of a real rig moves and nothing moves with it, for longer than limits.frozen",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      if (!context.measured || !context.hardware) return nullptr;
      return std::make_unique<NoMotionLimit>(
          context.action, std::max(context.settings.frozen, least_answers * context.period));
    }};

}  // namespace gusset
