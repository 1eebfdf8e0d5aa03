#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/interface.hpp"
#include "base/linear_system.hpp"
#include "base/state.hpp"
#include "document/parameter.hpp"
#include "document/registry.hpp"

namespace gusset {

/// How an element is led during a piece of time: from where it was to `displacement`.
struct Stretch {
  double displacement;  ///< at the end [m]
  double velocity;      ///< at the end [m/s]
  int slot;             ///< which of the durations announced at building it lasts
};

struct RestoringContext {
  const Section& section;
  std::string name;  ///< owner of its state
  Layout& layout;
  std::span<const double> durations;  ///< of the stretches it will be given [s]
};

/// A force that follows a displacement, with memory: of a yielding storey, or of a specimen. Positive
/// force resists positive motion. State of every one: the last displacement and force (signals), the
/// energy dissipated so far (a parameter: ∫ f dx less what is stored and can be had back); then its
/// own.
class Restoring {
 public:
  explicit Restoring(const RestoringContext& context);
  virtual ~Restoring() = default;

  /// Moves the element and returns the force at the end. @rt-safe
  double advance(State& state, const Stretch& stretch) const noexcept;
  /// The force that `advance` would give, and where asked for the tangent stiffness there; leaves the
  /// state as it is. @rt-safe
  double trial(State& state, const Stretch& stretch, double* tangent = nullptr) const noexcept;
  /// Led from rest at zero to its place at t_0 in one go.
  double start(State& state, double displacement, double velocity) const;

  virtual double stiffness() const { return 0; }  ///< at rest
  virtual double damping() const { return 0; }    ///< at rest
  /// The stiffness where the element stands, while it moves with this velocity. @rt-safe
  virtual double tangent(const State&, double /*velocity*/) const noexcept { return stiffness(); }
  /// The force at which it yields or slides; nothing: it does neither.
  virtual std::optional<double> yield_force() const { return std::nullopt; }
  /// Enters the whole structure as what it is at rest.
  virtual void join(LinearSystem& system, const Interface& at) const;
  virtual bool affine() const { return false; }

  Segment dissipated() const { return dissipated_; }
  /// Of the stretches announced at building [s].
  const std::vector<double>& durations() const { return durations_; }

  /// A part of the structure, as a column is, and no device that was put in.
  bool structural() const { return structural_; }
  /// Whether Rayleigh and modal damping are made from its initial stiffness too (see damping.hpp).
  bool damped() const { return damped_; }
  void set_damped(bool structural, bool damped) {
    structural_ = structural;
    damped_ = damped;
  }

 protected:
  /// What an element finds at the beginning of a stretch.
  struct From {
    double displacement, force, duration;
  };
  /// Moves the element's own state, adds to `dissipated`, returns the force at the end. @rt-safe
  virtual double move(State& state, const Stretch& stretch, const From& from,
                      double& dissipated) const noexcept = 0;
  /// Where the last stretch ended [m].
  Segment displacement() const { return displacement_; }
  /// To be called at the end of each constructor: what was claimed since the base's is the element's.
  void claim(const RestoringContext& context);

 private:
  static constexpr int most = 12;  ///< entries of an element
  std::vector<double> durations_;
  const Device* line_ = nullptr;  ///< stands in for the element in an analysis; null in a test
  Segment displacement_, force_, dissipated_;
  int values_ = 0;  ///< entries from displacement_ on
  int first_branch_ = 0, branches_ = 0;
  bool structural_ = true, damped_ = true;
};

/// A line of the table of restoring forces. Each can stand in a numerical storey
/// ([[structure.restoring]]) or be a specimen (specimen.kind).
struct RestoringKind {
  const char* name;
  const char* summary;
  const char* equations;
  std::vector<Parameter> parameters;
  std::unique_ptr<Restoring> (*make)(const RestoringContext&);
  /// A damper, a bearing, a stop: its stiffness at rest is that of sticking, of contact or of none, and
  /// Rayleigh damping made from it would be a dashpot that nobody built.
  bool device = false;
};

const std::vector<const RestoringKind*>& restoring_kinds();
/// See AddedKind.
void add_kind(const RestoringKind& kind);
void remove_kind(const RestoringKind& kind);
std::unique_ptr<Restoring> make_restoring(const RestoringContext& context);

/// A restoring force in the numerical structure.
struct StoreyForce {
  Interface interface;
  std::unique_ptr<Restoring> restoring;
};

/// Where a restoring force that stands at the given place of the whole structure is to act; nothing: it is
/// somebody else's.
using StoreyFilter = std::function<std::optional<Interface>(const Section&, const Interface&)>;

/// Reads [[structure.restoring]]: kind, storey, and acts = "drift" (between this floor and the one
/// below; the default) or "floor" (between it and the ground); rayleigh = true or false: whether the
/// structure's damping is made from its initial stiffness too, true unless it is a device. `durations`: of
/// a step, and of half.
/// Each is called `prefix` and "restoring1", "restoring2" … in the order of the file.
std::vector<StoreyForce> read_storey_forces(const Document& document, int storeys, Layout& layout,
                                            std::span<const double> durations,
                                            const StoreyFilter& filter = {}, const std::string& prefix = {});

}  // namespace gusset
