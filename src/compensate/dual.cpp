#include "compensate/kinds.hpp"
#include "compensate/lanes.hpp"

namespace gusset {
namespace {

/// Dual compensation (Chen & Ricles 2009): inverse compensation of the command, and the same form on
/// the measured force for what the command did not cancel,
///
///   u_k = α·x_k − (α − 1)·x_{k−1},    f'_k = α_f·f_k − (α_f − 1)·f_{k−1}
///
/// f' is what the numerical part gets (recorded as CHANNEL.compensator.feedback). State: x, x', x'' and
/// f of the sub-step before.
class Dual final : public Compensator {
 public:
  Dual(const CompensatorContext& context, double alpha, double alpha_force)
      : alpha_(alpha), alpha_force_(alpha_force), history_(context, 1) {
    force_ = context.layout.add(context.owner(), "force", "N", 1, 1.0);
  }
  Command command(State& state, const Command& target) const noexcept override {
    const double weights[] = {alpha_, 1 - alpha_};
    return history_.apply(state, target, {weights});
  }
  void observe(State& state, const Feedback& feedback, double* results) const noexcept override {
    double& last = *state.at(force_);
    results[0] = alpha_force_ * feedback.force - (alpha_force_ - 1) * last;
    last = feedback.force;
  }
  void start(State& state, double displacement, double force) const override {
    history_.start(state, displacement);
    *state.at(force_) = force;
  }
  std::vector<CompensatorSignal> signals() const override { return {{"feedback", "N"}}; }
  bool observes_force() const override { return true; }
  bool gives_force() const override { return true; }

 private:
  double alpha_, alpha_force_;
  LaneHistory history_;
  Segment force_;
};

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const double alpha = section.has("delay") ? 1 + section.non_negative("delay", dim::time) / context.dt
                                            : section.positive("alpha", dim::none);
  return std::make_unique<Dual>(context, alpha, section.number("alpha_force", dim::none, 1.0));
}

}  // namespace

const CompensatorKind dual_kind{
    "dual",
    "inverse compensation of the command and of the measured force (Chen & Ricles 2009)",
    "u_k = alpha x_k - (alpha-1) x_{k-1},  f'_k = alpha_f f_k - (alpha_f-1) f_{k-1}",
    {{"alpha", "-", "", "of the command; or give delay"},
     {"delay", "s", "", "alpha = 1 + delay/rig.dt"},
     {"alpha_force", "-", "1", "of the force: 1 + (delay left over)/rig.dt"}},
    make};

}  // namespace gusset
