#include "report/loop_picture.hpp"

#include <algorithm>

#include "report/loop_shapes.hpp"
#include "report/loop_text.hpp"
#include "report/quantity_text.hpp"

namespace gusset {
namespace {

using plot::Box;
using shapes::Line;
using Lines = std::vector<Line>;

// Two columns, down on the left and up on the right, and room between them for the ways back.
constexpr double width = 780, edge = 10, inset = 28;
constexpr double column = 300, left_x = inset, right_x = width - inset - column;
constexpr double middle = width / 2;
constexpr double shaft = 34;  ///< from a column's edge to its arrows
constexpr double label_room = column - shaft - 14;
constexpr double input_room = 540;
constexpr const char* computed = "--s0";
constexpr const char* laboratory = "--s1";
constexpr const char* flow = "--ink";

/// The text of a phase's box: what happens, and in which stages.
Lines box_lines(const LoopListing& listing, const LoopListing::Part& part, double room) {
  const std::string when = !part.every_substep() || listing.substeps == 1 ? "once a step" : "every sub-step";
  Lines lines{{name_of(part.phase), when, "title", 13}};
  for (const std::string& line : plot::wrap(part.does, 12, room, 3)) lines.push_back({line, "", "soft"});
  constexpr std::size_t most = 6;
  for (const LoopListing::Stage& stage : part.stages) {
    if (lines.size() > most + 2 && part.stages.size() > most) {
      lines.push_back({"and " + std::to_string(part.stages.size() - most) + " stages more", "", "soft"});
      break;
    }
    const int kept = stage.kept();
    lines.push_back({"▪ " + stage.name, kept == 0 ? "" : "keeps " + std::to_string(kept) +
                                                             (kept == 1 ? " number" : " numbers")});
  }
  return lines;
}

/// All that a phase's stages read, as labels of the arrow that leads there.
Lines reads_of(const LoopListing::Part* part, std::size_t most = 4) {
  if (part == nullptr) return {};
  std::vector<LoopListing::Entry> entries;
  for (const LoopListing::Stage& stage : part->stages) {
    for (const LoopListing::Entry& entry : stage.reads) {
      const auto same = [&](const LoopListing::Entry& other) { return other.name == entry.name; };
      if (std::none_of(entries.begin(), entries.end(), same)) entries.push_back(entry);
    }
  }
  return shapes::signal_lines(entries, label_room, most);
}

/// One level of the picture: a box on either side, or none.
struct Level {
  const LoopListing::Part* down = nullptr;
  const LoopListing::Part* up = nullptr;
  Box down_box, up_box;
  Lines down_label, up_label;  ///< of the arrows into `down` from above and out of `up` upwards
  double top = 0, bottom = 0;
};

class Picture {
 public:
  Picture(const LoopListing& listing, bool titled)
      : listing_(listing), title_(titled ? listing.title : ""), rig_(listing.part(Phase::rig)) {
    place();
  }
  std::string draw();

 private:
  void place();
  void place_rows();
  void place_cut();
  void draw_row(plot::SvgWriter& svg, std::size_t index) const;
  void draw_cut(plot::SvgWriter& svg) const;
  void draw_turn(plot::SvgWriter& svg) const;
  void draw_returns(plot::SvgWriter& svg) const;
  void draw_return(plot::SvgWriter& svg, double y, double from_x, double from_y, const std::string& above,
                   const std::string& below) const;

