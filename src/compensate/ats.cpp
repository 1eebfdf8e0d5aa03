#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "compensate/adaptive.hpp"
#include "compensate/filtered_pair.hpp"
#include "compensate/kinds.hpp"
#include "compensate/lanes.hpp"

namespace gusset {
namespace {

constexpr int sums = 9;  ///< φφᵀ above the diagonal (6), φ·u (3)

/// Adaptive time series compensator, ATS (Chae 2013):
///
///   u = a0·x + a1·x' + a2·x''
///
/// Every `every` sub-steps the parameters are the least-squares solution of u_f = [y_f y_f' y_f'']·a
/// over a moving window, u and y through the same second-order Butterworth filter, derivatives by
/// backward differences. The window moves in blocks of `every` sub-steps, each kept as its normal
/// equations: Σφφᵀ and Σφ·u, so the solution is that of all samples in it.
/// The parameters in use follow with the time between updates.
/// Before the filters have settled (as long as the window) nothing is learnt. Starts at [1, τ, τ²/2].
class AdaptiveTimeSeries final : public AdaptiveCompensator {
 public:
  AdaptiveTimeSeries(const CompensatorContext& context, double delay, double window, int every, double cutoff)
      : AdaptiveCompensator(context,
                            {{"a0", "-", dim::none, 1, 0.7, 1.3},
                             {"a1", "s", dim::time, delay, 0, 0.08},
                             {"a2", "s^2", Dimension{.time = 2}, 0.5 * delay * delay, 0, 0.0032}},
                            0.01, 1e-3, every),
        operator_(context, 2, DerivativeOperator::read_differences(context)),
        pair_(context, 2, cutoff),
        dt_(context.dt),
        every_(every),
        blocks_(std::max(4, static_cast<int>(std::lround(window / (every * context.dt))))),
        counter_(memory(context, "counter", 2)),
        blocks_at_(memory(context, "window", sums * (blocks_ + 1))) {}

 private:
  Command compensate(State& state, const Command& target, const SlewedParameters& a) const noexcept override {
    return operator_.apply(state, target, {a.value, a.rate, a.curvature});
  }

  void adapt(State& state, const Command&, const Command& command, double y,
             bool active) const noexcept override {
    const double u = pair_.take(state, command.value, y);
    if (!active) return;
    double phi[FilteredPair::samples];
    backward_differences(pair_.recent(state), dt_, phi);
    // The youngest block, still filling, stands first.
    double* block = state.at(blocks_at_);
    block[0] += phi[0] * phi[0];
    block[1] += phi[0] * phi[1];
    block[2] += phi[0] * phi[2];
    block[3] += phi[1] * phi[1];
    block[4] += phi[1] * phi[2];
    block[5] += phi[2] * phi[2];
    for (int i = 0; i < 3; ++i) block[6 + i] += phi[i] * u;
    double* counter = state.at(counter_);  // samples in the block, blocks filled
    if (++counter[0] < every_) return;
    counter[0] = 0;
    if (counter[1] < blocks_) ++counter[1];
    double total[sums] = {};
    for (int b = 0; b < blocks_; ++b) {
      for (int i = 0; i < sums; ++i) total[i] += block[sums * b + i];
    }
    for (int b = blocks_; b > 0; --b) {
      for (int i = 0; i < sums; ++i) block[sums * b + i] = block[sums * (b - 1) + i];
    }
    for (int i = 0; i < sums; ++i) block[i] = 0;
    if (counter[1] < blocks_) return;
    double proposed[3];
    if (solve(total, proposed)) {
      adopt(state, proposed, y);
    } else if (!std::isfinite(total[0] + total[5] + total[8])) {
      proposed[0] = std::numeric_limits<double>::quiet_NaN();
      adopt(state, proposed, y);  // refuses it and starts afresh
    }
  }

  /// Normal equations in units that make their diagonal 1; false where they do not determine a.
  static bool solve(const double* s, double* a) noexcept {
    if (!(s[0] > 0) || !(s[3] > 0) || !(s[5] > 0)) return false;
    const double d[3] = {1 / std::sqrt(s[0]), 1 / std::sqrt(s[3]), 1 / std::sqrt(s[5])};
    const double m01 = s[1] * d[0] * d[1];
    const double m02 = s[2] * d[0] * d[2];
    const double m12 = s[4] * d[1] * d[2];
    const double r[3] = {s[6] * d[0], s[7] * d[1], s[8] * d[2]};
    const double l11 = 1 - m01 * m01;
    if (!(l11 > 1e-10)) return false;
    const double l21 = m12 - m01 * m02;
    const double l22 = 1 - m02 * m02 - l21 * l21 / l11;
    if (!(l22 > 1e-10)) return false;
    const double z1 = r[1] - m01 * r[0];
    const double z2 = r[2] - m02 * r[0] - l21 * z1 / l11;
    const double x2 = z2 / l22;
    const double x1 = (z1 - l21 * x2) / l11;
    const double x0 = r[0] - m01 * x1 - m02 * x2;
    a[0] = x0 * d[0];
    a[1] = x1 * d[1];
    a[2] = x2 * d[2];
    return true;
  }

  void rest(State& state, double displacement) const noexcept override {
    pair_.rest(state, displacement);
    for (int i = 0; i < counter_.size; ++i) state.at(counter_)[i] = 0;
    for (int i = 0; i < blocks_at_.size; ++i) state.at(blocks_at_)[i] = 0;
  }
  void start_histories(State& state, double displacement) const override {
    operator_.start(state, displacement, values(state)[0]);
  }

  DerivativeOperator operator_;
  FilteredPair pair_;
  double dt_;
  int every_, blocks_;
  Segment counter_, blocks_at_;
};

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const double window = section.positive("window", dim::time, 1.0);
  const int every = section.integer("every", 16, 1, 1000000);
  if (window > 1e5 * every * context.dt) {
    section.fail("window", "the window holds more than 100000 updates",
                 "shorten compensator.window or raise compensator.every");
  }
  return std::make_unique<AdaptiveTimeSeries>(
      context, section.non_negative("delay", dim::time), window, every,
      section.positive("cutoff", dim::frequency, 2 * std::numbers::pi * 20));
}

}  // namespace

const CompensatorKind ats_kind{
    "ats",
    "adaptive time series: least squares over a moving window (Chae 2013)",
    "u = a0 x + a1 x' + a2 x'';  a = least squares of u_f on [y_f y_f' y_f'']",
    {{"delay", "s", "", "tau; starts at [1, tau, tau^2/2]"},
     {"window", "s", "1 s", "length of the moving window; at least four updates"},
     {"every", "-", "16", "sub-steps between updates; slew is as long unless given"},
     {"cutoff", "Hz", "20 Hz", "of the second-order Butterworth filter on u and y"},
     {"derivatives", "word", "target", "target or difference; difference for a ramp"},
     {"a0_min", "-", "0.7", "bounds"},
     {"a0_max", "-", "1.3", ""},
     {"a1_min", "s", "0 s", ""},
     {"a1_max", "s", "0.08 s", ""},
     {"a2_min", "s^2", "0 s^2", ""},
     {"a2_max", "s^2", "0.0032 s^2", ""},
     GUSSET_ADAPTIVE_PARAMETERS},
    make};

}  // namespace gusset
