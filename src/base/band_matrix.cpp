#include "base/band_matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace gusset {

BandMatrix::BandMatrix(int size, int half_bandwidth) : size_(size) {
  half_bandwidth = std::clamp(half_bandwidth, 0, std::max(size - 1, 0));
  bands_.reserve(static_cast<std::size_t>(half_bandwidth) + 1);
  for (int k = 0; k <= half_bandwidth; ++k) {
    bands_.emplace_back(static_cast<std::size_t>(size - k), 0.0);
  }
}

BandMatrix BandMatrix::diagonal(std::vector<double> values) {
  BandMatrix matrix;
  matrix.size_ = static_cast<int>(values.size());
  matrix.bands_.push_back(std::move(values));
  return matrix;
}

BandMatrix BandMatrix::from_dense(const double* values, int size) {
  const auto at = [&](int i, int j) {
    return values[static_cast<std::size_t>(i) * static_cast<std::size_t>(size) + static_cast<std::size_t>(j)];
  };
  int width = 0;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) {
      if (at(i, j) != 0) width = std::max(width, i - j);
    }
  }
  BandMatrix matrix(size, width);
  for (int i = 0; i < size; ++i) {
    for (int j = std::max(0, i - width); j <= i; ++j) matrix.add(i, j, at(i, j));
  }
  return matrix;
}

BandMatrix BandMatrix::from_general(const double* values, int size) {
  const auto at = [&](int i, int j) {
    return values[static_cast<std::size_t>(i) * static_cast<std::size_t>(size) + static_cast<std::size_t>(j)];
  };
  int width = 0;
  bool symmetric = true;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) {
      if (at(i, j) != 0 || at(j, i) != 0) width = std::max(width, i - j);
      symmetric = symmetric && at(i, j) == at(j, i);
    }
  }
  BandMatrix matrix(size, width);
  if (!symmetric) matrix.above_.assign(matrix.bands_.begin() + 1, matrix.bands_.end());
  for (int i = 0; i < size; ++i) {
    for (int j = std::max(0, i - width); j <= i; ++j) {
      const auto k = static_cast<std::size_t>(i - j), place = static_cast<std::size_t>(j);
      matrix.bands_[k][place] = at(i, j);
      if (!symmetric && k > 0) matrix.above_[k - 1][place] = at(j, i);
    }
  }
  return matrix;
}

double BandMatrix::operator()(int row, int column) const {
  const int k = std::abs(row - column);
  if (k > half_bandwidth()) return 0;
  if (column > row && !symmetric()) {
    return above_[static_cast<std::size_t>(k) - 1][static_cast<std::size_t>(row)];
  }
  return bands_[static_cast<std::size_t>(k)][static_cast<std::size_t>(std::min(row, column))];
}

void BandMatrix::add(int row, int column, double value) {
  const int k = std::abs(row - column);
  bands_[static_cast<std::size_t>(k)][static_cast<std::size_t>(std::min(row, column))] += value;
  if (k > 0 && !symmetric()) {
    above_[static_cast<std::size_t>(k) - 1][static_cast<std::size_t>(std::min(row, column))] += value;
  }
}

BandMatrix BandMatrix::plus(const BandMatrix& other, double factor) const {
  BandMatrix sum(size_, std::max(half_bandwidth(), other.half_bandwidth()));
  for (std::size_t k = 0; k < sum.bands_.size(); ++k) {
    for (std::size_t i = 0; i < sum.bands_[k].size(); ++i) {
      if (k < bands_.size()) sum.bands_[k][i] += bands_[k][i];
      if (k < other.bands_.size()) sum.bands_[k][i] += factor * other.bands_[k][i];
    }
  }
  if (symmetric() && other.symmetric()) return sum;
  sum.above_.assign(sum.bands_.begin() + 1, sum.bands_.end());
  for (std::size_t k = 0; k < sum.above_.size(); ++k) {
    for (std::size_t i = 0; i < sum.above_[k].size(); ++i) {
      const int row = static_cast<int>(i), column = static_cast<int>(i + k) + 1;
      sum.above_[k][i] = (*this)(row, column) + factor * other(row, column);
    }
  }
  return sum;
}

void BandMatrix::multiply(const double* __restrict x, double* __restrict y) const noexcept {
  const double* main = bands_[0].data();
  if (size_ == 1) {
    y[0] = main[0] * x[0];
    return;
  }
  if (bands_.size() == 2 && size_ >= 2 && symmetric()) {
    // The shear building: one pass instead of three.
    const double* side = bands_[1].data();
    const int last = size_ - 1;
    y[0] = main[0] * x[0] + side[0] * x[1];
    for (int i = 1; i < last; ++i) {
      y[i] = side[i - 1] * x[i - 1] + main[i] * x[i] + side[i] * x[i + 1];
    }
    y[last] = side[last - 1] * x[last - 1] + main[last] * x[last];
    return;
  }
  for (int i = 0; i < size_; ++i) y[i] = main[i] * x[i];
  for (std::size_t k = 1; k < bands_.size(); ++k) {
    const double* side = bands_[k].data();
    const double* other_side = symmetric() ? side : above_[k - 1].data();
    const int offset = static_cast<int>(k);
    const int count = size_ - offset;
    for (int i = 0; i < count; ++i) y[i] += other_side[i] * x[i + offset];
    for (int i = 0; i < count; ++i) y[i + offset] += side[i] * x[i];
  }
}

