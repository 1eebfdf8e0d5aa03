#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Displacement of every channel, as commanded and as measured.
class StrokeLimit final : public Limit {
 public:
  explicit StrokeLimit(const LimitContext& context)
      : Limit(Cause::stroke, context.action), guards_(context.guards) {}

  Reading commanded(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].displacement || guards_[c].force_control) continue;
      take_larger(reading, snapshot.commands[c].value, *guards_[c].displacement, static_cast<int>(c));
    }
    return reading;
  }
  Reading measured(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].displacement) continue;
      take_larger(reading, snapshot.positions[c], *guards_[c].displacement, static_cast<int>(c));
    }
    return reading;
  }
  bool of_the_loop() const override { return true; }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (guards_[c].displacement) snapshot.positions[c] = -1.01 * *guards_[c].displacement;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind stroke_limit{"stroke",
                             Cause::stroke,
                             Action::interlock,
                             Action::hold,
                             "displacement commanded or measured beyond limits.displacement",
                             [](const LimitContext& context) -> std::unique_ptr<Limit> {
                               if (!any_limit(context.guards, &Guard::displacement)) return nullptr;
                               return std::make_unique<StrokeLimit>(context);
                             }};

}  // namespace gusset
