#include <algorithm>
#include <cmath>

#include "structure/restoring/kinds.hpp"

namespace gusset {
namespace {

/// Bouc–Wen hysteresis with degradation (Wen 1976; Baber & Wen 1981). With u = x/x_y and z in units
/// of x_y,
///
///   f = α·k·x + (1 − α)·k·x_y·z
///   dz/du = [1 − ν·|z|ⁿ·(β·sgn(du·z) + γ)]/η,     ν = 1 + δ_ν·ε,  η = 1 + δ_η·ε,  dε = z·du
///
/// Strength falls with ν (|z| ≤ (ν(β + γ))^(−1/n)), stiffness with η. The rule knows no time, so it is
/// integrated over u: fourth-order Runge–Kutta in as many parts as keep each below 0.05 (at most 200).
/// State: q = u − z, the plastic part of u, and ε: parameters both. An analysis freezes q, and sees the
/// spring k that the element is; z by itself would stay wherever it is put, an eigenvalue of 1. Dissipates (1 − α)·k·x_y²·(Δε − Δ(z²/2)).
class BoucWen final : public Restoring {
 public:
  struct Parameters {
    double k, yield, hardening, exponent, beta, gamma, strength, softening;
  };

  BoucWen(const RestoringContext& context, const Parameters& p) : Restoring(context), p_(p) {
    plastic_ = context.layout.add(context.name, "plastic", "-", 1, 1e-3, Layout::Kind::parameter);
    energy_ = context.layout.add(context.name, "energy", "-", 1, 1e-3, Layout::Kind::parameter);
    claim(context);
  }
  double stiffness() const override { return p_.k; }
  double tangent(const State& state, double velocity) const noexcept override {
    const double z = *state.at(displacement()) / p_.yield - *state.at(plastic_);
    return p_.k * (p_.hardening + (1 - p_.hardening) * slope(z, *state.at(energy_), velocity));
  }
  std::optional<double> yield_force() const override { return p_.k * p_.yield; }

 protected:
  double move(State& state, const Stretch& stretch, const From& from,
              double& dissipated) const noexcept override {
    double& plastic = *state.at(plastic_);
    double z = from.displacement / p_.yield - plastic;
    double& energy = *state.at(energy_);
    const double z_before = z;
    const double energy_before = energy;
    const double du = (stretch.displacement - from.displacement) / p_.yield;
    const double parts = std::clamp(std::ceil(std::abs(du) / 0.05), 1.0, 200.0);
    const double h = du / parts;
    if (h != 0) {
      for (int i = 0; i < static_cast<int>(parts); ++i) {
        // ε changes little within a part: its value in the middle serves all stages.
        const double middle = energy + 0.5 * h * z;
        const double k1 = slope(z, middle, h);
        const double k2 = slope(z + 0.5 * h * k1, middle, h);
        const double k3 = slope(z + 0.5 * h * k2, middle, h);
        const double k4 = slope(z + h * k3, middle, h);
        const double next = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        energy += h * (0.5 * (z + next) + h / 12 * (k1 - k4));  // Hermite: ends and slopes
        z = next;
      }
    }
    plastic = stretch.displacement / p_.yield - z;
    const double scale = (1 - p_.hardening) * p_.k * p_.yield * p_.yield;
    dissipated += scale * (energy - energy_before - 0.5 * (z * z - z_before * z_before));
    return p_.hardening * p_.k * stretch.displacement + (1 - p_.hardening) * p_.k * p_.yield * z;
  }

 private:
  double slope(double z, double energy, double h) const noexcept {
    const double power = std::pow(std::abs(z), p_.exponent);
    const double sign = h * z > 0 ? 1.0 : (h * z < 0 ? -1.0 : 0.0);
    return (1 - (1 + p_.strength * energy) * power * (p_.beta * sign + p_.gamma)) /
           (1 + p_.softening * energy);
  }

  Parameters p_;
  Segment plastic_, energy_;
};

}  // namespace

const RestoringKind bouc_wen_kind{
    "bouc-wen",
    "smooth hysteresis, with degradation of strength and stiffness",
    "f = a k x + (1 - a) k x_y z;  dz/du = [1 - nu |z|^n (beta sgn(du z) + gamma)]/eta, u = x/x_y, "
    "nu = 1 + d_nu e, eta = 1 + d_eta e, de = z du",
    {{"stiffness", "N/m", "", "k, initial"},
     {"yield_displacement", "m", "", "x_y"},
     {"hardening", "-", "0.05", "a: stiffness after yield / k, 0 to 1"},
     {"exponent", "-", "2", "n, at least 1: sharpness of the corner"},
     {"beta", "-", "0.5", "with gamma: width of the loop"},
     {"gamma", "-", "0.5", "beta + gamma = 1 makes z reach 1"},
     {"strength_degradation", "-", "0", "d_nu, per unit of energy e"},
     {"stiffness_degradation", "-", "0", "d_eta, per unit of energy e"}},
    [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
      const Section& s = context.section;
      const BoucWen::Parameters p{s.positive("stiffness", dim::stiffness),
                                  s.positive("yield_displacement", dim::length),
                                  s.number("hardening", dim::none, 0.05),
                                  s.number("exponent", dim::none, 2),
                                  s.number("beta", dim::none, 0.5),
                                  s.number("gamma", dim::none, 0.5),
                                  s.number("strength_degradation", dim::none, 0),
                                  s.number("stiffness_degradation", dim::none, 0)};
      if (!(p.exponent >= 1)) s.fail("exponent", "the exponent is below 1", "write exponent = 2");
      if (!(p.hardening >= 0 && p.hardening < 1)) {
        s.fail("hardening", "hardening must be at least 0 and below 1", "write hardening = 0.05");
      }
      if (!(p.beta + p.gamma > 0 && p.beta >= p.gamma)) {
        s.fail("beta", "these beta and gamma would create energy", "keep beta + gamma > 0 and beta >= gamma");
      }
      if (p.strength < 0 || p.softening < 0) {
        s.fail(p.strength < 0 ? "strength_degradation" : "stiffness_degradation", "degradation is negative",
               "give a value of at least 0");
      }
      return std::make_unique<BoucWen>(context, p);
    }};

}  // namespace gusset
