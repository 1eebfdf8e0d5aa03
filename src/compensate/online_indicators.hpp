#pragma once

#include <complex>
#include <vector>

#include "compensate/compensator.hpp"

namespace gusset {

/// Measures of the tracking while the test runs, cheap and in the state: a supervisor may watch them.
///
///   ti         tracking indicator (Mercan 2007): rising where the measured motion y leads the target
///              x, falling where it lags [m²]
///   amplitude  frequency evaluation index (Guo 2014) |FEI| over a sliding window
///   delay      −arg FEI/(2π·f_eq) [s]
///
/// FEI needs the spectra of x and y. `lines` frequencies f_j, evenly spaced up to `to`, are followed by
/// sliding Fourier sums with an exponential window of length T,
///
///   X_j ← e^{−δ/T}·e^{−2πjf_jδ}·X_j + x_k,       FEI = ΣY_j·conj(X_j)/Σ|X_j|²
///
/// Switched on by [indicators]; without it there is nothing. State: TI, the last x and y, X and Y. They
/// influence nothing, and so are of Layout::Kind::parameter: no part of the loop's matrix.
class OnlineIndicators {
 public:
  OnlineIndicators(const Section& section, const std::string& channel, Layout& layout, double dt);

  static constexpr int signals = 3;
  static const CompensatorSignal& signal(int index);

  /// @rt-safe
  void observe(State& state, double target, double measured, double* results) const noexcept;
  void start(State& state, double displacement) const;

 private:
  struct Line {
    double frequency;     ///< [Hz]
    double cosine, sine;  ///< of the turn in one step, times the window's decay
  };
  std::vector<Line> lines_;
  Segment area_, spectra_;  ///< TI, x, y, x_0; Re X, Im X, Re Y, Im Y a line
};

}  // namespace gusset
