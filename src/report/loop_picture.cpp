#include "report/loop_picture.hpp"

#include <algorithm>

#include "base/quantity_text.hpp"
#include "report/loop_plan.hpp"
#include "report/loop_text.hpp"

namespace gusset {
namespace loop_plan {
namespace {

constexpr const char* computed_colour = "--s0";
constexpr const char* laboratory_colour = "--s1";
constexpr const char* flow = "--ink";

/// Boxes of a level and the arrows between it and the level above.
void draw_row(plot::SvgWriter& svg, const Plan& plan, std::size_t index) {
  const Level& row = plan.rows[index];
  const double down_x = left_x + shaft, up_x = right_x + shaft;
  const double room = column - 2 * shapes::padding - 8;
  if (index > 0 && row.down != nullptr) {
    shapes::arrow(svg, {{down_x, plan.rows[index - 1].down_box.bottom}, {down_x, row.top}}, flow);
    const double gap = plan.rows[index - 1].down_box.bottom;
    const double slack = row.top - gap - shapes::text_height(row.down_label);
    shapes::write(svg, down_x + 12, left_x + column, gap + slack / 2, row.down_label);
  }
  if (index > 0 && row.up != nullptr && plan.rows[index - 1].up != nullptr) {
    shapes::arrow(svg, {{up_x, row.top}, {up_x, plan.rows[index - 1].up_box.bottom}}, flow);
    const double gap = plan.rows[index - 1].up_box.bottom;
    const double slack = row.top - gap - shapes::text_height(row.up_label);
    shapes::write(svg, up_x + 12, right_x + column, gap + slack / 2, row.up_label);
  }
  if (row.down != nullptr)
    shapes::card(svg, row.down_box, computed_colour, box_lines(plan.listing, *row.down, room));
  if (row.up != nullptr)
    shapes::card(svg, row.up_box, computed_colour, box_lines(plan.listing, *row.up, room));
}

void draw_cut(plot::SvgWriter& svg, const Plan& plan) {
  const double down_x = left_x + shaft, up_x = right_x + shaft;
  double from = plan.rows.front().down_box.bottom, to = plan.rows.front().top;
  for (const Level& row : plan.rows) {
    if (row.down != nullptr) from = row.down_box.bottom;
    if (row.up != nullptr) to = row.up_box.bottom;
  }
  shapes::dashed_line(svg, edge, width - edge, plan.cut_y);
  shapes::arrow(svg, {{down_x, from}, {down_x, plan.command_card.top}}, flow);
  shapes::arrow(svg, {{down_x, plan.command_card.bottom}, {down_x, plan.rig_box.top}}, flow);
  shapes::arrow(svg, {{up_x, plan.rig_box.top}, {up_x, plan.feedback_card.bottom}}, flow);
  const auto on_the_right = [](const Level& row) { return row.up != nullptr; };
  const bool followed = std::any_of(plan.rows.begin(), plan.rows.end(), on_the_right);
  if (followed) shapes::arrow(svg, {{up_x, plan.feedback_card.top}, {up_x, to}}, flow);
  shapes::card(svg, plan.command_card, "--frame", plan.commands);
  shapes::card(svg, plan.feedback_card, "--frame", plan.feedback);
  shapes::card(svg, plan.rig_box, laboratory_colour, plan.rig_lines);
  svg.text(middle, plan.cut_y - 8, 13, "title", "middle", "the cut");
  svg.text(middle, plan.cut_y + 17, 11, "soft", "middle", "link to the rig");
}

/// Without a rig the way from left to right is inside of the computed part.
void draw_turn(plot::SvgWriter& svg, const Plan& plan) {
  double from = 0, to = 0;
  for (const Level& row : plan.rows) {
    if (row.down != nullptr) from = row.down_box.bottom;
    if (row.up != nullptr) to = row.up_box.bottom;
  }
  if (to == 0) return;
  const double low = plan.rows.back().bottom + 24, down_x = left_x + shaft, up_x = right_x + shaft;
  shapes::arrow(svg, {{down_x, from}, {down_x, low}, {up_x, low}, {up_x, to}}, flow);
  if (plan.rows.back().down != nullptr) return;
  const Lines label = reads_of(plan.rows.back().up);
  shapes::write(svg, down_x + 12, left_x + column, low - 6 - shapes::text_height(label), label);
}

/// A way back from the right column to the box on the left at the same height.
void draw_return(plot::SvgWriter& svg, double y, double from_x, double from_y, const std::string& above,
                 const std::string& below) {
  const double to = left_x + column;
  if (from_y == y) {
    shapes::arrow(svg, {{from_x, y}, {to, y}}, flow);
  } else {
    shapes::arrow(svg, {{from_x, from_y}, {from_x, y}, {to, y}}, flow);
  }
  svg.text(middle + 3, y - 7, 12, "title", "middle", above);
  svg.text(middle + 3, y + 16, 11, "soft", "middle", below);
}

void draw_returns(plot::SvgWriter& svg, const Plan& plan) {
  // Where the step's last box on the right leaves upwards; the cut if there is none.
  double out_y = plan.rig != nullptr ? plan.feedback_card.top : 0;
  std::size_t last = plan.rows.size();
  for (std::size_t i = plan.rows.size(); i-- > 0;) {
    if (plan.rows[i].up == nullptr) continue;
    out_y = plan.rows[i].top;
    last = i;
  }
  const double up_x = right_x + shaft;
  const std::string every = "every " + readable(plan.listing.dt, "s");
  const double begin_y = plan.rows.front().top + 34;
  if (last == 0) {
    draw_return(svg, begin_y, right_x, begin_y, "next step", every);
  } else if (out_y > 0) {
    draw_return(svg, begin_y, up_x, out_y, "next step", every);
  } else {
    const double x = left_x + column;
    const double low = plan.rows.front().down_box.bottom - 16, high = plan.rows.front().top + 16;
    shapes::arrow(svg, {{x, low}, {x + 44, low}, {x + 44, high}, {x, high}}, flow);
    svg.text(x + 56, (low + high) / 2 - 3, 12, "title", "start", "next step");
    svg.text(x + 56, (low + high) / 2 + 13, 11, "soft", "start", every);
  }
  if (plan.listing.substeps == 1 || plan.rows.size() < 2) return;
  const Level& drawn = plan.rows[1];
  const std::string count = std::to_string(plan.listing.substeps) + " times a step";
  const std::string how =
      plan.listing.trials ? "the last one counts" : "every " + readable(plan.listing.rig_dt, "s");
  const double y = drawn.top + 34;
  draw_return(svg, y, drawn.up != nullptr ? right_x : up_x, y, count, how);
}

std::string draw(const LoopListing& listing, bool titled) {
  if (listing.parts.empty()) return plot::SvgWriter(width, 40, "A loop without stages").finish();
  const std::string title = titled ? listing.title : "";
  const Plan plan(listing, title);
  plot::SvgWriter svg(width, plan.height, "The loop of " + listing.title);
  const double y = svg.title(title, width, 4);
  svg.text(middle, y + 13, 12, "soft", "middle", loop_time(listing));
  shapes::area(svg, plan.computed, computed_colour, "computed");
  if (plan.rig != nullptr) shapes::area(svg, plan.laboratory, laboratory_colour, "in the laboratory");
  if (!plan.input.empty()) {
    const double x = left_x + shaft;
    shapes::arrow(svg, {{x, plan.computed.top - 8}, {x, plan.rows.front().top}}, flow);
    shapes::write(svg, x + 12, x + 12 + input_room, plan.computed.top + 8, plan.input);
  }
  draw_returns(svg, plan);
  for (std::size_t i = 0; i < plan.rows.size(); ++i) draw_row(svg, plan, i);
  if (plan.rig != nullptr) {
    draw_cut(svg, plan);
  } else {
    draw_turn(svg, plan);
  }
  return svg.finish();
}

}  // namespace
}  // namespace loop_plan

std::string loop_picture(const LoopListing& listing, bool titled) { return loop_plan::draw(listing, titled); }

}  // namespace gusset
