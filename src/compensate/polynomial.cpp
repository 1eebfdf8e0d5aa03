#include <cmath>
#include <cstring>

#include "compensate/kinds.hpp"

namespace gusset {
namespace {

constexpr int lanes = 3;

/// Polynomial extrapolation (Horiuchi 1999): the polynomial of order n through the target at t, t − τ,
/// … t − nτ, read a time τ ahead,
///
///   u(t) = Σ c_i·x(t − i·τ),   c_i = (−1)^i·C(n+1, i+1):  n = 2: 3, −3, 1;  n = 3: 4, −6, 4, −1
///
/// τ need not be a multiple of the rig's step δ: the target has constant acceleration within a
/// sub-step, so it is known in between exactly. State: x, x', x'' at the ends of the last ⌈nτ/δ⌉
/// sub-steps, the youngest first.
class Polynomial final : public Compensator {
 public:
  Polynomial(const CompensatorContext& context, double delay, int order) {
    double c = order + 1;  // C(n+1, 1)
    int ages = 0;
    for (int i = 0; i <= order; ++i) {
      const double steps = i * delay / context.dt;
      // A delay meant as a whole number of steps must not leave a sliver to rounding.
      double whole = std::floor(steps);
      double part = steps - whole;
      if (part > 1 - 1e-9) {
        whole += 1;
        part = 0;
      } else if (part < 1e-9) {
        part = 0;
      }
      taps_.push_back({static_cast<int>(whole), part * context.dt, i % 2 == 0 ? c : -c});
      ages = static_cast<int>(whole);
      c *= static_cast<double>(order - i) / (i + 2);
    }
    history_ = context.layout.add(context.owner(), "history", "m", lanes * ages, 1e-3);
  }

  Command command(State& state, const Command& target) const noexcept override {
    double* history = state.at(history_);
    Command u;
    for (const Tap& tap : taps_) {
      Command x = target;
      if (tap.age > 0) {
        const double* entry = history + lanes * (tap.age - 1);
        x = {entry[0], entry[1], entry[2]};
      }
      u.value += tap.weight * (x.value - tap.before * (x.rate - 0.5 * tap.before * x.curvature));
      u.rate += tap.weight * (x.rate - tap.before * x.curvature);
      u.curvature += tap.weight * x.curvature;
    }
    if (history_.size > 0) {
      std::memmove(history + lanes, history,
                   sizeof(double) * static_cast<std::size_t>(history_.size - lanes));
      history[0] = target.value;
      history[1] = target.rate;
      history[2] = target.curvature;
    }
    return u;
  }

  void start(State& state, double displacement, double) const override {
    for (int i = 0; i < history_.size; i += lanes) state.at(history_)[i] = displacement;
  }

 private:
  struct Tap {
    int age;        ///< sub-steps ago
    double before;  ///< and this long before that sub-step's end [s]
    double weight;
  };
  std::vector<Tap> taps_;
  Segment history_;
};

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const double delay = context.section.non_negative("delay", dim::time);
  const int order = context.section.integer("order", 3, 1, 6);
  if (delay * order > 1e5 * context.dt) {
    context.section.fail("delay", "the extrapolation reaches back more than 100000 of the rig's steps",
                         "shorten compensator.delay or lengthen rig.dt");
  }
  return std::make_unique<Polynomial>(context, delay, order);
}

}  // namespace

const CompensatorKind polynomial_kind{
    "polynomial",
    "polynomial through the target at multiples of the delay (Horiuchi 1999)",
    "u = sum c_i x(t - i tau);  order 2: 3, -3, 1;  order 3: 4, -6, 4, -1",
    {{"delay", "s", "", "tau; need not be a multiple of rig.dt"},
     {"order", "-", "3", "of the polynomial, 1 to 6"}},
    make};

}  // namespace gusset
