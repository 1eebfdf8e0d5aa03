#pragma once

#include <string>
#include <vector>

#include "analysis/loop_listing.hpp"
#include "report/loop_shapes.hpp"

/// Where everything stands in the picture of a loop.
namespace gusset::loop_plan {

using plot::Box;
using Lines = std::vector<shapes::Line>;

// Two columns, down on the left and up on the right, and room between them for the ways back.
inline constexpr double width = 780, edge = 10, inset = 28;
inline constexpr double column = 300, left_x = inset, right_x = width - inset - column;
inline constexpr double middle = width / 2;
inline constexpr double shaft = 34;  ///< from a column's edge to its arrows
inline constexpr double label_room = column - shaft - 14;
inline constexpr double input_room = 540;

/// One level of the picture: a box on either side, or none.
struct Level {
  const LoopListing::Part* down = nullptr;
  const LoopListing::Part* up = nullptr;
  Box down_box, up_box;
  Lines down_label, up_label;  ///< of the arrows into `down` from above and out of `up` upwards
  double top = 0, bottom = 0;
};

/// The picture before it is drawn: rows of the computed part from above, the cut, the laboratory.
struct Plan {
  Plan(const LoopListing& listing, const std::string& title);

  const LoopListing& listing;
  const LoopListing::Part* rig;  ///< null: nothing crosses a cut
  Lines input, commands, feedback, rig_lines;
  std::vector<Level> rows;
  Box computed, laboratory, rig_box, command_card, feedback_card;
  double cut_y = 0, height = 0;

 private:
  void place_rows();
  void place_cut();
};

/// The text of a phase's box: what happens, and in which stages.
Lines box_lines(const LoopListing& listing, const LoopListing::Part& part, double room);
/// What a phase's stages read and none of them writes, as labels of the arrow that leads there.
Lines reads_of(const LoopListing::Part* part);

}  // namespace gusset::loop_plan
