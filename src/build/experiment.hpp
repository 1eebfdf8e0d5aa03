#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "document/document.hpp"
#include "base/input.hpp"
#include "base/state.hpp"
#include "compensate/compensator.hpp"
#include "compensate/online_indicators.hpp"
#include "excitation/ground_motion.hpp"
#include "loading/method.hpp"
#include "rig/assembly.hpp"
#include "rig/rig.hpp"
#include "structure/structure.hpp"
#include "supervise/guard.hpp"

namespace gusset {

/// What a step leaves on the wires between the blocks. It is scratch: nothing in it survives into
/// the next step, and tests fill it with NaN before each one.
struct Output {
  std::vector<double> structure;  ///< d, v, a of t_i and work space, n entries each
  std::vector<Piece> pieces;      ///< the targets, one a channel
  std::vector<Piece> planned;     ///< and what compensators at the integrator's step make of them
  std::vector<Command> commands;  ///< of the sub-step, one a channel
  std::vector<double> rows;       ///< the rig's signals, one row a sub-step
  std::vector<double> lines;      ///< of the forces, while a step is corrected
  std::vector<double> measured;   ///< forces, then positions, one a channel

  void poison();
};

struct BuildOptions {
  RecordLoader loader;        ///< finds the record of [excitation]
  bool for_analysis = false;  ///< one step is all that counts: no record, no duration, and any Δt
                              ///< goes, the rig's step becoming the nearest Δt/n
                              ///< that is not much longer than what the file says
  double extra_delay = 0;     ///< in front of every rig [s]
};

/// Everything that does not change during a test. Built once from a file, constant ever after; any
/// number of threads may step their own states through it.
class Experiment {
 public:
  /// Reads the whole document; throws InputError.
  static Experiment build(const Document& document, const BuildOptions& options = {});

  /// One integration step of the whole loop, sub-steps at the rig's rate included: from t_i to
  /// t_{i+1}. Allocates nothing, takes no lock, throws nothing, calls no system, reads no clock.
  /// The same as begin(), then command(), rig(), measure(), observe() and correct() for each
  /// sub-step, then end().
  void step(State& state, const Input& input, Output& output) const noexcept;

  // The phases of a step, for a rig that is elsewhere. All @rt-safe.
  void begin(State& state, const Input& input, Output& output) const noexcept;
  /// The targets of the sub-step, and the commands the compensators make of them.
  void command(int substep, State& state, Output& output) const noexcept;
  void rig(int substep, State& state, Output& output) const noexcept;
  /// What rig() and measure() leave, from signals measured elsewhere, in the order of measured_signals().
  void accept(int substep, const double* measured, State& state, Output& output) const noexcept;
  /// Takes over what the rig left in the sub-step's row: all that the numerical part learns of it.
  void measure(int substep, State& state, const Output& output) const noexcept;
  /// What was measured, to the compensators.
  void observe(int substep, State& state, Output& output) const noexcept;
  /// Lets an integrator that iterates use the sub-step's measurement; else does nothing.
  void correct(int substep, State& state, Output& output) const noexcept;
  void end(State& state, Output& output) const noexcept;

  /// The state at t_0 and the rig's signals then. Accelerations follow from the whole structure, so
  /// that numerical part and specimens start in equilibrium.
  struct Start {
    State state;
    std::vector<double> row;
  };
  Start start() const;
  Output output() const;
  Input input(std::int64_t step) const noexcept { return ground_.at(step); }

  const std::string& title() const { return title_; }
  double dt() const { return dt_; }
  double rig_dt() const { return rig_dt_; }
  int substeps() const { return substeps_; }
  double duration() const { return duration_; }
  std::int64_t steps() const { return steps_; }
  double reference_frequency() const { return reference_frequency_; }
  const Layout& layout() const { return layout_; }
  const Structure& structure() const { return structure_; }
  const Method& method() const { return *method_; }
  const std::vector<Channel>& channels() const { return channels_; }
  /// One a channel; none where an assembly drives all channels at once.
  const std::vector<std::unique_ptr<Rig>>& rigs() const { return rigs_; }
  const Assembly* assembly() const { return assembly_.get(); }
  /// One a channel; null where the command is the target.
  const std::vector<std::unique_ptr<Compensator>>& compensators() const { return compensators_; }
  /// Of a signal NAME.target or NAME.command; nothing for all others.
  std::optional<Control> control_of(std::string_view signal) const;
  /// How far each channel may go, whoever asks.
  std::vector<Guard> guards() const;
  /// Of the channel that a signal NAME.… belongs to.
  const Limits& limits_of(std::string_view signal) const;
  const GroundMotion& ground() const { return ground_; }
  bool affine() const;

