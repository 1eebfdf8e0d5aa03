#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// No number that is not finite may reach an actuator, or come from a sensor.
class NonFiniteLimit final : public Limit {
 public:
  explicit NonFiniteLimit(Action action) : Limit(Cause::non_finite, action) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    return {snapshot.finite ? 0.0 : 2.0, 0, -1};
  }
  Reading commanded(const Snapshot& snapshot) const noexcept override {
    bool finite = true;
    int channel = 0, worst = -1;
    for (const Command& command : snapshot.commands) {
      if (check_command({}, command) == Cause::non_finite) {
        finite = false;
        worst = channel;
      }
      ++channel;
    }
    return {finite ? 0.0 : 2.0, 0, worst};
  }
  void provoke(Snapshot& snapshot) const override { snapshot.finite = false; }
};

}  // namespace

const LimitKind non_finite_limit{"non-finite",
                                 Cause::non_finite,
                                 Action::interlock,
                                 Action::interlock,
                                 "a number commanded or measured is not finite",
                                 [](const LimitContext& context) -> std::unique_ptr<Limit> {
                                   return std::make_unique<NonFiniteLimit>(context.action);
                                 }};

}  // namespace gusset
