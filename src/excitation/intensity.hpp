#pragma once

#include <vector>

namespace gusset {

/// What a motion is summed up by. Accelerations are straight lines between the samples; velocity and
/// displacement follow by integration from rest, as the record is: take baseline or low frequencies out
/// before trusting the latter.
struct Intensity {
  double pga = 0, pgv = 0, pgd = 0;  ///< peaks of |a|, |v|, |d| [m/s², m/s, m]
  double arias = 0;                  ///< I_a = π/(2g)·∫a² dt [m/s] (Arias 1970)
  double start = 0;                  ///< when 5 % of I_a are reached [s]
  double duration_75 = 0;            ///< from 5 to 75 % of I_a [s]
  double duration_95 = 0;            ///< from 5 to 95 % of I_a [s] (Trifunac & Brady 1975)
  double cumulative_velocity = 0;    ///< CAV = ∫|a| dt [m/s]
};
Intensity intensity(const std::vector<double>& acceleration, double dt);

}  // namespace gusset
