#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/spectrum.hpp"

namespace gusset {

/// Where a family of spectra, followed upwards from small values of its parameter, first becomes
/// unstable.
struct Crossing {
  enum class Kind {
    found,   ///< stable from the low end up to `value`
    none,    ///< stable throughout
    always,  ///< unstable at the low end, and however far below it can be told
    below,   ///< unstable at the low end; stable somewhere below it, up to `value`
    unknown  ///< no value of the range has a spectrum; `ended` says why
  };
  Kind kind = Kind::none;
  double value = 0;
  double low = 0, high = 0;  ///< the range searched
  std::string ended;         ///< why it is narrower than was asked for; empty: it is not
  int evaluations = 0;
};

/// Scans `low` … `high` on a logarithmic grid of 24 points a decade and at the `special` values and
/// their close neighbourhoods, looks again between the points where a modulus above 0.9 bends
/// (islands of instability can be narrower than any grid), and bisects the first change to 1e-10.
///
/// A value at which `spectrum_at` throws InputError is no part of the range, as a step that a compensator
/// cannot take: the range begins at the first value that has a spectrum, and ends before the next that has
/// none.
///
/// If it is unstable at `low` already, it looks further down as long as the instability rises above
/// rounding, so as to tell "unstable for every value" from "the limit lies below the range".
Crossing first_crossing(const std::function<Spectrum(double)>& spectrum_at, double low, double high,
                        std::vector<double> special);

}  // namespace gusset
