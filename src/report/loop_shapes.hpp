#pragma once

#include <string>
#include <vector>

#include "analysis/loop_listing.hpp"
#include "report/svg_writer.hpp"

/// What a picture of a loop is drawn with: cards of text, tinted areas, arrows with labels.
namespace gusset::shapes {

struct Point {
  double x = 0, y = 0;
};

/// A line of a card or a label; `aside` stands at the right end.
struct Line {
  std::string text;
  std::string aside = {};
  std::string css_class = {};  ///< of the text
  double size = 12;
};

inline constexpr double line_height = 17, padding = 10;

/// Text cut to fit, with "…" at its end.
std::string fit(const std::string& text, double size, double room);

/// Signals of a channel side by side, "damper.measured [m] · force [N]", in lines no wider than `room`;
/// beyond `most` lines it says how many signals are left.
std::vector<Line> signal_lines(const std::vector<LoopListing::Entry>& entries, double room, std::size_t most,
                               const std::string& css_class = {});

/// Height that the lines take, in a card with its padding.
double text_height(const std::vector<Line>& lines);
double card_height(const std::vector<Line>& lines);

/// Lines from `top` on, inside of left … right.
void write(plot::SvgWriter& svg, double left, double right, double top, const std::vector<Line>& lines);
/// A framed card; `colour` is one of the style sheet's variables.
void card(plot::SvgWriter& svg, const plot::Box& box, const char* colour, const std::vector<Line>& lines);
/// A tinted area with its caption at the upper right.
void area(plot::SvgWriter& svg, const plot::Box& box, const char* colour, const std::string& caption);
/// A line through the points with rounded corners and a head at its end.
void arrow(plot::SvgWriter& svg, const std::vector<Point>& points, const char* colour);
void dashed_line(plot::SvgWriter& svg, double left, double right, double y);

}  // namespace gusset::shapes
