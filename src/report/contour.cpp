#include "report/contour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <unordered_map>
#include <utility>

namespace gusset::plot {
namespace {

/// The grid's edges that a line crosses are numbered: 2 × (grid point) + (0: to the right, 1: up).
using Edge = std::size_t;

class March {
 public:
  March(const std::vector<double>& values, std::size_t columns, std::size_t rows, double level)
      : values_(values), columns_(columns), rows_(rows), level_(level) {}

  std::vector<std::vector<GridPoint>> lines() {
    for (std::size_t row = 0; row + 1 < rows_; ++row) {
      for (std::size_t column = 0; column + 1 < columns_; ++column) cut(column, row);
    }
    std::vector<std::vector<GridPoint>> all;
    std::vector<bool> used(segments_.size(), false);
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      if (used[i]) continue;
      used[i] = true;
      std::deque<Edge> chain = {segments_[i].first, segments_[i].second};
      while (const Edge* next = step(chain.back(), used)) chain.push_back(*next);
      while (const Edge* next = step(chain.front(), used)) chain.push_front(*next);
      std::vector<GridPoint> line;
      for (const Edge edge : chain) line.push_back(crossing(edge));
      all.push_back(std::move(line));
    }
    return all;
  }

 private:
  /// Distance above the level, finite unless NaN.
  double height(std::size_t point) const { return std::clamp(values_[point] - level_, -1e300, 1e300); }

  void cut(std::size_t column, std::size_t row) {
    const std::size_t here = row * columns_ + column, above = here + columns_;
    const std::array<double, 4> corner = {height(here), height(here + 1), height(above + 1), height(above)};
    for (const double value : corner) {
      if (std::isnan(value)) return;
    }
    // Edges in the order of the corners before them: bottom, right, top, left.
    const std::array<Edge, 4> edges = {2 * here, 2 * (here + 1) + 1, 2 * above, 2 * here + 1};
    std::array<std::size_t, 4> crossed{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      if ((corner[i] > 0) != (corner[(i + 1) % 4] > 0)) crossed[count++] = i;
    }
    if (count == 2) {
      add(edges[crossed[0]], edges[crossed[1]]);
    } else if (count == 4) {
      const double middle = corner[0] / 4 + corner[1] / 4 + corner[2] / 4 + corner[3] / 4;
      // Lines cut off the corners that are on the other side than the middle.
      const std::size_t shift = (corner[0] > 0) != (middle > 0) ? 3 : 0;
      add(edges[shift], edges[(shift + 1) % 4]);
      add(edges[(shift + 2) % 4], edges[(shift + 3) % 4]);
    }
  }

  void add(Edge a, Edge b) {
    touching_[a].push_back(segments_.size());
    touching_[b].push_back(segments_.size());
    segments_.emplace_back(a, b);
  }

  /// The other end of a segment that goes on from `edge`, or null.
  const Edge* step(Edge edge, std::vector<bool>& used) const {
    for (const std::size_t i : touching_.at(edge)) {
      if (used[i]) continue;
      used[i] = true;
      return segments_[i].first == edge ? &segments_[i].second : &segments_[i].first;
    }
    return nullptr;
  }

  GridPoint crossing(Edge edge) const {
    const std::size_t point = edge / 2, other = edge % 2 ? point + columns_ : point + 1;
    const double a = height(point), b = height(other);
    // In two steps: the difference of two very large numbers would not be finite.
    const double share = std::clamp((a / 2) / (a / 2 - b / 2), 0.0, 1.0);
    const auto column = static_cast<double>(point % columns_);
    const auto row = static_cast<double>(point / columns_);
    return edge % 2 ? GridPoint{column, row + share} : GridPoint{column + share, row};
  }

  const std::vector<double>& values_;
  std::size_t columns_, rows_;
  double level_;
  std::vector<std::pair<Edge, Edge>> segments_;
  std::unordered_map<Edge, std::vector<std::size_t>> touching_;
};

}  // namespace

std::vector<std::vector<GridPoint>> contour_lines(const std::vector<double>& values, std::size_t columns,
                                                  std::size_t rows, double level) {
  if (columns < 2 || rows < 2 || values.size() / columns < rows || !std::isfinite(level)) return {};
  return March(values, columns, rows, level).lines();
}

}  // namespace gusset::plot
