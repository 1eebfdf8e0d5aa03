#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace gusset {

/// Random numbers without memory: a function of a key and a counter (SplitMix64's finaliser applied to
/// each in turn; Steele, Lea & Flood 2014). @rt-safe
constexpr std::uint64_t scramble(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Uniform in (0, 1). @rt-safe
constexpr double uniform(std::uint64_t key, std::uint64_t counter) noexcept {
  const std::uint64_t bits = scramble(scramble(key) ^ counter);
  return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
}

/// Standard normal (Box & Muller), from two uniform numbers. @rt-safe
inline double normal(std::uint64_t key, std::uint64_t counter) noexcept {
  const double radius = std::sqrt(-2 * std::log(uniform(key, 2 * counter)));
  return radius * std::cos(2 * std::numbers::pi * uniform(key, 2 * counter + 1));
}

}  // namespace gusset
