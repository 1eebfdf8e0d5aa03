#pragma once

#include <cstdint>
#include <vector>

#include "build/test.hpp"
#include "realtime/recording.hpp"

namespace gusset {

/// How much of the excitation acts: a share, reached smoothly over a time at the start.
///
/// Why the excitation and not the command? A command scaled on its way to the rig would make the
/// specimen look stiffer or softer than it is to the numerical part; a smaller earthquake is a smaller
/// test, but a true one.
struct Span {
  double share = 1;
  double fade_in = 0;  ///< [s]

  double at(double time) const noexcept;  ///< @rt-safe
};

/// Where a test with its rig elsewhere is: makes commands, takes answers, and knows the rows of the
/// record. The order of calls: start, then commands and take_answer in turn until finished. Drives the
/// two halves of the loop; replay uses it as the real-time loop does.
class TestCursor {
 public:
  TestCursor(const Test& test, const Span& span);
  /// A copy begins anew.
  TestCursor(const TestCursor& other) : TestCursor(other.test_, other.span_) {}
  TestCursor& operator=(const TestCursor&) = delete;

  void start() noexcept;  ///< @rt-safe
  /// The commands of the sub-step to come. @rt-safe
  const std::vector<Command>& commands() const noexcept { return commands_; }
  const std::vector<double>& start_row() const noexcept { return start_row_; }
  /// `feedback`: in the order of the cut. @rt-safe
  void take_answer(const double* feedback) noexcept;

  bool finished() const noexcept { return step_ >= test_.steps; }
  std::int64_t step() const noexcept { return step_; }
  int substep() const noexcept { return frame_.substep; }
  /// Of the newest row: row 0 is the start. Its time is row·rig_dt.
  std::int64_t row() const noexcept { return step_ * experiment_.substeps() + frame_.substep; }
  const double* rig_row() const noexcept { return row_.data(); }
  /// The newest row is also one of the structure's table.
  bool at_step() const noexcept { return frame_.substep == 0; }
  /// As many numbers as the stream of the structure has, without the rig's. @rt-safe
  void structure_row(double* values) const noexcept;
  std::size_t structure_width() const noexcept;

  const State& state() const noexcept { return state_; }

 private:
  void begin_step() noexcept;
  void make_commands() noexcept;
  Input input(std::int64_t step) const noexcept;

  const Test& test_;
  const Experiment& experiment_;
  Span span_;
  Experiment::Start start_;
  State state_;
  Wires wires_;
  Frame frame_;
  std::vector<CommandPort> command_ports_;  ///< where they cross the cut, one a channel
  std::vector<Port> feedback_ports_;
  std::vector<Command> commands_;
  std::vector<double> energies_;  ///< at t_i, before the step moves them
  double ground_ = 0;
  std::int64_t step_ = 0;
  std::vector<double> start_row_, row_;
};

}  // namespace gusset
