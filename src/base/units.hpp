#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace gusset {

/// Exponents of the base dimensions. The angle is carried as a dimension of its own so that "1 Hz"
/// (2*pi rad/s) and "6.28 rad/s" are both frequencies while the ambiguous "1/s" is neither.
/// Exponents are real: a power-law damper is given in N*(s/m)^0.3.
struct Dimension {
  double length = 0, mass = 0, time = 0, current = 0, angle = 0;

  friend Dimension operator*(const Dimension& a, const Dimension& b);
  friend Dimension operator/(const Dimension& a, const Dimension& b);
  friend bool operator==(const Dimension& a, const Dimension& b);
  Dimension power(double exponent) const;
};

namespace dim {
inline constexpr Dimension none{};
inline constexpr Dimension length{.length = 1};
inline constexpr Dimension mass{.mass = 1};
inline constexpr Dimension time{.time = 1};
inline constexpr Dimension angle{.angle = 1};
inline constexpr Dimension frequency{.time = -1, .angle = 1};  // rad/s inside
inline constexpr Dimension velocity{.length = 1, .time = -1};
inline constexpr Dimension acceleration{.length = 1, .time = -2};
inline constexpr Dimension force{.length = 1, .mass = 1, .time = -2};
inline constexpr Dimension stiffness{.mass = 1, .time = -2};
inline constexpr Dimension damping{.mass = 1, .time = -1};
inline constexpr Dimension pressure{.length = -1, .mass = 1, .time = -2};
inline constexpr Dimension area{.length = 2};
inline constexpr Dimension volume{.length = 3};
inline constexpr Dimension flow{.length = 3, .time = -1};
inline constexpr Dimension energy{.length = 2, .mass = 1, .time = -2};
inline constexpr Dimension power{.length = 2, .mass = 1, .time = -3};
inline constexpr Dimension voltage{.length = 2, .mass = 1, .time = -3, .current = -1};
}  // namespace dim

/// A number in SI with its dimension.
struct Quantity {
  double value = 0;
  Dimension dimension;
};

/// The text is not a quantity. `position` is the offset of the offending character.
class UnitError : public std::runtime_error {
 public:
  UnitError(std::size_t position, const std::string& cause, std::string fix)
      : std::runtime_error(cause), position_(position), fix_(std::move(fix)) {}
  std::size_t position() const { return position_; }
  const std::string& fix() const { return fix_; }

 private:
  std::size_t position_;
  std::string fix_;
};

/// Reads "300 kg", "10 ms", "8.8e-4 kip*s^2/in", "5 N*(s/m)^0.3", "0.3 g" (g is standard gravity).
///   quantity := number unit?          unit   := factor (('*' | '·' | '/') factor)*
///   factor   := atom ('^' number)?    atom   := name | '1' | '(' unit ')'
/// Throws UnitError; never returns a non-finite value.
Quantity parse_quantity(std::string_view text);

/// Reads a unit alone: the value is the factor to SI.
Quantity parse_unit(std::string_view text);

/// SI spelling of a dimension, with the usual name where it has one: "N", "N*s/m", "rad/s", "m^3/s".
std::string si_unit(const Dimension& dimension);

/// A few units a user would write for it, for messages: "kg, t or slug".
std::string unit_examples(const Dimension& dimension);

}  // namespace gusset
