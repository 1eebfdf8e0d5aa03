#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// A peer that is silent longer than the heartbeat, or has left.
class LinkLimit final : public Limit {
 public:
  LinkLimit(Action action, double heartbeat) : Limit(Cause::link, action), heartbeat_(1e9 * heartbeat) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    if (!snapshot.connected) return {2, 0, -1};
    return {static_cast<double>(snapshot.silence) / heartbeat_, 1e-9 * static_cast<double>(snapshot.silence),
            -1};
  }
  void provoke(Snapshot& snapshot) const override { snapshot.connected = false; }

 private:
  double heartbeat_;  ///< [ns]
};

}  // namespace

const LimitKind link_limit{"link",
                           Cause::link,
                           Action::interlock,
                           Action::ramp_down,
                           "the rig is gone: silent longer than realtime.heartbeat",
                           [](const LimitContext& context) -> std::unique_ptr<Limit> {
                             return std::make_unique<LinkLimit>(
                                 context.action, context.settings.heartbeat_of(context.hardware));
                           }};

}  // namespace gusset
