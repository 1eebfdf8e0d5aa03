#pragma once

#include <cstddef>
#include <vector>

namespace gusset::plot {

/// A place between grid points: column and row, counted from 0, with fractions.
struct GridPoint {
  double column, row;
};

/// Lines along which a field on a grid has the given level, by marching squares with linear
/// interpolation; a saddle is cut as the mean of its four corners says. Squares with a corner that
/// is NaN are left out, infinite corners count as very far from the level. Closed lines end where
/// they begin. `values`: row after row.
std::vector<std::vector<GridPoint>> contour_lines(const std::vector<double>& values, std::size_t columns,
                                                  std::size_t rows, double level);

}  // namespace gusset::plot
