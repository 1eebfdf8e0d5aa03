#include "compensate/kinds.hpp"
#include "compensate/lanes.hpp"

namespace gusset {
namespace {

/// Model-based feedforward with feedback (Carrion & Spencer 2007). The rig is 1/(a0 + a1·s + a2·s² +
/// a3·s³); its inverse acts on the target and its derivatives, and a PI controller on what is left:
///
///   u = a0·x + a1·x' + a2·x'' + a3·x''' + K_p·e + K_i·∫e dt,    e_k = x_{k−1} − y_{k−1}
///
/// State: x, x', x'' of the last three sub-steps; with feedback also x, y, ∫e and u. Then the command
/// is a ramp from sample to sample.
class ModelBased final : public Compensator {
 public:
  ModelBased(const CompensatorContext& context, int order, const double* a, double kp, double ki)
      : operator_(context, order, DerivativeOperator::read_differences(context), kp == 0 && ki == 0),
        kp_(kp),
        ki_(ki),
        dt_(context.dt) {
    for (int i = 0; i < 4; ++i) a_[i] = a[i];
    if (feedback()) feedback_ = context.layout.add(context.owner(), "feedback", "m", 4, 1e-3);
  }
  Command command(State& state, const Command& target) const noexcept override {
    Command u = operator_.apply(state, target, {a_});
    if (!feedback()) return u;
    double* s = state.at(feedback_);  // x, y, ∫e, u
    const double error = s[0] - s[1];
    // Without integral action there is no integral: it would add an eigenvalue of 1.
    s[2] = ki_ != 0 ? s[2] + dt_ * error : 0;
    u.value += kp_ * error + ki_ * s[2];
    u.rate = (u.value - s[3]) / dt_;
    u.curvature = 0;
    s[0] = target.value;
    s[3] = u.value;
    return u;
  }
  void observe(State& state, const Feedback& feedback_in, double*) const noexcept override {
    if (feedback()) state.at(feedback_)[1] = feedback_in.displacement;
  }
  void start(State& state, double displacement, double) const override {
    operator_.start(state, displacement, a_[0]);
    if (!feedback()) return;
    double* s = state.at(feedback_);
    s[0] = s[1] = displacement;
    s[2] = 0;
    s[3] = a_[0] * displacement;
  }
  bool smooth() const override { return !feedback(); }

 private:
  bool feedback() const { return kp_ != 0 || ki_ != 0; }

  DerivativeOperator operator_;
  double kp_, ki_, dt_;
  double a_[4];
  Segment feedback_;
};

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const double a[4] = {section.number("a0", dim::none, 1), section.number("a1", dim::time, 0),
                       section.number("a2", Dimension{.time = 2}, 0),
                       section.number("a3", Dimension{.time = 3}, 0)};
  const int order = a[3] != 0 ? 3 : a[2] != 0 ? 2 : 1;
  return std::make_unique<ModelBased>(context, order, a, section.number("kp", dim::none, 0),
                                      section.number("ki", Dimension{.time = -1}, 0));
}

}  // namespace

const CompensatorKind model_based_kind{
    "model-based",
    "the rig's inverse on the target and its derivatives, and PI feedback (Carrion & Spencer 2007)",
    "u = a0 x + a1 x' + a2 x'' + a3 x''' + kp e + ki int e,  rig = 1/(a0 + a1 s + a2 s^2 + a3 s^3)",
    {{"a0", "-", "1", "the rig's polynomial"},
     {"a1", "s", "0 s", ""},
     {"a2", "s^2", "0 s^2", ""},
     {"a3", "s^3", "0 s^3", ""},
     {"kp", "-", "0", "proportional feedback of the tracking error"},
     {"ki", "1/s", "0 1/s", "integral feedback"},
     {"derivatives", "word", "target", "target or difference; difference for a ramp"}},
    make};

}  // namespace gusset
