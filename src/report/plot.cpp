#include "report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "report/decimate.hpp"
#include "report/svg_writer.hpp"

namespace gusset::plot {
namespace {

constexpr int colours = 6;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

bool can_show(const Axis& axis, double value) {
  return std::isfinite(value) && (!axis.logarithmic || value > 0);
}

bool can_show(const Figure& figure, const Series& series, std::size_t i) {
  return can_show(figure.x, series.x[i]) && can_show(figure.y, series.y[i]);
}

std::size_t points(const Series& series) { return std::min(series.x.size(), series.y.size()); }

void append_points(std::string& path, const std::vector<Pixel>& line) {
  const std::vector<Pixel> shown = decimate(line);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    path += (i ? 'L' : 'M') + number(shown[i].x) + ' ' + number(shown[i].y);
  }
  if (shown.size() == 1) path += "h.01";  // so that a point between two gaps is seen
}

std::string line_path(const Figure& figure, const Series& series, const Scale& x, const Scale& y) {
  std::string path;
  std::vector<Pixel> piece;
  for (std::size_t i = 0; i < points(series); ++i) {
    if (can_show(figure, series, i)) {
      piece.push_back({x(series.x[i]), y(series.y[i])});
    } else {
      append_points(path, std::exchange(piece, {}));
    }
  }
  append_points(path, piece);
  return path;
}

/// Points as dots: a line of no length with round ends. Of points on the same spot one is drawn.
std::string dots_path(const Figure& figure, const Series& series, const Scale& x, const Scale& y) {
  std::string path;
  std::set<std::pair<long, long>> drawn;
  for (std::size_t i = 0; i < points(series); ++i) {
    if (!can_show(figure, series, i)) continue;
    const Pixel at{x(series.x[i]), y(series.y[i])};
    if (points(series) > few_points && !drawn.insert({std::lround(2 * at.x), std::lround(2 * at.y)}).second) {
      continue;
    }
    path += 'M' + number(at.x) + ' ' + number(at.y) + "h0";
  }
  return path;
}

std::string css_class(const Series& series, std::size_t index) {
  return std::string(series.markers ? "dots" : "s") + " s" + std::to_string(index % colours) +
         (series.dashed && !series.markers ? " dashed" : "");
}

/// Entries in rows above the data; the y below them.
double draw_legend(SvgWriter& svg, const Figure& figure, double left, double right, double top) {
  constexpr double swatch = 26, gap = 18, row = 19;
  double x = left, y = top + row - 5;
  bool any = false;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    if (series.name.empty()) continue;
    const double width = swatch + 6 + text_width(series.name, tick_size);
    if (any && x + width > right) {
      x = left;
      y += row;
    }
    const double size = std::clamp(tick_size * (right - left) / width, 8.0, tick_size);
    if (series.markers) {
      svg.raw("<path class=\"" + css_class(series, i) + "\" d=\"M" + number(x + swatch / 2) + " " +
              number(y - 4) + "h0\"/>\n");
    } else {
      svg.line(x, y - 4, x + swatch, y - 4, css_class(series, i));
    }
    svg.text(x + swatch + 6, y, size, "", "start", series.name);
    x += width + gap;
    any = true;
  }
  return any ? y + 8 : top;
}

/// A figure's scales and ticks, which do not depend on where it is drawn.
struct Panel {
  const Figure* figure;
  Scale x, y;
  Ticks x_ticks, y_ticks;
  bool empty;
};

Panel prepare(const Figure& figure) {
  Range x, y;
  bool room = false;  // for dots, and for loops, whose turning points would lie on the frame
  Range all;
  const bool window = figure.x.low < figure.x.high;
  for (const Series& series : figure.series) {
    for (std::size_t i = 0; i < points(series); ++i) {
      if (!can_show(figure, series, i)) continue;
      x.include(series.x[i]);
      all.include(series.y[i]);
      // What a window leaves out does not squeeze what it shows.
      if (!window || (series.x[i] >= figure.x.low && series.x[i] <= figure.x.high)) y.include(series.y[i]);
      room = room || series.markers || (i > 0 && series.x[i] < series.x[i - 1]);
    }
  }
  if (!(y.low <= y.high)) y = all;
  Panel panel{&figure,
              scale_for(figure.x, x.low, x.high, room ? 0.03 : 0),
              scale_for(figure.y, y.low, y.high, 0.05),
              {},
              {},
              !(x.low <= x.high)};
  panel.x_ticks = label_ticks(panel.x, std::max(2, static_cast<int>(figure.width / 90)));
  panel.y_ticks = label_ticks(panel.y, std::max(2, static_cast<int>((figure.height - 90) / 38)));
  return panel;
}

