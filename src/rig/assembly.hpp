#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/linear_system.hpp"
#include "base/motion.hpp"
#include "base/state.hpp"
#include "document/document.hpp"
#include "document/registry.hpp"
#include "rig/rig.hpp"
#include "structure/restoring.hpp"

namespace gusset {

/// A rig whose channels all act on one specimen: force-controlled actuators at its floors and, where
/// there is one, a shake table under its base. The specimen is a structure of its own, with x its
/// floors' motion relative to the base (n of them):
///
///   M_e·ẍ + C_e·ẋ + r(x) = −M_e·1·a_t + F
///
/// F what the actuators really apply, a_t what the table really does. Commands are forces [N] and, of
/// the table, an acceleration [m/s²].
class Assembly {
 public:
  virtual ~Assembly() = default;

  /// Where the measured signals of a sub-step go: those of channel c begin at row[first[c]].
  struct Rows {
    double* row;
    const int* first;
    double* of(std::size_t channel) const noexcept { return row + first[channel]; }
  };

  /// Follows the commands over one sub-step; a trial leaves the State where it was. @rt-safe
  virtual void advance(bool trial, State& state, const Command* commands,
                       const Rows& rows) const noexcept = 0;

  /// Puts everything at t_0: the floors as given, the actuators applying `commands` for ever before.
  virtual void start(State& state, const LinearStart& motion, const double* commands,
                     const Rows& rows) const = 0;

  /// What a channel measures, in this order.
  virtual std::vector<Signal> signals(std::size_t channel) const = 0;
  /// Circular frequencies of the specimen alone.
  virtual std::vector<double> frequencies() const { return {}; }
  virtual bool affine() const { return true; }
  /// What the actuator at a floor can do by its own parameters.
  virtual RigCapacity capacity(int /*floor*/) const { return {}; }
  /// Whether sub-steps before the last are trials of the whole step: time is rewound.
  virtual bool rewinds() const { return false; }
};

/// The specimen of an assembly. The mass is the physical one.
struct TestStructure {
  Eigen::MatrixXd mass, damping, stiffness;

  int size() const { return static_cast<int>(mass.rows()); }
};

/// Signals of an actuator's channel: force applied, and displacement, velocity and acceleration of its
/// floor relative to the base.
enum ActuatorSignal {
  actuator_displacement,
  actuator_force,
  actuator_velocity,
  actuator_acceleration,
  base_shear  ///< of the lowest floor only, and only where it is asked for
};
std::vector<Signal> actuator_signals();

/// Signals of a table's channel: what it does, and the displacement command that goes with it.
enum TableSignal { table_acceleration, table_displacement, table_velocity };
std::vector<Signal> table_signals();

/// The displacement command y that a high-pass makes of a table's acceleration u, from [table]:
///   ÿ = u − 2ζω·ẏ − ω²·y
struct TableStroke {
  double omega, zeta;
};
TableStroke read_table_stroke(const Section& table);

/// The force with which a specimen pulls the floor it stands on, as load cells under its base measure it; a
/// signal of the lowest floor's channel, behind those of actuator_signals():
///   shear = k·x + c·ẋ − Σ e        e: see YieldingStoreys
struct BaseShear {
  Eigen::RowVectorXd stiffness, damping;  ///< k, c of each floor; yielding storeys as they are at rest
  std::vector<int> storeys;               ///< the yielding ones that stand on the base
};

struct AssemblyContext {
  const Document& document;
  const Section& section;  ///< [rig]
  TestStructure structure;
  bool table = false;              ///< the first channel is a shake table
  std::vector<std::string> names;  ///< of the channels: the table's, then one a floor
  Layout& layout;
  double dt;          ///< the rig's step [s]
  int trials = 1;     ///< sub-steps of which all but the last are only tried (dt: the whole step)
  bool ramp = false;  ///< commands move in ramps from sample to sample, instead of being held
  /// Yielding storeys of the specimen; `structure` has them as they are at rest.
  std::shared_ptr<const std::vector<StoreyForce>> storeys = nullptr;
  std::optional<BaseShear> shear = {};  ///< is measured too

  std::size_t actuator(int floor) const { return static_cast<std::size_t>(floor) + (table ? 1 : 0); }
};

/// A line of the table of assemblies.
struct AssemblyKind {
  const char* name;
  const char* summary;
  const char* equations;
  std::vector<Parameter> parameters;
  std::unique_ptr<Assembly> (*make)(const AssemblyContext&);
};

const std::vector<const AssemblyKind*>& assembly_kinds();
std::unique_ptr<Assembly> make_assembly(const AssemblyContext& context);

}  // namespace gusset
