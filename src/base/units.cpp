#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/unit_table.hpp"

namespace gusset {
namespace {

constexpr int deepest_parentheses = 32;  // the user's text must not choose how far we recurse
constexpr double largest_exponent = 100;
constexpr double exponent_tolerance = 1e-9;  // 1 - 0.7 is 0.30000000000000004

std::array<double, 5> exponents(const Dimension& d) { return {d.length, d.mass, d.time, d.current, d.angle}; }

/// A unit while it is read: the factor to SI is numerator / denominator.
struct Factor {
  double numerator = 1;
  double denominator = 1;
  Dimension dimension;

  double value() const { return numerator / denominator; }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Recursive descent over the grammar in the header.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Quantity quantity() {
    skip_space();
    const double number = read_number("a quantity starts with a number, as in \"300 kg\"");
    skip_space();
    if (at_end()) return {number, dim::none};
    if (peek() == ',') {
      fail("',' is not part of a number", "write the decimals after a point: 0.3, not 0,3");
    }
    if (peek() == '*' || peek() == '/') {
      fail("an operator right after the number",
           peek() == '*' ? "leave it out: 2 kg, not 2*kg" : "write 2 1/s, not 2/s");
    }
    const Factor factor = whole_unit();
    const double value = number * factor.numerator / factor.denominator;
    if (!std::isfinite(value) || (value == 0 && number != 0)) {
      position_ = 0;
      fail("the value in SI units is beyond what a double can hold", "check its exponent");
    }
    return {value, factor.dimension};
  }

  Quantity unit() {
    skip_space();
    const Factor factor = whole_unit();
    return {factor.value(), factor.dimension};
  }

 private:
  Factor whole_unit() {
    const Factor factor = read_unit(0);
    if (!at_end()) fail_at_stray();
    return factor;
  }

  Factor read_unit(int depth) {
    Factor product = read_factor(depth);
    for (;;) {
      skip_space();
      if (take("*") || take("·") || take("⋅")) {
        const Factor next = read_factor(depth);
        product = checked({product.numerator * next.numerator, product.denominator * next.denominator,
                           product.dimension * next.dimension});
      } else if (take("/")) {
        const Factor next = read_factor(depth);
        product = checked({product.numerator * next.denominator, product.denominator * next.numerator,
                           product.dimension / next.dimension});
      } else {
        return product;
      }
    }
  }

  Factor read_factor(int depth) {
    skip_space();
    Factor base = read_atom(depth);
    skip_space();
    if (!take("^")) return base;
    skip_space();
    const std::size_t start = position_;
    const double exponent = read_number("an exponent is a number, as in m^2 or (s/m)^0.3");
    if (std::abs(exponent) > largest_exponent) {
      position_ = start;
      fail("the exponent is out of range", "use an exponent between -100 and 100");
    }
    if (exponent < 0) std::swap(base.numerator, base.denominator);
    const double size = std::abs(exponent);
    return checked(
        {std::pow(base.numerator, size), std::pow(base.denominator, size), base.dimension.power(exponent)});
  }

  Factor read_atom(int depth) {
    if (at_end()) fail("a unit is missing here", "write a unit such as kg, mm or kN/m");
    if (take("(")) {
      if (depth == deepest_parentheses) {
        --position_;
        fail("too many parentheses inside each other", "write the unit with fewer of them");
      }
      const Factor inner = read_unit(depth + 1);
      skip_space();
      if (!take(")")) {
        if (!at_end()) fail_at_stray();
        fail("a parenthesis is not closed", "add the missing )");
      }
      return inner;
    }
    if (peek() == '1' && !continues_number(position_ + 1)) {
      ++position_;
      return {};
    }
    return read_name();
  }

  Factor read_name() {
    const std::size_t start = position_;
    if (!take("µ")) take("μ");
    while (!at_end() && is_letter(peek())) ++position_;
    if (position_ == start) fail_at_stray();
    const std::string_view name = text_.substr(start, position_ - start);
    if (const detail::Unit* unit = detail::find_unit(name)) {
      return {unit->numerator, unit->denominator, unit->dimension};
    }
    position_ = start;
    constexpr std::size_t longest_shown = 32;
    const bool cut = name.size() > longest_shown;
    fail("unknown unit '" + std::string(name.substr(0, longest_shown)) + (cut ? "…'" : "'"),
         detail::unit_advice(name));
  }

  double read_number(const char* expected) {
    const std::size_t start = position_;
    if (!at_end() && (peek() == '+' || peek() == '-')) ++position_;
    // from_chars would also take "inf" and "nan"; a number of ours starts with a digit or a point.
    if (!continues_number(position_)) {
      position_ = start;
      fail(at_end() ? "a number is missing here" : "not a number", expected);
    }
    double number = 0;
    const char* first = text_.data() + position_;
    const char* last = text_.data() + text_.size();
    const auto [end, problem] = std::from_chars(first, last, number);
    if (problem == std::errc::result_out_of_range) {
      position_ = start;
      fail("the number is beyond what a double can hold", "check its exponent");
    }
    if (problem != std::errc()) {
      position_ = start;
      fail("not a number", expected);
    }
    position_ += static_cast<std::size_t>(end - first);
    return text_[start] == '-' ? -number : number;
  }

