#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "document/document.hpp"

namespace gusset {

/// One axis of a map: a key of the experiment file over a range.
struct MapAxis {
  std::string key;  ///< "specimen.mass_ratio"
  double low = 0, high = 0;
  int count = 0;
  Dimension dimension;
  std::string unit;        ///< as the user wrote it; "" if bare
  double unit_factor = 1;  ///< SI value of one unit

  double at(int index) const {
    return count < 2 ? low : low + (high - low) * static_cast<double>(index) / (count - 1);
  }
};

/// Reads "key=lo:hi:n", e.g. "integrator.dt=1 ms:50 ms:100"; a unit on one end serves both.
MapAxis parse_map_axis(const std::string& text);

struct ParameterMap {
  MapAxis x, y;
  std::vector<double> radius;  ///< row after row, lowest y first; NaN where no experiment exists
};

/// The spectral radius over two parameters, on `threads` threads. Every point is the very experiment
/// with two keys changed.
ParameterMap parameter_map(const Document& document, const MapAxis& x, const MapAxis& y, int threads,
                           const std::function<void(double)>& progress = {});

}  // namespace gusset
