#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// How far every channel is from its target.
class TrackingLimit final : public Limit {
 public:
  TrackingLimit(const LimitContext& context, double limit)
      : Limit(Cause::tracking, context.action), limit_(limit) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.positions.size(); ++c) {
      take_larger(reading, snapshot.positions[c] - snapshot.targets[c], limit_, static_cast<int>(c));
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override { snapshot.positions[0] = 1.01 * limit_; }

 private:
  double limit_;
};

}  // namespace

const LimitKind tracking_limit{
    "tracking", Cause::tracking, Action::ramp_down, Action::indicate, "distance between target and measured position beyond limits.tracking_error",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      const auto& limit = context.settings.tracking_error;
      if (!limit || context.guards.empty()) return nullptr;
      return std::make_unique<TrackingLimit>(context, *limit);
    }};

}  // namespace gusset
