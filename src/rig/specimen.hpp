#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/interface.hpp"
#include "base/motion.hpp"
#include "base/state.hpp"
#include "document/document.hpp"
#include "document/registry.hpp"

namespace gusset {

struct LinearSystem;

/// A specimen driven by imposed motion. Positive force resists positive motion: f = k·x.
class Specimen {
 public:
  virtual ~Specimen() = default;

  /// Moves the specimen and returns the force at the end of the motion. @rt-safe
  virtual double advance(State& state, const Motion& motion) const noexcept = 0;

  /// Puts the specimen at t_0. `motion` is that of the interface, `displacement` and `velocity`
  /// those of an internal mass relative to it. Returns the force.
  virtual double start(State& state, const Motion& motion, double displacement, double velocity) const = 0;

  /// Joins the specimen to the whole structure (its initial stiffness if it is nonlinear).
  virtual void join(LinearSystem& system, const Interface& at) const = 0;

  /// Circular frequencies of the specimen on a fixed interface: where a step in resonance with its
  /// Nyquist frequency can be unstable in a very narrow band.
  virtual std::vector<double> frequencies() const { return {}; }
  virtual bool affine() const { return true; }
  /// What join() enters as damping for parts that are not linear: their slope at rest [N·s/m].
  virtual double nonlinear_damping() const { return 0; }
};

/// What a specimen needs from the world around it.
struct SpecimenTraits {
  double mass = 0;             ///< all of it, M_E
  double stiffness = 0;        ///< between interface and ground [N/m]
  double stiffness_ratio = 0;  ///< the same as a share of the numerical stiffness
  double rigid_mass = 0;       ///< the part that moves with the interface
  bool acceleration = false;   ///< force follows the interface's acceleration at once
  bool inside = false;         ///< has mass of its own that must feel the ground's acceleration
  bool grounded = false;       ///< acts between interface and ground: sees relative motion
};

struct SpecimenContext {
  const Document& document;  ///< for parts that are sections of their own
  const Section& section;
  std::string name;
  Layout& layout;
  std::span<const double> durations;  ///< of the motions it will be given [s]
  double numerical_mass;              ///< M_N at the interface: mass_ratio refers to it
  double numerical_stiffness;         ///< K_N at the interface: stiffness_ratio refers to it
  double reference_frequency;         ///< ω of frequency_of: damping_ratio of a dashpot
};

/// A line of the table of specimens.
struct SpecimenKind {
  const char* name;
  const char* summary;
  const char* equations;
  std::vector<Parameter> parameters;
  /// Reads what must be known before the numerical part is: ratios refer to `numerical_mass`.
  SpecimenTraits (*traits)(const Document&, const Section&, double numerical_mass);
  std::unique_ptr<Specimen> (*make)(const SpecimenContext&);
};

const std::vector<const SpecimenKind*>& specimen_kinds();
/// See AddedKind.
void add_kind(const SpecimenKind& kind);
void remove_kind(const SpecimenKind& kind);
const SpecimenKind& specimen_kind(const Section& section);

/// mass = "240 kg" or mass_ratio = 0.8 of the numerical mass; exactly one of them.
double read_specimen_mass(const Section& section, double numerical_mass);

}  // namespace gusset
