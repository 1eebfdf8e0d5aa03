#include <cmath>

#include "structure/restoring/kinds.hpp"

namespace gusset {
namespace {

/// A spring and a dashpot in series:  ḟ = k·(v − f/c), solved exactly over a stretch at its mean
/// velocity v̄:
///   f ← f·E + c·v̄·(1 − E),   E = e^(−h/τ),  τ = c/k
/// The force is the only state. Dissipates ∫ f dx − Δ(f²/2k), exactly:
///   ∫ f dx = v̄·(c·v̄·h + (f_0 − c·v̄)·τ·(1 − E))
class Maxwell final : public Restoring {
 public:
  Maxwell(const RestoringContext& context, double k, double c) : Restoring(context), k_(k), c_(c) {
    claim(context);
  }
  void join(LinearSystem& system, const Interface& at) const override {
    system.series.push_back({at, k_, c_});
    system.linear = false;
  }

 protected:
  double move(State&, const Stretch& stretch, const From& from, double& dissipated) const noexcept override {
    const double h = from.duration;
    const double speed = (stretch.displacement - from.displacement) / h;
    const double filled = -std::expm1(-h * k_ / c_);
    const double f = from.force + (c_ * speed - from.force) * filled;
    const double work = speed * (c_ * speed * h + (from.force - c_ * speed) * (c_ / k_) * filled);
    dissipated += work - 0.5 * (f * f - from.force * from.force) / k_;
    return f;
  }

 private:
  double k_, c_;
};

}  // namespace

const RestoringKind maxwell_kind{"maxwell",
                                 "a spring and a dashpot in series",
                                 "f' = k (v - f/c)",
                                 {{"stiffness", "N/m", "", "k"}, {"damping", "N*s/m", "", "c"}},
                                 [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
                                   return std::make_unique<Maxwell>(
                                       context, context.section.positive("stiffness", dim::stiffness),
                                       context.section.positive("damping", dim::damping));
                                 },
                                 true};

}  // namespace gusset
