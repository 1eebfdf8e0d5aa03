#pragma once

#include <vector>

#include "realtime/row_sink.hpp"

namespace gusset {

/// The recorder, and whoever else wants to see the rows. Only the recorder's health counts for the test: an
/// observer that drops a row counts it and nobody waits.
class FanOut final : public RowSink {
 public:
  explicit FanOut(RowSink& recorder) : recorder_(recorder) {}

  /// Before the loop starts.
  void attach(RowSink& observer) { observers_.push_back(&observer); }

  bool push(std::size_t stream, std::int64_t row, const double* values, std::size_t count) noexcept override {
    for (RowSink* observer : observers_) observer->push(stream, row, values, count);
    return recorder_.push(stream, row, values, count);
  }
  bool event(double time, Severity severity, std::uint16_t code, double value) noexcept override {
    for (RowSink* observer : observers_) observer->event(time, severity, code, value);
    return recorder_.event(time, severity, code, value);
  }
  bool healthy() const noexcept override { return recorder_.healthy(); }

 private:
  RowSink& recorder_;
  std::vector<RowSink*> observers_;
};

}  // namespace gusset
