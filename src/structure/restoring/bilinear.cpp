#include <algorithm>
#include <cmath>

#include "structure/restoring/kinds.hpp"

namespace gusset {
namespace {

/// Bilinear spring with kinematic hardening: an elastic spring beside an elastic–plastic one,
///
///   f = α·k·x + (1 − α)·k·(x − x_p),      |k·(x − x_p)| ≤ f_y
///
/// First yield at x = f_y/k and f = f_y, stiffness α·k beyond it; the elastic range stays 2·f_y/k
/// wide (Bauschinger). α = 0 is the elastic–plastic spring. Exact for any stretch in one direction.
/// Dissipates (1 − α)·f_y·|Δx_p|. State: x_p (a parameter); branch: −1, 0, 1 as it yields.
class Bilinear final : public Restoring {
 public:
  Bilinear(const RestoringContext& context, double k, double yield, double hardening)
      : Restoring(context), k_(k), yield_(yield), hardening_(hardening) {
    plastic_ = context.layout.add(context.name, "plastic", "m", 1, 1e-4, Layout::Kind::parameter);
    branch_ = context.layout.add_branch(context.name, "yielding");
    claim(context);
  }
  double stiffness() const override { return k_; }
  double tangent(const State& state, double) const noexcept override {
    return state.branches[static_cast<std::size_t>(branch_)].value == 0 ? k_ : hardening_ * k_;
  }
  std::optional<double> yield_force() const override { return yield_; }

 protected:
  double move(State& state, const Stretch& stretch, const From&, double& dissipated) const noexcept override {
    double& plastic = *state.at(plastic_);
    Branch& branch = state.branches[static_cast<std::size_t>(branch_)];
    const double x = stretch.displacement;
    const double trial = k_ * (x - plastic);
    double q = trial;
    if (std::abs(trial) > yield_) {
      q = std::copysign(yield_, trial);
      const double before = plastic;
      plastic = x - q / k_;
      dissipated += (1 - hardening_) * yield_ * std::abs(plastic - before);
      branch.change(trial > 0 ? 1 : -1);
    } else {
      branch.change(0);
    }
    return hardening_ * k_ * x + (1 - hardening_) * q;
  }

 private:
  double k_, yield_, hardening_;
  Segment plastic_;
  int branch_;
};

}  // namespace

const RestoringKind bilinear_kind{
    "bilinear",
    "bilinear spring with kinematic hardening",
    "f = a k x + (1 - a) k (x - x_p),  |k (x - x_p)| <= f_y",
    {{"stiffness", "N/m", "", "k, before yield"},
     {"yield_force", "N", "", "f_y"},
     {"hardening", "-", "0.05", "a: stiffness after yield / k, 0 to 1"}},
    [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
      const Section& section = context.section;
      const double hardening = section.number("hardening", dim::none, 0.05);
      if (!(hardening >= 0 && hardening < 1)) {
        section.fail("hardening", "hardening must be at least 0 and below 1", "write hardening = 0.05");
      }
      return std::make_unique<Bilinear>(context, section.positive("stiffness", dim::stiffness),
                                        section.positive("yield_force", dim::force), hardening);
    }};

const RestoringKind elastic_plastic_kind{"elastic-plastic",
                                         "elastic, perfectly plastic spring",
                                         "f = k (x - x_p),  |f| <= f_y",
                                         {{"stiffness", "N/m", "", "k"}, {"yield_force", "N", "", "f_y"}},
                                         [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
                                           const Section& section = context.section;
                                           return std::make_unique<Bilinear>(
                                               context, section.positive("stiffness", dim::stiffness),
                                               section.positive("yield_force", dim::force), 0.0);
                                         }};

}  // namespace gusset
