#include "realtime/faulty_link.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gusset {

FaultyLink::FaultyLink(Link& inner, std::vector<Fault> faults, Clock& clock, std::size_t feedback_count,
                       double period)
    : inner_(inner),
      faults_(std::move(faults)),
      clock_(clock),
      period_(period),
      held_(256),
      incoming_(feedback_count),
      frozen_(feedback_count) {
  for (Held& held : held_) held.values.resize(feedback_count);
}

const Fault* FaultyLink::active(Fault::Kind kind, const Message& message) noexcept {
  if (message.phase != LinkPhase::test) return nullptr;
  const double time = 1e-9 * static_cast<double>(message.time);
  for (const Fault& fault : faults_) {
    if (fault.kind == kind && time >= fault.from && time < fault.to) return &fault;
  }
  return nullptr;
}

double FaultyLink::chance() noexcept {
  // SplitMix64 of a counter.
  std::uint64_t z = ++counter_ * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

bool FaultyLink::send(const Message& message, const double* values) noexcept {
  if (active(Fault::Kind::disconnect, message) != nullptr) cut_ = true;
  if (cut_) return true;
  const Fault* loss = active(Fault::Kind::loss, message);
  if (loss != nullptr && chance() < loss->value) return true;
  return inner_.send(message, values);
}

void FaultyLink::hold(const Message& message, const double* values, std::int64_t due) noexcept {
  for (Held& held : held_) {
    if (held.used) continue;
    held.used = true;
    held.due = due;
    held.message = message;
    std::copy_n(values, held.values.size(), held.values.begin());
    return;
  }
}

FaultyLink::Held* FaultyLink::earliest() noexcept {
  Held* found = nullptr;
  for (Held& held : held_) {
    if (held.used && (found == nullptr || held.due < found->due)) found = &held;
  }
  return found;
}

void FaultyLink::take_in() noexcept {
  Message message;
  while (inner_.receive(message, incoming_.data())) {
    if (cut_) continue;
    const Fault* loss = active(Fault::Kind::loss, message);
    if (loss != nullptr && chance() < loss->value) continue;
    if (active(Fault::Kind::freeze, message) != nullptr) {
      if (!freezing_) frozen_ = incoming_;
      freezing_ = true;
      incoming_ = frozen_;  // same sizes: nothing is allocated
    } else {
      freezing_ = false;
    }
    if (active(Fault::Kind::nan, message) != nullptr && !incoming_.empty()) {
      incoming_[0] = std::numeric_limits<double>::quiet_NaN();
    }
    double late = 0;
    if (const Fault* delay = active(Fault::Kind::delay, message)) late += delay->value;
    if (const Fault* jitter = active(Fault::Kind::jitter, message)) late += chance() * jitter->value;
    const Fault* reorder = active(Fault::Kind::reorder, message);
    // Overtaken by the answer to the next time it is asked: late by two periods.
    if (reorder != nullptr && chance() < reorder->value) late += 2 * period_;
    const std::int64_t due = clock_.now() + std::llround(1e9 * late);
    hold(message, incoming_.data(), due);
    const Fault* twice = active(Fault::Kind::duplicate, message);
    if (twice != nullptr && chance() < twice->value) hold(message, incoming_.data(), due);
  }
}

bool FaultyLink::receive(Message& message, double* values) noexcept {
  take_in();
  Held* held = earliest();
  if (held == nullptr || held->due > clock_.now()) return false;
  held->used = false;
  message = held->message;
  std::copy(held->values.begin(), held->values.end(), values);
  return true;
}

void FaultyLink::wait(std::int64_t until) noexcept {
  take_in();
  const Held* held = earliest();
  if (clock_.is_virtual()) return;
  if (held != nullptr && held->due <= clock_.now()) return;
  if (held != nullptr) until = std::min(until, held->due);
  if (cut_) {
    clock_.sleep_until(until);
  } else {
    inner_.wait(until);
  }
}

}  // namespace gusset
