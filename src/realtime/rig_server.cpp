#include "realtime/rig_server.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace gusset {

RigServer::RigServer(ServerLink& link, RigCore& core, RigServerOptions options)
    : link_(link), core_(core), options_(std::move(options)) {}

int RigServer::serve(const std::atomic<bool>& stop) {
  int sessions = 0;
  while (!stop.load(std::memory_order_relaxed)) {
    std::string refusals;
    const bool begun = link_.accept(monotonic_now() + 100'000'000, refusals);
    note_refusals(refusals);
    if (!begun) continue;
    core_.reset();
    values_.assign(link_.command_count(), 0.0);
    feedback_.assign(link_.feedback_count(), 0.0);
    if (options_.log) options_.log("a run is connected\n");
    session(stop);
    link_.release();
    ++sessions;
    report();
    if (options_.once) break;
  }
  return sessions;
}

/// Ten lines, and then one a second: rubbish must not fill a disk.
void RigServer::note_refusals(const std::string& refusals) {
  constexpr double most = 10;
  if (refusals.empty() || !options_.log) return;
  const std::int64_t now = monotonic_now();
  lines_ = std::min(most, lines_ + 1e-9 * static_cast<double>(now - noted_at_));
  noted_at_ = now;
  if (lines_ < 1) {
    ++unsaid_;
    return;
  }
  lines_ -= 1;
  std::string text = refusals.substr(0, 1000);
  if (text.back() != '\n') text += '\n';
  if (unsaid_ > 0) text += std::to_string(unsaid_) + " more were refused meanwhile\n";
  unsaid_ = 0;
  options_.log(text);
}

void RigServer::session(const std::atomic<bool>& stop) noexcept {
  session_ = {};
  const std::int64_t period = std::llround(1e9 * options_.period);
  const std::int64_t beat = std::llround(1e9 * (options_.lockstep ? options_.patience : options_.heartbeat));
  const std::uint64_t refused_before = link_.refused();
  std::int64_t last = monotonic_now();
  std::int64_t coast_at = last;
  LinkPhase phase = LinkPhase::idle;
  Message message, reply;
  while (!stop.load(std::memory_order_relaxed)) {
    const std::int64_t now = monotonic_now();
    // Between greeting and first command the run examines its test and its machine.
    const std::int64_t heartbeat = session_.commands > 0 ? beat : 60'000'000'000;
    std::int64_t until = std::min(last + heartbeat, now + 50'000'000);
    const bool coasting = options_.coasts && !options_.lockstep && phase == LinkPhase::test;
    if (coasting) until = std::min(until, coast_at);
    link_.wait(until);
    if (link_.receive(message, values_.data())) {
      core_.answer(message, values_.data(), reply, feedback_.data(),
                   options_.lockstep ? RigCore::no_clock : monotonic_now());
      link_.send(reply, feedback_.data());
      last = monotonic_now();
      coast_at = last + period + period / 2;
      phase = message.phase;
      session_.moved = session_.moved || (phase != LinkPhase::idle && phase != LinkPhase::stop);
      ++session_.commands;
      continue;
    }
    const std::int64_t time = monotonic_now();
    const bool gone = link_.lost();
    if (gone || time - last >= heartbeat) {
      // A peer that leaves while it rests has finished; any other is lost.
      if (phase != LinkPhase::idle && phase != LinkPhase::stop) {
        core_.trip(Cause::link);
        session_.safe_after = monotonic_now() - last;
      }
      break;
    }
    if (coasting && time >= coast_at) {
      core_.coast();
      coast_at += period;
    }
  }
  session_.cause = core_.cause();
  session_.refused = link_.refused() - refused_before;
}

void RigServer::report() const {
  if (!options_.log) return;
  std::string text = "the run has left after " + std::to_string(session_.commands) + " commands\n";
  if (session_.cause != Cause::none) {
    text += std::string("the rig stood still: ") + explain(session_.cause) + "\n";
  }
  if (session_.safe_after > 0) {
    char line[160];
    std::snprintf(line, sizeof line, "safe %.3f ms after the last command; heartbeat timeout %.3f ms\n",
                  1e-6 * static_cast<double>(session_.safe_after),
                  1e3 * (options_.lockstep ? options_.patience : options_.heartbeat));
    text += line;
  }
  if (session_.refused > 0) {
    text += std::to_string(session_.refused) + " frames or callers were turned away meanwhile\n";
  }
  options_.log(text);
}

}  // namespace gusset
