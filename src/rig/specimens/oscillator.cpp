#include <cmath>

#include "base/linear_system.hpp"
#include "rig/specimens/kinds.hpp"

namespace gusset {
namespace {

/// The exact solution of u'' + 2ζω·u' + ω²·u = −a over a fixed time h with constant a:
///   u(h)  = uu·u + uv·u' − ua·a,     u'(h) = vu·u + vv·u' − va·a
struct Transition {
  double uu, uv, ua, vu, vv, va;
};

/// uu, uv: the free response. With ω_d² = ω²(1 − ζ²), of either sign:
///   uv = e^{−ζωh}·sin(ω_d h)/ω_d,  uu = e^{−ζωh}·cos(ω_d h) + ζω·uv,  vu = −ω²·uv,
///   vv = uu − 2ζω·uv,  va = uv,  ua = (1 − uu)/ω²
Transition transition(double omega, double zeta, double h) {
  const double decay = zeta * omega;
  const double squared = omega * omega * (1 - zeta * zeta);
  double cosine = 1;
  double sine_over = h;
  const double x = std::sqrt(std::abs(squared)) * h;
  double envelope = std::exp(-decay * h);
  if (squared > 0 && x > 0) {
    cosine = std::cos(x);
    sine_over = std::sin(x) / x * h;
  } else if (squared < 0 && x > 0) {
    // e^{−ζωh}·cosh x, with the exponentials joined so that neither overflows.
    const double slow = std::exp(x - decay * h);
    const double fast = std::exp(-x - decay * h);
    cosine = 0.5 * (slow + fast);
    sine_over = 0.5 * (slow - fast) / x * h;
    envelope = 1;
  }
  Transition t{};
  t.uv = envelope * sine_over;
  t.uu = envelope * cosine + decay * t.uv;
  t.vu = -omega * omega * t.uv;
  t.vv = t.uu - 2 * decay * t.uv;
  t.va = t.uv;
  if (std::max(omega, 2 * decay) * h > 1) {
    t.ua = (1 - t.uu) / (omega * omega);
    return t;
  }
  // Here 1 − uu would lose digits: the Taylor series of the response to a unit acceleration,
  // whose coefficients follow from the equation, (k+2)(k+1)·c_{k+2} = −2ζω(k+1)·c_{k+1} − ω²·c_k.
  double previous = 0;
  double term = 0.5 * h * h;
  t.ua = term;
  for (int k = 1; k < 18; ++k) {
    const double next =
        (-2 * decay * h * (k + 1) * term - omega * omega * h * h * previous) / ((k + 2.0) * (k + 1.0));
    previous = term;
    term = next;
    t.ua += next;
  }
  return t;
}

/// A mass on a spring and a dashpot, standing on the interface (Wu 2009, eq. 14–15). With u the
/// displacement relative to the interface and a the interface's acceleration,
///   M_E·u'' + C_E·u' + K_E·u = −M_E·a,      f = −(C_E·u' + K_E·u),
/// solved exactly over each piece of constant a. State: u, and the *absolute* velocity w = u' + v of
/// the mass: it is continuous where the interface's velocity v jumps.
class Oscillator final : public Specimen {
 public:
  Oscillator(const SpecimenContext& context, double m, double c, double k)
      : mass_(m), damping_(c), stiffness_(k) {
    displacement_ = context.layout.add(context.name, "displacement", "m", 1, 1e-3);
    velocity_ = context.layout.add(context.name, "velocity", "m/s", 1, 1e-2);
    const double omega = std::sqrt(k / m);
    transitions_.reserve(context.durations.size());
    for (const double h : context.durations) {
      transitions_.push_back(transition(omega, c / (2 * m * omega), h));
    }
  }

  double advance(State& state, const Motion& motion) const noexcept override {
    const Transition& t = transitions_[static_cast<std::size_t>(motion.slot)];
    double& u = *state.at(displacement_);
    double& w = *state.at(velocity_);
    const double v = w - motion.start_velocity;
    const double u_end = t.uu * u + t.uv * v - t.ua * motion.acceleration;
    const double v_end = t.vu * u + t.vv * v - t.va * motion.acceleration;
    u = u_end;
    w = v_end + motion.velocity;
    return -(damping_ * v_end + stiffness_ * u_end);
  }

  double start(State& state, const Motion& motion, double displacement, double velocity) const override {
    *state.at(displacement_) = displacement;
    *state.at(velocity_) = velocity + motion.start_velocity;
    return -(damping_ * velocity + stiffness_ * displacement);
  }

  void join(LinearSystem& system, const Interface& at) const override {
    system.add_oscillator(at, mass_, damping_, stiffness_);
  }

  std::vector<double> frequencies() const override { return {std::sqrt(stiffness_ / mass_)}; }

 private:
  double mass_, damping_, stiffness_;
  Segment displacement_, velocity_;
  std::vector<Transition> transitions_;
};

SpecimenTraits traits(const Document&, const Section& section, double numerical_mass) {
  SpecimenTraits traits;
  traits.mass = read_specimen_mass(section, numerical_mass);
  traits.inside = true;
  return traits;
}

std::unique_ptr<Specimen> make(const SpecimenContext& context) {
  const Section& section = context.section;
  const double m = read_specimen_mass(section, context.numerical_mass);
  if (!(m > 0)) {
    section.fail("mass_ratio", "an oscillator without mass has no motion of its own",
                 "give a mass_ratio above 0, or leave the specimen out");
  }
  double omega = 0;
  if (section.has("frequency_ratio")) {
    omega = section.positive("frequency_ratio", dim::none) *
            std::sqrt(context.numerical_stiffness / context.numerical_mass);
  } else if (section.has("frequency")) {
    omega = section.positive("frequency", dim::frequency);
  } else {
    omega = std::sqrt(section.positive("stiffness", dim::stiffness) / m);
  }
  const double c = section.has("damping")
                       ? section.non_negative("damping", dim::damping)
                       : 2 * m * omega * section.non_negative("damping_ratio", dim::none, 0.0);
  return std::make_unique<Oscillator>(context, m, c, m * omega * omega);
}

}  // namespace

const SpecimenKind oscillator_kind{
    "oscillator",
    "a mass on a spring and a dashpot, standing on the interface (Wu's dynamic specimen)",
    "M_E u'' + C_E u' + K_E u = -M_E a,  f = -(C_E u' + K_E u), exact for piecewise constant a",
    {{"mass", "kg", "", "M_E; or give mass_ratio"},
     {"mass_ratio", "-", "", "M_E / M_N"},
     {"frequency_ratio", "-", "", "omega_E / omega_N; or give frequency or stiffness"},
     {"frequency", "Hz", "", "sqrt(K_E/M_E)"},
     {"stiffness", "N/m", "", "K_E"},
     {"damping_ratio", "-", "0", "C_E / (2 M_E omega_E); or give damping"},
     {"damping", "N*s/m", "", "C_E"}},
    traits,
    make};

}  // namespace gusset
