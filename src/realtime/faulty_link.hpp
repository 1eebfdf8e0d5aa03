#pragma once

#include <vector>

#include "link/fault.hpp"
#include "link/link.hpp"
#include "realtime/clock.hpp"

namespace gusset {

/// A link that misbehaves on purpose, at the times of the test that its faults name. Only commands of
/// the test and their answers suffer. Which message is lost is decided by a counter, not by chance: the
/// same script does the same again.
class FaultyLink final : public Link {
 public:
  /// `period` [s] between commands.
  FaultyLink(Link& inner, std::vector<Fault> faults, Clock& clock, std::size_t feedback_count, double period);

  bool send(const Message& message, const double* values) noexcept override;
  bool receive(Message& message, double* values) noexcept override;
  void wait(std::int64_t until) noexcept override;
  bool lost() const noexcept override { return inner_.lost(); }
  std::uint64_t refused() const noexcept override { return inner_.refused(); }
  void close() noexcept override { inner_.close(); }
  const Hello& peer() const override { return inner_.peer(); }

 private:
  struct Held {
    bool used = false;
    std::int64_t due = 0;
    Message message;
    std::vector<double> values;
  };
  const Fault* active(Fault::Kind kind, const Message& message) noexcept;
  double chance() noexcept;
  void take_in() noexcept;
  void hold(const Message& message, const double* values, std::int64_t due) noexcept;
  Held* earliest() noexcept;

  Link& inner_;
  std::vector<Fault> faults_;
  Clock& clock_;
  double period_;
  std::vector<Held> held_;
  std::vector<double> incoming_, frozen_;
  bool freezing_ = false, cut_ = false;
  std::uint64_t counter_ = 0;
};

}  // namespace gusset
