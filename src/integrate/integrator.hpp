#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/document.hpp"
#include "base/parameter.hpp"
#include "base/registry.hpp"
#include "base/state.hpp"
#include "structure/structure.hpp"

namespace gusset {

/// A measured force's share in the load of one degree of freedom.
struct Contribution {
  int force;      ///< which measured force
  int dof;
  double weight;
};

/// What acts on the numerical part at t_i:  F_i = −M·ι·a_g − Σ weight·force.
struct Load {
  double ground_acceleration;
  const double* forces;
  std::span<const Contribution> contributions;
};

/// The response at t_i, written by the integrator once it knows it; n entries each.
struct Response {
  double* displacement;
  double* velocity;
  double* acceleration;
  double* scratch;  ///< n entries of work space
};

/// Solves  M·ẍ + C·ẋ + K·x = F  step by step. Every integrator keeps in its state, for each degree
/// of freedom, the displacement d_i and the last increment p_i = d_i − d_{i−1}: the command
/// profiles are drawn through them.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// From t_i to t_{i+1}: on return the state holds d_{i+1} and p_{i+1} = d_{i+1} − d_i, and the
  /// response that of t_i. @rt-safe
  virtual void advance(State& state, const Load& load, const Response& response) const noexcept = 0;

  /// Puts the state at t_0, given the motion then.
  virtual void start(State& state, const double* displacement, const double* velocity,
                     const double* acceleration) const = 0;

  Segment displacement() const { return displacement_; }
  Segment increment() const { return increment_; }

 protected:
  Segment displacement_;
  Segment increment_;
};

struct IntegratorContext {
  const Section& section;
  const Structure& structure;
  double dt;
  Layout& layout;
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
std::unique_ptr<Integrator> make_integrator(const IntegratorContext& context);

}  // namespace gusset
