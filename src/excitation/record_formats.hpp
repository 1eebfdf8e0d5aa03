#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "excitation/record.hpp"

namespace gusset {

/// What a file without a header cannot say itself; and which of several records in a file is meant.
struct RecordHints {
  double dt = 0;     ///< [s]; 0: not known
  std::string unit;  ///< of the accelerations; empty: not known
  int channel = 1;   ///< of a file that holds several, from 1
};

/// A line of the table of formats. Each lives in a file of its own, whose comment says what is read.
struct RecordFormat {
  const char* name;
  bool (*matches)(std::string_view text);
  /// Throws InputError with the line for anything that is not as announced: missing or surplus
  /// samples, unknown units, velocity in place of acceleration.
  Record (*parse)(std::string_view text, const std::string& name, const RecordHints& hints);
};

const std::vector<const RecordFormat*>& record_formats();

/// Reads a record in any of the formats, found out by what the text looks like: PEER AT2, COSMOS,
/// CSMIP, K-NET, ESM, CSV with a header, or plain columns of numbers. `name` is used in messages.
Record parse_record(std::string_view text, const std::string& name, const RecordHints& hints = {});

/// "cm/sec2", "G", "gal" and other spellings record files use: what one of it is in m/s²; 0 if it is
/// not known.
double acceleration_unit(std::string_view spelling);

}  // namespace gusset
