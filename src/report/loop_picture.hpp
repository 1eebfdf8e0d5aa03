#pragma once

#include <string>

#include "analysis/loop_listing.hpp"

namespace gusset {

/// The loop of a test as a picture, to be read clockwise: on the left down from the computed structure to
/// the command, through the cut into the laboratory, on the right back up with what was measured. Follows
/// the reader's light or dark setting, as all pictures do; as wide as the page when inside of one.
/// A page that says what test it is about leaves the title out.
std::string loop_picture(const LoopListing& listing, bool titled = true);

}  // namespace gusset
