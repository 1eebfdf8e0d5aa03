#include "report/loop_shapes.hpp"

#include <algorithm>
#include <cmath>

#include "base/quantity_text.hpp"
#include "report/loop_text.hpp"

namespace gusset::shapes {
namespace {

using plot::number;
using plot::text_width;

std::string rect(const plot::Box& box, double radius, const std::string& style) {
  return "<rect x=\"" + number(box.left) + "\" y=\"" + number(box.top) + "\" width=\"" + number(box.width()) +
         "\" height=\"" + number(box.height()) + "\" rx=\"" + number(radius) + "\" style=\"" + style +
         "\"/>\n";
}

std::string at(const Point& point) { return number(point.x) + " " + number(point.y); }

/// The point `distance` away from `from`, towards `to`.
Point towards(const Point& from, const Point& to, double distance) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length == 0) return from;
  return {from.x + (to.x - from.x) / length * distance, from.y + (to.y - from.y) / length * distance};
}

std::string channel_of(const std::string& name) { return name.substr(0, name.find('.')); }

/// The signals of a channel one after the other, channels as they come.
std::vector<LoopListing::Entry> by_channel(std::vector<LoopListing::Entry> entries) {
  for (auto from = entries.begin(); from != entries.end();) {
    const std::string channel = channel_of(from->name);
    from = std::stable_partition(from, entries.end(), [&](const LoopListing::Entry& entry) {
      return channel_of(entry.name) == channel;
    });
  }
  return entries;
}

}  // namespace

std::string fit(const std::string& text, double size, double room) {
  if (text_width(text, size) <= room) return text;
  std::string cut = text;
  while (!cut.empty() && text_width(cut + "…", size) > room) {
    while (cut.size() > 1 && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0x80) cut.pop_back();
    cut.pop_back();
  }
  return cut + "…";
}

std::vector<Line> signal_lines(const std::vector<LoopListing::Entry>& entries, double room, std::size_t most,
                               const std::string& css_class) {
  std::vector<Line> lines;
  std::vector<std::size_t> shown;  // signals up to the end of each line
  std::string channel;
  std::size_t count = 0;
  for (const LoopListing::Entry& entry : by_channel(entries)) {
    const std::string whole = entry_text(entry);
    const bool dotted = entry.name.find('.') != std::string::npos;
    const std::string own = channel_of(entry.name);
    if (!lines.empty() && dotted && own == channel) {
      const std::string longer = lines.back().text + " · " + whole.substr(own.size() + 1);
      if (text_width(longer, lines.back().size) <= room) {
        lines.back().text = longer;
        shown.back() = ++count;
        continue;
      }
    }
    lines.push_back({fit(whole, 12, room), "", css_class});
    shown.push_back(++count);
    channel = own;
  }
  if (lines.size() > most) {
    const std::size_t left = entries.size() - shown[most - 2];
    lines.resize(most - 1);
    lines.push_back({"and " + std::to_string(left) + " more", "", "soft"});
  }
  return lines;
}

double text_height(const std::vector<Line>& lines) { return line_height * static_cast<double>(lines.size()); }

double card_height(const std::vector<Line>& lines) { return text_height(lines) + 2 * padding; }

void write(plot::SvgWriter& svg, double left, double right, double top, const std::vector<Line>& lines) {
  double y = top + line_height - 4.5;
  for (const Line& line : lines) {
    double room = right - left;
    if (!line.aside.empty()) {
      svg.text(right, y, 11, "soft", "end", line.aside);
      room -= text_width(line.aside, 11) + 10;
    }
    svg.text(left, y, line.size, line.css_class, "start", fit(line.text, line.size, room));
    y += line_height;
  }
}

void card(plot::SvgWriter& svg, const plot::Box& box, const char* colour, const std::vector<Line>& lines) {
  svg.raw(rect(box, 7, std::string("fill:var(--ground);stroke:var(") + colour + ");stroke-width:1.3"));
  write(svg, box.left + padding + 2, box.right - padding - 2, box.top + padding, lines);
}

void area(plot::SvgWriter& svg, const plot::Box& box, const char* colour, const std::string& caption) {
  svg.raw(rect(box, 12, std::string("fill:var(") + colour + ");fill-opacity:.09"));
  svg.raw("<g style=\"letter-spacing:.06em\">");
  svg.text(box.right - 18, box.top + 23, 13, "title", "end", caption);
  svg.raw("</g>\n");
}

void arrow(plot::SvgWriter& svg, const std::vector<Point>& points, const char* colour) {
  constexpr double bend = 9, head = 8, half = 4;
  const Point tip = points.back(), before = points[points.size() - 2];
  const Point neck = towards(tip, before, head);
  std::string path = "M" + at(points.front());
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    path += "L" + at(towards(points[i], points[i - 1], bend)) + "Q" + at(points[i]) + " " +
            at(towards(points[i], points[i + 1], bend));
  }
  path += "L" + at(neck);
  const std::string stroke = std::string("var(") + colour + ")";
  svg.raw("<path style=\"fill:none;stroke:" + stroke + ";stroke-width:1.8\" d=\"" + path + "\"/>\n");
  const double dx = (tip.x - neck.x) / head * half, dy = (tip.y - neck.y) / head * half;
  svg.raw("<path style=\"fill:" + stroke + "\" d=\"M" + at(tip) + "L" + at({neck.x - dy, neck.y + dx}) + "L" +
          at({neck.x + dy, neck.y - dx}) + "z\"/>\n");
}

void dashed_line(plot::SvgWriter& svg, double left, double right, double y) {
  svg.raw("<path style=\"fill:none;stroke:var(--ink);stroke-width:1.6;stroke-dasharray:9 6\" d=\"M" +
          at({left, y}) + "L" + at({right, y}) + "\"/>\n");
}

}  // namespace gusset::shapes
