#include "analysis/describing.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "structure/restoring.hpp"

namespace gusset {
namespace {

/// Force over displacement and velocity, sample by sample.
class LineFit {
 public:
  LineFit(double displacement, double velocity) : x_(displacement), v_(velocity) {}
  void take(double x, double v, double f) {
    const Eigen::Vector3d row(1, x / x_, v / v_);
    normal_ += row * row.transpose();
    right_ += row * f;
  }
  /// A constant besides, for devices that are not the same to both sides.
  DescribedDevice line(bool spring) const {
    // Displacement and velocity that go together are one unknown.
    const double cross = normal_(1, 2) * normal_(1, 2);
    const bool together = cross > 0.9999 * normal_(1, 1) * normal_(2, 2);
    if (together) {
      return spring ? DescribedDevice{right_(1) / normal_(1, 1) / x_, 0}
                    : DescribedDevice{0, right_(2) / normal_(2, 2) / v_};
    }
    const Eigen::Vector3d unknown = normal_.completeOrthogonalDecomposition().solve(right_);
    return {unknown(1) / x_, unknown(2) / v_};
  }

 private:
  double x_, v_;
  Eigen::Matrix3d normal_ = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right_ = Eigen::Vector3d::Zero();
};

DescribedDevice describe_sine(const Restoring& device, State state, double amplitude, double omega) {
  // More samples a cycle tell nothing more.
  constexpr double most_samples = 20000;
  const double h = std::max(device.durations().front(), 2 * M_PI / omega / most_samples);
  const auto samples = static_cast<int>(std::ceil(3 * 2 * M_PI / (omega * h)));
  LineFit fit(amplitude, amplitude * omega);
  for (int i = 1; i <= samples; ++i) {
    const double phase = omega * h * i;
    const double x = amplitude * std::sin(phase), v = amplitude * omega * std::cos(phase);
    const double f = device.advance(state, {x, v, 0});
    if (3 * i > samples) fit.take(x, v, f);
  }
  return fit.line(device.stiffness() > 0);
}

DescribedDevice describe_sequence(const Restoring& device, State state, double amplitude, double omega,
                                  double dt) {
  constexpr int steps = 96;
  const int pieces = std::max(1, static_cast<int>(std::lround(dt / device.durations().front())));
  LineFit fit(amplitude, 2 * amplitude / dt);
  double from = amplitude;
  for (int k = 1; k <= steps; ++k) {
    const double to = amplitude * std::cos(omega * dt * k);
    const double v = (to - from) / dt;
    for (int j = 1; j <= pieces; ++j) {
      const double x = from + (to - from) * j / pieces;
      const double f = device.advance(state, {x, v, 0});
      if (3 * k > steps) fit.take(x, v, f);
    }
    from = to;
  }
  return fit.line(device.stiffness() > 0);
}

bool is_neutral(const std::complex<double>& value) { return std::abs(value - 1.0) < 1e-9; }
/// In rad a step; a negative eigenvalue has π.
double turn_of(const std::complex<double>& value) { return std::abs(std::arg(value)); }
bool oscillates(const std::complex<double>& value) { return !is_neutral(value) && turn_of(value) > 1e-6; }

/// Of an oscillation that dies within a few steps nobody asks at which amplitude.
constexpr double lasting = 0.7;

/// Beyond what rounding does to an undamped loop.
bool grows(const AmplitudePoint& point) { return point.radius > 1 + 1e-9; }

}  // namespace

DescribedDevice describe_device(const Device& device, const State& rest, double amplitude, double omega,
                                double dt) {
  return omega * dt > M_PI / 2 ? describe_sequence(*device.restoring, rest, amplitude, omega, dt)
                               : describe_sine(*device.restoring, rest, amplitude, omega);
}

DescribedLoop::DescribedLoop(const Document& document)
    : devices_(std::make_unique<Devices>()),
      experiment_(Experiment::build(document, {.any_step = true, .devices = devices_.get()})),
      rest_(frozen_state(experiment_)) {}

std::vector<Segment> DescribedLoop::displacements() const {
  std::vector<Segment> segments;
  for (const Device& device : *devices_) segments.push_back(device.displacement);
  return segments;
}

const std::vector<std::complex<double>>& DescribedLoop::eigenvalues(double share, double omega) {
  const double dt = experiment_.dt();
  for (std::size_t d = 0; d < devices_->size(); ++d) {
    Device& device = (*devices_)[d];
    if (device.restoring->affine() || peaks_[d] == 0) continue;
    device.replaced = false;
    const DescribedDevice line =
        describe_device(device, rest_, share * peaks_[d], std::clamp(omega, 1e-3 / dt, M_PI / dt), dt);
    device.stiffness = line.stiffness;
    device.damping = line.damping;
    device.replaced = true;
  }
  values_ = spectrum(linearizer_.matrix(experiment_, rest_)).values;
  for (Device& device : *devices_) device.replaced = false;
  return values_;
}

std::optional<AmplitudePoint> DescribedLoop::settle(double share, double omega, bool dominant, int tries) {
  const double dt = experiment_.dt();
  for (int i = 0; i < tries; ++i) {
    const std::complex<double>* chosen = nullptr;
    double largest = 0;
    for (const std::complex<double>& value : eigenvalues(share, omega)) {
      if (is_neutral(value)) continue;
      largest = std::max(largest, std::abs(value));
      if (!oscillates(value) || (!dominant && std::abs(value) < lasting)) continue;
      const bool better = chosen == nullptr || (!dominant && std::abs(turn_of(value) - omega * dt) <
                                                                 std::abs(turn_of(*chosen) - omega * dt));
      if (better) chosen = &value;
    }
    // Nothing oscillates: what is there does not depend on the frequency.
    if (chosen == nullptr) {
      return dominant ? std::optional<AmplitudePoint>({share, share * peaks_[largest_], largest, 0})
                      : std::nullopt;
    }
    const double next = turn_of(*chosen) / dt;
    if (std::abs(next - omega) <= 1e-4 * next) {
      return AmplitudePoint{share, share * peaks_[largest_], dominant ? largest : std::abs(*chosen), next};
    }
    omega = next;
  }
  return std::nullopt;
}

AmplitudePoint DescribedLoop::at(double share, double guess) {
  if (const std::optional<AmplitudePoint> found = settle(share, guess, true, 6)) return *found;
  // The dominant eigenvalue changes with the frequency at which devices are described, from mode to mode and back.
  // Each mode by itself settles.
  const double dt = experiment_.dt();
  AmplitudePoint best{share, share * peaks_[largest_], 0, guess};
  std::vector<double> starts = {guess};
  for (const std::complex<double>& value : eigenvalues(share, guess)) {
    if (oscillates(value) && std::abs(value) > lasting) starts.push_back(turn_of(value) / dt);
  }
  constexpr std::size_t most_modes = 10;
  starts.resize(std::min(starts.size(), most_modes));
  for (const double start : starts) {
    const std::optional<AmplitudePoint> found = settle(share, start, false, 14);
    if (found && found->radius > best.radius) best = *found;
  }
  return best;
}

AmplitudeEdge DescribedLoop::edge(const AmplitudePoint& low, const AmplitudePoint& high) {
  const bool rises = grows(high);
  AmplitudePoint below = low, above = high;
  for (int i = 0; i < 18; ++i) {
    const AmplitudePoint middle = at(std::sqrt(below.share * above.share), below.frequency);
    (grows(middle) == rises ? above : below) = middle;
  }
  const double dt = experiment_.dt();
  return {below.share, below.amplitude,
          2 * below.amplitude / dt * std::sin(std::min(0.5 * below.frequency * dt, M_PI / 2)),
          below.frequency, rises};
}

AmplitudeCurve DescribedLoop::curve(std::vector<double> peaks) {
  AmplitudeCurve curve;
  int size = 0;
  for (const Layout::Field& field : experiment_.layout().fields()) {
    if (field.kind == Layout::Kind::signal) size += field.segment.size;
  }
  const bool any = std::any_of(devices_->begin(), devices_->end(),
                               [](const Device& device) { return !device.restoring->affine(); });
  // Eigenvalues a hundred times over: time with the cube of the size.
  constexpr int small = 60, largest = 120;
  if (!any) {
    curve.problem = "no device with one displacement is nonlinear";
    return curve;
  }
  if (size > largest) {
    curve.problem = "the state is too large for eigenvalues at many amplitudes";
    return curve;
  }
  constexpr double widest = 0.1;  // m, where nothing was rehearsed
  peaks_ = std::move(peaks);
  if (std::all_of(peaks_.begin(), peaks_.end(), [](double peak) { return peak == 0; })) {
    peaks_.assign(devices_->size(), widest);
  }
  double peak = -1;
  for (std::size_t d = 0; d < peaks_.size(); ++d) {
    if ((*devices_)[d].restoring->affine() || peaks_[d] <= peak) continue;
    peak = peaks_[d];
    largest_ = d;
  }
  curve.device = (*devices_)[largest_].name;
  const int each = size <= small ? 5 : 2;  // points a decade
  constexpr double least = 1e-6, most = 3;
  const int count = static_cast<int>(std::ceil(each * std::log10(most / least)));
  try {
    double guess = M_PI / experiment_.dt();
    for (int i = 0; i <= count; ++i) {
      const AmplitudePoint point = at(least * std::pow(most / least, static_cast<double>(i) / count), guess);
      if (point.frequency > 0) guess = point.frequency;
      if (!curve.points.empty() && grows(curve.points.back()) != grows(point)) {
        curve.edges.push_back(edge(curve.points.back(), point));
      }
      curve.points.push_back(point);
    }
  } catch (const InputError& error) {
    // A corner at rest that a step runs into.
    curve = {curve.device, {}, {}, error.cause()};
  }
  return curve;
}

}  // namespace gusset
