#pragma once

#include "rig/assembly.hpp"
#include "rig/sensor.hpp"

namespace gusset {

/// An assembly seen through sensors: what its actuators measure of their floors (force, displacement,
/// velocity, acceleration) is what the sensors give; the true values stand behind all other signals, as
/// measured_true, force_true, velocity_true and acceleration_true. The table's acceleration is not sensed.
class SensedAssembly final : public Assembly {
 public:
  /// The assembly itself where the file has no [sensor].
  static std::unique_ptr<Assembly> wrap(std::unique_ptr<Assembly> assembly, const AssemblyContext& context);

  SensedAssembly(std::unique_ptr<Assembly> assembly, std::vector<std::unique_ptr<Sensors>> sensors);

  void advance(int substep, State& state, const Command* commands, const Rows& rows) const noexcept override;
  void start(State& state, const LinearStart& motion, const double* commands, const Rows& rows) const override;
  std::vector<Signal> signals(std::size_t channel) const override;
  std::vector<double> frequencies() const override { return assembly_->frequencies(); }
  bool affine() const override { return assembly_->affine(); }
  bool takes_delay() const override { return assembly_->takes_delay(); }
  void join(LinearSystem& system) const override { assembly_->join(system); }

 private:
  std::unique_ptr<Assembly> assembly_;
  std::vector<std::unique_ptr<Sensors>> sensors_;  ///< one a channel; null for the table
  std::vector<int> counts_;                        ///< of each channel's own signals
};

}  // namespace gusset
