#include "realtime/test_cursor.hpp"

#include <algorithm>

namespace gusset {

double Span::at(double time) const noexcept {
  if (fade_in <= 0 || time >= fade_in) return share;
  if (time <= 0) return 0;
  const double s = time / fade_in;
  return share * s * s * (3 - 2 * s);
}

TestCursor::TestCursor(const Test& test, const Span& span)
    : test_(test),
      experiment_(*test.experiment),
      span_(span),
      start_(test.start()),
      state_(start_.state),
      wires_(start_.row),
      frame_{state_, wires_},
      energies_(experiment_.energies().size()),
      start_row_(experiment_.row().size()),
      row_(experiment_.row().size()) {
  const std::vector<Row::Entry>& commands = experiment_.cut().commands;
  for (std::size_t i = 0; i < commands.size(); i += 4) command_ports_.push_back({commands[i].port.at});
  for (const Row::Entry& entry : experiment_.cut().feedback) feedback_ports_.push_back(entry.port);
  commands_.resize(command_ports_.size());
  experiment_.row().copy(start_.row, start_row_.data());
}

Input TestCursor::input(std::int64_t step) const noexcept {
  Input input = test_.input(step);
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
  wires_ = start_.row;
  frame_.substep = 0;
  step_ = 0;
  row_ = start_row_;
  begin_step();
}

void TestCursor::begin_step() noexcept {
  for (std::size_t e = 0; e < energies_.size(); ++e) {
    energies_[e] = experiment_.energies()[e].of(state_, wires_);
  }
  const Input outside = input(step_);
  ground_ = outside.acceleration;
  experiment_.put(outside, wires_);
  make_commands();
}

void TestCursor::make_commands() noexcept {
  // Behind the last step only the response is asked for.
  if (finished()) {
    experiment_.loop().begin(frame_);
    return;
  }
  experiment_.loop().to_rig(frame_);
  for (std::size_t c = 0; c < commands_.size(); ++c) commands_[c] = wires_.command(command_ports_[c]);
}

void TestCursor::take_answer(const double* feedback) noexcept {
  for (const Port port : feedback_ports_) wires_[port] = *feedback++;
  const bool over = experiment_.loop().from_rig(frame_);
  // A copy: the next command is written into the same row.
  experiment_.row().copy(wires_, row_.data());
  if (!over) return make_commands();
  ++step_;
  begin_step();  // the last one tells the response at the end of the test
}

std::size_t TestCursor::structure_width() const noexcept {
  return 3 * static_cast<std::size_t>(experiment_.structure().size()) + 1 + energies_.size();
}

void TestCursor::structure_row(double* values) const noexcept {
  const int n = experiment_.structure().size();
  const LoadingPorts& ports = experiment_.response();
  for (int i = 0; i < n; ++i) {
    for (const Port port : {ports.displacement, ports.velocity, ports.acceleration})
      *values++ = wires_[port[i]];
  }
  *values++ = ground_;
  std::copy(energies_.begin(), energies_.end(), values);
}

}  // namespace gusset
