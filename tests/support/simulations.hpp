#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/simulation.hpp"
#include "support/documents.hpp"

namespace gusset::test {

/// A whole rehearsal, with the shipped records.
inline Simulation simulated(const Document& document, bool reference = true) {
  return simulate(make_test(document, shipped_records()), {.reference = reference, .progress = {}});
}

/// What a channel recorded.
inline const std::vector<double>& values_of(const Simulation& simulation, const std::string& channel) {
  for (const Table& table : simulation.tables) {
    for (const Trace& own : table.channels) {
      if (own.name == channel) return own.values;
    }
  }
  throw std::out_of_range(channel);
}

inline double peak_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// A shipped shake-table test with these splitting coefficients.
inline Document split(const std::string& name, double l, double m, double p,
                      std::vector<std::string> more = {}) {
  more.insert(more.begin(),
              {assign("method.alpha_l", l), assign("method.alpha_m", m), assign("method.alpha_p", p)});
  return shipped(name, more);
}

}  // namespace gusset::test
