#include <Eigen/Core>
#include <cmath>
#include <cstring>

#include "base/balance.hpp"
#include "compensate/kinds.hpp"

namespace gusset {
namespace {

/// Smith predictor: the loop is closed around a model of the rig without its delay, and only what the
/// model with the delay does not explain is fed back:
///
///   e = x − [ŷ + (y − ŷ(t − τ))],    u = x + K_p·e + K_i·∫e dt
///   ŷ'' + 2ζω·ŷ' + ω²·ŷ = ω²·u,      u linear between samples, solved exactly
///
/// all of the sub-step before, the newest that is measured. It lets the gains be raised as if there
/// were no delay; with a right model y = (1 + C)·G/(1 + C·G)·e^{−τs}·x: the delay itself stays.
///
/// State: ŷ, ŷ', x, y, ∫e, u; ŷ of the sub-steps before, the youngest first. The command is a ramp.
class Smith final : public Compensator {
 public:
  Smith(const CompensatorContext& context, double omega, double zeta, double delay, double kp, double ki)
      : kp_(kp), ki_(ki), dt_(context.dt) {
    const double w = omega * dt_;
    Eigen::Matrix4d a = Eigen::Matrix4d::Zero();
    a(0, 1) = 1;
    a(1, 0) = -w * w;
    a(1, 1) = -2 * zeta * w;
    a(1, 2) = w * w;
    a(2, 3) = 1;
    const Eigen::Matrix4d e = exponential(a);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 4; ++j) phi_[i][j] = e(i, j);
    }
    const double steps = delay / dt_;
    whole_ = static_cast<int>(std::floor(steps + 1e-9));
    part_ = std::max(0.0, steps - whole_);
    state_ = context.layout.add(context.owner(), "model", "m", 6, 1e-3);
    history_ = context.layout.add(context.owner(), "history", "m", whole_ + 1, 1e-3);
  }

  Command command(State& state, const Command& target) const noexcept override {
    double* s = state.at(state_);  // ŷ, ŷ'·δ, x, y, ∫e, u
    double* history = state.at(history_);
    const double newer = whole_ == 0 ? s[0] : history[whole_ - 1];
    const double late = newer + part_ * (history[whole_] - newer);
    const double error = s[2] - (s[0] + s[3] - late);
    // Without integral action there is no integral: it would add an eigenvalue of 1.
    s[4] = ki_ != 0 ? s[4] + dt_ * error : 0;
    const double u = target.value + kp_ * error + ki_ * s[4];
    std::memmove(history + 1, history, sizeof(double) * static_cast<std::size_t>(whole_));
    history[0] = s[0];
    const double du = u - s[5];
    const double y = phi_[0][0] * s[0] + phi_[0][1] * s[1] + phi_[0][2] * s[5] + phi_[0][3] * du;
    s[1] = phi_[1][0] * s[0] + phi_[1][1] * s[1] + phi_[1][2] * s[5] + phi_[1][3] * du;
    s[0] = y;
    s[2] = target.value;
    s[5] = u;
    return {u, du / dt_, 0};
  }
  void observe(State& state, const Feedback& feedback, double*) const noexcept override {
    state.at(state_)[3] = feedback.displacement;
  }
  void start(State& state, double displacement, double) const override {
    double* s = state.at(state_);
    s[0] = s[2] = s[3] = s[5] = displacement;
    s[1] = s[4] = 0;
    for (int i = 0; i < history_.size; ++i) state.at(history_)[i] = displacement;
  }
  bool smooth() const override { return false; }

 private:
  double kp_, ki_, dt_, part_;
  double phi_[2][4];
  int whole_;
  Segment state_, history_;
};

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const double delay = section.non_negative("delay", dim::time);
  if (delay > 1e5 * context.dt) {
    section.fail("delay", "the delay spans more than 100000 of the rig's steps",
                 "shorten compensator.delay or lengthen rig.dt");
  }
  return std::make_unique<Smith>(context, section.positive("frequency", dim::frequency),
                                 section.non_negative("damping_ratio", dim::none), delay,
                                 section.number("kp", dim::none, 0),
                                 section.number("ki", Dimension{.time = -1}, 0));
}

}  // namespace

const CompensatorKind smith_kind{
    "smith",
    "feedback through a model of the rig with and without its delay (Smith predictor)",
    "u = x + kp e + ki int e,  e = x - [y^ + (y - y^(t - tau))],  y^ = w^2/(s^2 + 2 zeta w s + "
    "w^2) u",
    {{"frequency", "Hz", "", "w/2pi of the model"},
     {"damping_ratio", "-", "", "zeta of the model"},
     {"delay", "s", "", "tau of the model"},
     {"kp", "-", "0", "proportional gain"},
     {"ki", "1/s", "0 1/s", "integral gain"}},
    make};

}  // namespace gusset
