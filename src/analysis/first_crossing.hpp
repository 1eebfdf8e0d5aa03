#pragma once

#include <functional>
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
    below    ///< unstable at the low end; stable somewhere below it, up to `value`
  };
  Kind kind = Kind::none;
  double value = 0;
  double low = 0, high = 0;  ///< the range searched
  int evaluations = 0;
};

/// Scans `low` … `high` on a logarithmic grid of 24 points a decade and at the `special` values and
/// their close neighbourhoods, looks again between the points where a modulus above 0.9 bends
/// (islands of instability can be narrower than any grid), and bisects the first change to 1e-10.
///
/// If it is unstable at `low` already, it looks further down as long as the instability rises above
/// rounding, so as to tell "unstable for every value" from "the limit lies below the range".
Crossing first_crossing(const std::function<Spectrum(double)>& spectrum_at, double low, double high,
                        std::vector<double> special);

}  // namespace gusset
