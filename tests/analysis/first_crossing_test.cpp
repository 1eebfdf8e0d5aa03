// The search for a stability limit on made-up spectra whose answer is known.

#include "analysis/first_crossing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.hpp"

namespace gusset {
namespace {

using Kind = Crossing::Kind;

Spectrum of_moduli(std::vector<double> moduli) {
  std::sort(moduli.rbegin(), moduli.rend());
  Spectrum spectrum;
  for (const double modulus : moduli) spectrum.values.emplace_back(modulus, 0);
  spectrum.radius = moduli.front();
  spectrum.stable = spectrum.radius <= 1 + 1e-14;
  return spectrum;
}

Crossing search(const std::function<double(double)>& modulus, double low, double high,
                std::vector<double> special = {}) {
  return first_crossing(
      [&](double value) {
        return of_moduli({modulus(value), 0.5});
      },
      low, high, std::move(special));
}

/// A bump of the given height above 0.95 and relative width at `centre`.
std::function<double(double)> bump(double centre, double height, double width) {
  return [=](double value) {
    const double x = std::log(value / centre) / width;
    return 0.95 + height / (1 + x * x);
  };
}

RC_GTEST_PROP(FirstCrossing, FindsASingleCrossing, ()) {
  const double wanted = std::pow(10, 1e-3 * *rc::gen::inRange(-2900, 2900));
  const double slope = std::pow(10, 0.01 * *rc::gen::inRange(-200, 100));
  const Crossing found =
      search([&](double value) { return 1 + slope * std::log(value / wanted) / 10; }, 1e-3, 1e3);
  RC_ASSERT(found.kind == Kind::found);
  RC_ASSERT(std::abs(found.value / wanted - 1) < 1e-9);
}

TEST(FirstCrossing, TellsTheFirstOfSeveral) {
  // Unstable from 0.2 to 0.5 and from 3 on.
  const auto modulus = [](double value) { return (value > 0.2 && value < 0.5) || value > 3 ? 1.1 : 0.97; };
  const Crossing found = search(modulus, 1e-3, 1e2);
  EXPECT_EQ(found.kind, Kind::found);
  EXPECT_NEAR(found.value, 0.2, 1e-9);
}

TEST(FirstCrossing, StableThroughout) {
  const Crossing found = search([](double) { return 0.99; }, 1e-3, 1e2);
  EXPECT_EQ(found.kind, Kind::none);
  EXPECT_DOUBLE_EQ(found.low, 1e-3);
  EXPECT_DOUBLE_EQ(found.high, 1e2);
}

TEST(FirstCrossing, TouchingOneFromBelowIsStable) {
  EXPECT_EQ(search(bump(0.3, 0.05, 0.2), 1e-3, 1e2).kind, Kind::none);
}

RC_GTEST_PROP(FirstCrossing, FindsIslandsTheGridStepsOver, ()) {
  // The grid's points lie 10 % apart; these islands are down to 1 % wide.
  const double centre = std::pow(10, 1e-4 * *rc::gen::inRange(-20000, 10000));
  const double width = 0.001 * *rc::gen::inRange(10, 60);
  const Crossing found = search(bump(centre, 0.06, width), 1e-3, 1e2);
  RC_ASSERT(found.kind == Kind::found);
  // 0.95 + 0.06/(1 + x²) = 1 at x = √0.2.
  RC_ASSERT(std::abs(std::log(found.value / centre) + std::sqrt(0.2) * width) < 1e-8);
}

TEST(FirstCrossing, LooksOnPurposeAtSpecialValues) {
  // A needle with no skirt at all: only knowing where to look can find it.
  const double centre = 0.123456;
  const auto needle = [&](double value) { return std::abs(value / centre - 1) < 1e-4 ? 1.01 : 0.5; };
  EXPECT_EQ(search(needle, 1e-3, 1e2).kind, Kind::none);
  const Crossing found = search(needle, 1e-3, 1e2, {centre});
  ASSERT_EQ(found.kind, Kind::found);
  EXPECT_NEAR(found.value, centre * (1 - 1e-4), 1e-9);
}

TEST(FirstCrossing, SpecialValuesOutsideTheRangeDoNoHarm) {
  const auto modulus = [](double value) { return value > 2 ? 1.1 : 0.9; };
  const Crossing found = search(modulus, 0.1, 10, {1e-9, 1e9, 0.1, 10, 2});
  EXPECT_EQ(found.kind, Kind::found);
  EXPECT_NEAR(found.value, 2, 1e-8);
}

TEST(FirstCrossing, UnstableForEveryValue) {
  // An excess that falls off as a power of the value, down to what rounding hides.
  for (const double power : {0.0, 1.0, 2.0, 3.0}) {
    const auto modulus = [&](double value) { return 1 + 0.1 * std::pow(value, power); };
    const Crossing found = search(modulus, 1e-2, 1e2);
    EXPECT_EQ(found.kind, Kind::always) << power;
    EXPECT_LE(found.low, 1e-2);
  }
}

TEST(FirstCrossing, LimitBelowTheRange) {
  const double wanted = 3.7e-4;
  const auto modulus = [&](double value) { return 1 + 0.05 * std::log(value / wanted); };
  const Crossing found = search(modulus, 1e-2, 1e2);
  ASSERT_EQ(found.kind, Kind::below);
  EXPECT_NEAR(found.value / wanted, 1, 1e-8);
  EXPECT_LT(found.low, wanted);
}

TEST(FirstCrossing, ValuesWithoutASpectrumAreOutsideTheRange) {
  const auto between = [](double from, double to, double limit) {
    return [=](double value) {
      if (value < from || value > to) throw InputError({}, "no such step", "take another");
      return of_moduli({value < limit ? 0.98 : 1.02});
    };
  };
  const Crossing found = first_crossing(between(0.01, 10, 2), 1e-3, 1e2, {});
  EXPECT_EQ(found.kind, Kind::found);
  EXPECT_NEAR(found.value, 2, 1e-9);
  EXPECT_GE(found.low, 0.01);
  EXPECT_LT(found.low, 0.012);
  // The limit lies beyond what can be tried: the range ends, and says why.
  const Crossing beyond = first_crossing(between(0.01, 10, 20), 1e-3, 1e2, {});
  EXPECT_EQ(beyond.kind, Kind::none);
  EXPECT_LE(beyond.high, 10);
  EXPECT_GT(beyond.high, 9);
  EXPECT_EQ(beyond.ended, "no such step");
  // Unstable at the lowest value that can be tried.
  const Crossing above = first_crossing(between(0.01, 10, 0.001), 1e-3, 1e2, {});
  EXPECT_EQ(above.kind, Kind::always);
  const Crossing nothing = first_crossing(between(1e3, 1e4, 2), 1e-3, 1e2, {});
  EXPECT_EQ(nothing.kind, Kind::unknown);
  EXPECT_EQ(nothing.ended, "no such step");
  // All there, nothing ended.
  EXPECT_TRUE(first_crossing(between(1e-4, 1e4, 2), 1e-3, 1e2, {}).ended.empty());
}

TEST(FirstCrossing, IslandOfALesserEigenvalueBehindADominantOne) {
  // The radius itself stays flat at 0.999 except on the island: the second modulus must be watched.
  const auto hidden = bump(0.4, 0.06, 0.02);
  const Crossing found = first_crossing(
      [&](double value) {
        return of_moduli({0.999, hidden(value)});
      },
      1e-3, 1e2, {});
  ASSERT_EQ(found.kind, Kind::found);
  EXPECT_NEAR(std::log(found.value / 0.4), -std::sqrt(0.2) * 0.02, 1e-8);
}

}  // namespace
}  // namespace gusset
