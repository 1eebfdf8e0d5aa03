#include <algorithm>

#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Answers that bring the same numbers again and again although commands move: the test would go on
/// with forces of the past.
class FrozenLimit final : public Limit {
 public:
  FrozenLimit(Action action, double longest) : Limit(Cause::frozen, action), longest_(longest) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    return {snapshot.frozen / longest_, snapshot.frozen, snapshot.frozen_channel};
  }
  void provoke(Snapshot& snapshot) const override { snapshot.frozen = 1.01 * longest_; }

 private:
  double longest_;  ///< [s]
};

constexpr double least_answers = 10;  ///< at a slow rig the time alone would be one or two

}  // namespace

const LimitKind frozen_limit{
    "frozen",
    Cause::frozen,
    Action::ramp_down,
    Action::hold,
    "feedback that does not change for longer than limits.frozen while commands move",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      if (!context.measured) return nullptr;
      return std::make_unique<FrozenLimit>(context.action,
                                           std::max(context.settings.frozen, least_answers * context.period));
    }};

}  // namespace gusset