  /// The whole structure, numerical part and specimens joined. Its degrees of freedom are those of
  /// the numerical part, then the specimens' own.
  LinearSystem whole(bool sparse = false) const;
  /// Displacement and velocity of the whole structure at t_0, relative to the ground.
  LinearStart whole_start() const;

  /// Names and units of a row of the rig's signals: NAME.target, NAME.command, NAME.measured …
  std::vector<Signal> row_signals() const;
  int row_width() const { return row_width_; }
  /// Of those, which the rig writes: their places in a row, and their names and units.
  std::vector<int> measured_places() const;
  std::vector<Signal> measured_signals() const;
  /// Where in a row a channel's signals stand.
  struct ChannelPlaces {
    int target, command, measured, force;
  };
  ChannelPlaces places(std::size_t channel) const;
  /// Names and units of the numbers of Output::commands, each command's after another: value, rate,
  /// curvature, rate at the start.
  std::vector<Signal> command_signals() const;
  /// Entries of the state that only the rig knows and a record shows: what specimens dissipated.
  struct SpecimenEntry {
    Signal signal;
    int index;
  };
  std::vector<SpecimenEntry> specimen_entries() const;

 private:
  friend class Builder;
  void start_acceleration(double ground, LinearStart& start) const;
  Start start_with(const LinearStart& motion) const;
  bool all_mass_is_numerical() const;
  void start_assembly(const LinearStart& motion, Start& start) const;
  void start_compensator(std::size_t channel, double target, Start& start) const;
  /// Where a channel's signals stand in a row: target, command, then what its rig measures, then what
  /// its compensator leaves.
  struct RowPlan {
    int first = 0;
    int measured = 0;     ///< index of the measured displacement within the row
    int force = 0;        ///< index of the measured force
    int feedback = 0;     ///< index of the force the numerical part gets: mostly the same
    int compensator = 0;  ///< index of the compensator's first signal
    int indicators = 0;   ///< index of the first indicator
  };

  Response response(Output& output) const noexcept;
  void command_channel(std::size_t channel, double s, State& state, double* row,
                       Output& output) const noexcept;

  std::string title_;
  double dt_ = 0;
  int substeps_ = 1;
  double rig_dt_ = 0;
  double duration_ = 0;
  std::int64_t steps_ = 0;
  double reference_frequency_ = 0;
  Layout layout_;
  Structure structure_;
  std::vector<Channel> channels_;
  std::unique_ptr<Method> method_;
  std::vector<std::unique_ptr<Rig>> rigs_;
  std::unique_ptr<Assembly> assembly_;
  std::vector<int> signal_rows_;               ///< where each channel's measured signals begin
  std::vector<std::pair<int, int>> feeds_;     ///< of an assembly: state entry, entry of the row
  std::vector<std::unique_ptr<Compensator>> compensators_;
  bool compensated_ = false;  ///< any of them is there
  std::vector<OnlineIndicators> indicators_;  ///< one a channel, or none at all
  std::vector<RowPlan> plan_;
  int row_width_ = 0;
  GroundMotion ground_;
  std::vector<double> displacement_, velocity_;                    ///< of the floors at t_0
  std::vector<double> specimen_displacement_, specimen_velocity_;  ///< relative to the interfaces
};

/// `step`, taken apart: look(substep) sees the commands and rows of every sub-step. @rt-safe if look is.
template <class Look>
void step_by_substeps(const Experiment& experiment, State& state, const Input& input, Output& output,
                      Look look) {
  experiment.begin(state, input, output);
  for (int substep = 0; substep < experiment.substeps(); ++substep) {
    experiment.command(substep, state, output);
    experiment.rig(substep, state, output);
    experiment.measure(substep, state, output);
    experiment.observe(substep, state, output);
    experiment.correct(substep, state, output);
    look(substep);
  }
  experiment.end(state, output);
}

}  // namespace gusset
