#include "report/decimate.hpp"

#include <algorithm>
#include <cmath>

namespace gusset::plot {

std::vector<Pixel> decimate(const std::vector<Pixel>& line) {
  if (line.size() <= few_points) return line;
  std::vector<Pixel> shown;
  for (std::size_t first = 0; first < line.size();) {
    std::size_t last = first, lowest = first, highest = first;
    const double column = std::floor(line[first].x);
    while (last + 1 < line.size() && std::floor(line[last + 1].x) == column) {
      ++last;
      if (line[last].y < line[lowest].y) lowest = last;
      if (line[last].y > line[highest].y) highest = last;
    }
    const auto [early, late] = std::minmax(lowest, highest);
    std::size_t before = line.size();
    for (const std::size_t i : {first, early, late, last}) {
      if (i != before) shown.push_back(line[i]);
      before = i;
    }
    first = last + 1;
  }
  return shown;
}

}  // namespace gusset::plot
