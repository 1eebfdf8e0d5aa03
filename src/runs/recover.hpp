#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/run.hpp"

namespace gusset {

/// What a raw recording still holds.
struct Recovery {
  Run run;
  bool complete = false;  ///< it was closed in order, and nothing is damaged
  std::uint64_t segments = 0;
  std::uint64_t torn_bytes = 0;     ///< of the segment that was being written at the end
  std::uint64_t damaged_bytes = 0;  ///< between segments, or records that make no sense
  std::uint64_t missing_segments = 0;
  std::uint64_t lost_records = 0;  ///< because the queue was full
  std::uint64_t missing_rows = 0;  ///< rows before the last one that are not there: NaN in the run
  std::vector<std::string> notes;  ///< what is missing, in words
};

/// The raw recording that belongs to a run file.
std::string raw_path_of(const std::string& run_path);

/// Reads a raw recording: everything in its whole segments. Rows that are not there are NaN, and
/// each gap is an event. Changes nothing on the disk. Throws InputError if the file cannot be read,
/// or has lost the plan with which it begins.
Recovery recover_run(const std::string& raw_path);

}  // namespace gusset
