#include "rig/specimen_solver.hpp"

#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

/// The force that a motion would give; the State is put back.
class Trial {
 public:
  Trial(const Specimen& specimen, State& state, const Kept& kept) noexcept
      : specimen_(specimen), state_(state), kept_(kept) {
    std::copy(state.values.begin() + kept.first, state.values.begin() + kept.last, values_);
    std::copy(state.branches.begin() + kept.first_branch, state.branches.begin() + kept.last_branch,
              branches_);
  }
  double force(const Motion& motion) noexcept {
    const double force = specimen_.advance(state_, motion);
    std::copy(values_, values_ + (kept_.last - kept_.first), state_.values.begin() + kept_.first);
    std::copy(branches_, branches_ + (kept_.last_branch - kept_.first_branch),
              state_.branches.begin() + kept_.first_branch);
    return force;
  }

 private:
  const Specimen& specimen_;
  State& state_;
  const Kept& kept_;
  double values_[SpecimenSolver::most_entries];
  Branch branches_[SpecimenSolver::most_branches];
};

}  // namespace

SpecimenSolver::SpecimenSolver(const Plant& plant, const Kept& kept, double damping,
                               std::vector<Eigen::VectorXd> gains, std::span<const double> durations)
    : plant_(&plant), kept_(kept), damping_(damping) {
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const double v = gains[i](plant.freedoms());
    const double acceleration = v / durations[i];
    const double force = plant.specimen_force(0, gains[i].data(), &acceleration, 0, 0);
    const double x = gains[i](0);
    slots_.push_back({std::move(gains[i]), durations[i], x, v, force});
  }
}

int SpecimenSolver::solve(const Specimen& specimen, State& state, double* z, double before, double r0,
                          int slot_number) const noexcept {
  const Slot& slot = slots_[static_cast<std::size_t>(slot_number)];
  const double v = z[plant_->freedoms()];
  const double a = (v - before) / slot.duration;
  const double phi = plant_->specimen_force(0, z, &a, 0, 0);
  Trial trial(specimen, state, kept_);
  double size = 0;  // of the numbers that ψ is the difference of
  const auto psi = [&](double change) noexcept {
    const double force = trial.force({z[0] + slot.x * change, v + slot.v * change,
                                      a + slot.v * change / slot.duration, before, slot_number});
    size = std::abs(r0) + std::abs(force) + std::abs(phi);
    return r0 + change - (force - phi - slot.force * change);
  };
  constexpr double tolerance = 1e-13;
  double last = 0, psi_last = psi(0);
  int trials = 1;
  if (!(std::abs(psi_last) > tolerance * size)) return trials;
  // The slope at rest is the steepest of a damper: the first step is rather too short.
  double now = -psi_last / (1 + damping_ * std::abs(slot.v));
  double low = 0, high = 0;  // ψ < 0 and ψ > 0
  bool has_low = psi_last < 0, has_high = !has_low;
  double best = 0, psi_best = psi_last;
  double width = 0;  // of the bracket, three trials ago at most
  for (; trials < most_trials; ++trials) {
    const double psi_now = psi(now);
    if (!std::isfinite(psi_now)) break;
    if (std::abs(psi_now) < std::abs(psi_best)) {
      best = now;
      psi_best = psi_now;
    }
    if (!(std::abs(psi_now) > tolerance * size)) break;
    (psi_now < 0 ? low : high) = now;
    (psi_now < 0 ? has_low : has_high) = true;
    double next = now - psi_now * (now - last) / (psi_now - psi_last);
    if (has_low && has_high) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      const bool outside = !(next > std::min(low, high) && next < std::max(low, high));
      const bool slow = trials % 3 == 0 && std::abs(high - low) > 0.5 * width && width > 0;
      if (trials % 3 == 0) width = std::abs(high - low);
      if (outside || slow) next = middle;
    } else if (!(std::abs(next - now) < 8 * std::abs(now)) || (next - now) * psi_now >= 0) {
      next = now + 4 * now;  // away from zero, where ψ has the sign that it has here
    }
    last = now;
    psi_last = psi_now;
    now = next;
  }
  for (Eigen::Index i = 0; i < slot.gain.size(); ++i) z[i] += slot.gain(i) * best;
  return trials;
}

}  // namespace gusset
