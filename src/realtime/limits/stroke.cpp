#include "realtime/limits/kinds.hpp"
#include "realtime/settings.hpp"

namespace gusset {
namespace {

/// Displacement of every channel, as commanded and as measured.
class StrokeLimit final : public Limit {
 public:
  StrokeLimit(const LimitContext& context, double limit)
      : Limit(Cause::stroke, context.action), limit_(limit), guards_(guards_of(context.experiment)) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.commands.size(); ++c) {
      const int channel = static_cast<int>(c);
      if (!guards_[c].force_control) {
        take_larger(reading, snapshot.commands[c].displacement, limit_, channel);
      }
      take_larger(reading, snapshot.positions[c], limit_, channel);
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override {
    snapshot.positions[0] = -1.01 * limit_;
  }

 private:
  double limit_;
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind stroke_limit{
    "stroke", Cause::stroke, Action::interlock, Action::hold, "displacement commanded or measured beyond limits.displacement",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      const auto& limit = context.experiment.limits().displacement;
      if (!limit || context.experiment.method().channels().empty()) return nullptr;
      return std::make_unique<StrokeLimit>(context, *limit);
    }};

}  // namespace gusset
