#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// A sensor that shows something else than the rehearsal: dead, of the wrong sign or scale, or another channel's.
class SensorLimit final : public Limit {
 public:
  explicit SensorLimit(Action action) : Limit(Cause::sensor, action) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    return {snapshot.suspect >= 0 ? 2.0 : 0.0, 0, snapshot.suspect};
  }
  void provoke(Snapshot& snapshot) const override { snapshot.suspect = 0; }
};

}  // namespace

const LimitKind sensor_limit{"sensor",
                             Cause::sensor,
                             Action::ramp_down,
                             Action::indicate,
                             "a sensor of a real rig shows something else than the rehearsal",
                             [](const LimitContext& context) -> std::unique_ptr<Limit> {
                               if (!context.measured || !context.hardware) return nullptr;
                               return std::make_unique<SensorLimit>(context.action);
                             }};

}  // namespace gusset
