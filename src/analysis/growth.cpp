#include "analysis/growth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/linearize.hpp"

namespace gusset {
namespace {

struct SignalEntry {
  std::size_t index;
  double scale;
};

std::vector<SignalEntry> signals_of(const Layout& layout) {
  std::vector<SignalEntry> entries;
  for (const Layout::Field& field : layout.fields()) {
    if (field.kind == Layout::Kind::parameter) continue;
    for (int i = 0; i < field.segment.size; ++i) {
      entries.push_back({static_cast<std::size_t>(field.segment.offset + i), field.scale});
    }
  }
  return entries;
}

double norm_of(const std::vector<SignalEntry>& entries, const std::vector<double>& x) {
  double largest = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double value = std::abs(x[i]) / entries[i].scale;
    if (!(value <= largest)) largest = value;
  }
  return largest;
}

}  // namespace

bool too_large_for_eigenvalues(const Experiment& experiment) {
  constexpr std::size_t largest = 400;
  return signals_of(experiment.layout()).size() > largest;
}

Growth growth(const Experiment& experiment, double share) {
  const std::vector<SignalEntry> entries = signals_of(experiment.layout());
  const std::size_t n = entries.size();
  const bool affine = experiment.affine();
  const State around = frozen_state(experiment);
  Wires wires = experiment.wires();
  State base = around;
  experiment.step(base, {}, wires);

  std::vector<double> x(n);
  std::uint64_t random = 0x2545f4914f6cdd1dU;
  for (std::size_t i = 0; i < n; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    x[i] = entries[i].scale * (static_cast<double>(random >> 11) * 0x1p-52 - 1);
  }
  // Small enough not to reach a corner, large enough for the digits of a difference.
  const double h = affine ? 1.0 : 1e-3;
  const double work = 1e8 * share;
  const auto steps = static_cast<std::int64_t>(
      std::clamp(work / static_cast<double>(n * static_cast<std::size_t>(experiment.substeps())), 2e3, 1e5));
  State state = around;
  double logarithm = 0;  // of the norm since half way
  double norm = norm_of(entries, x);
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      state.values[entries[i].index] = around.values[entries[i].index] + h / norm * x[i];
    }
    for (const Layout::Field& field : experiment.layout().fields()) {
      if (field.kind != Layout::Kind::parameter) continue;
      std::copy_n(around.at(field.segment), field.segment.size, state.at(field.segment));
    }
    state.branches = around.branches;
    state.step = around.step;
    experiment.step(state, {}, wires);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = (state.values[entries[i].index] - base.values[entries[i].index]) / h;
    }
    norm = norm_of(entries, x);
    if (!(norm > 0) || !std::isfinite(norm)) break;
    if (2 * step >= steps) logarithm += std::log(norm);
  }
  Growth result;
  const double half = static_cast<double>(steps) / 2;
  result.resolution = 10 / half;
  if (!(norm > 0)) return result;  // died out
  if (!std::isfinite(norm)) {
    result.radius = std::numeric_limits<double>::infinity();
    result.stable = false;
    return result;
  }
  result.radius = std::exp(logarithm / half);
  result.stable = result.radius <= 1 + result.resolution;
  return result;
}

}  // namespace gusset
