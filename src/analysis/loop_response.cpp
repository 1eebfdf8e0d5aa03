#include "analysis/loop_response.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/linearize.hpp"
#include "base/linear_system.hpp"

namespace gusset {
namespace {

using Complex = std::complex<double>;
constexpr int inputs = 5;

double& entry(Input& input, int which) {
  double* const entries[inputs] = {&input.acceleration, &input.next_acceleration, &input.displacement,
                                   &input.increment, &input.next_increment};
  return *entries[which];
}

}  // namespace

LoopResponse::LoopResponse(const Experiment& experiment) {
  Linearizer linearizer;
  system_.a = linearizer.matrix(experiment);
  system_.dt = experiment.dt();
  const std::vector<int>& entries = linearizer.entries();
  const auto states = static_cast<Eigen::Index>(entries.size());
  const Eigen::Index outputs = 3 * experiment.structure().size();
  const bool affine = experiment.affine();
  const State around = frozen_state(experiment);
  system_.b.resize(states, inputs);
  system_.c.resize(outputs, states);
  system_.d.resize(outputs, inputs);
  const LoadingPorts& ports = experiment.response();
  const std::vector<Port> shown = {ports.displacement, ports.velocity, ports.acceleration};
  const Eigen::Index floors = experiment.structure().size();
  Wires base_wires = experiment.wires();
  Wires wires = base_wires;
  State base = around;
  experiment.step(base, {}, base_wires);
  const auto difference = [&](double h, auto column) {
    for (Eigen::Index i = 0; i < outputs; ++i) {
      const Port port = shown[static_cast<std::size_t>(i / floors)][static_cast<int>(i % floors)];
      column(i) = (wires[port] - base_wires[port]) / h;
    }
  };
  for (Eigen::Index j = 0; j < states; ++j) {
    const auto index = static_cast<std::size_t>(entries[static_cast<std::size_t>(j)]);
    const double h =
        affine ? 1.0 : tangent_share * experiment.layout().field_of(static_cast<int>(index)).scale;
    State state = around;
    state.values[index] += h;
    experiment.step(state, {}, wires);
    difference(h, system_.c.col(j));
  }
  for (int w = 0; w < inputs; ++w) {
    Input input;
    const double h = affine ? 1.0 : tangent_share * 1e-3;
    entry(input, w) = h;
    State state = around;
    experiment.step(state, input, wires);
    difference(h, system_.d.col(w));
    for (Eigen::Index i = 0; i < states; ++i) {
      const auto k = static_cast<std::size_t>(entries[static_cast<std::size_t>(i)]);
      system_.b(i, w) = (state.values[k] - base.values[k]) / h;
    }
  }
}

Eigen::VectorXcd LoopResponse::at(double frequency) const {
  const Complex z = std::exp(Complex(0, 2 * std::numbers::pi * frequency * system_.dt));
  const Complex u = system_.dt * system_.dt / (z - 2.0 + 1.0 / z);
  Eigen::VectorXcd w(inputs);
  w << 1.0, z, u, u * (1.0 - 1.0 / z), u * (z - 1.0);
  return system_.response(frequency) * w;
}

Complex ResponseSignal::of(const Eigen::VectorXcd& y) const {
  Complex sum = 0;
  for (const auto& [index, weight] : weights) sum += weight * y(index);
  return sum;
}

ResponseSignal response_signal(const std::string& name, int floors) {
  const std::size_t dot = name.find('.');
  const std::string quantity = dot == name.npos ? "" : name.substr(dot + 1);
  int floor = -1;
  for (int i = 0; i < floors && dot != name.npos; ++i) {
    if (name.substr(0, dot) == Structure::name_of(i)) floor = i;
  }
  ResponseSignal signal;
  signal.name = name;
  if (floor >= 0 && (quantity == "displacement" || quantity == "drift")) {
    signal.unit = "m";
    signal.weights.emplace_back(floor, 1.0);
    if (quantity == "drift" && floor > 0) signal.weights.emplace_back(floor - 1, -1.0);
  } else if (floor >= 0 && quantity == "velocity") {
    signal.unit = "m/s";
    signal.weights.emplace_back(floors + floor, 1.0);
  } else if (floor >= 0 && quantity == "acceleration") {
    signal.unit = "m/s^2";
    signal.weights.emplace_back(2 * floors + floor, 1.0);
  } else {
    throw InputError({"--of " + name, 0, 0}, "there is no such response",
                     "write storey1 to storey" + std::to_string(floors) +
                         " with .displacement, .velocity, .acceleration or .drift");
  }
  return signal;
}

Eigen::VectorXcd exact_response(const LinearSystem& system, int floors, double frequency) {
  const Complex s(0, 2 * std::numbers::pi * frequency);
  const Eigen::MatrixXcd dynamic = s * s * system.mass.cast<Complex>() + s * system.damping.cast<Complex>() +
                                   system.stiffness.cast<Complex>();
  const Eigen::VectorXcd x = -dynamic.partialPivLu().solve((system.mass * system.influence).cast<Complex>());
  Eigen::VectorXcd y(3 * floors);
  y << x.head(floors), s * x.head(floors), s * s * x.head(floors);
  return y;
}

std::vector<Peak> find_peaks(const std::vector<double>& frequency, const std::vector<double>& magnitude,
                             double prominence) {
  std::vector<Peak> peaks;
  const std::size_t count = std::min(frequency.size(), magnitude.size());
  for (std::size_t i = 1; i + 1 < count; ++i) {
    if (!(magnitude[i] > magnitude[i - 1] && magnitude[i] >= magnitude[i + 1])) continue;
    // Down to the valley on either side, until something higher comes.
    double left = magnitude[i], right = magnitude[i];
    for (std::size_t k = i; k-- > 0 && magnitude[k] <= magnitude[i];) left = std::min(left, magnitude[k]);
    for (std::size_t k = i + 1; k < count && magnitude[k] <= magnitude[i]; ++k) {
      right = std::min(right, magnitude[k]);
    }
    if (magnitude[i] < prominence * std::max(left, right)) continue;
    const double l = std::log(magnitude[i - 1]), m = std::log(magnitude[i]), r = std::log(magnitude[i + 1]);
    const double bend = l - 2 * m + r;
    const double shift = bend < 0 ? std::clamp(0.5 * (l - r) / bend, -0.5, 0.5) : 0;
    const double width = shift < 0 ? frequency[i] - frequency[i - 1] : frequency[i + 1] - frequency[i];
    peaks.push_back({frequency[i] + shift * width, std::exp(m - 0.25 * (l - r) * shift)});
  }
  return peaks;
}

}  // namespace gusset
