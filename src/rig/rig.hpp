#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/channel.hpp"
#include "base/row.hpp"
#include "base/state.hpp"
#include "document/document.hpp"
#include "document/registry.hpp"
#include "loading/profile.hpp"
#include "rig/specimen.hpp"

namespace gusset {

/// Transfer system, specimen and sensors of one channel: turns a command into measured motion and
/// force, one sub-step at a time.
class Rig {
 public:
  virtual ~Rig() = default;

  /// Follows the command over one sub-step and writes the measured signals at its end, in the order
  /// of `signals()`. Returns the measured force. @rt-safe
  virtual double advance(State& state, const Command& command, double* measured) const noexcept = 0;

  /// Puts the rig at t_0, at rest on the target until then, with the specimen as given. Writes the
  /// measured signals of t_0.
  virtual void start(State& state, const Motion& motion, double displacement, double velocity,
                     double* measured) const = 0;

  virtual std::vector<Signal> signals() const { return {{"measured", "m"}, {"force", "N"}}; }
  virtual const Specimen& specimen() const = 0;
  virtual bool affine() const { return specimen().affine(); }

  /// What the file says it can do; a rig that knows by itself says so.
  virtual RigCapacity capacity() const { return declared_; }
  void declare(const RigCapacity& capacity) { declared_ = capacity; }
  /// The force the actuator itself has to make, from the measured signals: with its own moving mass,
  /// where it has any. @rt-safe
  virtual double effort(const double* measured) const noexcept { return measured[1]; }

 protected:
  RigCapacity declared_;
};

struct RigContext {
  const Document& document;
  const Section& section;   ///< [rig]
  const Section& specimen;  ///< [specimen]
  std::string name;         ///< of the channel
  Layout& layout;
  double dt;  ///< the rig's step [s]
  Profile profile;
  double numerical_mass, numerical_stiffness, reference_frequency;

  SpecimenContext specimen_context(std::span<const double> durations) const {
    return {document,           specimen, name, layout, durations, numerical_mass, numerical_stiffness,
            reference_frequency};
  }
};

/// A line of the table of rigs.
struct RigKind {
  const char* name;
  const char* summary;
  const char* equations;
  std::vector<Parameter> parameters;
  std::unique_ptr<Rig> (*make)(const RigContext&);
};

const std::vector<const RigKind*>& rig_kinds();
/// Keys of [rig] that every kind has: what the rig can do.
const std::vector<Parameter>& capacity_keys();
std::unique_ptr<Rig> make_rig(const RigContext& context);

}  // namespace gusset
