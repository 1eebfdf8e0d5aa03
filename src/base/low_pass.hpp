#pragma once

#include <vector>

#include "base/state.hpp"

namespace gusset {

/// A Butterworth low-pass filter of even order n, by Tustin's rule with the cut-off frequency kept
/// (pre-warped), as n/2 sections of second order, each
///
///   y = b·(u + 2u₁ + u₂) − a₁·y₁ − a₂·y₂,   K = tan(ω_c·dt/2),  Q = 1/(2 sin((2i+1)π/2n)),
///   D = 1 + K/Q + K²,  b = K²/D,  a₁ = 2(K² − 1)/D,  a₂ = (1 − K/Q + K²)/D
///
/// A cut-off at or above the Nyquist frequency passes everything. State: two entries a section, at
/// the place the caller gives (transposed direct form II).
class LowPass {
 public:
  LowPass() = default;
  LowPass(int order, double cutoff /* rad/s */, double dt);

  int state_size() const { return 2 * static_cast<int>(sections_.size()); }
  double step(double* state, double value) const noexcept;  ///< @rt-safe
  void rest(double* state, double value) const noexcept;    ///< as if `value` had always been there

 private:
  struct Section {
    double b, a1, a2;
  };
  std::vector<Section> sections_;
};

}  // namespace gusset
