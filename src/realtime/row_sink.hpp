#pragma once

#include <cstddef>
#include <cstdint>

#include "runs/severity.hpp"

namespace gusset {

/// Where the loop leaves its data; see Recorder. All @rt-safe.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual bool push(std::size_t stream, std::int64_t row, const double* values,
                    std::size_t count) noexcept = 0;
  virtual bool event(double time, Severity severity, std::uint16_t code, double value) noexcept = 0;
  virtual bool healthy() const noexcept = 0;
};

}  // namespace gusset
