#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "report/contour.hpp"
#include "report/plot.hpp"
#include "report/svg_writer.hpp"

namespace gusset::plot {
namespace {

constexpr double map_width = 700, map_height = 540;
constexpr std::size_t shades = 10;  // on each side of the contour's value

/// From far below the contour's value to far above it: blue over near white to red, distinct for
/// the colour-blind, and the same on light and dark ground (it is data).
constexpr std::array<const char*, 2 * shades> palette = {
    "#08306b", "#0f4a8a", "#1d63a3", "#327cb7", "#4e94c6", "#6dabd3", "#8fc1df",
    "#b0d4e9", "#cde3f1", "#e4f0f7", "#fdeae0", "#fbd3c0", "#f8b79b", "#f29a79",
    "#e87b5b", "#da5b43", "#c73d31", "#ae2326", "#90121e", "#6b0a17"};

/// How values become shades: evenly from `low` to the middle and from there to `high`.
struct Shading {
  double low, middle, high;
  bool clipped_low = false, clipped_high = false;

  std::size_t shade(double value) const {
    const bool above = value > middle;
    const double extent = above ? high - middle : middle - low;
    const double share = extent > 0 ? std::abs(value - middle) / extent : 1;
    const auto steps = static_cast<std::size_t>(std::min(share * shades, shades - 1.0));
    return above ? shades + steps : shades - 1 - steps;
  }
};

/// The value that the given share of the sorted values lies below.
double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

/// A few extreme cells must not take all the colours (an unstable loop's spectral radius can be
/// anything): the ends are quantiles, and the upper side reaches no further than the lower one.
Shading shading_for(const Map& map) {
  std::vector<double> sorted;
  for (const double value : map.values) {
    if (std::isfinite(value)) sorted.push_back(std::clamp(value, -1e299, 1e299));
  }
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty()) return {map.contour - 1, map.contour, map.contour + 1};
  const double middle = std::isfinite(map.contour) ? std::clamp(map.contour, -1e299, 1e299)
                                                   : (sorted.front() + sorted.back()) / 2;
  Shading shading{std::min(middle, quantile(sorted, 0.02)), middle, std::max(middle, quantile(sorted, 0.98))};
  if (shading.low == middle) shading.low = std::min(middle, sorted.front());
  if (shading.high == middle) shading.high = std::max(middle, sorted.back());
  if (shading.low < middle) shading.high = std::min(shading.high, middle + (middle - shading.low));
  if (shading.low == shading.high) {
    const double half = std::max(std::abs(middle) * 0.1, 1e-12);
    shading.low -= half;
    shading.high += half;
  }
  for (const double value : map.values) {
    shading.clipped_low = shading.clipped_low || value < shading.low;
    shading.clipped_high = shading.clipped_high || value > shading.high;
  }
  return shading;
}

/// Cells of one colour are one path: a horizontal stroke as thick as a row for each run of equal
/// cells. One unit of its coordinates is one cell.
void draw_cells(SvgWriter& svg, const Map& map, const Shading& shading, const Box& box) {
  std::array<std::string, 2 * shades> paths;
  constexpr std::size_t none = 2 * shades;
  for (std::size_t row = 0; row < map.rows; ++row) {
    const double* values = map.values.data() + row * map.columns;
    const auto shade = [&](std::size_t column) {
      return std::isnan(values[column]) ? none : shading.shade(values[column]);
    };
    for (std::size_t from = 0; from < map.columns;) {
      std::size_t to = from + 1;
      while (to < map.columns && shade(to) == shade(from)) ++to;
      if (shade(from) != none) {
        paths[shade(from)] +=
            'M' + std::to_string(from) + ' ' + std::to_string(row) + ".5h" + std::to_string(to - from);
      }
      from = to;
    }
  }
  svg.raw("<g transform=\"translate(" + number(box.left) + " " + number(box.bottom) + ") scale(" +
          std::to_string(box.width() / static_cast<double>(map.columns)) + " " +
          std::to_string(-box.height() / static_cast<double>(map.rows)) +
          ")\" fill=\"none\" stroke-width=\"1\" shape-rendering=\"crispEdges\">\n");
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    svg.raw("<path stroke=\"" + std::string(palette[i]) + "\" d=\"" + paths[i] + "\"/>\n");
  }
  svg.raw("</g>\n");
}

void draw_contour(SvgWriter& svg, const Map& map, const Box& box) {
  std::string path;
  const double cell_width = box.width() / static_cast<double>(map.columns);
  const double cell_height = box.height() / static_cast<double>(map.rows);
  for (const auto& line : contour_lines(map.values, map.columns, map.rows, map.contour)) {
    char command = 'M';
    for (const GridPoint& point : line) {
      path += command + number(box.left + (point.column + 0.5) * cell_width) + ' ' +
              number(box.bottom - (point.row + 0.5) * cell_height);
      command = 'L';
    }
  }
  if (path.empty()) return;
  svg.raw("<path class=\"halo\" d=\"" + path + "\"/>\n<path class=\"contour\" d=\"" + path + "\"/>\n");
}

