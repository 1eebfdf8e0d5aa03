#pragma once

#include <string>

#include "analysis/loop_listing.hpp"

namespace gusset {

/// The loop of a test for a terminal of 100 columns: phases as headings, computed part and laboratory told
/// apart, the cut as a line with what crosses it.
std::string loop_text(const LoopListing& listing);

/// "step of 5 ms, 4 sub-steps of 1.25 ms": how time runs in the loop.
std::string loop_time(const LoopListing& listing);

/// "damper.command [m]", with a note if it stands for more numbers.
std::string entry_text(const LoopListing::Entry& entry);

}  // namespace gusset
