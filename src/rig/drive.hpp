#pragma once

#include <string>
#include <vector>

#include "base/channel.hpp"
#include "base/motion.hpp"
#include "base/row.hpp"
#include "base/state.hpp"
#include "rig/plant.hpp"

namespace gusset {

/// What turns the command of a channel into force on the specimen, or into motion of its base: its equations
/// in the plant, its controller, and what its channel measures.
class Drive {
 public:
  virtual ~Drive() = default;

  /// Its part of the plant; the attachment is filled in by whoever mounts it.
  virtual DriveModel model() const = 0;
  /// How its input reaches the plant.
  struct Line {
    const char *name, *unit;  ///< of the samples on their way
    double scale;
    double delay;  ///< [s]
    bool ramp;     ///< moves from sample to sample, instead of being held
  };
  virtual Line line() const = 0;

  /// Claims what its controller keeps.
  virtual void claim_memory(Layout&, const std::string& /*channel*/) {}
  /// Claims the states of its model, in their order.
  virtual void claim_states(Layout&, const std::string& /*channel*/) const {}

  /// The plant as the controller sees it at the beginning of a sub-step.
  struct Seen {
    double displacement, velocity;  ///< of the specimen, where the drive takes hold
    const double* states;           ///< of its model
  };
  /// The input, from the command. @rt-safe
  virtual double control(State& state, const Command& command, const Seen& seen) const noexcept = 0;
  /// What its states cannot leave, at the end of a sub-step. @rt-safe
  virtual void bound(double* /*states*/) const noexcept {}

  /// Where it rests under a command, the specimen resisting with this stiffness.
  virtual double settle(double command, double /*stiffness*/) const { return command; }
  /// At rest: under `command`, at `displacement`, holding `force`. Writes its states, returns its input.
  virtual double rest(State& state, double command, double displacement, double force,
                      double* states) const = 0;

  virtual std::vector<Signal> signals() const = 0;
  /// The plant at the end of a sub-step.
  struct Measured {
    double displacement, velocity, acceleration;  ///< where the drive takes hold, relative to the base
    double force;                                 ///< of the specimen
    double own_force;                             ///< F; of a base its acceleration
    double mean_force;                            ///< F on the average of the sub-step
    double input;                                 ///< as it was formed at the beginning
    const double* states;
  };
  /// Writes what the channel measures. Returns the force, which may reach its signal late. @rt-safe
  virtual double measure(const Measured& measured, double* signals) const noexcept = 0;
  /// Of the measured force [s].
  virtual double force_delay() const { return 0; }

  virtual bool affine() const { return true; }
  /// What it can do, given what the file says.
  virtual RigCapacity capacity(const RigCapacity& declared) const { return declared; }
  /// See Rig::effort. @rt-safe
  virtual double effort(const double* signals) const noexcept { return signals[1]; }
};

}  // namespace gusset
