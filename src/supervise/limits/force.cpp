#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Force of every channel as measured, and as commanded where a force is commanded.
class ForceLimit final : public Limit {
 public:
  explicit ForceLimit(const LimitContext& context)
      : Limit(Cause::force, context.action), guards_(context.guards) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.commands.size(); ++c) {
      if (!guards_[c].force) continue;
      const double limit = *guards_[c].force;
      const int channel = static_cast<int>(c);
      if (guards_[c].own_cause == Cause::force) {
        take_larger(reading, snapshot.commands[c].value, limit, channel);
      }
      take_larger(reading, snapshot.forces[c], limit, channel);
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (guards_[c].force) snapshot.forces[c] = 1.01 * *guards_[c].force;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind force_limit{
    "force", Cause::force, Action::interlock, Action::hold, "force commanded or measured beyond limits.force",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      if (!any_limit(context.guards, &Guard::force)) return nullptr;
      return std::make_unique<ForceLimit>(context);
    }};

}  // namespace gusset
