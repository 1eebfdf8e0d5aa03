#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/input.hpp"
#include "base/linear_system.hpp"
#include "build/parts.hpp"
#include "document/document.hpp"
#include "loading/stages.hpp"
#include "loop/loop.hpp"
#include "supervise/guard.hpp"

namespace gusset {

struct BuildOptions {
  bool any_step = false;  ///< for searches over Δt: the rig's step becomes the nearest Δt/n that is not
                          ///< much longer than what the file says, and what counts sub-steps gives way
  double late = 0;        ///< a delay put in between every actuator's command and the rig [s]
  Devices* devices = nullptr;  ///< lists every device, and lets a line stand in for it; must outlive the
                               ///< experiment
};

/// What run files show of a sub-step: signals of the row in published order.
struct PublishedRow {
  std::vector<Signal> signals;
  std::vector<Port> ports;

  std::size_t size() const { return ports.size(); }
  /// @rt-safe
  void copy(const Wires& wires, double* to) const noexcept {
    for (const Port port : ports) *to++ = wires[port];
  }
  /// Where a signal stands; −1 if it is not there.
  int index(const std::string& name) const;
};

/// The energy that a yielding part has dissipated: an entry of the numerical part's State, or a signal of
/// the rig.
struct DissipatedEnergy {
  Signal signal;
  int entry = -1;
  Port port;  ///< where the rig says it

  double of(const State& state, const Wires& wires) const noexcept {
    return port.bound() ? wires[port] : state.values[static_cast<std::size_t>(entry)];
  }
};

/// Everything that does not change during a test and does not depend on what acts on it (see Test). Built
/// once from a file, constant ever after; any number of threads may step their own states through it.
class Experiment {
 public:
  /// Wires the parts into a loop; throws WiringError.
  explicit Experiment(ExperimentParts parts);
  /// Reads the whole document; throws InputError.
  static Experiment build(const Document& document, const BuildOptions& options = {});

  /// The step, its stages and what passes between them.
  const Loop& loop() const { return loop_; }
  Wires wires() const { return loop_.row().wires(); }
  /// Writes what comes from outside into the row. @rt-safe
  void put(const Input& input, Wires& wires) const noexcept;
  /// One integration step of the whole loop, sub-steps at the rig's rate included: from t_i to
  /// t_{i+1}. Allocates nothing, takes no lock, throws nothing, calls no system, reads no clock.
  void step(State& state, const Input& input, Wires& wires) const noexcept {
    put(input, wires);
    Frame frame{state, wires};
    loop_.step(frame);
  }

  /// The state at t_0 and the row then, with the input of step 0. Accelerations follow from the whole
  /// structure, so that numerical part and specimens start in equilibrium.
  struct Start {
    State state;
    Wires row;
  };
  Start start(const Input& first = {}) const;

  const std::string& title() const { return parts_.title; }
  double dt() const { return parts_.dt; }
  double rig_dt() const { return parts_.rig_dt; }
  int substeps() const { return loop_.substeps(); }
  double reference_frequency() const { return parts_.reference_frequency; }
  const Layout& layout() const { return parts_.layout; }
  const Structure& structure() const { return parts_.structure; }
  const Method& method() const { return *parts_.method; }
  const std::vector<Channel>& channels() const { return parts_.channels; }
  /// Of a signal NAME.target or NAME.command; nothing for all others.
  std::optional<Control> control_of(std::string_view signal) const;
  /// The channel that a signal NAME.… belongs to; null if it is none's.
  const Channel* channel_of(std::string_view signal) const;
  /// How far each channel may go, whoever asks.
  std::vector<Guard> guards() const;
  /// Every channel is one rig's.
  const std::vector<MountedRig>& rigs() const { return parts_.rigs; }
  /// Restoring forces of the structure, at their places in the whole.
  const std::vector<ListedStorey>& storeys() const { return parts_.storeys; }
  /// One a channel; null where the command is the target.
  const std::vector<std::unique_ptr<Compensator>>& compensators() const { return parts_.compensators; }
  bool affine() const;

  /// The whole structure, numerical part and specimens joined. Its degrees of freedom are those of
  /// the numerical part, then the specimens' own.
  LinearSystem whole(bool sparse = false) const;
  /// Displacement and velocity of the whole structure at t_0, relative to the ground.
  LinearStart whole_start() const;

  /// What run files show of a sub-step.
  const PublishedRow& row() const { return published_; }
  /// What crosses to the rig and back, in the order of frames and plug-ins.
  const Loop::Cut& cut() const { return cut_; }
  /// The ports of the floors' motion at t_i.
  const LoadingPorts& response() const { return ports_; }
  const std::vector<DissipatedEnergy>& energies() const { return energies_; }

 private:
  void start_acceleration(double ground, LinearStart& start) const;
  Start start_with(const LinearStart& motion, const Input& first) const;
  bool all_mass_is_numerical() const;
  bool displacement_controlled() const;

  ExperimentParts parts_;
  Loop loop_;
  LoadingPorts ports_;
  PublishedRow published_;
  Loop::Cut cut_;
  std::vector<DissipatedEnergy> energies_;
};

}  // namespace gusset