double BandMatrix::quadratic_form(const double* x) const noexcept {
  double sum = 0;
  for (int i = 0; i < size_; ++i) sum += bands_[0][static_cast<std::size_t>(i)] * x[i] * x[i];
  for (std::size_t k = 1; k < bands_.size(); ++k) {
    const int offset = static_cast<int>(k);
    for (int i = 0; i + offset < size_; ++i) {
      const double both = symmetric() ? 2 * bands_[k][static_cast<std::size_t>(i)]
                                      : (*this)(i + offset, i) + (*this)(i, i + offset);
      sum += both * x[i] * x[i + offset];
    }
  }
  return sum;
}

BandFactor::BandFactor(const BandMatrix& matrix) : size_(matrix.size()), width_(matrix.half_bandwidth()) {
  const auto n = static_cast<std::size_t>(size_);
  const auto w = static_cast<std::size_t>(width_);
  lower_.assign(n * w, 0.0);
  inverse_pivot_.assign(n, 0.0);
  if (!matrix.symmetric()) {
    factor_general(matrix);
    return;
  }
  if (width_ == 1) {
    factor_twisted(matrix);
    return;
  }
  std::vector<double> pivot(n);
  const auto l = [&](int row, int column) -> double& {
    return lower_[static_cast<std::size_t>(row) * w + static_cast<std::size_t>(column - row + width_)];
  };
  for (int i = 0; i < size_; ++i) {
    const int first = std::max(0, i - width_);
    for (int j = first; j < i; ++j) {
      double sum = matrix(i, j);
      for (int k = std::max(first, j - width_); k < j; ++k) {
        sum -= l(i, k) * pivot[static_cast<std::size_t>(k)] * l(j, k);
      }
      l(i, j) = sum / pivot[static_cast<std::size_t>(j)];
    }
    double sum = matrix(i, i);
    for (int k = first; k < i; ++k) {
      sum -= l(i, k) * l(i, k) * pivot[static_cast<std::size_t>(k)];
    }
    if (!(sum > 0)) {
      ok_ = false;
      return;
    }
    pivot[static_cast<std::size_t>(i)] = sum;
    inverse_pivot_[static_cast<std::size_t>(i)] = 1 / sum;
  }
}

void BandFactor::factor_general(const BandMatrix& matrix) {
  const auto w = static_cast<std::size_t>(width_);
  upper_.assign(lower_.size(), 0.0);
  std::vector<double> pivot(static_cast<std::size_t>(size_));
  const auto at = [&](std::vector<double>& part, int line, int entry) -> double& {
    return part[static_cast<std::size_t>(line) * w + static_cast<std::size_t>(entry - line + width_)];
  };
  for (int i = 0; i < size_; ++i) {
    const int first = std::max(0, i - width_);
    double sum = matrix(i, i);
    for (int j = first; j < i; ++j) {
      double left = matrix(i, j), right = matrix(j, i);
      for (int k = std::max(first, j - width_); k < j; ++k) {
        left -= at(lower_, i, k) * pivot[static_cast<std::size_t>(k)] * at(upper_, j, k);
        right -= at(lower_, j, k) * pivot[static_cast<std::size_t>(k)] * at(upper_, i, k);
      }
      at(lower_, i, j) = left / pivot[static_cast<std::size_t>(j)];
      at(upper_, i, j) = right / pivot[static_cast<std::size_t>(j)];
      sum -= at(lower_, i, j) * pivot[static_cast<std::size_t>(j)] * at(upper_, i, j);
    }
    if (!(sum > 0)) {
      ok_ = false;
      return;
    }
    pivot[static_cast<std::size_t>(i)] = sum;
    inverse_pivot_[static_cast<std::size_t>(i)] = 1 / sum;
  }
}

