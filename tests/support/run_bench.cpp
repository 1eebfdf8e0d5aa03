#include "support/run_bench.hpp"

#include <bit>
#include <cstdint>

namespace gusset::test {

MemorySink::MemorySink(const Test& test) : streams_(run_streams(test)) {
  for (const StreamPlan& plan : streams_.plans) {
    Table table{plan.name, plan.start, plan.step, {}};
    for (const StreamPlan::Signal& signal : plan.signals) {
      table.channels.push_back({signal.name, signal.unit, {}, signal.control});
    }
    tables_.push_back(std::move(table));
  }
}

bool MemorySink::push(std::size_t stream, std::int64_t row, const double* values,
                      std::size_t count) noexcept {
  Table& table = tables_[stream];
  if (count != table.channels.size() || row != static_cast<std::int64_t>(table.rows())) {
    healthy_ = false;
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) table.channels[i].values.push_back(values[i]);
  return true;
}

bool MemorySink::event(double time, Severity severity, std::uint16_t code, double value) noexcept {
  events_.push_back({time, severity, code, value});
  return true;
}

bool MemorySink::has_event(std::uint16_t code) const {
  for (const Event& event : events_) {
    if (event.code == code) return true;
  }
  return false;
}

const Table& MemorySink::table(const std::string& name) const {
  for (const Table& table : tables_) {
    if (table.name == name) return table;
  }
  throw std::out_of_range("no table " + name);
}

std::string first_difference(const std::vector<Table>& simulated, const MemorySink& run) {
  for (const Table& expected : simulated) {
    if (expected.name == "reference") continue;
    const Table& found = run.table(expected.name);
    if (found.channels.size() != expected.channels.size()) return expected.name + ": channels";
    for (std::size_t c = 0; c < expected.channels.size(); ++c) {
      const Trace& a = expected.channels[c];
      const Trace& b = found.channels[c];
      if (a.name != b.name || a.unit != b.unit) return a.name + " is called " + b.name;
      if (a.values.size() != b.values.size()) {
        return a.name + ": " + std::to_string(b.values.size()) + " rows, not " +
               std::to_string(a.values.size());
      }
      for (std::size_t i = 0; i < a.values.size(); ++i) {
        if (std::bit_cast<std::uint64_t>(a.values[i]) != std::bit_cast<std::uint64_t>(b.values[i])) {
          return a.name + " at row " + std::to_string(i) + ": " + std::to_string(b.values[i]) + ", not " +
                 std::to_string(a.values[i]);
        }
      }
    }
  }
  return {};
}

}  // namespace gusset::test
