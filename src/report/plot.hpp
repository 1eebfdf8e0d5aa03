#pragma once

#include <string>
#include <vector>

namespace gusset::plot {

struct Axis {
  std::string label;  ///< with unit: "time [s]"
  bool logarithmic = false;
  double low = 0, high = 0;  ///< equal: chosen from the data
};

struct Series {
  std::string name;          ///< in the legend; empty: not in it
  std::vector<double> x, y;  ///< NaN breaks the line
  bool dashed = false;
  bool markers = false;  ///< points instead of a line
};

/// One set of axes with lines in it.
struct Figure {
  std::string title;
  Axis x, y;
  std::vector<Series> series;
  double width = 720, height = 360;
};

/// A value over two parameters, with one contour line and a marked point.
struct Map {
  std::string title;
  Axis x, y;  ///< low, high: centres of the outermost cells
  std::size_t columns = 0, rows = 0;
  std::vector<double> values;  ///< row after row, lowest y first; NaN: no value (left blank)
  std::string value_label;
  double contour = 1;
  bool has_point = false;
  double point_x = 0, point_y = 0;
  std::string point_label;
};

/// Stand-alone SVG documents, readable on light and on dark backgrounds (prefers-color-scheme),
/// in one look: same fonts, grid, colours that the colour-blind tell apart.
std::string svg(const Figure& figure);
/// Figures one below the other with a common width, e.g. the two panels of a Bode diagram.
std::string svg(const std::vector<Figure>& panels);
std::string svg(const Map& map);

/// "Nice" tick positions covering [low, high]; decades (with 2 and 5 where there is room) if
/// logarithmic.
std::vector<double> ticks(double low, double high, int wanted, bool logarithmic);

}  // namespace gusset::plot
