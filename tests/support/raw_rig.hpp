#pragma once

#include <atomic>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "link/frame.hpp"
#include "link/socket.hpp"

namespace gusset::test {

/// A laboratory's rig over udp, written from the document alone, with two channels that stand where they were told to
/// be. It does everything it has to, but for the faults it is given:
///
///   idle-moves  wrong-sign  repeats  lower  dead  crosstalk  false-zero  any-session  any-count  any-check-sum  nan  stop
///   silence  greedy  forgets  no-numbers  gives-up
class RawRig {
 public:
  explicit RawRig(std::set<std::string> faults) : faults_(std::move(faults)) {
    socket_ = Socket(::socket(AF_INET, SOCK_DGRAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0) return;
    getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~RawRig() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::string url() const { return "udp://127.0.0.1:" + std::to_string(port_); }
  /// The furthest a channel has been from where it stood first; read after the rig has gone.
  double furthest() const { return furthest_; }
  /// A command to move asked for something that is no number.
  bool not_finite() const { return not_finite_; }
  int stops() const { return stops_; }
  void finish() {
    stop_ = true;
    thread_.join();
  }

 private:
  bool has(const char* fault) const { return faults_.contains(fault); }

  void serve() {
    std::vector<unsigned char> bytes(largest_frame);
    std::int64_t last = monotonic_now();
    while (!stop_) {
      if (session_ != 0 && moving_ && !has("silence") && monotonic_now() - last > 400'000'000)
        tripped_ = true;
      poll_until(socket_.get(), -1, monotonic_now() + 20'000'000);
      Address from;
      const ssize_t size =
          ::recvfrom(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT, from.get(), &from.size);
      if (size <= 0) continue;
      LinkFrame frame;
      if (!codec_.decode(bytes.data(), static_cast<std::size_t>(size), frame) &&
          !forgiven(bytes, size, frame))
        continue;
      if (frame.type == FrameType::hello) {
        greet(frame, from);
      } else if (frame.type == FrameType::goodbye && frame.session == session_) {
        session_ = 0;
      } else if (frame.type == FrameType::command && command(frame, from)) {
        last = monotonic_now();
      }
    }
  }
  /// A frame whose check sum is wrong, taken all the same.
  bool forgiven(std::vector<unsigned char>& bytes, ssize_t size, LinkFrame& frame) {
    if (!has("any-check-sum") || size < static_cast<ssize_t>(frame_head) || bytes[0] != 'G' ||
        bytes[1] != 'S')
      return false;
    Message message;
    std::memcpy(&frame.session, bytes.data() + 8, 8);
    std::memcpy(&message.sequence, bytes.data() + 16, 8);
    std::memcpy(&message.phase, bytes.data() + 44, 4);
    std::memcpy(&frame.count, bytes.data() + 52, 4);
    frame.type = static_cast<FrameType>(bytes[6]);
    frame.message = message;
    frame.payload = bytes.data() + frame_head;
    return frame.count == 8;
  }
  void greet(const LinkFrame& frame, const Address& from) {
    Message answer;
    answer.sequence = frame.session;
    if (session_ != 0 && !has("greedy")) {
      return transmit(codec_.encode(FrameType::refused, 0, answer, "another run is connected"), from);
    }
    session_ = frame.session ^ 0x1234;
    sequence_ = 0;
    tripped_ = moving_ = false;
    transmit(codec_.encode(FrameType::welcome, session_, answer,
                           "gusset-link 1\nperiod 1000000\nrig virtual\n"
                           "command north.command m\ncommand north.command.rate m/s\n"
                           "command north.command.curvature m/s^2\ncommand north.command.start_rate m/s\n"
                           "command south.command m\ncommand south.command.rate m/s\n"
                           "command south.command.curvature m/s^2\ncommand south.command.start_rate m/s\n"
                           "feedback north.measured m\nfeedback south.measured m\nfeedback south.force N\n"),
             from);
  }
  bool command(const LinkFrame& frame, const Address& from) {
    const bool ours = frame.session == session_ || has("any-session");
    if (!ours || (frame.count != 8 && !has("any-count"))) return false;
    const Message& message = frame.message;
    const bool fresh = message.sequence > sequence_ || (has("repeats") && message.sequence == sequence_) ||
                       (has("lower") && message.sequence < sequence_);
    if (message.phase == LinkPhase::stop) ++stops_;
    if (message.phase == LinkPhase::stop && !has("stop")) tripped_ = true;
    const bool moves = message.phase != LinkPhase::idle && message.phase != LinkPhase::stop;
    if (fresh && (moves || has("idle-moves")) && !tripped_) follow(frame);
    if (fresh) moving_ = moves;
    if (fresh) sequence_ = message.sequence;
    Message answer = message;
    answer.phase = tripped_ ? LinkPhase::tripped : message.phase;
    const double moved = at_[0] - start_[0];
    double values[3] = {has("false-zero")   ? at_[0] - 5e-3
                        : has("dead")       ? start_[0]
                        : has("wrong-sign") ? start_[0] - moved
                                            : at_[0],
                        has("crosstalk") ? start_[1] + moved : at_[1], 0};
    if (has("no-numbers")) values[0] = std::nan("");
    if (has("gives-up") && ++answers_ > 200) return true;
    if (has("forgets") && message.phase == LinkPhase::idle && message.sequence % 7 == 3) return true;
    transmit(codec_.encode(FrameType::feedback, session_, answer, values, 3), from);
    return true;
  }
  void follow(const LinkFrame& frame) {
    double to[2];
    std::memcpy(&to[0], frame.payload, 8);
    std::memcpy(&to[1], frame.payload + 32, 8);
    for (const double x : to) {
      not_finite_ = not_finite_ || !std::isfinite(x);
      if (!std::isfinite(x) && !has("nan")) tripped_ = true;
    }
    if (tripped_) return;
    for (int i = 0; i < 2; ++i) {
      if (std::isfinite(to[i])) at_[i] = to[i];
      furthest_ = std::max(furthest_, std::abs(at_[i] - start_[i]));
    }
  }
  void transmit(std::string_view bytes, const Address& to) {
    [[maybe_unused]] const ssize_t sent =
        ::sendto(socket_.get(), bytes.data(), bytes.size(), 0, to.get(), to.size);
  }

  std::set<std::string> faults_;
  FrameCodec codec_{""};
  Socket socket_;
  std::uint16_t port_ = 0;
  std::uint64_t session_ = 0, sequence_ = 0;
  bool tripped_ = false, moving_ = false;
  double start_[2] = {12e-3, -3e-3};
  double at_[2] = {start_[0], start_[1]};
  double furthest_ = 0;
  bool not_finite_ = false;
  int stops_ = 0, answers_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace gusset::test
