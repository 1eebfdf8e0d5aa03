#pragma once

#include "support/old_plant/mechanics.hpp"

namespace gusset::old {

struct Blocks {
  double gain, b0, b1, b2, a2, a3;
};

std::unique_ptr<Rig> make_blocks(const RigContext& context, const Blocks& blocks, const Mechanics::Own& own,
                                 double delay, double force_delay);

}  // namespace gusset::old