void draw_point(SvgWriter& svg, const Map& map, const Scale& x, const Scale& y, const Box& box) {
  if (!map.has_point || !std::isfinite(map.point_x) || !std::isfinite(map.point_y)) return;
  const bool inside = x.inside(map.point_x) && y.inside(map.point_y);
  const double at_x = std::clamp(x(map.point_x), box.left, box.right);
  const double at_y = std::clamp(y(map.point_y), box.top, box.bottom);
  svg.raw("<circle class=\"point\" cx=\"" + number(at_x) + "\" cy=\"" + number(at_y) + "\" r=\"5\"/>\n");
  const std::string label = map.point_label + (inside ? "" : " (outside)");
  // On the side with more room, and not over the frame.
  const bool right = at_x < (box.left + box.right) / 2;
  const double room = (right ? box.right - at_x : at_x - box.left) - 16;
  const double wanted = std::max(1.0, text_width(label, tick_size));
  const double size = std::clamp(tick_size * room / wanted, 8.0, tick_size);
  svg.text(at_x + (right ? 10 : -10), std::clamp(at_y + 4, box.top + 14, box.bottom - 6), size, "note",
           right ? "start" : "end", label);
}

/// Clipped ends are pointed.
void draw_colour_bar(SvgWriter& svg, const Map& map, const Shading& shading, const Box& box) {
  Scale scale{shading.low, shading.high, false, box.bottom, box.top};
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const bool above = i >= shades;
    const double extent = above ? shading.high - shading.middle : shading.middle - shading.low;
    if (!(extent > 0)) continue;
    const auto steps = static_cast<double>(i) - static_cast<double>(shades);
    const double from = scale(shading.middle + steps / shades * extent);
    const double to = scale(shading.middle + (steps + 1) / shades * extent);
    svg.raw("<rect x=\"" + number(box.left) + "\" y=\"" + number(to) + "\" width=\"" + number(box.width()) +
            "\" height=\"" + number(from - to) + "\" fill=\"" + palette[i] +
            "\" shape-rendering=\"crispEdges\"/>\n");
  }
  const std::string l = number(box.left), r = number(box.right);
  const std::string m = number((box.left + box.right) / 2);
  const auto arrow = [&](double base, double tip, const char* colour) {
    svg.raw("<path d=\"M" + l + " " + number(base) + "L" + m + " " + number(tip) + "L" + r + " " +
            number(base) + "z\" fill=\"" + colour + "\"/>\n");
  };
  if (shading.clipped_high) arrow(box.top, box.top - 12, palette[shading.shade(shading.high)]);
  if (shading.clipped_low) arrow(box.bottom, box.bottom + 12, palette[shading.shade(shading.low)]);

  const Ticks labels = label_ticks(scale, 8);
  double widest = 0;
  for (const TickLabel& tick : labels.labels) {
    const double at = scale(tick.position);
    svg.line(box.right, at, box.right + 4, at, "tick");
    svg.power(box.right + 8, at + 4, "start", tick.text, tick.superscript);
    widest = std::max(widest, tick.width());
  }
  if (labels.factor) {
    svg.power(box.left, box.bottom + 30, "start", "×10",
              (labels.factor < 0 ? "−" : "") + std::to_string(std::abs(labels.factor)));
  }
  if (std::isfinite(map.contour) && scale.inside(map.contour)) {
    const double at = scale(map.contour);
    svg.line(box.left, at, box.right, at, "contour");
  }
  svg.upright_text(box.right + widest + 26, (box.top + box.bottom) / 2, label_size, box.height(),
                   map.value_label);
}

/// The scale of an axis whose low and high are the centres of the outermost of `cells` cells.
Scale cell_scale(const Axis& axis, std::size_t cells) {
  Scale scale = scale_for(axis, axis.low, axis.high, 0);
  if (cells < 2) return scale;
  const double share = 0.5 / static_cast<double>(cells - 1);
  if (scale.logarithmic) {
    const double factor = std::pow(scale.high / scale.low, share);
    scale.low /= factor;
    scale.high *= factor;
  } else {
    const double half = (scale.high - scale.low) * share;
    scale.low -= half;
    scale.high += half;
  }
  return scale;
}

}  // namespace

std::string svg(const Map& map) {
  if (map.columns != 0 && map.values.size() / map.columns < map.rows) {
    throw std::logic_error("the map has fewer values than cells");
  }
  SvgWriter writer(map_width, map_height, map.title);
  Scale x = cell_scale(map.x, map.columns), y = cell_scale(map.y, map.rows);
  const Ticks x_ticks = label_ticks(x, 8), y_ticks = label_ticks(y, 8);
  Box box;
  box.left = left_room(y_ticks, map.y);
  box.right = map_width - 128;
  box.top = writer.title(map.title, map_width, 4) + 22;
  box.bottom = map_height - 50;
  x.from = box.left;
  x.to = box.right;
  y.from = box.bottom;
  y.to = box.top;

  const bool empty =
      std::all_of(map.values.begin(), map.values.end(), [](double value) { return std::isnan(value); });
  if (map.columns == 0 || map.rows == 0 || empty) {
    writer.text((box.left + box.right) / 2, (box.top + box.bottom) / 2, label_size, "soft", "middle",
                "no data");
  } else {
    const Shading shading = shading_for(map);
    draw_cells(writer, map, shading, box);
    draw_contour(writer, map, box);
    draw_colour_bar(writer, map, shading, {box.right + 24, box.top, box.right + 42, box.bottom});
  }
  writer.axes(box, x, y, x_ticks, y_ticks, map.x, map.y, 20, false);
  writer.raw("<rect class=\"frame\" x=\"" + number(box.left) + "\" y=\"" + number(box.top) + "\" width=\"" +
             number(box.width()) + "\" height=\"" + number(box.height()) + "\"/>\n");
  draw_point(writer, map, x, y, box);
  return writer.finish();
}

}  // namespace gusset::plot
