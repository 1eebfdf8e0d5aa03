#include "realtime/limits/kinds.hpp"
#include "realtime/settings.hpp"

namespace gusset {
namespace {

/// Force of every channel as measured, and as commanded where a force is commanded.
class ForceLimit final : public Limit {
 public:
  ForceLimit(const LimitContext& context, double limit)
      : Limit(Cause::force, context.action), limit_(limit), guards_(guards_of(context.experiment)) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.commands.size(); ++c) {
      const int channel = static_cast<int>(c);
      if (guards_[c].own_cause == Cause::force) {
        take_larger(reading, snapshot.commands[c].displacement, limit_, channel);
      }
      take_larger(reading, snapshot.forces[c], limit_, channel);
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override {
    snapshot.forces[0] = 1.01 * limit_;
  }

 private:
  double limit_;
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind force_limit{
    "force", Cause::force, Action::interlock, Action::hold, "force commanded or measured beyond limits.force",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      const auto& limit = context.experiment.limits().force;
      if (!limit || context.experiment.method().channels().empty()) return nullptr;
      return std::make_unique<ForceLimit>(context, *limit);
    }};

}  // namespace gusset
