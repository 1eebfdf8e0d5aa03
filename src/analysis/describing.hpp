#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"
#include "build/experiment.hpp"

namespace gusset {

/// The straight line f = k·x + c·v nearest to a device that moves with an amplitude.
struct DescribedDevice {
  double stiffness = 0;  ///< k [N/m]
  double damping = 0;    ///< c [N·s/m]
};

/// Describing function: the device alone, led from rest through x = A·sin ωt for three cycles at its own time
/// step, and a line fitted by least squares to force over displacement and velocity of the last two. Of a fine
/// sine that is the first harmonic,
///
///   k = (2/(A·T))·∫ f·sin ωt dt,   c = (2/(A·ω·T))·∫ f·cos ωt dt.
///
/// Beyond ω·dt = π/2 the loop knows no sine: displacements x_k = A·cos(ω·k·dt) at its steps, straight lines
/// between them. At the Nyquist frequency a damper then has c = f(V)/V with V = 2A/dt, and not the sine's factor
/// times that. Where displacement and velocity cannot be told apart there, a device without stiffness at rest
/// gets a dashpot, any other a spring.
DescribedDevice describe_device(const Device& device, const State& rest, double amplitude, double omega,
                                double dt);

/// One point of the curve ρ(A).
struct AmplitudePoint {
  double share = 0;      ///< of each device's largest displacement in the rehearsal
  double amplitude = 0;  ///< of the device that moves most [m]
  double radius = 0;
  double frequency = 0;  ///< of the dominant eigenvalue [rad/s]
};

/// Where ρ(A) passes 1.
struct AmplitudeEdge {
  double share = 0;
  double amplitude = 0;          ///< [m]
  double rate = 0;               ///< amplitude of the difference quotient, 2A/dt·sin(ω·dt/2) [m/s]
  double frequency = 0;          ///< [rad/s]
  bool runs_away_above = false;  ///< ρ rises: beyond it motion grows. Else it falls: a limit cycle
};

/// ρ of the loop with every nonlinear device replaced by its line at amplitude A; all devices in the proportion
/// of the rehearsal; the frequency is that of the loop's dominant eigenvalue, iterated; where
/// that jumps from mode to mode, every mode is iterated by itself and the largest counts. Rigs and sensors that are
/// nonlinear by themselves stay as at rest.
struct AmplitudeCurve {
  std::string device;  ///< whose amplitude is told
  std::vector<AmplitudePoint> points;
  std::vector<AmplitudeEdge> edges;
  std::string problem;  ///< why there is none
};

/// The experiment of a document built anew, so that lines can stand in for its devices.
class DescribedLoop {
 public:
  explicit DescribedLoop(const Document& document);

  const Devices& devices() const { return *devices_; }
  std::vector<Segment> displacements() const;
  /// `peaks`: of each device's displacement; all zero: the same amplitudes for all, up to 0.3 m.
  AmplitudeCurve curve(std::vector<double> peaks);

 private:
  AmplitudePoint at(double share, double guess);
  /// Iterates the frequency from `omega` on: by the largest eigenvalue, or by the nearest. Nothing if it does not
  /// settle.
  std::optional<AmplitudePoint> settle(double share, double omega, bool dominant, int tries);
  /// Of the loop whose devices are described at this amplitude and frequency, largest modulus first.
  const std::vector<std::complex<double>>& eigenvalues(double share, double omega);
  AmplitudeEdge edge(const AmplitudePoint& low, const AmplitudePoint& high);

  std::unique_ptr<Devices> devices_;
  Experiment experiment_;
  State rest_;
  Linearizer linearizer_;
  std::vector<double> peaks_;
  std::size_t largest_ = 0;  ///< the device that moves most
  std::vector<std::complex<double>> values_;
};

}  // namespace gusset
