#pragma once

#include <complex>
#include <string>
#include <vector>

#include "analysis/transfer_function.hpp"

namespace gusset {

/// A rig's frequency response from a run, by Welch's method: overlapping segments under a Hann window,
///   H = S_yu/S_uu,   coherence = |S_yu|²/(S_uu·S_yy)
struct MeasuredResponse {
  std::vector<double> frequency;  ///< [Hz]
  std::vector<std::complex<double>> response;
  std::vector<double> coherence;  ///< near 1: linear and free of noise
  std::vector<double> power;      ///< S_uu, to any scale
  double low = 0, high = 0;       ///< where the command excites the rig: the band that counts [Hz]
};
MeasuredResponse measured_response(const std::vector<double>& command, const std::vector<double>& measured,
                                   double dt);

struct IdentifyOptions {
  int order = 2;         ///< poles of the transfer function
  int zeros = 0;         ///< and zeros, fewer
  double dead_time = 0;  ///< a pure delay in front of it, in whole steps [s]
};

/// What a run tells of a rig, command u → measured y.
///
///   G(s) = (1 + b1·s + … + bm·s^m)/(a0 + a1·s + … + an·s^n)
///
/// is discretised with the hold the command had between samples, zero- or first-order, whichever
/// explains the run better, and its coefficients minimise the output error Σ(y − G·u)² (Levenberg and
/// Marquardt): with white noise on y that is the maximum likelihood. It starts from the better of two
/// guesses: n equal poles with the lag that the phase shows, and a discrete function by Steiglitz and
/// McBride's iteration. The standard deviations of the poles follow from the covariance of the
/// coefficients.
struct Identification {
  MeasuredResponse measured;
  double delay = 0;                                       ///< slope of the phase over the excited band [s]
  double gain = 0;                                        ///< of the fitted function at rest
  TransferFunction model = TransferFunction::gain(1, 1);  ///< discrete, hold and dead time included
  ContinuousTransferFunction continuous;                  ///< without them
  Hold hold = Hold::first_order;
  std::vector<std::complex<double>> poles;  ///< continuous [rad/s], slowest first
  std::vector<double> uncertainty;          ///< of each: standard deviation over |pole|
  double fit = 0;                           ///< 1 − |y − model|²/|y|²
  std::vector<double> polynomial;           ///< a0, a1, …, dead time left out
  double lag = 0;           ///< at low frequency: a1/a0 − b1 + dead time; `delay` where the model is bad
  bool too_narrow = false;  ///< the run does not determine that many poles
  std::vector<std::string> remarks;
};
Identification identify(const std::vector<double>& command, const std::vector<double>& measured, double dt,
                        const IdentifyOptions& options);

/// Parameters for every compensator as TOML that can be pasted into an experiment file: the first one
/// in force, the others as comments. `rig_dt` and `integrator_dt` in s.
std::string proposed_compensators(const Identification& identification, double rig_dt, double integrator_dt);

}  // namespace gusset
