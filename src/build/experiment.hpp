#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/channel.hpp"
#include "base/input.hpp"
#include "base/linear_system.hpp"
#include "base/state.hpp"
#include "compensate/compensator.hpp"
#include "compensate/online_indicators.hpp"
#include "document/document.hpp"
#include "loading/method.hpp"
#include "loading/stages.hpp"
#include "loop/loop.hpp"
#include "rig/assembly.hpp"
#include "rig/rig.hpp"
#include "structure/structure.hpp"
#include "supervise/guard.hpp"

namespace gusset {

struct BuildOptions {
  bool any_step = false;  ///< for searches over Δt: the rig's step becomes the nearest Δt/n that is not
                          ///< much longer than what the file says, and what counts sub-steps gives way
  double late = 0;        ///< a delay put in between every actuator's command and the rig [s]
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

  /// The state at t_0 and the row then, with the input of step 0. Accelerations follow from the whole structure, so that numerical
  /// part and specimens start in equilibrium.
  struct Start {
    State state;
    Wires row;
  };
  Start start(const Input& first = {}) const;

  const std::string& title() const { return title_; }
  double dt() const { return dt_; }
  double rig_dt() const { return rig_dt_; }
  int substeps() const { return loop_.substeps(); }
  double reference_frequency() const { return reference_frequency_; }
  const Layout& layout() const { return layout_; }
  const Structure& structure() const { return structure_; }
  const Method& method() const { return *method_; }
  const std::vector<Channel>& channels() const { return channels_; }
  /// Of a signal NAME.target or NAME.command; nothing for all others.
  std::optional<Control> control_of(std::string_view signal) const;
  /// The channel that a signal NAME.… belongs to; null if it is none's.
  const Channel* channel_of(std::string_view signal) const;
  /// How far each channel may go, whoever asks.
  std::vector<Guard> guards() const;
  /// One a channel; none where an assembly drives all channels at once.
  const std::vector<std::unique_ptr<Rig>>& rigs() const { return rigs_; }
  const Assembly* assembly() const { return assembly_.get(); }
  /// One a channel; null where the command is the target.
  const std::vector<std::unique_ptr<Compensator>>& compensators() const { return compensators_; }
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
  friend class Builder;
  void start_acceleration(double ground, LinearStart& start) const;
  Start start_with(const LinearStart& motion, const Input& first) const;
  bool all_mass_is_numerical() const;

  std::string title_;
  double dt_ = 0;
  double rig_dt_ = 0;
  double reference_frequency_ = 0;
  Layout layout_;
  Structure structure_;
  std::vector<Channel> channels_;
  std::unique_ptr<Method> method_;
  std::vector<std::unique_ptr<Rig>> rigs_;
  std::unique_ptr<Assembly> assembly_;
  /// Restoring forces of the structure, numerical or in the laboratory, at their places in the whole.
  struct Storey {
    Interface at;
    const Restoring* restoring;
  };
  std::vector<Storey> storeys_;
  std::vector<std::unique_ptr<Compensator>> compensators_;
  std::vector<std::unique_ptr<OnlineIndicators>> indicators_;  ///< one a channel, or none at all
  Loop loop_;
  LoadingPorts ports_;
  PublishedRow published_;
  Loop::Cut cut_;
  std::vector<DissipatedEnergy> energies_;
  std::vector<double> displacement_, velocity_;                    ///< of the floors at t_0
  std::vector<double> specimen_displacement_, specimen_velocity_;  ///< relative to the interfaces
};

}  // namespace gusset
