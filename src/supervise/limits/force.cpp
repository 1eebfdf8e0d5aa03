#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Force of every channel as measured, and as commanded where a force is commanded. What was tared away acts on
/// the specimen all the same: the load cell's own reading counts too.
class ForceLimit final : public Limit {
 public:
  explicit ForceLimit(const LimitContext& context)
      : Limit(Cause::force, context.action), guards_(context.guards) {}

  Reading commanded(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].force || guards_[c].own_cause != Cause::force) continue;
      take_larger(reading, snapshot.commands[c].value, *guards_[c].force, static_cast<int>(c));
    }
    return reading;
  }
  Reading measured(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].force) continue;
      take_larger(reading, snapshot.forces[c], *guards_[c].force, static_cast<int>(c));
      take_larger(reading, snapshot.untared[c], *guards_[c].force, static_cast<int>(c));
    }
    return reading;
  }
  bool of_the_loop() const override { return true; }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (guards_[c].force) snapshot.forces[c] = 1.01 * *guards_[c].force;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind force_limit{"force",
                            Cause::force,
                            Action::interlock,
                            Action::hold,
                            "force commanded or measured beyond limits.force",
                            [](const LimitContext& context) -> std::unique_ptr<Limit> {
                              if (!any_limit(context.guards, &Guard::force)) return nullptr;
                              return std::make_unique<ForceLimit>(context);
                            }};

}  // namespace gusset
