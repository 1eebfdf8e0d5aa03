#include <cmath>

#include "structure/restoring/kinds.hpp"

namespace gusset {
namespace {

/// LuGre friction (Canudas de Wit, Olsson, Åström & Lischinsky 1995, eq. 2–5): bristles of deflection
/// z that give way,
///
///   ż = v − σ0·|v|/g(v)·z,    g(v) = F_c + (F_s − F_c)·exp(−(v/v_s)²),    f = σ0·z + σ1·ż + σ2·v
///
/// solved exactly over a stretch at its mean velocity v̄, which sticks without drift:
///   z ← z·E + v̄·h·(1 − E)/a,   a = σ0·|v̄|·h/g(v̄),  E = e^(−a)
/// State: z (signal). Dissipates ∫ f dx − Δ(σ0·z²/2) (trapezoidal rule).
class Lugre final : public Restoring {
 public:
  struct Parameters {
    double coulomb, stick, stribeck, stiffness, bristle_damping, viscous;
  };
  Lugre(const RestoringContext& context, const Parameters& p) : Restoring(context), p_(p) {
    z_ = context.layout.add(context.name, "bristle", "m", 1, 1e-6);
    claim(context);
  }
  double stiffness() const override { return p_.stiffness; }
  double damping() const override { return p_.bristle_damping + p_.viscous; }

 protected:
  double move(State& state, const Stretch& stretch, const From& from,
              double& dissipated) const noexcept override {
    double& z = *state.at(z_);
    const double before = z;
    const double dx = stretch.displacement - from.displacement;
    const double a = p_.stiffness * std::abs(dx) / level(dx / from.duration);
    const double filled = -std::expm1(-a);  // 1 − E
    z = before * (1 - filled) + dx * (a > 0 ? filled / a : 1.0);
    const double v = stretch.velocity;
    const double rate = v - p_.stiffness * std::abs(v) / level(v) * z;
    const double f = p_.stiffness * z + p_.bristle_damping * rate + p_.viscous * v;
    dissipated += 0.5 * (f + from.force) * dx - 0.5 * p_.stiffness * (z * z - before * before);
    return f;
  }

 private:
  double level(double v) const noexcept {
    const double ratio = v / p_.stribeck;
    return p_.coulomb + (p_.stick - p_.coulomb) * std::exp(-ratio * ratio);
  }
  Parameters p_;
  Segment z_;
};

}  // namespace

const RestoringKind lugre_kind{
    "lugre",
    "friction with bristles: sticks, creeps and slips (LuGre)",
    "z' = v - s0 |v|/g(v) z;  g = F_c + (F_s - F_c) exp(-(v/v_s)^2);  f = s0 z + s1 z' + s2 v",
    {{"force", "N", "", "F_c, sliding"},
     {"static_force", "N", "force", "F_s, breaking loose"},
     {"stribeck_velocity", "m/s", "1 mm/s", "v_s"},
     {"stiffness", "N/m", "", "s0, of the bristles"},
     {"bristle_damping", "N*s/m", "0 N*s/m", "s1"},
     {"damping", "N*s/m", "0 N*s/m", "s2, viscous"}},
    [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
      const Section& s = context.section;
      Lugre::Parameters p{};
      p.coulomb = s.positive("force", dim::force);
      p.stick = s.number("static_force", dim::force, p.coulomb);
      p.stribeck = s.positive("stribeck_velocity", dim::velocity, 1e-3);
      p.stiffness = s.positive("stiffness", dim::stiffness);
      p.bristle_damping = s.non_negative("bristle_damping", dim::damping, 0);
      p.viscous = s.non_negative("damping", dim::damping, 0);
      if (p.stick < p.coulomb) {
        s.fail("static_force", "the force to break loose is below that of sliding",
               "give static_force at least as large as force");
      }
      return std::make_unique<Lugre>(context, p);
    },
    true};

}  // namespace gusset
