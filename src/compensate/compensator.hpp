#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/state.hpp"
#include "document/document.hpp"
#include "document/registry.hpp"
#include "loading/profile.hpp"

namespace gusset {

/// What the rig measured at the end of a sub-step.
struct Feedback {
  double displacement = 0, force = 0;
};

/// A quantity a compensator leaves in the results, e.g. {"alpha", "-"}.
struct CompensatorSignal {
  const char* name;
  const char* unit;
};

/// Turns the target of one channel into the command for its rig, so that the rig, which answers
/// late, arrives where the target is (Chen 2008, section 3). Works at the rig's step, in command();
/// one that needs the integrator's points works on the whole piece of a step, in plan(). With x the
/// target, u the command and y the measured displacement:
///
///   plan     piece of x over t_i … t_{i+1}  →  piece of u            once a step
///   command  x, x', x'' at a sub-step's end →  u, u', u''            once a sub-step
///   observe  y and force at its end         →  state, and results    once a sub-step, after the rig
///
/// **Rate and curvature.** A command carries its velocity and acceleration, since rigs and specimens
/// need them. An operator u_k = Σ b_j·x_{k−j} − Σ a_j·u_{k−j} that holds at every instant holds for
/// the derivatives too, so linear compensators apply it to x, x' and x'' alike, and u' is exactly the
/// derivative of u. Where the measurement is fed back there is no such derivative, and the command is
/// a ramp from sample to sample: smooth() is false.
///
/// State lives under "CHANNEL.compensator". Gains that adapt are entries of Layout::Kind::parameter.
class Compensator {
 public:
  virtual ~Compensator() = default;

  virtual Piece plan(State&, const Piece& target) const noexcept { return target; }         ///< @rt-safe
  virtual Command command(State&, const Command& target) const noexcept { return target; }  ///< @rt-safe
  /// Writes what signals() promises. @rt-safe
  virtual void observe(State&, const Feedback&, double* /*results*/) const noexcept {}

  /// Puts the compensator at t_0 with target, command and measurement at rest at `displacement`.
  virtual void start(State& state, double displacement, double force) const = 0;

  /// What observe() writes.
  virtual std::vector<CompensatorSignal> signals() const { return {}; }
  /// Uses the measured force; where none is measured it cannot be used.
  virtual bool observes_force() const { return false; }
  /// One of signals() is "feedback", the force that the numerical part gets in place of the measured one.
  virtual bool gives_force() const { return false; }
  /// Works on plan() at the integrator's step, not on command() at the rig's.
  virtual bool per_step() const { return false; }
  virtual bool smooth() const { return true; }
};

struct CompensatorContext {
  const Section& section;  ///< [compensator]
  std::string name;        ///< of the channel
  Layout& layout;
  double dt;             ///< the rig's step [s]
  double integrator_dt;  ///< [s]
  Profile profile;       ///< how the target moves between the integrator's steps

  std::string owner() const { return name + ".compensator"; }
};

/// A line of the table of compensators.
struct CompensatorKind {
  const char* name;
  const char* summary;
  const char* equations;
  std::vector<Parameter> parameters;
  std::unique_ptr<Compensator> (*make)(const CompensatorContext&);  ///< null: nothing to do
};

const std::vector<const CompensatorKind*>& compensator_kinds();
/// See AddedKind.
void add_kind(const CompensatorKind& kind);
void remove_kind(const CompensatorKind& kind);
/// Null for kind = "none", which is the default: an identity costs nothing.
std::unique_ptr<Compensator> make_compensator(const CompensatorContext& context);

}  // namespace gusset
