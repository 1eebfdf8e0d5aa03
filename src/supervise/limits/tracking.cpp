#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// How far every channel is from its target.
class TrackingLimit final : public Limit {
 public:
  explicit TrackingLimit(const LimitContext& context)
      : Limit(Cause::tracking, context.action), guards_(context.guards) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].tracking_error) continue;
      take_larger(reading, snapshot.positions[c] - snapshot.targets[c], *guards_[c].tracking_error,
                  static_cast<int>(c));
    }
    return reading;
  }
  bool of_the_loop() const override { return true; }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (guards_[c].tracking_error) snapshot.positions[c] = 1.01 * *guards_[c].tracking_error;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind tracking_limit{"tracking",
                               Cause::tracking,
                               Action::ramp_down,
                               Action::indicate,
                               "distance between target and measured position beyond limits.tracking_error",
                               [](const LimitContext& context) -> std::unique_ptr<Limit> {
                                 if (!any_limit(context.guards, &Guard::tracking_error)) return nullptr;
                                 return std::make_unique<TrackingLimit>(context);
                               }};

}  // namespace gusset
