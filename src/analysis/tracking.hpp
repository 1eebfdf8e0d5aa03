#pragma once

#include <vector>

namespace gusset {

/// Measures of how well the measured motion y follows the target x, both sampled dt apart.

/// Tracking indicator (Mercan 2007), the area of the loop y makes over x, as it grows:
///   TI = ½·(A − T),  A += ½(x_{k+1} − x_k)(y_{k+1} + y_k),  T += ½(y_{k+1} − y_k)(x_{k+1} + x_k)
/// Rising: y leads. Falling: y lags.
std::vector<double> tracking_indicator(const std::vector<double>& x, const std::vector<double>& y);

/// Frequency evaluation index (Guo 2014), over the one-sided spectrum without its mean:
///   FEI = Σ(Y_j/X_j)·|X_j|²/Σ|X_j|²,  f_eq = Σ|X_j|²·f_j/Σ|X_j|²,  delay = −arg FEI/(2π·f_eq)
struct FrequencyIndex {
  double amplitude = 1;  ///< |FEI|
  double phase = 0;      ///< arg FEI [rad]
  double frequency = 0;  ///< f_eq [Hz]
  double delay = 0;      ///< [s]; positive: y is late
};
FrequencyIndex frequency_index(const std::vector<double>& x, const std::vector<double>& y, double dt);

/// The shift of y that correlates best with x, parabola through the three best samples [s]; positive:
/// y is late. Looks at most `longest` seconds either way.
double correlation_delay(const std::vector<double>& x, const std::vector<double>& y, double dt,
                         double longest);

/// What the tracking error adds: ∫f dy − ∫f dx, the energy the specimen takes up beyond what the
/// numerical part gave away, over ∫|f dx|. Positive for a lagging spring: the rig feeds energy into
/// the test. 0 where nothing was done.
double energy_error(const std::vector<double>& x, const std::vector<double>& y,
                    const std::vector<double>& force);

/// The synchronisation subspace, y drawn over x: a straight line of slope 1 where the tracking is
/// perfect. The principal axes of the cloud: slope of the long one, and short over long.
struct Synchronisation {
  double slope = 1;
  double width = 0;
};
Synchronisation synchronisation(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace gusset
