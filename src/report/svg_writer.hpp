#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/plot.hpp"

/// What line plots and maps have in common: the look, text and its size, scales and axes.
namespace gusset::plot {

inline constexpr double tick_size = 12, label_size = 13, title_size = 15;  // font sizes [px]

/// The <style> element that every picture carries; a page with many of them needs it once.
std::string_view style_sheet();

/// Text as XML: markup characters escaped, bytes that XML does not allow replaced.
std::string escape(std::string_view text);

/// A text in pieces at two heights: "γ_m = 1" is γ, a lowered m, and " = 1". Only behind a letter that is not
/// ASCII (Greek, or with dots): in names of channels and keys an underscore is an underscore.
struct Piece {
  std::string_view text;
  bool lowered = false;
};
std::vector<Piece> subscripts(std::string_view text);

/// A coordinate with at most two decimals; 0 for what is not finite.
std::string number(double value);

/// Width of a text in the system font, roughly [px].
double text_width(std::string_view text, double size);

/// Text broken into lines no wider than `width`, at most `most` of them; the last takes the rest.
std::vector<std::string> wrap(const std::string& text, double size, double width, std::size_t most);

/// From values to pixels along one axis.
struct Scale {
  double low = 0, high = 1;
  bool logarithmic = false;
  double from = 0, to = 1;  ///< pixels of low and high

  /// Finite and near the drawing for every value that is a number.
  double operator()(double value) const;
  bool inside(double value) const;
};

/// The axis's own range, or the data's with a little room, without what the axis cannot show:
/// always finite and of some width, positive if logarithmic.
Scale scale_for(const Axis& axis, double data_low, double data_high, double room);

/// A tick's text. `superscript` stands raised behind it ("10" and "−5").
struct TickLabel {
  double position;
  std::string text, superscript;

  double width() const;
};

/// Ticks inside the scale, and for small or large numbers the common factor that the labels leave
/// out, as the exponent of ten (0: none).
struct Ticks {
  std::vector<TickLabel> labels;
  int factor = 0;
};
Ticks label_ticks(const Scale& scale, int wanted);

/// A rectangle in the picture [px]; y grows downwards.
struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

/// Builds one document from pieces.
class SvgWriter {
 public:
  SvgWriter(double width, double height, const std::string& title);

  void raw(std::string_view markup) { out_ += markup; }
  void text(double x, double y, double size, std::string_view css_class, std::string_view anchor,
            std::string_view content);
  /// Text turned to read upwards, centred at (x, y), shrunk to fit `room`.
  void upright_text(double x, double y, double size, double room, std::string_view content);
  void line(double x1, double y1, double x2, double y2, std::string_view css_class);
  /// "10" with a raised exponent, anchored at (x, y).
  void power(double x, double y, std::string_view anchor, std::string_view before,
             std::string_view superscript);
  /// Title in lines from `top` on; the y below it.
  double title(const std::string& content, double width, double top);
  /// Grid, frame, ticks with labels, axis titles.
  void axes(const Box& box, const Scale& x, const Scale& y, const Ticks& x_ticks, const Ticks& y_ticks,
            const Axis& x_axis, const Axis& y_axis, double label_x, bool grid);

  std::string finish();

 private:
  std::string out_;
};

/// Room to the left of the data that tick labels and the axis title take.
double left_room(const Ticks& y_ticks, const Axis& y_axis);

}  // namespace gusset::plot
