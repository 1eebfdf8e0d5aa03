#include <cmath>

#include "structure/restoring/kinds.hpp"

namespace gusset {
namespace {

/// Friction pendulum bearing (Zayas 1987; Mokha, Constantinou & Reinhorn 1990 for μ(v)) under
/// constant weight, small angles:
///
///   f = W/R·x + q,    q = k_0·(x − x_s),  |q| ≤ μ(v)·W,    μ(v) = μ_fast − (μ_fast − μ_slow)·e^(−a|v|)
///
/// k_0 = μ_fast·W/x_y before it slides. State: slip x_s (parameter); branch: −1, 0, 1 as it slides.
/// Dissipates |q·Δx_s|.
class FrictionPendulum final : public Restoring {
 public:
  struct Parameters {
    double weight, radius, fast, slow, rate, yield;
  };
  FrictionPendulum(const RestoringContext& context, const Parameters& p)
      : Restoring(context), p_(p), k_(p.fast * p.weight / p.yield) {
    slip_ = context.layout.add(context.name, "slip", "m", 1, 1e-4, Layout::Kind::parameter);
    branch_ = context.layout.add_branch(context.name, "sliding");
    claim(context);
  }
  double stiffness() const override { return k_ + p_.weight / p_.radius; }
  double tangent(const State& state, double) const noexcept override {
    const bool slides = state.branches[static_cast<std::size_t>(branch_)].value != 0;
    return p_.weight / p_.radius + (slides ? 0 : k_);
  }
  std::optional<double> yield_force() const override { return p_.fast * p_.weight; }

 protected:
  double move(State& state, const Stretch& stretch, const From&, double& dissipated) const noexcept override {
    double& slip = *state.at(slip_);
    Branch& branch = state.branches[static_cast<std::size_t>(branch_)];
    const double x = stretch.displacement;
    const double limit =
        p_.weight * (p_.fast - (p_.fast - p_.slow) * std::exp(-p_.rate * std::abs(stretch.velocity)));
    double q = k_ * (x - slip);
    if (std::abs(q) > limit) {
      branch.change(q > 0 ? 1 : -1);
      q = std::copysign(limit, q);
      const double before = slip;
      slip = x - q / k_;
      dissipated += std::abs(q * (slip - before));
    } else {
      branch.change(0);
    }
    return p_.weight / p_.radius * x + q;
  }

 private:
  Parameters p_;
  double k_;
  Segment slip_;
  int branch_;
};

}  // namespace

const RestoringKind friction_pendulum_kind{
    "friction-pendulum",
    "friction pendulum bearing under constant weight",
    "f = W/R x + q, |q| <= mu W;  mu = mu_fast - (mu_fast - mu_slow) exp(-a |v|)",
    {{"weight", "N", "", "W, carried by the bearing"},
     {"radius", "m", "", "R, of the dish"},
     {"friction", "-", "", "mu_fast"},
     {"friction_slow", "-", "friction", "mu_slow"},
     {"rate", "s/m", "50 s/m", "a"},
     {"yield_displacement", "m", "0.5 mm", "before it slides"}},
    [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
      const Section& s = context.section;
      FrictionPendulum::Parameters p{};
      p.weight = s.positive("weight", dim::force);
      p.radius = s.positive("radius", dim::length);
      p.fast = s.positive("friction", dim::none);
      p.slow = s.number("friction_slow", dim::none, p.fast);
      p.rate = s.number("rate", Dimension{.length = -1, .time = 1}, 50);
      p.yield = s.positive("yield_displacement", dim::length, 5e-4);
      if (!(p.slow > 0 && p.slow <= p.fast) || p.rate < 0) {
        s.fail("friction_slow",
               "friction at rest must be above 0 and at most friction, and rate not negative",
               "write friction_slow = 0.04 with friction = 0.08");
      }
      return std::make_unique<FrictionPendulum>(context, p);
    },
    true};

}  // namespace gusset
