#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Answers of the rig that do not come: the test cannot go on without them, and stands still meanwhile.
class StaleLimit final : public Limit {
 public:
  StaleLimit(Action action, int most) : Limit(Cause::stale, action), most_(most) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    return {static_cast<double>(snapshot.stale) / most_, static_cast<double>(snapshot.stale), -1};
  }
  void provoke(Snapshot& snapshot) const override { snapshot.stale = most_ + 1; }

 private:
  int most_;
};

}  // namespace

const LimitKind stale_limit{
    "stale",
    Cause::stale,
    Action::ramp_down,
    Action::hold,
    "more than limits.stale periods in a row without an answer",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      if (policy_with(context.hardware, context.settings.on_miss) == OnMiss::catch_up) {
        return nullptr;  // waits instead; the link's heartbeat is the limit
      }
      return std::make_unique<StaleLimit>(context.action, context.settings.stale);
    }};

}  // namespace gusset
