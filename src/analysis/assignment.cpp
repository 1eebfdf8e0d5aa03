#include "analysis/assignment.hpp"

#include <limits>

namespace gusset {

std::vector<int> assign_columns(const Eigen::MatrixXd& cost) {
  const auto rows = static_cast<int>(cost.rows()), columns = static_cast<int>(cost.cols());
  constexpr double infinite = std::numeric_limits<double>::infinity();
  // Potentials u of rows and v of columns: u_i + v_j ≤ cost_ij, equal where assigned. Index 0 is nobody.
  const auto size = [](int n) { return static_cast<std::size_t>(n) + 1; };
  std::vector<double> u(size(rows), 0), v(size(columns), 0);
  std::vector<int> row_of(size(columns), 0), previous(size(columns), 0);
  const auto at = [](auto& values, int i) -> auto& { return values[static_cast<std::size_t>(i)]; };
  for (int i = 1; i <= rows; ++i) {
    at(row_of, 0) = i;
    int column = 0;
    std::vector<double> least(size(columns), infinite);
    std::vector<bool> done(size(columns), false);
    do {
      done[static_cast<std::size_t>(column)] = true;
      const int row = at(row_of, column);
      double step = infinite;
      int next = 0;
      for (int j = 1; j <= columns; ++j) {
        if (done[static_cast<std::size_t>(j)]) continue;
        const double reduced = cost(row - 1, j - 1) - at(u, row) - at(v, j);
        if (reduced < at(least, j)) {
          at(least, j) = reduced;
          at(previous, j) = column;
        }
        if (at(least, j) < step) {
          step = at(least, j);
          next = j;
        }
      }
      for (int j = 0; j <= columns; ++j) {
        if (done[static_cast<std::size_t>(j)]) {
          at(u, at(row_of, j)) += step;
          at(v, j) -= step;
        } else {
          at(least, j) -= step;
        }
      }
      column = next;
    } while (at(row_of, column) != 0);
    while (column != 0) {
      at(row_of, column) = at(row_of, at(previous, column));
      column = at(previous, column);
    }
  }
  std::vector<int> column_of(static_cast<std::size_t>(rows), -1);
  for (int j = 1; j <= columns; ++j) {
    if (at(row_of, j) > 0) at(column_of, at(row_of, j) - 1) = j - 1;
  }
  return column_of;
}

}  // namespace gusset