void BandFactor::factor_twisted(const BandMatrix& matrix) {
  const int middle = size_ / 2;
  std::vector<double> pivot(matrix.band(0));
  const auto at = [](auto& values, int i) -> auto& { return values[static_cast<std::size_t>(i)]; };
  for (int k = 1; k <= middle; ++k) {
    at(lower_, k) = matrix(k, k - 1) / at(pivot, k - 1);
    at(pivot, k) -= at(lower_, k) * matrix(k, k - 1);
  }
  for (int k = size_ - 1; k > middle; --k) {
    at(lower_, k) = matrix(k, k - 1) / at(pivot, k);
    at(pivot, k - 1) -= at(lower_, k) * matrix(k, k - 1);
  }
  for (int i = 0; i < size_; ++i) {
    ok_ = ok_ && at(pivot, i) > 0;
    at(inverse_pivot_, i) = 1 / at(pivot, i);
  }
  // Products of neighbouring links, for each direction a chain is walked in.
  skip_.assign(lower_.size(), 0.0);
  back_.assign(lower_.size(), 0.0);
  for (int k = 2; k < middle; ++k) at(skip_, k) = at(lower_, k) * at(lower_, k - 1);
  for (int k = size_ - 2; k > middle + 1; --k) at(skip_, k) = at(lower_, k) * at(lower_, k + 1);
  for (int k = middle - 1; k >= 1; --k) at(back_, k) = at(lower_, k) * at(lower_, k + 1);
  for (int k = middle + 2; k < size_; ++k) at(back_, k) = at(lower_, k) * at(lower_, k - 1);
}

namespace {

/// y_k = x_k − l_k·y_{k−1} for k = 1 … count, in place, walking up from `x` (step +1) or down (−1);
/// y_0 stands at x. Each row waits for the one before it. Written over two rows,
///   y_k = (x_k − l_k·x_{k−1}) + (l_k·l_{k−1})·y_{k−2},
/// the bracket waits for nothing, and even and odd rows become two chains. `link` and `skip` point
/// at l_1 and l_1·l_0 (with l_0 = 0) and go the same way.
struct Chain {
  double last, raw_last, before;  ///< y_{k−1}, x_{k−1}, y_{k−2}

  explicit Chain(double first) : last(first), raw_last(first), before(0) {}
  double next(double raw, double link, double skip) noexcept {
    const double y = (raw - link * raw_last) + skip * before;
    raw_last = raw;
    before = last;
    last = y;
    return y;
  }
};

}  // namespace

void BandFactor::solve_twisted(double* x) const noexcept {
  const double* link = lower_.data();
  const double* skip = skip_.data();
  const double* back = back_.data();
  const double* inverse = inverse_pivot_.data();
  const int middle = size_ / 2;
  const int below = size_ - 1 - middle;  // rows eliminated from the far end: middle or middle − 1
  {
    // Both ends at once, towards the middle.
    Chain up(x[0]);
    Chain down(x[size_ - 1]);
    double* top = x + 1;
    double* bottom = x + size_ - 2;
    const double* top_link = link + 1;
    const double* top_skip = skip + 1;
    const double* bottom_link = link + size_ - 1;
    const double* bottom_skip = skip + size_ - 1;
    for (int k = 1; k < below; ++k) {
      *top = up.next(*top, *top_link++, *top_skip++);
      ++top;
      *bottom = down.next(*bottom, *bottom_link--, *bottom_skip--);
      --bottom;
    }
    for (int k = std::max(below, 1); k < middle; ++k) {
      *top = up.next(*top, *top_link++, *top_skip++);
      ++top;
    }
    // The row both arrive at.
    double sum = x[middle];
    if (middle > 0) sum -= link[middle] * up.last;
    if (below > 0) sum -= link[middle + 1] * down.last;
    x[middle] = sum;
  }
  for (int i = 0; i < size_; ++i) x[i] *= inverse[i];
  Chain up(x[middle]);
  Chain down(x[middle]);
  double* top = x + middle - 1;
  double* bottom = x + middle + 1;
  const double* top_link = link + middle;
  const double* top_skip = back + middle;
  const double* bottom_link = link + middle + 1;
  const double* bottom_skip = back + middle + 1;
  for (int k = 0; k < below; ++k) {
    *top = up.next(*top, *top_link--, *top_skip--);
    --top;
    *bottom = down.next(*bottom, *bottom_link++, *bottom_skip++);
    ++bottom;
  }
  for (int k = below; k < middle; ++k) {
    *top = up.next(*top, *top_link--, *top_skip--);
    --top;
  }
}

void BandFactor::solve(double* x) const noexcept {
  if (width_ == 1 && upper_.empty()) {
    solve_twisted(x);
    return;
  }
  const double* row = lower_.data();
  for (int i = 0; i < size_; ++i, row += width_) {
    double sum = x[i];
    for (int k = std::max(0, i - width_); k < i; ++k) sum -= row[k - i + width_] * x[k];
    x[i] = sum;
  }
  for (int i = 0; i < size_; ++i) x[i] *= inverse_pivot_[static_cast<std::size_t>(i)];
  for (int i = size_ - 1; i >= 0; --i) {
    row = (upper_.empty() ? lower_ : upper_).data() + static_cast<std::ptrdiff_t>(i) * width_;
    for (int k = std::max(0, i - width_); k < i; ++k) x[k] -= row[k - i + width_] * x[i];
  }
}

}  // namespace gusset
