#pragma once

#include <string>

#include "runs/run.hpp"

namespace gusset {

/// Writes a run as HDF5 in the 1.8 format:
///   /                    attributes: format ("gusset-run/1"), title, version, created, tables
///                        (names of the groups below, in order)
///   /experiment          the experiment file's text; attributes name, overrides
///   /TABLE               group; attributes name, start [s], step [s], channels (how many)
///   /TABLE/time          [s]; attribute unit
///   /TABLE/OBJECT/SIGNAL one compressed dataset a channel ("storey1.displacement" is
///                        /structure/storey1/displacement), attributes unit, name, index (its place
///                        among the table's channels, from 0)
///   /summary             attributes, one a scalar result
///   /events              if there are any: time [s], severity, source, text, one entry an event
///   /histograms/NAME     one group a histogram: edges, counts; attributes name, unit, index,
///                        overflow, maximum
///   /texts/NAME          one text each; attributes name, index
/// Groups and datasets have names that MATLAB takes for fields; the attribute `name` is the true
/// one. What else stands in the file is left alone by read_run. After the HDF5 data comes a
/// checksum (record/seal.hpp). The same run makes the same bytes.
///
/// The file is built in memory, written beside its destination, synced and renamed: a reader sees
/// the old file or the whole new one. Throws InputError if the destination exists and `force` is
/// off, and if anything cannot be written; then nothing is left behind.
void write_run(const std::string& path, const Run& run, bool force);

/// Reads what write_run wrote. Throws InputError for a missing, truncated or foreign file. A file without a seal
/// is read by a child process first: no damage in it ends this one.
Run read_run(const std::string& path);

/// Whether the file's checksum is there and fits: nobody has changed it since it was written.
bool is_sealed(const std::string& path);

}  // namespace gusset
