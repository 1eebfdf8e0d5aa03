#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// How far every channel is from its target: its position, or in force control its force.
class TrackingLimit final : public Limit {
 public:
  explicit TrackingLimit(const LimitContext& context)
      : Limit(Cause::tracking, context.action), guards_(context.guards) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      const std::optional<double>& limit = limit_of(guards_[c]);
      if (limit) take_larger(reading, snapshot.errors[c], *limit, static_cast<int>(c));
    }
    return reading;
  }
  bool of_the_loop() const override { return true; }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      const std::optional<double>& limit = limit_of(guards_[c]);
      if (limit) snapshot.errors[c] = 1.01 * *limit;
    }
  }

 private:
  static const std::optional<double>& limit_of(const Guard& guard) noexcept {
    return guard.force_control ? guard.force_error : guard.tracking_error;
  }

  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind tracking_limit{"tracking",
                               Cause::tracking,
                               Action::ramp_down,
                               Action::indicate,
                               "distance between target and measured position beyond limits.tracking_error, "
                               "in force control between forces beyond limits.force_error",
                               [](const LimitContext& context) -> std::unique_ptr<Limit> {
                                 if (!any_limit(context.guards, &Guard::tracking_error) &&
                                     !any_limit(context.guards, &Guard::force_error)) {
                                   return nullptr;
                                 }
                                 return std::make_unique<TrackingLimit>(context);
                               }};

}  // namespace gusset
