#include <Eigen/Core>
#include <Eigen/LU>

#include "base/balance.hpp"
#include "integrate/kinds.hpp"
#include "integrate/motion_integrator.hpp"

namespace gusset {
namespace {

using Vector = Eigen::VectorXd;
using Map = Eigen::Map<Vector>;
using ConstMap = Eigen::Map<const Vector>;

/// The exact solution of a linear structure under load that is linear between steps: with
/// z = [d; v], a_g linear in the step, and measured forces on their lines c + k̂·bᵀd (the slope k̂
/// then belongs to the stiffness),
///
///   z_{i+1} = Φ·z_i + Γ0·a_g,i + Γ1·(a_g,i+1 − a_g,i) − Σ Γ_f·c_f
///
/// Φ, Γ0, Γ1 and Γ_f read off one matrix exponential of the augmented system (Van Loan 1978). Forces
/// known at the end of the step too move in ramps, each with a Γ of its own: + Σ Γ_r·(f_{i+1} − f_i).
/// State: d, p, v (n each). Work a step grows with n²: for structures of up to some hundred degrees
/// of freedom.
class Exact final : public MotionIntegrator {
 public:
  explicit Exact(const IntegratorContext& context) : MotionIntegrator(context) {
    estimates_ = context.estimates;
    const Eigen::Index n = model_.size();
    const auto forces = static_cast<Eigen::Index>(estimates_.size());

    Eigen::MatrixXd mass(n, n), damping(n, n), stiffness(n, n);
    Eigen::MatrixXd inputs = Eigen::MatrixXd::Zero(n, 1 + forces);
    for (int i = 0; i < model_.size(); ++i) {
      for (int j = 0; j < model_.size(); ++j) {
        mass(i, j) = model_.mass()(i, j);
        damping(i, j) = model_.damping()(i, j);
        stiffness(i, j) = model_.estimated_stiffness()(i, j);
      }
      inputs(i, 0) = -context.structure.inertia[static_cast<std::size_t>(i)];
    }
    for (Eigen::Index f = 0; f < forces; ++f) {
      for (const auto& [dof, weight] : estimates_[static_cast<std::size_t>(f)].interface.weights) {
        inputs(dof, 1 + f) -= weight;
      }
    }
    // Time in units of the step, so that the exponential sees numbers of order one:
    // y = [d; v·Δt; loads·Δt²; Δa·Δt²],  dy/dτ = augmented·y.
    const Eigen::PartialPivLU<Eigen::MatrixXd> factor(mass);
    const Eigen::Index ramps = context.ramps ? forces : 0;
    const Eigen::Index size = 2 * n + 2 + forces + ramps;
    Eigen::MatrixXd augmented = Eigen::MatrixXd::Zero(size, size);
    augmented.block(0, n, n, n).setIdentity();
    augmented.block(n, 0, n, n) = -dt_ * dt_ * factor.solve(stiffness);
    augmented.block(n, n, n, n) = -dt_ * factor.solve(damping);
    augmented.block(n, 2 * n, n, 1 + forces) = factor.solve(inputs);
    const Eigen::Index slopes = 2 * n + 1 + forces;
    augmented(2 * n, slopes) = 1;  // the ground's acceleration grows by Δa over the step
    for (Eigen::Index f = 0; f < ramps; ++f) augmented(2 * n + 1 + f, slopes + 1 + f) = 1;
    Eigen::MatrixXd whole = exponential(augmented);
    whole.topLeftCorner(2 * n, 2 * n) -= Eigen::MatrixXd::Identity(2 * n, 2 * n);
    dd_ = whole.block(0, 0, n, n);
    dv_ = dt_ * whole.block(0, n, n, n);
    vd_ = whole.block(n, 0, n, n) / dt_;
    vv_ = whole.block(n, n, n, n);
    d_load_ = dt_ * dt_ * whole.block(0, 2 * n, n, size - 2 * n);
    v_load_ = dt_ * whole.block(n, 2 * n, n, size - 2 * n);
  }

  void advance(State& state, const Load& load, const Response& response) const noexcept override {
    const int n = model_.size();
    double* d = state.at(displacement_);
    double* p = state.at(increment_);
    double* v = state.at(velocity_);
    double* a = response.acceleration;
    model_.load(load.ground_acceleration, load, a);
    model_.subtract_internal(d, v, a, response.scratch);
    model_.solve_mass(a);

    Map step_d(p, n);
    Map step_v(response.scratch, n);
    const ConstMap from_d(d, n), from_v(v, n);
    step_d.noalias() = dd_ * from_d;
    step_d.noalias() += dv_ * from_v;
    step_v.noalias() = vd_ * from_d;
    step_v.noalias() += vv_ * from_v;
    const Eigen::Index last = static_cast<Eigen::Index>(estimates_.size()) + 1;
    add(0, load.ground_acceleration, step_d, step_v);
    add(last, load.next_ground_acceleration - load.ground_acceleration, step_d, step_v);
    for (std::size_t f = 0; f < estimates_.size(); ++f) {
      const double line = load.forces[f] - estimates_[f].stiffness * estimates_[f].interface.of(d);
      add(static_cast<Eigen::Index>(f) + 1, line, step_d, step_v);
      if (load.next_forces == nullptr) continue;
      add(last + 1 + static_cast<Eigen::Index>(f), load.next_forces[f] - load.forces[f], step_d, step_v);
    }
    for (int i = 0; i < n; ++i) {
      response.displacement[i] = d[i];
      response.velocity[i] = v[i];
      d[i] += p[i];
      v[i] += response.scratch[i];
    }
  }

  bool linear_only() const override { return true; }

 private:
  void add(Eigen::Index column, double value, Map& step_d, Map& step_v) const noexcept {
    step_d += value * d_load_.col(column);
    step_v += value * v_load_.col(column);
  }

  std::vector<ForceEstimate> estimates_;
  Eigen::MatrixXd dd_, dv_, vd_, vv_;  ///< Φ − I
  Eigen::MatrixXd d_load_, v_load_;    ///< Γ0, Γ_f …, Γ1, Γ_r …
};

}  // namespace

const IntegratorKind exact_kind{
    "exact",
    "Matrix exponential: exact for a linear structure and load that is linear between steps",
    "z' = exp(A dt) z + G0 a_g + G1 (a_g' - a_g),  z = [d; v]",
    {},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      constexpr int most = 400;
      if (context.structure.size() > most) {
        context.section.fail("kind",
                             "the exact integrator stores dense matrices and takes at most " +
                                 std::to_string(most) + " degrees of freedom",
                             "use kind = \"newmark\" or \"central-difference\"");
      }
      return std::make_unique<Exact>(context);
    }};

}  // namespace gusset
