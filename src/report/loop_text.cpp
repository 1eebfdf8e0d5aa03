#include "report/loop_text.hpp"

#include <algorithm>

#include "base/quantity_text.hpp"

namespace gusset {
namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t indent = 16;  ///< of what stands behind "reads", "writes" …

/// Letters, not bytes.
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string times(std::size_t count, const char* what) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += what;
  return text;
}

/// "      reads    a, b, c" with as many lines as it takes; an item is never broken.
void items(std::string& out, const std::string& label, const std::vector<std::string>& list) {
  if (list.empty()) return;
  std::string line = "    " + label;
  line += std::string(indent - std::min(indent, letters(line)), ' ');
  bool first = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string item = list[i] + (i + 1 < list.size() ? "," : "");
    if (!first && letters(line) + 1 + letters(item) > columns) {
      out += line + "\n";
      line = std::string(indent, ' ');
      first = true;
    }
    line += (first ? "" : " ") + item;
    first = false;
  }
  out += line + "\n";
}

std::vector<std::string> texts(const std::vector<LoopListing::Entry>& entries) {
  std::vector<std::string> list;
  for (const LoopListing::Entry& entry : entries) list.push_back(entry_text(entry));
  return list;
}

std::string keep_text(const LoopListing::Keep& keep) {
  std::string text = keep.name;
  if (keep.kind == LoopListing::Keep::Kind::branch) return text + " (branch)";
  if (keep.size > 1) text += " × " + std::to_string(keep.size);
  return text + " [" + typeset(keep.unit) + "]" +
         (keep.kind == LoopListing::Keep::Kind::parameter ? " (parameter)" : "");
}

void ruled(std::string& out, const std::string& text, const char* rule) {
  const std::string head = times(3, rule) + " " + text + " ";
  out += head + times(columns - std::min(columns, letters(head)), rule) + "\n";
}

void list_part(std::string& out, const LoopListing& listing, const LoopListing::Part& part) {
  const std::string when = !part.every_substep()   ? "once a step"
                           : listing.substeps == 1 ? "once a step"
                                                   : std::to_string(listing.substeps) + " times a step";
  const std::string head = std::string("  ") + name_of(part.phase);
  out += "\n" + head + std::string(indent - std::min(indent, head.size()), ' ') + part.does;
  const std::size_t used = indent + letters(part.does) + letters(when);
  out += std::string(used + 2 < columns ? columns - used : 2, ' ') + when + "\n";
  for (const LoopListing::Stage& stage : part.stages) {
    out += "\n  ■ " + stage.name;
    if (!stage.does.empty()) out += ": " + stage.does;
    out += "\n";
    items(out, "reads", texts(stage.reads));
    items(out, "writes", texts(stage.writes));
    std::vector<std::string> keeps;
    for (const LoopListing::Keep& keep : stage.keeps) keeps.push_back(keep_text(keep));
    items(out, "keeps", keeps);
    std::vector<std::string> shares;
    for (const std::string& other : stage.shares) shares.push_back("the State of " + other);
    items(out, "shares", shares);
  }
}

void to_rigs(std::string& out, const LoopListing& listing) {
  out += "\n";
  ruled(out, "the cut, on the way to the rig", "╌");
  for (const LoopListing::Crossing& crossing : listing.cut) {
    items(out, "▼ " + (listing.cut.size() > 1 ? crossing.rig : std::string("to")), texts(crossing.commands));
    if (crossing.every > 1)
      out += "    it moves in every " + std::to_string(crossing.every) + "th sub-step\n";
  }
  out += times(columns, "╌") + "\n";
}

void from_rigs(std::string& out, const LoopListing& listing) {
  out += "\n";
  ruled(out, "the cut, on the way back", "╌");
  for (const LoopListing::Crossing& crossing : listing.cut) {
    std::vector<LoopListing::Entry> needed, optional;
    for (const LoopListing::Entry& entry : crossing.feedback)
      (entry.needed ? needed : optional).push_back(entry);
    items(out, "▲ " + (listing.cut.size() > 1 ? crossing.rig : std::string("back")), texts(needed));
    items(out, "△ optional", texts(optional));
  }
  out += times(columns, "╌") + "\n";
}

}  // namespace

std::string entry_text(const LoopListing::Entry& entry) {
  return entry.name + " [" + (entry.unit.empty() ? "–" : typeset(entry.unit)) + "]";
}

std::string loop_time(const LoopListing& listing) {
  const std::string step = "a step of " + readable(listing.dt, "s");
  if (listing.part(Phase::draw) == nullptr) return step;
  if (listing.trials) return step + ", tried " + std::to_string(listing.substeps) + " times";
  if (listing.substeps == 1) return step + ", one sub-step of " + readable(listing.rig_dt, "s");
  return step + ", " + std::to_string(listing.substeps) + " sub-steps of " + readable(listing.rig_dt, "s");
}

std::string loop_text(const LoopListing& listing) {
  std::string out = listing.title + "\n\n";
  out += "time            " + loop_time(listing) + "\n";
  out += "signals         a goal or command stands for its value, rate and curvature; units are SI\n";
  bool laboratory = false, first = true;
  for (const LoopListing::Part& part : listing.parts) {
    if (first || part.in_laboratory() != laboratory) {
      if (part.in_laboratory()) to_rigs(out, listing);
      if (laboratory) from_rigs(out, listing);
      out += "\n";
      ruled(out, part.in_laboratory() ? "IN THE LABORATORY" : "COMPUTED", "━");
      laboratory = part.in_laboratory();
      first = false;
    }
    list_part(out, listing, part);
  }
  return out;
}

}  // namespace gusset
