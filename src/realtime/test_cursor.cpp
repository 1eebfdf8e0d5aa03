#include "realtime/test_cursor.hpp"

#include <algorithm>

namespace gusset {

double Span::at(double time) const noexcept {
  if (fade_in <= 0 || time >= fade_in) return share;
  if (time <= 0) return 0;
  const double s = time / fade_in;
  return share * s * s * (3 - 2 * s);
}

TestCursor::TestCursor(const Experiment& experiment, const Span& span)
    : experiment_(experiment),
      span_(span),
      start_(experiment.start()),
      state_(start_.state),
      output_(experiment.output()),
      entries_(experiment.specimen_entries()),
      energy_places_(run_streams(experiment).energies),
      energies_(energy_places_.size()),
      measured_count_(experiment.measured_places().size()),
      row_(start_.row) {}

Input TestCursor::input(std::int64_t step) const noexcept {
  Input input = experiment_.input(step);
  const double dt = experiment_.dt();
  const double before = span_.at(dt * static_cast<double>(step - 1));
  const double now = span_.at(dt * static_cast<double>(step));
  const double next = span_.at(dt * static_cast<double>(step + 1));
  if (before == now && now == next) {
    input.increment *= now;
    input.next_increment *= now;
  } else {
    // Increments of the faded motion, so that positions stay consistent with them.
    const double u = input.displacement;
    input.increment = now * u - before * (u - input.increment);
    input.next_increment = next * (u + input.next_increment) - now * u;
  }
  input.acceleration *= now;
  input.displacement *= now;
  input.next_acceleration *= next;
  return input;
}

void TestCursor::start() noexcept {
  state_ = start_.state;  // same sizes: nothing is allocated
  step_ = 0;
  substep_ = 0;
  row_ = start_.row;
  begin_step();
}

void TestCursor::begin_step() noexcept {
  for (std::size_t e = 0; e < energies_.size(); ++e) {
    energies_[e] = state_.values[static_cast<std::size_t>(energy_places_[e])];
  }
  const Input outside = input(step_);
  ground_ = outside.acceleration;
  experiment_.begin(state_, outside, output_);
}

const std::vector<Command>& TestCursor::make_command() noexcept {
  experiment_.command(substep_, state_, output_);
  return output_.commands;
}

void TestCursor::take_answer(const double* feedback) noexcept {
  experiment_.accept(substep_, feedback, state_, output_);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    state_.values[static_cast<std::size_t>(entries_[e].index)] = feedback[measured_count_ + e];
  }
  experiment_.observe(substep_, state_, output_);
  experiment_.correct(substep_, state_, output_);
  // A copy: the next command is written into the same row where there is one sub-step a step.
  const double* row =
      output_.rows.data() + static_cast<std::ptrdiff_t>(substep_) * experiment_.row_width();
  std::copy_n(row, row_.size(), row_.begin());
  if (++substep_ < experiment_.substeps()) return;
  experiment_.end(state_, output_);
  substep_ = 0;
  ++step_;
  begin_step();  // the last one tells the response at the end of the test
}

std::size_t TestCursor::structure_width() const noexcept {
  return 3 * static_cast<std::size_t>(experiment_.structure().size()) + 1 + energies_.size();
}

void TestCursor::structure_row(double* values) const noexcept {
  const int n = experiment_.structure().size();
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) *values++ = output_.structure[static_cast<std::size_t>(k * n + i)];
  }
  *values++ = ground_;
  std::copy(energies_.begin(), energies_.end(), values);
}

}  // namespace gusset
