#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "build/test.hpp"
#include "realtime/row_sink.hpp"
#include "realtime/run_loop.hpp"
#include "runs/run.hpp"

namespace gusset::test {

/// Keeps what the loop records in memory.
class MemorySink final : public RowSink {
 public:
  explicit MemorySink(const Test& test);

  bool push(std::size_t stream, std::int64_t row, const double* values, std::size_t count) noexcept override;
  bool event(double time, Severity severity, std::uint16_t code, double value) noexcept override;
  bool healthy() const noexcept override { return healthy_; }

  struct Event {
    double time;
    Severity severity;
    std::uint16_t code;
    double value;
  };
  const Table& table(const std::string& name) const;
  const std::vector<Event>& events() const { return events_; }
  bool has_event(std::uint16_t code) const;
  void break_down() { healthy_ = false; }

 private:
  RunStreams streams_;
  std::vector<Table> tables_;
  std::vector<Event> events_;
  bool healthy_ = true;
};

/// Every number of the tables of `simulate` and of the run the same, bit for bit? Empty, or where not.
std::string first_difference(const std::vector<Table>& simulated, const MemorySink& run);

}  // namespace gusset::test