bool same_legend(const Figure& a, const Figure& b) {
  return std::equal(a.series.begin(), a.series.end(), b.series.begin(), b.series.end(),
                    [](const Series& s, const Series& t) {
                      return s.name == t.name && s.dashed == t.dashed && s.markers == t.markers;
                    });
}

void draw(SvgWriter& svg, Panel& panel, double width, double top, double left, bool legend) {
  const Figure& figure = *panel.figure;
  const double last_width = panel.x_ticks.labels.empty() ? 0 : panel.x_ticks.labels.back().width();
  Box box;
  box.left = left;
  box.right = std::max(left + 20, width - std::max(20.0, last_width / 2 + 8));
  box.top = svg.title(figure.title, width, top + 4);
  if (legend) box.top = draw_legend(svg, figure, box.left, box.right, box.top);
  box.top += panel.y_ticks.factor ? 22 : 8;
  box.bottom = std::max(box.top + 20, top + figure.height - (figure.x.label.empty() ? 30 : 50));
  panel.x.from = box.left;
  panel.x.to = box.right;
  panel.y.from = box.bottom;
  panel.y.to = box.top;
  svg.axes(box, panel.x, panel.y, panel.x_ticks, panel.y_ticks, figure.x, figure.y, 20, true);

  // A nested document clips what it holds, without an identifier that could clash in a page.
  const std::string w = number(box.width()), h = number(box.height());
  svg.raw("<svg x=\"" + number(box.left) + "\" y=\"" + number(box.top) + "\" width=\"" + w + "\" height=\"" +
          h + "\" viewBox=\"" + number(box.left) + " " + number(box.top) + " " + w + " " + h + "\">\n");
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    const std::string path = series.markers ? dots_path(figure, series, panel.x, panel.y)
                                            : line_path(figure, series, panel.x, panel.y);
    if (path.empty()) continue;
    svg.raw("<path class=\"" + css_class(series, i) + "\" d=\"" + path + "\"/>\n");
  }
  svg.raw("</svg>\n");
  svg.raw("<rect class=\"frame\" x=\"" + number(box.left) + "\" y=\"" + number(box.top) + "\" width=\"" + w +
          "\" height=\"" + h + "\"/>\n");
  if (panel.empty) {
    svg.text((box.left + box.right) / 2, (box.top + box.bottom) / 2, label_size, "soft", "middle", "no data");
  }
}

}  // namespace

std::string svg(const Figure& figure) { return svg(std::vector<Figure>{figure}); }

std::string svg(const std::vector<Figure>& panels) {
  const auto size = [](double asked) { return std::isfinite(asked) ? std::clamp(asked, 120.0, 1e4) : 360; };
  std::vector<Figure> figures = panels;
  double width = 120, height = 0;
  for (Figure& figure : figures) {
    figure.width = size(figure.width);
    figure.height = size(figure.height);
    width = std::max(width, figure.width);
    height += figure.height;
  }
  std::vector<Panel> prepared;
  double left = 0;
  for (const Figure& figure : figures) {
    prepared.push_back(prepare(figure));
    left = std::max(left, left_room(prepared.back().y_ticks, figure.y));
  }
  SvgWriter writer(width, std::max(height, 1.0), figures.empty() ? "" : figures.front().title);
  double top = 0;
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    const bool legend = i == 0 || !same_legend(figures[i], figures[i - 1]);
    draw(writer, prepared[i], width, top, left, legend);
    top += figures[i].height;
  }
  return writer.finish();
}

}  // namespace gusset::plot
