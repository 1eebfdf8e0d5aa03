#include "integrate/central_difference.hpp"

#include <cstring>

#include "base/wide.hpp"
#include "integrate/kinds.hpp"

namespace gusset {
namespace {

// The passes over a shear building. Their arguments say that nothing overlaps, so that the compiler
// can take several floors at a time.

struct Scales {
  double ground, per_2dt, per_dt2;
};

/// Diagonal M and C: K·now, the new increments, and all that follows from them, in one pass.
GUSSET_WIDE void sweep(int n, Scales s, const double* __restrict main, const double* __restrict side,
                       const double* __restrict keep, const double* __restrict gain,
                       const double* __restrict push, double* __restrict now, double* __restrict d,
                       double* __restrict p, double* __restrict v, double* __restrict a) noexcept {
  std::memcpy(now, d, static_cast<std::size_t>(n) * sizeof(double));
  const auto end = [&](int i, double neighbour) {
    const double before = p[i];
    const double next = keep[i] * before - (gain[i] * (main[i] * now[i] + neighbour) + push[i] * s.ground);
    v[i] = (next + before) * s.per_2dt;
    a[i] = (next - before) * s.per_dt2;
    p[i] = next;
    d[i] = now[i] + next;
  };
  const int last = n - 1;
  end(0, side[0] * now[1]);
  for (int i = 1; i < last; ++i) {
    const double before = p[i];
    const double next =
        keep[i] * before -
        (gain[i] * (side[i - 1] * now[i - 1] + main[i] * now[i] + side[i] * now[i + 1]) + push[i] * s.ground);
    v[i] = (next + before) * s.per_2dt;
    a[i] = (next - before) * s.per_dt2;
    p[i] = next;
    d[i] = now[i] + next;
  }
  end(last, side[last - 1] * now[last - 1]);
}

/// r = −(M·ι·a_g + K·d + (C/Δt)·p), both matrices tridiagonal.
GUSSET_WIDE void unbalance(int n, double ground, const double* __restrict inertia,
                           const double* __restrict main, const double* __restrict side,
                           const double* __restrict c_main, const double* __restrict c_side,
                           const double* __restrict d, const double* __restrict p,
                           double* __restrict r) noexcept {
  const int last = n - 1;
  r[0] = -(inertia[0] * ground + (main[0] * d[0] + side[0] * d[1]) + (c_main[0] * p[0] + c_side[0] * p[1]));
  for (int i = 1; i < last; ++i) {
    r[i] = -(inertia[i] * ground + (side[i - 1] * d[i - 1] + main[i] * d[i] + side[i] * d[i + 1]) +
             (c_side[i - 1] * p[i - 1] + c_main[i] * p[i] + c_side[i] * p[i + 1]));
  }
  r[last] = -(inertia[last] * ground + (side[last - 1] * d[last - 1] + main[last] * d[last]) +
              (c_side[last - 1] * p[last - 1] + c_main[last] * p[last]));
}

/// From r = p_{i+1} − p_i to the response at t_i and the state at t_{i+1}.
GUSSET_WIDE void move_on(int n, Scales s, const double* __restrict r, double* __restrict now,
                         double* __restrict d, double* __restrict p, double* __restrict v,
                         double* __restrict a) noexcept {
  for (int i = 0; i < n; ++i) {
    const double next = p[i] + r[i];
    v[i] = (next + p[i]) * s.per_2dt;
    a[i] = r[i] * s.per_dt2;
    now[i] = d[i];
    p[i] = next;
    d[i] += next;
  }
}

}  // namespace

CentralDifference::CentralDifference(const IntegratorContext& context)
    : size_(context.structure.size()),
      dt_(context.dt),
      per_2dt_(0.5 / context.dt),
      per_dt2_(1 / (context.dt * context.dt)),
      stiffness_(context.structure.stiffness),
      inertia_(context.structure.inertia) {
  displacement_ = context.layout.add("numerical", "displacement", "m", size_, 1e-3);
  increment_ = context.layout.add("numerical", "increment", "m", size_, 1e-5);

  const BandMatrix& mass = context.structure.mass;
  const BandMatrix& damping = context.structure.damping;
  bool zero_off_diagonal = true;
  for (int k = 1; k <= damping.half_bandwidth(); ++k) {
    for (const double c : damping.band(k)) zero_off_diagonal = zero_off_diagonal && c == 0;
  }
  diagonal_ = mass.half_bandwidth() == 0 && zero_off_diagonal && damping.symmetric();
  const double dt2 = dt_ * dt_;
  if (size_ == 1) {
    const double m = mass(0, 0) / dt2;
    const double c = damping(0, 0) / (2 * dt_);
    single_ = {(m - c) / (m + c), 1 / (m + c), inertia_[0], stiffness_(0, 0)};
  } else if (diagonal_) {
    keep_.reserve(static_cast<std::size_t>(size_));
    gain_.reserve(static_cast<std::size_t>(size_));
    push_.reserve(static_cast<std::size_t>(size_));
    for (int i = 0; i < size_; ++i) {
      const double m = mass(i, i) / dt2;
      const double c = damping(i, i) / (2 * dt_);
      keep_.push_back((m - c) / (m + c));
      gain_.push_back(1 / (m + c));
      push_.push_back(inertia_[static_cast<std::size_t>(i)] / (m + c));
    }
  } else {
    const BandMatrix zero(size_, 0);
    damping_ = zero.plus(damping, 1 / dt_);
    factor_ = BandFactor(zero.plus(mass, 1 / dt2).plus(damping, 1 / (2 * dt_)));
  }
  shear_ = size_ > 1 && stiffness_.half_bandwidth() == 1 && stiffness_.symmetric() &&
           (diagonal_ || (damping_.half_bandwidth() == 1 && damping_.symmetric()));
}

void CentralDifference::advance(State& state, const Load& load, const Response& response) const noexcept {
  if (size_ > 1) {
    advance_many(state, load, response);
    return;
  }
  // One degree of freedom stays in registers, and the measured force, which everything waits for,
  // comes last: a detour through memory would cost more than all the arithmetic.
  double& d = *state.at(displacement_);
  double& p = *state.at(increment_);
  const double last = p;
  double next = single_.keep * last -
                single_.gain * (single_.inertia * load.ground_acceleration + single_.stiffness * d);
  for (const Contribution& c : load.contributions) {
    next -= (single_.gain * c.weight) * load.forces[c.force];
  }
  response.velocity[0] = (next + last) * per_2dt_;
  response.acceleration[0] = (next - last) * per_dt2_;
  response.displacement[0] = d;
  p = next;
  d += next;
}

void CentralDifference::advance_many(State& state, const Load& load,
                                     const Response& response) const noexcept {
  double* __restrict d = state.at(displacement_);
  double* __restrict p = state.at(increment_);
  double* __restrict r = response.scratch;
  double* __restrict v = response.velocity;
  double* __restrict a = response.acceleration;
  double* __restrict d_now = response.displacement;
  const double per_2dt = per_2dt_;
  const double per_dt2 = per_dt2_;
  const double ground = load.ground_acceleration;
  const double* inertia = inertia_.data();

  if (shear_) {
    advance_shear(state, load, response);
    return;
  }
  stiffness_.multiply(d, r);
  for (const Contribution& c : load.contributions) r[c.dof] += c.weight * load.forces[c.force];
  if (diagonal_) {
    const double* keep = keep_.data();
    const double* gain = gain_.data();
    for (int i = 0; i < size_; ++i) {
      const double next = keep[i] * p[i] - gain[i] * (inertia[i] * ground + r[i]);
      v[i] = (next + p[i]) * per_2dt;
      a[i] = (next - p[i]) * per_dt2;
      d_now[i] = d[i];
      p[i] = next;
      d[i] += next;
    }
    return;
  }
  // S·(p_{i+1} − p_i) = F − K·d − (C/Δt)·p_i, since M/Δt² − C/2Δt = S − C/Δt.
  damping_.multiply(p, v);
  for (int i = 0; i < size_; ++i) r[i] = -(inertia[i] * ground + r[i]) - v[i];
  factor_.solve(r);
  move_on(size_, {ground, per_2dt, per_dt2}, r, d_now, d, p, v, a);
}

void CentralDifference::advance_shear(State& state, const Load& load,
                                      const Response& response) const noexcept {
  double* d = state.at(displacement_);
  double* p = state.at(increment_);
  const Scales scales{load.ground_acceleration, per_2dt_, per_dt2_};
  const double* main = stiffness_.band(0).data();
  const double* side = stiffness_.band(1).data();
  if (diagonal_) {
    sweep(size_, scales, main, side, keep_.data(), gain_.data(), push_.data(), response.displacement, d, p,
          response.velocity, response.acceleration);
    // Measured forces act on few floors: put them right afterwards.
    for (const Contribution& c : load.contributions) {
      const double less = gain_[static_cast<std::size_t>(c.dof)] * c.weight * load.forces[c.force];
      p[c.dof] -= less;
      d[c.dof] -= less;
      response.velocity[c.dof] -= less * per_2dt_;
      response.acceleration[c.dof] -= less * per_dt2_;
    }
    return;
  }
  double* r = response.scratch;
  unbalance(size_, load.ground_acceleration, inertia_.data(), main, side, damping_.band(0).data(),
            damping_.band(1).data(), d, p, r);
  for (const Contribution& c : load.contributions) r[c.dof] -= c.weight * load.forces[c.force];
  factor_.solve(r);
  move_on(size_, scales, r, response.displacement, d, p, response.velocity, response.acceleration);
}

void CentralDifference::start(State& state, const double* displacement, const double* velocity,
                              const double* acceleration) const {
  double* d = state.at(displacement_);
  double* p = state.at(increment_);
  for (int i = 0; i < size_; ++i) {
    d[i] = displacement[i];
    p[i] = dt_ * velocity[i] - 0.5 * dt_ * dt_ * acceleration[i];
  }
}

const IntegratorKind central_difference_kind{
    "central-difference",
    "Explicit, second order, stable up to omega*dt = 2 without a specimen (Wu 2008, Wu 2009)",
    "(M/dt^2 + C/2dt) p' = (M/dt^2 - C/2dt) p + F - K d;  d' = d + p'",
    {},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      return std::make_unique<CentralDifference>(context);
    }};

}  // namespace gusset
