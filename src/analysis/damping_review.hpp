#pragma once

#include <string>
#include <vector>

#include "build/experiment.hpp"

namespace gusset {

/// A damping ratio that the file asks for beside the one that the mode has: φᵀ·C·φ/(2ω), φ a mode of the
/// numerical part at the initial stiffness of its restoring forces, devices that do not count left out.
struct ModeDamping {
  int mode;  ///< 1 is the lowest
  double asked;
  double ratio;  ///< 0 where nothing holds the mode
  bool held;     ///< the mode has a stiffness

  /// Within a fiftieth: Rayleigh damping meets two modes exactly, modal damping all.
  bool met() const { return held && ratio <= 1.02 * asked + 1e-9 && ratio >= 0.98 * asked - 1e-9; }
};

std::vector<ModeDamping> damping_of_modes(const Experiment& experiment);

/// The largest viscous force in a storey while it yields.
struct ViscousForce {
  std::string name;  ///< of the restoring force
  int storey;        ///< 1 is the lowest
  double force;      ///< of the dashpot that C has between the storey's two floors [N]
  double yield_force;

  double share() const { return force / yield_force; }
};

/// Looks at the viscous forces of yielding storeys during a rehearsal. Damping made from the initial
/// stiffness goes on as the storey yields, and its dashpot may carry what the yielding storey no longer
/// does (Chopra & McKenna 2016). The dashpot between floors i and j is −C_ij, that between floor i and the
/// ground Σ_j C_ij; where C follows the tangent, less by b·(k_0 − k_t). A storey yields while k_t < k_0/2.
class ViscousWatch {
 public:
  explicit ViscousWatch(const Experiment& experiment);
  /// After a step. @rt-safe
  void look(const State& state, const Wires& wires) noexcept;
  const std::vector<ViscousForce>& forces() const { return forces_; }

 private:
  struct Dashpot {
    const ListedStorey* storey;
    double damping, follows;  ///< c and b
    double tangent;           ///< k_t at the beginning of the step
  };
  Port velocity_;
  std::vector<Dashpot> dashpots_;
  std::vector<ViscousForce> forces_;
};

/// What a careful engineer would remark on both.
std::vector<std::string> damping_warnings(const std::vector<ModeDamping>& modes,
                                          const std::vector<ViscousForce>& forces);

}  // namespace gusset
