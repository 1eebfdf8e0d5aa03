#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/channel.hpp"
#include "base/linear_system.hpp"
#include "base/row.hpp"
#include "base/state.hpp"
#include "document/document.hpp"
#include "document/registry.hpp"
#include "loading/profile.hpp"
#include "rig/specimen.hpp"
#include "rig/test_structure.hpp"
#include "structure/restoring.hpp"

namespace gusset {

/// A rig's channels in the row of a sub-step: the command of each, and room for what it measures. Small
/// enough to be passed in registers.
class RigRow {
 public:
  struct Place {
    CommandPort command;
    Port signals;
  };
  RigRow(WireView row, const Place* places) : row_(row), places_(places) {}

  // Channels are counted among the rig's own. All @rt-safe.
  const Command& command(std::size_t channel) const noexcept {
    return row_.command(places_[channel].command);
  }
  double* signals(std::size_t channel) const noexcept { return row_.at(places_[channel].signals); }

 private:
  WireView row_;
  const Place* places_;
};

/// A set of channels on one specimen: turns their commands into motion and force, one sub-step at a time.
/// What a channel is told, a displacement, a force or an acceleration, is its Control. What it measures is
/// the true value; sensors are stages of their own.
class Rig {
 public:
  virtual ~Rig() = default;

  /// Follows the commands over one sub-step and writes what is measured at its end. A trial leaves the
  /// State where it was; only a rig that rewinds is asked for one. @rt-safe
  virtual void advance(State& state, RigRow row, bool trial) const noexcept = 0;

  /// Puts the rig at t_0, where the commands have stood for ever before, and writes what is measured then.
  /// `specimen` is the motion of the specimen's own degrees of freedom relative to what carries them: the
  /// table or ground under its floors, the interface under a mass of its own.
  virtual void start(State& state, const LinearStart& specimen, RigRow row) const = 0;

  /// What a channel measures, in this order.
  virtual std::vector<Signal> signals(std::size_t channel) const = 0;
  virtual bool affine() const { return true; }
  /// Whether the specimen follows a straight line, whatever moves it.
  virtual bool specimen_affine() const { return affine(); }
  /// Joins to the whole structure what is not in the file's matrices: the specimen, or what yields in it
  /// (with its initial stiffness).
  virtual void join(LinearSystem&) const {}
  /// Circular frequencies of the specimen alone, with its channels held.
  virtual std::vector<double> frequencies() const { return {}; }
  /// Whether sub-steps before the last are trials of the whole step: time is rewound.
  virtual bool rewinds() const { return false; }

  /// What a channel can do: as the file says; a rig that knows by itself says so.
  virtual RigCapacity capacity(std::size_t /*channel*/) const { return declared_; }
  void declare(const RigCapacity& capacity) { declared_ = capacity; }
  /// The force that the actuator of a channel itself has to make, from what it measures: with its own
  /// moving mass, where it has any. Of no table. @rt-safe
  virtual double effort(std::size_t /*channel*/, const double* signals) const noexcept { return signals[1]; }
  /// The force that a channel's specimen cannot be given by this rig, whatever it is told: more is an error of the
  /// rig's own integration. Absent: not known.
  virtual std::optional<double> unreachable_force(std::size_t /*channel*/) const { return std::nullopt; }

 protected:
  RigCapacity declared_;
};

struct RigContext {
  const Document& document;
  const Section& section;  ///< [rig]
  std::span<const Channel> channels;
  Layout& layout;
  double dt;  ///< the rig's step [s]

  // One displacement channel on a specimen of its own.
  const Section& specimen;  ///< [specimen]
  Profile profile = Profile::ramp;
  double numerical_mass = 0, numerical_stiffness = 0, reference_frequency = 0;

  // Actuators at the floors of a structure, and perhaps a table under it, which is the first channel.
  TestStructure structure = {};
  int trials = 1;     ///< sub-steps of which all but the last are only tried (dt: the whole step)
  bool ramp = false;  ///< commands move in ramps from sample to sample, instead of being held
  /// Yielding storeys of the structure, which has them as they are at rest.
  std::shared_ptr<const std::vector<StoreyForce>> storeys = nullptr;
  std::optional<BaseShear> shear = {};  ///< is measured too

  const std::string& name() const { return channels.front().name(); }
  bool table() const { return channels.front().control == Control::acceleration; }
  SpecimenContext specimen_context(std::span<const double> durations) const {
    return {document,           specimen, name(), layout, durations, numerical_mass, numerical_stiffness,
            reference_frequency};
  }
};

/// A rig of one displacement channel on a specimen of its own, which is joined where the channel acts.
class SpecimenRig : public Rig {
 public:
  explicit SpecimenRig(const RigContext& context) : at_(context.channels.front().interface) {}

  virtual const Specimen& specimen() const = 0;
  std::vector<Signal> signals(std::size_t) const override { return {{"measured", "m"}, {"force", "N"}}; }
  bool affine() const override { return specimen().affine(); }
  bool specimen_affine() const override { return specimen().affine(); }
  void join(LinearSystem& system) const override { specimen().join(system, at_); }
  std::vector<double> frequencies() const override { return specimen().frequencies(); }

 private:
  Interface at_;
};

/// A line of the table of rigs.
struct RigKind {
  const char* name;
  const char* summary;
  const char* equations;
  std::vector<Control> controls;  ///< what its channels may be told
  std::vector<Parameter> parameters;
  std::unique_ptr<Rig> (*make)(const RigContext&);

  bool takes(Control control) const;
};

const std::vector<const RigKind*>& rig_kinds();
/// Keys of [rig] that every kind has: what the rig can do.
const std::vector<Parameter>& capacity_keys();
RigCapacity read_rig_capacity(const Section& rig);
std::unique_ptr<Rig> make_rig(const RigContext& context);

}  // namespace gusset
