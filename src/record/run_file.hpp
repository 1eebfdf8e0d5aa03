#pragma once

#include <string>

#include "record/run.hpp"

namespace gusset {

/// Writes a run as HDF5 in the 1.8 format:
///   /                    attributes: format, title, version, created
///   /experiment          the experiment file's text; attributes name, overrides
///   /TABLE               group; attributes start [s], step [s]
///   /TABLE/time          [s]
///   /TABLE/OBJECT/SIGNAL one compressed dataset a channel ("storey1.displacement" is
///                        /structure/storey1/displacement), attributes unit, name
///   /summary             attributes, one a scalar result
/// The file is built in memory, written beside its destination, synced and renamed: a reader sees
/// the old file or the whole new one. Throws InputError if the destination exists and `force` is
/// off, and if anything cannot be written; then nothing is left behind.
void write_run(const std::string& path, const Run& run, bool force);

/// Reads what write_run wrote. Throws InputError for a missing, truncated or foreign file.
Run read_run(const std::string& path);

}  // namespace gusset
