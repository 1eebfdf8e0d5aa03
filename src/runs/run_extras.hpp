#pragma once

#include <string>
#include <vector>

#include "runs/hdf5.hpp"
#include "runs/run.hpp"

namespace gusset {

// The parts of a run file that only a test in real time has: /events, /histograms and /texts, each
// left out where there is nothing to put in. Both throw hdf5::Error.

void write_extras(hid_t file, const Run& run);

/// `tables` are the groups that hold tables, whatever they are called.
void read_extras(hid_t file, unsigned long long file_size, const std::vector<std::string>& tables, Run& run);

}  // namespace gusset
