#pragma once

#include "build/experiment.hpp"
#include "build/parts.hpp"
#include "loading/shake_table.hpp"

namespace gusset {

/// Reads a document section by section into the parts of an Experiment. The sections have files of their own:
/// build.cpp time, limits, start; build_method.cpp specimens, numerical part and method;
/// build_rigs.cpp rigs and compensators; build_force.cpp tests under force control, build_table.cpp those
/// with a shake table.
class Builder {
 public:
  Builder(const Document& document, const BuildOptions& options) : document_(document), options_(options) {}

  ExperimentParts build();

  // What the loadings read; see LoadingKind.
  /// Displacements of interfaces, or of a trajectory.
  void read_displacement_test();
  /// A test under force control: the structure itself is the specimen.
  void read_force_test();

 private:
  void read_time();
  void read_limits();
  void read_initial();

  /// What must be known of the specimens before the numerical part can be.
  void read_specimens();
  Interface read_interface(const Section& section);
  void read_numerical_part();
  void refuse_numerical_part();
  void read_predefined_method();
  void read_method();
  void read_displacement_method();
  /// The numerical stiffness at a channel's interface, bᵀ·K·b.
  double interface_stiffness(std::size_t c) const;
  std::vector<ForceEstimate> force_estimates() const;
  Profile read_command_profile(const Section& method, const Integrator& integrator) const;
  /// How many sub-steps computing takes, of a numerical part slower than the rig.
  int read_late(const Section& method, Profile profile) const;
  /// Refuses what yields where the integrator follows straight lines only.
  void require_nonlinear(const Integrator& integrator, const std::string& what) const;
  /// Refuses damping by the tangent stiffness where the integrator cannot follow it.
  void require_tangent(const Integrator& integrator, std::span<const StoreyForce> storeys) const;
  /// How much of the ground's motion the channel's target includes; see DisplacementMethod.
  double ground_share(const Section& method, const std::string& reference, std::size_t c);

  void read_rigs();
  const Section& compensator_section(std::size_t channel) const;
  /// Compensator and indicators of a channel.
  const Compensator* read_compensator(std::size_t channel);
  /// Refuses a compensator whose force is not measured, or goes nowhere.
  void check_force(std::size_t channel) const;

  void read_effective_force();
  void read_shake_table();
  void read_ideal_table(Partition partition, Split split, bool table);
  void read_table_loading(const Section& method, Partition partition, Split split, bool table);
  struct PlacedStoreys;
  /// Tells the whole structure of those that stand on this side.
  void list_storeys(const PlacedStoreys& storeys, bool experimental);
  ShakeTableMethod::Model read_model(PlacedStoreys& storeys, const Partition& partition,
                                     ShakeTableMethod::Feedback feedback);
  /// The structure of the file with its restoring forces as they are at rest.
  LinearSystem structure_at_rest() const;
  void refuse_sensors(const std::string& reason) const;
  /// `state` is what the storeys keep.
  void read_force_rig(TestStructure specimen, std::vector<StoreyForce> storeys, std::vector<Kept> state,
                      std::optional<BaseShear> shear = {});
  /// The rig that drives all channels.
  void mount(std::unique_ptr<Rig> rig, std::vector<Kept> state);
  void read_sensors(std::size_t channel, int number, int channels);
  /// Whether sub-steps only try the step (Chen 2007).
  bool iterates() const;
  std::size_t channel_count() const { return parts_.channels.size(); }

  const Document& document_;
  const BuildOptions& options_;
  ExperimentParts parts_;
  std::string kind_;  ///< of the method
  bool predefined_ = false;
  bool ramp_ = false;  ///< forces move in ramps
  std::vector<double> masses_;
  std::vector<const Section*> specimens_;
  std::vector<Interface> interfaces_;
  std::vector<double> interface_masses_;
  std::vector<bool> drift_;
  std::vector<SpecimenTraits> traits_;
};

}  // namespace gusset
