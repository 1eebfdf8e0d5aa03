#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/svg_writer.hpp"

namespace gusset::plot {
namespace {

constexpr double largest = 1e299;  // half of what ticks() takes, so that there is room around
constexpr double least = 1e-280;
constexpr double far = 1e4;  // pixels: what lies further outside is drawn as if there

/// A number with so many decimals and a real minus sign.
std::string decimal(double value, int decimals) {
  char digits[400];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, std::abs(value));
  std::string text = digits;
  std::replace(text.begin(), text.end(), ',', '.');
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !zero ? "−" : "") + text;
}

std::string exponent_text(int exponent) {
  return (exponent < 0 ? "−" : "") + std::to_string(std::abs(exponent));
}

int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9)); }

/// Decimals that show every label exactly.
int decimals_for(const std::vector<double>& values, double unit) {
  double spacing = std::abs(values.front()) / unit;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double gap = (values[i] - values[i - 1]) / unit;
    if (spacing == 0 || gap < spacing) spacing = gap;
  }
  return spacing > 0 ? std::clamp(-exponent_of(spacing), 0, 12) : 0;
}

Ticks label_linear(const std::vector<double>& values) {
  Ticks result;
  double size = 0;
  for (const double value : values) size = std::max(size, std::abs(value));
  if (size > 0) {
    const int exponent = exponent_of(size);
    // In thousands: the factor is then a unit's prefix in other words (×10⁻³ m is mm).
    if (exponent >= 5 || exponent < -2) {
      result.factor = 3 * static_cast<int>(std::floor(exponent / 3.0));
    }
  }
  const double unit = std::pow(10.0, result.factor);
  const int decimals = decimals_for(values, unit);
  for (const double value : values) {
    result.labels.push_back({value, decimal(value / unit, decimals), ""});
  }
  return result;
}

Ticks label_logarithmic(const std::vector<double>& values) {
  Ticks result;
  const bool plain = values.front() >= 0.99e-3 && values.back() <= 1.01e4;
  for (const double value : values) {
    const int exponent = exponent_of(value);
    const double digit = value / std::pow(10.0, exponent);
    if (plain) {
      const bool whole = std::abs(digit - std::round(digit)) < 1e-6;
      const int decimals = std::max(0, -exponent + (whole ? 0 : 1));
      result.labels.push_back({value, decimal(value, decimals), ""});
    } else if (std::abs(digit - 1) < 1e-6) {
      result.labels.push_back({value, "10", exponent_text(exponent)});
    } else {
      const int decimals = std::abs(digit - std::round(digit)) > 1e-6 ? 2 : 0;
      result.labels.push_back({value, decimal(digit, decimals) + "·10", exponent_text(exponent)});
    }
  }
  return result;
}

}  // namespace

double Scale::operator()(double value) const {
  const auto shown = [&](double v) { return logarithmic ? std::log10(std::max(v, least)) : v; };
  const double share = (shown(value) - shown(low)) / (shown(high) - shown(low));
  const double pixel = from + share * (to - from);
  return std::isnan(pixel) ? from : std::clamp(pixel, -far, far);
}

bool Scale::inside(double value) const {
  const double pixel = (*this)(value), slack = 0.01;
  return pixel >= std::min(from, to) - slack && pixel <= std::max(from, to) + slack;
}

Scale scale_for(const Axis& axis, double data_low, double data_high, double room) {
  Scale scale;
  scale.logarithmic = axis.logarithmic;
  const bool chosen = std::isfinite(axis.low) && std::isfinite(axis.high) && axis.low != axis.high;
  double low = chosen ? std::min(axis.low, axis.high) : data_low;
  double high = chosen ? std::max(axis.low, axis.high) : data_high;
  if (!(low <= high)) {  // no data
    low = axis.logarithmic ? 1 : 0;
    high = axis.logarithmic ? 10 : 1;
  }
  low = std::clamp(low, -largest, largest);
  high = std::clamp(high, -largest, largest);
  if (axis.logarithmic) {
    if (high < least) high = 1;
    if (low < least) low = high * 1e-3;
    if (high / low < 1.0001) {
      low /= 2;
      high *= 2;
    } else if (!chosen) {
      const double factor = std::pow(high / low, room);
      low /= factor;
      high *= factor;
    }
  } else {
    const double size = std::max(std::abs(low), std::abs(high));
    if (high - low <= std::max(size * 1e-9, least)) {
      const double half = size > least ? size * 0.1 : 1;
      low -= half;
      high += half;
    } else if (!chosen) {
      const double margin = (high - low) * room;
      low -= margin;
      high += margin;
    }
  }
  scale.low = low;
  scale.high = high;
  return scale;
}

double TickLabel::width() const {
  return text_width(text, tick_size) + text_width(superscript, tick_size * 0.75);
}

Ticks label_ticks(const Scale& scale, int wanted) {
  Scale unit = scale;  // what is inside does not depend on where the pixels are
  unit.from = 0;
  unit.to = 1000;
  std::vector<double> inside;
  for (const double tick : ticks(scale.low, scale.high, wanted, scale.logarithmic)) {
    if (unit.inside(tick)) inside.push_back(tick);
  }
  if (inside.empty()) return {};
  return scale.logarithmic ? label_logarithmic(inside) : label_linear(inside);
}

}  // namespace gusset::plot
