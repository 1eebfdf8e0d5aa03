#pragma once

#include "realtime/recorder.hpp"
#include "realtime/row_sink.hpp"

namespace gusset {

/// The recorder as the loop sees it.
class RecorderSink final : public RowSink {
 public:
  explicit RecorderSink(Recorder& recorder) : recorder_(recorder) {}

  bool push(std::size_t stream, std::int64_t row, const double* values, std::size_t count) noexcept override {
    return recorder_.push(stream, row, values, count);
  }
  bool event(double time, Severity severity, std::uint16_t code, double value) noexcept override {
    return recorder_.event(time, severity, code, value);
  }
  bool healthy() const noexcept override { return recorder_.healthy(); }

 private:
  Recorder& recorder_;
};

}  // namespace gusset
