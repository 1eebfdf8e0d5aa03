#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// The rig stopped by its own limits. What it says of the cause is kept beside this one.
class RigLimit final : public Limit {
 public:
  explicit RigLimit(Action action) : Limit(Cause::rig, action) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    return {snapshot.rig == Cause::none ? 0.0 : 2.0,
            static_cast<double>(static_cast<std::uint32_t>(snapshot.rig)), -1};
  }
  void provoke(Snapshot& snapshot) const override { snapshot.rig = Cause::force; }
};

}  // namespace

const LimitKind rig_limit{"rig",
                          Cause::rig,
                          Action::interlock,
                          Action::interlock,
                          "the rig stopped by limits of its own",
                          [](const LimitContext& context) -> std::unique_ptr<Limit> {
                            return std::make_unique<RigLimit>(context.action);
                          }};

}  // namespace gusset
