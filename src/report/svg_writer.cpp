#include "report/svg_writer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gusset::plot {
namespace {

/// The one look. Series colours after Okabe and Ito, which the colour-blind tell apart; on dark
/// ground the dark ones are lighter. Selectors begin with the document's class, so that a picture
/// inside a page changes nothing else there.
constexpr std::string_view style = R"(<style>
.gusset-plot{--ground:#fff;--ink:#1b1f24;--soft:#57606a;--grid:#e3e6ea;--minor:#f0f2f4;
--frame:#8c959f;
--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#b0528a;--s4:#b98000;--s5:#3a9bd9;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Ubuntu,"DejaVu Sans",sans-serif}
@media screen and (prefers-color-scheme:dark){.gusset-plot{
--ground:#0d1117;--ink:#e6edf3;--soft:#9aa4af;--grid:#262c34;--minor:#191f26;--frame:#5b6570;
--s0:#4cabe8;--s1:#ff8a3d;--s2:#2fc79b;--s3:#e08abf;--s4:#e6b13c;--s5:#9ad4f7}}
.gusset-plot .ground{fill:var(--ground)}
.gusset-plot text{fill:var(--ink)}
.gusset-plot .soft{fill:var(--soft)}
.gusset-plot .title{font-weight:600}
.gusset-plot .grid{stroke:var(--grid);stroke-width:1}
.gusset-plot .minor{stroke:var(--minor);stroke-width:1}
.gusset-plot .tick{stroke:var(--frame);stroke-width:1}
.gusset-plot .frame{fill:none;stroke:var(--frame);stroke-width:1}
.gusset-plot .s{fill:none;stroke-width:1.6;stroke-linejoin:round}
.gusset-plot .dots{fill:none;stroke-width:5;stroke-linecap:round}
.gusset-plot .dashed{stroke-dasharray:6 4}
.gusset-plot .s0{stroke:var(--s0)}.gusset-plot .s1{stroke:var(--s1)}.gusset-plot .s2{stroke:var(--s2)}
.gusset-plot .s3{stroke:var(--s3)}.gusset-plot .s4{stroke:var(--s4)}.gusset-plot .s5{stroke:var(--s5)}
.gusset-plot .halo{fill:none;stroke:#fff;stroke-opacity:.75;stroke-width:4;stroke-linejoin:round}
.gusset-plot .contour{fill:none;stroke:#111;stroke-width:1.8;stroke-linejoin:round}
.gusset-plot .point{fill:#fff;stroke:#111;stroke-width:2}
.gusset-plot text.note{fill:#111;stroke:#fff;stroke-width:3.5;stroke-linejoin:round;
paint-order:stroke;font-weight:600}
</style>
)";

/// Minor grid lines of a logarithmic axis: 2, 3 … 9 in every decade, where there is room for them.
std::vector<double> minor_positions(const Scale& scale) {
  std::vector<double> positions;
  if (!scale.logarithmic) return positions;
  const double decades = std::log10(scale.high / scale.low);
  if (std::abs(scale.to - scale.from) / decades < 60) return positions;
  const int first = static_cast<int>(std::floor(std::log10(scale.low)));
  for (int e = first; std::pow(10.0, e) < scale.high; ++e) {
    for (int digit = 2; digit < 10; ++digit) {
      const double value = digit * std::pow(10.0, e);
      if (value > scale.low && value < scale.high) positions.push_back(value);
    }
  }
  return positions;
}

}  // namespace

std::string_view style_sheet() { return style; }

SvgWriter::SvgWriter(double width, double height, const std::string& title) {
  const std::string w = number(width), h = number(height);
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gusset-plot\" role=\"img\" width=\"" + w +
         "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h + "\">\n";
  if (!title.empty()) out_ += "<title>" + escape(title) + "</title>\n";
  out_ += style;
  out_ += "<rect class=\"ground\" width=\"" + w + "\" height=\"" + h + "\"/>\n";
}

namespace {

/// Text with its subscripts; what follows one climbs back to the line.
std::string markup(std::string_view content, double size) {
  std::string out;
  bool below = false;
  for (const Piece& piece : subscripts(content)) {
    if (piece.lowered) {
      out += "<tspan dy=\"" + number(0.22 * size) + "\" font-size=\"" + number(0.75 * size) + "\">" +
             escape(piece.text) + "</tspan>";
    } else if (below) {
      out += "<tspan dy=\"" + number(-0.22 * size) + "\">" + escape(piece.text) + "</tspan>";
    } else {
      out += escape(piece.text);
    }
    below = piece.lowered;
  }
  return out;
}

}  // namespace

void SvgWriter::text(double x, double y, double size, std::string_view css_class, std::string_view anchor,
                     std::string_view content) {
  out_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" font-size=\"" + number(size) + "\"";
  if (!css_class.empty()) out_ += " class=\"" + std::string(css_class) + "\"";
  if (anchor != "start") out_ += " text-anchor=\"" + std::string(anchor) + "\"";
  out_ += ">" + markup(content, size) + "</text>\n";
}

void SvgWriter::upright_text(double x, double y, double size, double room, std::string_view content) {
  if (content.empty()) return;
  const double fitting = std::clamp(size * room / std::max(1.0, text_width(content, size)), 8.0, size);
  out_ += "<text transform=\"translate(" + number(x) + " " + number(y) + ") rotate(-90)\" font-size=\"" +
          number(fitting) + "\" text-anchor=\"middle\">" + markup(content, fitting) + "</text>\n";
}

void SvgWriter::line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  out_ += "<path class=\"" + std::string(css_class) + "\" d=\"M" + number(x1) + " " + number(y1) + "L" +
          number(x2) + " " + number(y2) + "\"/>\n";
}

void SvgWriter::power(double x, double y, std::string_view anchor, std::string_view before,
                      std::string_view superscript) {
  out_ += "<text class=\"soft\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" font-size=\"" +
          number(tick_size) + "\" text-anchor=\"" + std::string(anchor) + "\">" + escape(before);
  if (!superscript.empty()) {
    out_ += "<tspan dy=\"-4.5\" font-size=\"" + number(tick_size * 0.75) + "\">" + escape(superscript) +
            "</tspan>";
  }
  out_ += "</text>\n";
}

double SvgWriter::title(const std::string& content, double width, double top) {
  if (content.empty()) return top;
  const double room = (width - 24) / 1.2;  // semi-bold letters are wider than text_width takes them
  const auto lines = wrap(content, title_size, room, 3);
  double y = top;
  for (const std::string& line : lines) {
    const double size = std::clamp(title_size * room / text_width(line, title_size), 8.0, title_size);
    y += title_size + 4;
    text(width / 2, y, size, "title", "middle", line);
  }
  return y + 4;
}

void SvgWriter::axes(const Box& box, const Scale& x, const Scale& y, const Ticks& x_ticks,
                     const Ticks& y_ticks, const Axis& x_axis, const Axis& y_axis, double label_x,
                     bool grid) {
  // Lines on half pixels are sharp.
  const auto sharp = [](double pixel) { return std::floor(pixel) + 0.5; };
  if (grid) {
    for (const double value : minor_positions(x)) {
      line(sharp(x(value)), box.top, sharp(x(value)), box.bottom, "minor");
    }
    for (const double value : minor_positions(y)) {
      line(box.left, sharp(y(value)), box.right, sharp(y(value)), "minor");
    }
  }
  for (const TickLabel& tick : x_ticks.labels) {
    const double at = sharp(x(tick.position));
    if (grid) line(at, box.top, at, box.bottom, "grid");
    line(at, box.bottom, at, box.bottom + 4, "tick");
    power(at, box.bottom + 18, "middle", tick.text, tick.superscript);
  }
  for (const TickLabel& tick : y_ticks.labels) {
    const double at = sharp(y(tick.position));
    if (grid) line(box.left, at, box.right, at, "grid");
    line(box.left - 4, at, box.left, at, "tick");
    power(box.left - 8, at + 4, "end", tick.text, tick.superscript);
  }
  const auto exponent = [](int factor) { return (factor < 0 ? "−" : "") + std::to_string(std::abs(factor)); };
  if (x_ticks.factor) power(box.right, box.bottom + 36, "end", "×10", exponent(x_ticks.factor));
  if (y_ticks.factor) power(box.left, box.top - 7, "start", "×10", exponent(y_ticks.factor));
  if (!x_axis.label.empty()) {
    const double room = box.width() - (x_ticks.factor ? 80 : 0);
    const double wanted = std::max(1.0, text_width(x_axis.label, label_size));
    const double size = std::clamp(label_size * room / wanted, 8.0, label_size);
    text((box.left + box.right) / 2, box.bottom + 37, size, "", "middle", x_axis.label);
  }
  upright_text(label_x, (box.top + box.bottom) / 2, label_size, box.height(), y_axis.label);
}

std::string SvgWriter::finish() {
  out_ += "</svg>\n";
  return std::move(out_);
}

double left_room(const Ticks& y_ticks, const Axis& y_axis) {
  double widest = 0;
  for (const TickLabel& tick : y_ticks.labels) widest = std::max(widest, tick.width());
  return 14 + widest + (y_axis.label.empty() ? 8 : 26);
}

}  // namespace gusset::plot
