#include "compensate/kinds.hpp"

namespace gusset {
namespace {

/// Proportional-integral control of the measured motion behind a first-order lead:
///
///   u = (K_p + K_i/s)·(L(s)·x − y),   L(s) = (b1·s + b0)/(s + b0)
///
/// by Tustin's rule; y is the measurement of the sub-step before, the newest there is. L leads by
/// (b1 − 1)/b0 at low frequency. With b1 = 1 it is plain PI control.
///
/// State: x, L·x, e and the integral of the sub-step before; y; u. The command is a ramp from sample
/// to sample: u' = (u_k − u_{k−1})/δ.
class PiLead final : public Compensator {
 public:
  PiLead(const CompensatorContext& context, double kp, double ki, double b0, double b1)
      : kp_(kp), dt_(context.dt), integral_(0.5 * ki * context.dt) {
    const double c = 2 / dt_;
    const double a = c + b0;
    new_ = (b1 * c + b0) / a;
    old_ = (b0 - b1 * c) / a;
    keep_ = (c - b0) / a;
    state_ = context.layout.add(context.owner(), "controller", "m", 6, 1e-3);
  }
  Command command(State& state, const Command& target) const noexcept override {
    double* s = state.at(state_);  // x, L·x, e, ∫, y, u
    const double lead = new_ * target.value + old_ * s[0] + keep_ * s[1];
    const double error = lead - s[4];
    s[3] += integral_ * (error + s[2]);
    const double u = kp_ * error + s[3];
    const double velocity = (u - s[5]) / dt_;
    s[0] = target.value;
    s[1] = lead;
    s[2] = error;
    s[5] = u;
    return {u, velocity, 0};
  }
  void observe(State& state, const Feedback& feedback, double*) const noexcept override {
    state.at(state_)[4] = feedback.displacement;
  }
  void start(State& state, double displacement, double) const override {
    double* s = state.at(state_);
    s[0] = s[1] = s[3] = s[4] = s[5] = displacement;
    s[2] = 0;
  }
  bool smooth() const override { return false; }

 private:
  double kp_, dt_, integral_, new_, old_, keep_;
  Segment state_;
};

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const Dimension rate{.time = -1};
  return std::make_unique<PiLead>(context, section.non_negative("kp", dim::none),
                                  section.positive("ki", rate), section.positive("b0", rate),
                                  section.number("b1", dim::none, 1.0));
}

}  // namespace

const CompensatorKind pi_lead_kind{
    "pi-lead",
    "proportional-integral control of the measured motion behind a first-order lead",
    "u = (kp + ki/s)(L(s) x - y),  L(s) = (b1 s + b0)/(s + b0), Tustin",
    {{"kp", "-", "", "proportional gain"},
     {"ki", "1/s", "", "integral gain"},
     {"b0", "1/s", "", "corner of the lead"},
     {"b1", "-", "1", "its gain at high frequency; the lead is (b1 - 1)/b0"}},
    make};

}  // namespace gusset