  Factor checked(const Factor& factor) const {
    const double value = factor.value();
    const auto all = exponents(factor.dimension);
    const bool sane = std::ranges::all_of(all, [](double e) { return std::abs(e) <= largest_exponent; });
    if (!std::isfinite(value) || value == 0 || !sane) {
      fail("the unit's factor or exponents are out of range", "write a simpler unit");
    }
    return factor;
  }

  /// Says what to write instead of a character the grammar has no place for.
  [[noreturn]] void fail_at_stray() const {
    const std::string_view rest = text_.substr(position_);
    if (rest.starts_with("²") || rest.starts_with("³")) {
      fail("superscripts are not read", "write the power with ^, as in m^2");
    }
    if (rest.starts_with("%")) {
      fail("'%' is not a unit", "write the fraction as a bare number: 0.05 for 5 %");
    }
    if (rest.starts_with("°")) fail("'°' is not a unit", "write deg");
    if (rest.starts_with(")")) fail("')' without '('", "remove it, or add the missing (");
    if (rest.starts_with("-")) fail("'-' cannot join units", "write * between units: kip*s^2/in");
    if (is_digit(rest[0]) || rest[0] == '.') {
      fail("a number inside a unit", "write a power with ^, as in m^2");
    }
    if (is_letter(rest[0])) {
      fail("two units without an operator between them", "write * or / between units: N*m");
    }
    const auto byte = static_cast<unsigned char>(rest[0]);
    const bool printable = byte > 0x20 && byte < 0x7f;
    fail(printable ? std::string("unexpected '") + rest[0] + "'" : "unexpected character",
         "units are names joined by * / ^ and parentheses, as in kip*s^2/in");
  }

  [[noreturn]] void fail(const std::string& cause, std::string fix) const {
    throw UnitError(position_, cause, std::move(fix));
  }

  bool at_end() const { return position_ >= text_.size(); }
  char peek() const { return text_[position_]; }
  bool continues_number(std::size_t at) const {
    return at < text_.size() && (is_digit(text_[at]) || text_[at] == '.');
  }
  bool take(std::string_view token) {
    if (!text_.substr(position_).starts_with(token)) return false;
    position_ += token.size();
    return true;
  }
  void skip_space() {
    while (!at_end() && (peek() == ' ' || peek() == '\t')) ++position_;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

/// Shortest spelling of an exponent, without the noise of arithmetic such as 1 - 0.7.
std::string spell(double exponent) {
  char buffer[32];
  const double rounded = std::round(exponent / exponent_tolerance) * exponent_tolerance;
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, rounded, std::chars_format::general, 10);
  return {buffer, result.ptr};
}

void append_power(std::string& text, std::string_view symbol, double exponent) {
  text += symbol;
  if (std::abs(exponent - 1) > exponent_tolerance) text += "^" + spell(exponent);
}

}  // namespace

Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.length + b.length, a.mass + b.mass, a.time + b.time, a.current + b.current, a.angle + b.angle};
}

Dimension operator/(const Dimension& a, const Dimension& b) { return a * b.power(-1); }

bool operator==(const Dimension& a, const Dimension& b) {
  const auto same = [](double x, double y) { return std::abs(x - y) <= exponent_tolerance; };
  return same(a.length, b.length) && same(a.mass, b.mass) && same(a.time, b.time) &&
         same(a.current, b.current) && same(a.angle, b.angle);
}

Dimension Dimension::power(double exponent) const {
  return {length * exponent, mass * exponent, time * exponent, current * exponent, angle * exponent};
}

Quantity parse_quantity(std::string_view text) { return Parser(text).quantity(); }

Quantity parse_unit(std::string_view text) { return Parser(text).unit(); }

std::string si_unit(const Dimension& dimension) {
  if (const detail::DimensionName* name = detail::find_dimension_name(dimension)) {
    return std::string(name->si);
  }
  // A power-law damper: force over a power of velocity.
  const Dimension rest = dim::force / dimension;
  const bool power_law = rest.length > exponent_tolerance && rest.length < 2 - exponent_tolerance;
  if (power_law && rest == dim::velocity.power(rest.length)) return "N*(s/m)^" + spell(rest.length);

  constexpr std::array<std::string_view, 5> symbols{"m", "kg", "s", "A", "rad"};
  constexpr std::array<std::size_t, 5> order{1, 0, 2, 3, 4};  // kg first, as in kg*m^2
  const auto powers = exponents(dimension);
  std::string result;
  for (const std::size_t i : order) {
    if (powers[i] <= exponent_tolerance) continue;
    if (!result.empty()) result += '*';
    append_power(result, symbols[i], powers[i]);
  }
  if (result.empty()) result = "1";
  for (const std::size_t i : order) {
    if (powers[i] >= -exponent_tolerance) continue;
    result += '/';
    append_power(result, symbols[i], -powers[i]);
  }
  return result;
}

std::string unit_examples(const Dimension& dimension) {
  if (const detail::DimensionName* name = detail::find_dimension_name(dimension)) {
    return std::string(name->examples);
  }
  return si_unit(dimension);
}

}  // namespace gusset
