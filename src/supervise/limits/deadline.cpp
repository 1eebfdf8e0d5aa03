#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Periods the loop is late by: none is allowed to trip, `misses` to hold; catching up allows any number.
class DeadlineLimit final : public Limit {
 public:
  DeadlineLimit(Action action, int most) : Limit(Cause::deadline, action), most_(most) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    return {most_ > 0 ? static_cast<double>(snapshot.missed) / most_ : 2.0 * snapshot.missed,
            static_cast<double>(snapshot.missed), -1};
  }
  void provoke(Snapshot& snapshot) const override { snapshot.missed = most_ + 1; }

 private:
  int most_;
};

}  // namespace

const LimitKind deadline_limit{"deadline",
                               Cause::deadline,
                               Action::ramp_down,
                               Action::indicate,
                               "the loop was late by more periods than realtime.on_miss allows",
                               [](const LimitContext& context) -> std::unique_ptr<Limit> {
                                 const OnMiss policy =
                                     policy_with(context.hardware, context.settings.on_miss);
                                 if (policy == OnMiss::catch_up) return nullptr;
                                 return std::make_unique<DeadlineLimit>(
                                     context.action, policy == OnMiss::hold ? context.settings.misses : 0);
                               }};

}  // namespace gusset
