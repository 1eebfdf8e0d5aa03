#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gusset {

/// A ground-motion record: equally spaced accelerations, SI.
struct Record {
  std::string name;
  double dt = 0;                     ///< [s]
  std::vector<double> acceleration;  ///< [m/s^2], first sample at t = 0
  std::string format = {};           ///< of the file it came from, e.g. "PEER AT2"
  std::string unit = {};             ///< of the accelerations there, e.g. "g"

  double peak() const;  ///< largest |acceleration|
  /// Linear between the samples, zero before the first and after the last.
  double at(double time) const;
};

/// Reads CSV: comment lines start with '#'; a header names the columns with their units, either
/// `time_s,acceleration_g` or `time [s],acceleration [g]` (any unit of acceleration the experiment
/// file knows, with `_` for the characters a column name cannot hold: `acceleration_m/s^2`).
/// Times must be equally spaced to 1e-3 of a step. `name` is used in messages. Throws InputError
/// with line and column for a missing header or unit, ragged rows, non-numbers, NaN, unequal
/// spacing, or fewer than two samples.
Record parse_csv_record(std::string_view text, const std::string& name);

}  // namespace gusset
