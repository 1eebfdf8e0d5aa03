#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Displacement of every channel, as commanded and as measured.
class StrokeLimit final : public Limit {
 public:
  explicit StrokeLimit(const LimitContext& context)
      : Limit(Cause::stroke, context.action), guards_(context.guards) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.commands.size(); ++c) {
      if (!guards_[c].displacement) continue;
      const double limit = *guards_[c].displacement;
      const int channel = static_cast<int>(c);
      if (!guards_[c].force_control) {
        take_larger(reading, snapshot.commands[c].value, limit, channel);
      }
      take_larger(reading, snapshot.positions[c], limit, channel);
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (guards_[c].displacement) snapshot.positions[c] = -1.01 * *guards_[c].displacement;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind stroke_limit{
    "stroke", Cause::stroke, Action::interlock, Action::hold, "displacement commanded or measured beyond limits.displacement",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      if (!any_limit(context.guards, &Guard::displacement)) return nullptr;
      return std::make_unique<StrokeLimit>(context);
    }};

}  // namespace gusset
