#include "report/loop_plan.hpp"

#include <algorithm>

#include "base/quantity_text.hpp"

namespace gusset::loop_plan {

using shapes::Line;

Lines box_lines(const LoopListing& listing, const LoopListing::Part& part, double room) {
  const std::string when = !part.every_substep() || listing.substeps == 1 ? "once a step" : "every sub-step";
  Lines lines{{name_of(part.phase), when, "title", 13}};
  for (const std::string& line : plot::wrap(part.does, 12, room, 3)) lines.push_back({line, "", "soft"});
  constexpr std::size_t most = 6;
  const std::size_t shown = part.stages.size() > most ? most - 1 : part.stages.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const int kept = part.stages[i].kept();
    const std::string keeps = "keeps " + std::to_string(kept) + (kept == 1 ? " number" : " numbers");
    lines.push_back({"▪ " + part.stages[i].name, kept == 0 ? "" : keeps});
  }
  const std::size_t left = part.stages.size() - shown;
  if (left > 0) lines.push_back({"and " + std::to_string(left) + " more stages", "", "soft"});
  return lines;
}

Lines reads_of(const LoopListing::Part* part) {
  if (part == nullptr) return {};
  std::vector<LoopListing::Entry> entries, made_here;
  const auto has = [](const std::vector<LoopListing::Entry>& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(),
                       [&](const LoopListing::Entry& other) { return other.name == name; });
  };
  for (const LoopListing::Stage& stage : part->stages) {
    made_here.insert(made_here.end(), stage.writes.begin(), stage.writes.end());
    for (const LoopListing::Entry& entry : stage.reads) {
      if (!has(entries, entry.name) && !has(made_here, entry.name)) entries.push_back(entry);
    }
  }
  return shapes::signal_lines(entries, label_room, 5);
}

Plan::Plan(const LoopListing& of, const std::string& title) : listing(of), rig(of.part(Phase::rig)) {
  // The writer says how high the title is.
  const double below_title = plot::SvgWriter(width, 0, "").title(title, width, 4);
  computed = {edge, below_title + 34, width - edge, 0};
  if (listing.storeys > 0) {
    input = {{"ground motion", "", "title"}};
    for (const Line& line : shapes::signal_lines(listing.inputs, input_room, 2)) input.push_back(line);
  }
  place_rows();
  if (rig != nullptr) place_cut();
  height = (rig != nullptr ? laboratory.bottom : computed.bottom) + edge;
}

void Plan::place_rows() {
  const auto part = [&](Phase phase) { return listing.part(phase); };
  const Level all[] = {{part(Phase::begin), part(Phase::end), {}, {}, {}, {}},
                       {part(Phase::draw), part(Phase::feed), {}, {}, {}, {}},
                       {part(Phase::command), part(Phase::observe), {}, {}, {}, {}}};
  double y = computed.top + std::max(36.0, shapes::text_height(input) + 18);
  for (Level row : all) {
    if (row.down == nullptr && row.up == nullptr) continue;
    if (!rows.empty()) {
      row.down_label = reads_of(row.down);
      // What leaves upwards is what the box above reads; without one it is on its way to the next step.
      if (row.up != nullptr) row.up_label = reads_of(rows.back().up);
      const double lines = std::max(shapes::text_height(row.down_label), shapes::text_height(row.up_label));
      y += std::max(30.0, lines + 14);
    }
    row.top = row.bottom = y;
    const auto place_box = [&](const LoopListing::Part* one, double x) {
      if (one == nullptr) return Box{x, y, x + column, y};
      const double tall = shapes::card_height(box_lines(listing, *one, column - 2 * shapes::padding - 8));
      row.bottom = std::max(row.bottom, y + tall);
      return Box{x, y, x + column, y + tall};
    };
    row.down_box = place_box(row.down, left_x);
    row.up_box = place_box(row.up, right_x);
    y = row.bottom;
    rows.push_back(row);
  }
  // Without a rig the way to the right is below the last row.
  const bool turns = rig == nullptr && std::any_of(rows.begin(), rows.end(),
                                                   [](const Level& row) { return row.up != nullptr; });
  computed.bottom = y + (turns ? 44 : 22);
}

void Plan::place_cut() {
  const double room = column - 2 * shapes::padding - 4;
  std::vector<LoopListing::Entry> told, needed, optional;
  for (const LoopListing::Crossing& crossing : listing.cut) {
    told.insert(told.end(), crossing.commands.begin(), crossing.commands.end());
    for (const LoopListing::Entry& entry : crossing.feedback)
      (entry.needed ? needed : optional).push_back(entry);
  }
  const std::string every = listing.trials ? "every trial" : "every " + readable(listing.rig_dt, "s");
  commands = {{"commands", every, "title"}};
  feedback = {{"feedback", every, "title"}};
  for (const Line& line : shapes::signal_lines(told, room, 6)) commands.push_back(line);
  for (const Line& line : shapes::signal_lines(needed, room, 6)) feedback.push_back(line);
  if (!optional.empty()) {
    feedback.push_back({"and, if the rig has it", "", "soft", 11});
    for (const Line& line : shapes::signal_lines(optional, room, 3, "soft")) feedback.push_back(line);
  }
  const double tall = std::max(shapes::card_height(commands), shapes::card_height(feedback));
  const double top = computed.bottom + 14;
  cut_y = top + tall / 2;
  const auto centred = [&](double x, const Lines& lines) {
    const double half = shapes::card_height(lines) / 2;
    return Box{x, cut_y - half, x + column, cut_y + half};
  };
  command_card = centred(left_x, commands);
  feedback_card = centred(right_x, feedback);
  laboratory = {edge, top + tall + 14, width - edge, 0};
  rig_lines = box_lines(listing, *rig, width - 2 * inset - 2 * shapes::padding - 8);
  const double rig_top = laboratory.top + 36;
  rig_box = {inset, rig_top, width - inset, rig_top + shapes::card_height(rig_lines)};
  laboratory.bottom = rig_box.bottom + 18;
}

}  // namespace gusset::loop_plan
