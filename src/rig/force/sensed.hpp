#pragma once

#include "rig/assembly.hpp"
#include "rig/sensor.hpp"

namespace gusset {

/// An assembly seen through sensors: what its actuators measure of their floors (force, displacement,
/// velocity, acceleration) and the table of itself (acceleration, displacement, velocity) is what the
/// sensors give; the true values stand behind all other signals, as NAME_true.
class SensedAssembly final : public Assembly {
 public:
  /// The assembly itself where the file has no [sensor].
  static std::unique_ptr<Assembly> wrap(std::unique_ptr<Assembly> assembly, const AssemblyContext& context);

  SensedAssembly(std::unique_ptr<Assembly> assembly, std::vector<std::unique_ptr<Sensors>> sensors,
                 bool table);

  void advance(bool trial, State& state, const Command* commands, const Rows& rows) const noexcept override;
  void start(State& state, const LinearStart& motion, const double* commands,
             const Rows& rows) const override;
  std::vector<Signal> signals(std::size_t channel) const override;
  std::vector<double> frequencies() const override { return assembly_->frequencies(); }
  bool affine() const override { return assembly_->affine(); }
  RigCapacity capacity(int floor) const override { return assembly_->capacity(floor); }
  bool rewinds() const override { return assembly_->rewinds(); }

 private:
  void sense(std::size_t channel, State& state, double* signals) const noexcept;

  std::unique_ptr<Assembly> assembly_;
  std::vector<std::unique_ptr<Sensors>> sensors_;  ///< one a channel
  std::vector<int> counts_;                        ///< of each channel's own signals
  bool table_;                                     ///< the first channel is one
};

}  // namespace gusset
