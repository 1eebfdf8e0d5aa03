#include "compensate/compensator.hpp"
#include "kinds/examples.hpp"

namespace gusset::examples {
namespace {

/// First-order lead: the command is where the target will be after a time τ if it keeps its velocity.
///
///   u = x + τ·x',    u' = x' + τ·x'',    u'' = x''
///
/// No state.
class Lead final : public Compensator {
 public:
  explicit Lead(double lead) : lead_(lead) {}

  Command command(State&, const Command& x) const noexcept override {
    return {x.value + lead_ * x.rate, x.rate + lead_ * x.curvature, x.curvature,
            x.start_rate + lead_ * x.curvature};
  }
  void start(State&, double, double) const override {}

 private:
  double lead_;  ///< τ [s]
};

}  // namespace

const CompensatorKind lead_kind{"lead",
                                "the target's velocity, a fixed time ahead",
                                "u = x + tau x'",
                                {{"lead", "s", "", "tau"}},
                                [](const CompensatorContext& context) -> std::unique_ptr<Compensator> {
                                  return std::make_unique<Lead>(context.section.positive("lead", dim::time));
                                }};

}  // namespace gusset::examples