  const LoopListing& listing_;
  std::string title_;
  const LoopListing::Part* rig_;
  Lines input_, commands_, feedback_, rig_lines_;
  std::vector<Level> rows_;
  Box computed_, laboratory_, rig_box_, command_card_, feedback_card_;
  double cut_y_ = 0, height_ = 0;
};

void Picture::place() {
  // The writer says how high the title is.
  const double below_title = plot::SvgWriter(width, 0, "").title(title_, width, 4);
  computed_ = {edge, below_title + 34, width - edge, 0};
  if (listing_.storeys > 0) {
    input_ = {{"ground motion", "", "title"}};
    for (const Line& line : shapes::signal_lines(listing_.inputs, input_room, 2)) input_.push_back(line);
  }
  place_rows();
  if (rig_ != nullptr) place_cut();
  height_ = (rig_ != nullptr ? laboratory_.bottom : computed_.bottom) + edge;
}

void Picture::place_rows() {
  const auto part = [&](Phase phase) { return listing_.part(phase); };
  const Level all[] = {{part(Phase::begin), part(Phase::end), {}, {}, {}, {}},
                     {part(Phase::draw), part(Phase::feed), {}, {}, {}, {}},
                     {part(Phase::command), part(Phase::observe), {}, {}, {}, {}}};
  double y = computed_.top + std::max(36.0, shapes::text_height(input_) + 18);
  for (Level row : all) {
    if (row.down == nullptr && row.up == nullptr) continue;
    if (!rows_.empty()) {
      row.down_label = reads_of(row.down);
      // What leaves upwards is what the box above reads; without one it is on its way to the next step.
      if (row.up != nullptr) row.up_label = reads_of(rows_.back().up);
      const double lines = std::max(shapes::text_height(row.down_label), shapes::text_height(row.up_label));
      y += std::max(30.0, lines + 14);
    }
    row.top = row.bottom = y;
    const auto place_box = [&](const LoopListing::Part* one, double x) {
      if (one == nullptr) return Box{x, y, x + column, y};
      const double tall = shapes::card_height(box_lines(listing_, *one, column - 2 * shapes::padding - 8));
      row.bottom = std::max(row.bottom, y + tall);
      return Box{x, y, x + column, y + tall};
    };
    row.down_box = place_box(row.down, left_x);
    row.up_box = place_box(row.up, right_x);
    y = row.bottom;
    rows_.push_back(row);
  }
  computed_.bottom = y + (rig_ == nullptr && rows_.size() > 1 ? 44 : 22);
}

void Picture::place_cut() {
  const double room = column - 2 * shapes::padding - 4;
  std::vector<LoopListing::Entry> commands, needed, optional;
  for (const LoopListing::Crossing& crossing : listing_.cut) {
    commands.insert(commands.end(), crossing.commands.begin(), crossing.commands.end());
    for (const LoopListing::Entry& entry : crossing.feedback) (entry.needed ? needed : optional).push_back(entry);
  }
  const std::string every = listing_.trials ? "every trial" : "every " + readable(listing_.rig_dt, "s");
  commands_ = {{"commands", every, "title"}};
  feedback_ = {{"feedback", every, "title"}};
  for (const Line& line : shapes::signal_lines(commands, room, 6)) commands_.push_back(line);
  for (const Line& line : shapes::signal_lines(needed, room, 6)) feedback_.push_back(line);
  if (!optional.empty()) {
    feedback_.push_back({"and, if the rig has it", "", "soft", 11});
    for (const Line& line : shapes::signal_lines(optional, room, 3, "soft")) feedback_.push_back(line);
  }
  const double tall = std::max(shapes::card_height(commands_), shapes::card_height(feedback_));
  const double top = computed_.bottom + 14;
  cut_y_ = top + tall / 2;
  const auto centred = [&](double x, const Lines& lines) {
    const double half = shapes::card_height(lines) / 2;
    return Box{x, cut_y_ - half, x + column, cut_y_ + half};
  };
  command_card_ = centred(left_x, commands_);
  feedback_card_ = centred(right_x, feedback_);
  laboratory_ = {edge, top + tall + 14, width - edge, 0};
  rig_lines_ = box_lines(listing_, *rig_, width - 2 * inset - 2 * shapes::padding - 8);
  const double rig_top = laboratory_.top + 36;
  rig_box_ = {inset, rig_top, width - inset, rig_top + shapes::card_height(rig_lines_)};
  laboratory_.bottom = rig_box_.bottom + 18;
}

/// Boxes of a level and the arrows between it and the level above.
void Picture::draw_row(plot::SvgWriter& svg, std::size_t index) const {
  const Level& row = rows_[index];
  const double down_x = left_x + shaft, up_x = right_x + shaft;
  const double room = column - 2 * shapes::padding - 8;
  if (index > 0 && row.down != nullptr) {
    shapes::arrow(svg, {{down_x, rows_[index - 1].down_box.bottom}, {down_x, row.top}}, flow);
    const double gap = rows_[index - 1].down_box.bottom;
    const double slack = row.top - gap - shapes::text_height(row.down_label);
    shapes::write(svg, down_x + 12, left_x + column, gap + slack / 2, row.down_label);
  }
  if (index > 0 && row.up != nullptr && rows_[index - 1].up != nullptr) {
    shapes::arrow(svg, {{up_x, row.top}, {up_x, rows_[index - 1].up_box.bottom}}, flow);
    const double gap = rows_[index - 1].up_box.bottom;
    const double slack = row.top - gap - shapes::text_height(row.up_label);
    shapes::write(svg, up_x + 12, right_x + column, gap + slack / 2, row.up_label);
  }
  if (row.down != nullptr) shapes::card(svg, row.down_box, computed, box_lines(listing_, *row.down, room));
  if (row.up != nullptr) shapes::card(svg, row.up_box, computed, box_lines(listing_, *row.up, room));
}

void Picture::draw_cut(plot::SvgWriter& svg) const {
  const double down_x = left_x + shaft, up_x = right_x + shaft;
  double from = rows_.front().down_box.bottom, to = rows_.front().top;
  for (const Level& row : rows_) {
    if (row.down != nullptr) from = row.down_box.bottom;
    if (row.up != nullptr) to = row.up_box.bottom;
  }
  shapes::dashed_line(svg, edge, width - edge, cut_y_);
  shapes::arrow(svg, {{down_x, from}, {down_x, command_card_.top}}, flow);
  shapes::arrow(svg, {{down_x, command_card_.bottom}, {down_x, rig_box_.top}}, flow);
  shapes::arrow(svg, {{up_x, rig_box_.top}, {up_x, feedback_card_.bottom}}, flow);
  const bool followed = std::any_of(rows_.begin(), rows_.end(), [](const Level& row) { return row.up != nullptr; });
  if (followed) shapes::arrow(svg, {{up_x, feedback_card_.top}, {up_x, to}}, flow);
  shapes::card(svg, command_card_, "--frame", commands_);
  shapes::card(svg, feedback_card_, "--frame", feedback_);
  shapes::card(svg, rig_box_, laboratory, rig_lines_);
  svg.text(middle, cut_y_ - 8, 13, "title", "middle", "the cut");
  svg.text(middle, cut_y_ + 17, 11, "soft", "middle", "link to the rig");
}

/// Without a rig the way from left to right is inside of the computed part.
void Picture::draw_turn(plot::SvgWriter& svg) const {
  double from = 0, to = 0;
  for (const Level& row : rows_) {
    if (row.down != nullptr) from = row.down_box.bottom;
    if (row.up != nullptr) to = row.up_box.bottom;
  }
  if (to == 0) return;
  const double low = rows_.back().bottom + 24, down_x = left_x + shaft, up_x = right_x + shaft;
  shapes::arrow(svg, {{down_x, from}, {down_x, low}, {up_x, low}, {up_x, to}}, flow);
  const Lines label = reads_of(rows_.back().up);
  shapes::write(svg, down_x + 12, left_x + column, low - 6 - shapes::text_height(label), label);
}

/// A way back from the right column to the box on the left at the same height.
void Picture::draw_return(plot::SvgWriter& svg, double y, double from_x, double from_y, const std::string& above,
                          const std::string& below) const {
  const double to = left_x + column;
  if (from_y == y) {
    shapes::arrow(svg, {{from_x, y}, {to, y}}, flow);
  } else {
    shapes::arrow(svg, {{from_x, from_y}, {from_x, y}, {to, y}}, flow);
  }
  svg.text(middle + 3, y - 7, 12, "title", "middle", above);
  svg.text(middle + 3, y + 16, 11, "soft", "middle", below);
}

void Picture::draw_returns(plot::SvgWriter& svg) const {
  // Where the step's last box on the right leaves upwards; the cut if there is none.
  double out_y = rig_ != nullptr ? feedback_card_.top : 0;
  std::size_t last = rows_.size();
  for (std::size_t i = rows_.size(); i-- > 0;) {
    if (rows_[i].up == nullptr) continue;
    out_y = rows_[i].top;
    last = i;
  }
  const double up_x = right_x + shaft;
  const std::string every = "every " + readable(listing_.dt, "s");
  const double begin_y = rows_.front().top + 34;
  if (last == 0) {
    draw_return(svg, begin_y, right_x, begin_y, "next step", every);
  } else if (out_y > 0) {
    draw_return(svg, begin_y, up_x, out_y, "next step", every);
  } else {
    const double x = left_x + column;
    const double low = rows_.front().down_box.bottom - 16, high = rows_.front().top + 16;
    shapes::arrow(svg, {{x, low}, {x + 44, low}, {x + 44, high}, {x, high}}, flow);
    svg.text(x + 56, (low + high) / 2 - 3, 12, "title", "start", "next step");
    svg.text(x + 56, (low + high) / 2 + 13, 11, "soft", "start", every);
  }
  if (listing_.substeps == 1 || rows_.size() < 2) return;
  const Level& drawn = rows_[1];
  const std::string count = std::to_string(listing_.substeps) + " times a step";
  const std::string how = listing_.trials ? "the last one counts" : "every " + readable(listing_.rig_dt, "s");
  const double y = drawn.top + 34;
  draw_return(svg, y, drawn.up != nullptr ? right_x : up_x, y, count, how);
}

std::string Picture::draw() {
  plot::SvgWriter svg(width, height_, "The loop of " + listing_.title);
  const double y = svg.title(title_, width, 4);
  svg.text(middle, y + 13, 12, "soft", "middle", loop_time(listing_));
  shapes::area(svg, computed_, computed, "computed");
  if (rig_ != nullptr) shapes::area(svg, laboratory_, laboratory, "in the laboratory");
  if (!input_.empty()) {
    const double x = left_x + shaft;
    shapes::arrow(svg, {{x, computed_.top - 8}, {x, rows_.front().top}}, flow);
    shapes::write(svg, x + 12, x + 12 + input_room, computed_.top + 8, input_);
  }
  draw_returns(svg);
  for (std::size_t i = 0; i < rows_.size(); ++i) draw_row(svg, i);
  if (rig_ != nullptr) {
    draw_cut(svg);
  } else {
    draw_turn(svg);
  }
  return svg.finish();
}

}  // namespace

std::string loop_picture(const LoopListing& listing, bool titled) {
  if (listing.parts.empty()) return plot::SvgWriter(width, 40, "A loop without stages").finish();
  return Picture(listing, titled).draw();
}

}  // namespace gusset
