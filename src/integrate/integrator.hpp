#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/interface.hpp"
#include "base/state.hpp"
#include "document/document.hpp"
#include "document/parameter.hpp"
#include "document/registry.hpp"
#include "structure/structure.hpp"

namespace gusset {

/// A measured force's share in the load of one degree of freedom.
struct Contribution {
  int force;  ///< which measured force
  int dof;
  double weight;
};

/// What acts on the numerical part at t_i:  F_i = −M·ι·a_g − Σ weight·force.
struct Load {
  double ground_acceleration;       ///< a_g(t_i)
  double next_ground_acceleration;  ///< a_g(t_{i+1}); linear in between
  const double* forces;
  std::span<const Contribution> contributions;
  /// The forces at t_{i+1} where they are known, linear in between; null: held. Their estimates are 0.
  const double* next_forces = nullptr;
};

/// The response at t_i, written by the integrator once it knows it; n entries each.
struct Response {
  double* displacement;
  double* velocity;
  double* acceleration;
  double* scratch;  ///< n·work_vectors() entries of work space
};

/// Solves  M·ẍ + C·ẋ + K·x = F  step by step. Every integrator keeps in its state, for each degree
/// of freedom, the displacement d_i and the last increment p_i = d_i − d_{i−1}: the command
/// profiles are drawn through them.
///
/// Forces that are known at t_i only (of specimens, of yielding storeys) enter a scheme that needs
/// them later in the step by their stiffness estimate k̂:  r(x) ≈ r_i + k̂·(x − x_i) = c + k̂·x. Once
/// a force r_m was measured at x_m within the step, the line is known better, and `correct` lets the
/// integrator move to the solution on the new line, c_new = r_m − k̂·x_m (modified Newton; Shing,
/// Vannan & Cater 1991 with one measurement a sub-step).
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// From t_i to t_{i+1}: on return the state holds d_{i+1} and p_{i+1} = d_{i+1} − d_i, and the
  /// response that of t_i. @rt-safe
  virtual void advance(State& state, const Load& load, const Response& response) const noexcept = 0;

  /// The lines of the forces are `change` higher than what the step was solved with: solves it again
  /// for d_{i+1}, by increments. `response` is that of the step's `advance`: only its scratch may be
  /// written. @rt-safe
  virtual void correct(State&, const double* /*change*/, std::span<const Contribution>,
                       const Response&) const noexcept {}

  /// How many corrections a step makes; 0 for an explicit scheme.
  virtual int corrections() const { return 0; }
  /// Where in the step the corrected forces act: 1 at t_{i+1}, ½ in the middle.
  virtual double correction_point() const { return 1; }
  /// The command leads straight to d_{i+1}: the scheme counts on the force there.
  virtual bool needs_ramp() const { return corrections() > 0; }
  /// Forces that yield are known to it by their initial stiffness only: not to be used with them.
  virtual bool linear_only() const { return false; }
  /// How many vectors of n entries `advance` and `correct` need as scratch.
  virtual int work_vectors() const { return 1; }

  /// Puts the state at t_0, given the motion then.
  virtual void start(State& state, const double* displacement, const double* velocity,
                     const double* acceleration) const = 0;

  Segment displacement() const { return displacement_; }
  Segment increment() const { return increment_; }

 protected:
  Segment displacement_;
  Segment increment_;
};

/// What is known beforehand of a force on the numerical part: f ≈ stiffness·bᵀ·d. Schemes that are
/// stable only with an idea of the specimen's stiffness take it from here; those that are corrected
/// within the step too.
struct ForceEstimate {
  Interface interface;
  double stiffness = 0;
};

struct IntegratorContext {
  const Section& section;
  const Structure& structure;
  double dt;
  Layout& layout;
  std::vector<ForceEstimate> estimates = {};  ///< one a force, in the order of Load::forces
  bool measured = false;                      ///< some of the forces come from a rig
  int substeps = 1;                           ///< of the rig, a step
  bool any_step = false;                      ///< a search over Δt: fewer sub-steps, fewer corrections
  bool ramps = false;                         ///< Load::next_forces will be given
};

/// A line of the table of integrators.
struct IntegratorKind {
  const char* name;
  const char* summary;
  const char* equations;
  std::vector<Parameter> parameters;
  std::unique_ptr<Integrator> (*make)(const IntegratorContext&);
};

const std::vector<const IntegratorKind*>& integrator_kinds();
/// See AddedKind.
void add_kind(const IntegratorKind& kind);
void remove_kind(const IntegratorKind& kind);
/// `fallback` is the kind where the file names none.
std::unique_ptr<Integrator> make_integrator(const IntegratorContext& context,
                                            const char* fallback = "central-difference");

}  // namespace gusset
