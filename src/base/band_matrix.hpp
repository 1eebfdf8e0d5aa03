#pragma once

#include <vector>

namespace gusset {

/// A symmetric matrix of half-bandwidth w, stored by diagonals: w = 0 is a diagonal matrix (lumped
/// masses), w = 1 a shear building's stiffness, w = n − 1 a full matrix. One class serves all since
/// a loop over diagonals runs at the speed of memory in each case.
///
/// A structure of which a part stands in the laboratory has matrices that are not symmetric (see
/// Partition): what is above the diagonal then is stored too.
class BandMatrix {
 public:
  BandMatrix() = default;
  BandMatrix(int size, int half_bandwidth);
  static BandMatrix diagonal(std::vector<double> values);
  /// Takes the smallest band that holds all non-zero entries of a symmetric row-major matrix.
  static BandMatrix from_dense(const double* values, int size);
  /// The same of any row-major matrix; stored as a symmetric one if it is symmetric to the bit.
  static BandMatrix from_general(const double* values, int size);

  int size() const { return size_; }
  int half_bandwidth() const { return static_cast<int>(bands_.size()) - 1; }
  bool symmetric() const noexcept { return above_.empty(); }
  double operator()(int row, int column) const;
  void add(int row, int column, double value);  ///< and its mirror; must lie within the band

  /// The k-th diagonal below the main one (and above, if symmetric); k = 0 is the main one.
  const std::vector<double>& band(int k) const { return bands_[static_cast<std::size_t>(k)]; }

  /// this + factor·other, with the larger band of the two.
  BandMatrix plus(const BandMatrix& other, double factor) const;

  /// y = A·x. x and y must not overlap. @rt-safe
  void multiply(const double* x, double* y) const noexcept;
  /// xᵀ·A·x. @rt-safe
  double quadratic_form(const double* x) const noexcept;

 private:
  int size_ = 0;
  std::vector<std::vector<double>> bands_;
  std::vector<std::vector<double>> above_;  ///< the diagonals above the main one; empty: mirrored
};

/// A = L·D·Lᵀ of a positive definite band matrix; fills no entry outside the band. A tridiagonal matrix
/// is eliminated from both ends towards its middle (twisted factorisation): each row waits for the one
/// before it, so two chains that do not wait for each other take half the time.
///
/// A matrix that is not symmetric is factorised as L·D·U in the same band, without pivoting: its blocks on
/// the diagonal are positive definite, and nothing above them feels what is below.
class BandFactor {
 public:
  BandFactor() = default;
  /// Factorises; `ok()` is false if a pivot is not positive.
  explicit BandFactor(const BandMatrix& matrix);
  bool ok() const { return ok_; }

  /// Overwrites x with A⁻¹·x. @rt-safe
  void solve(double* x) const noexcept;

 private:
  void factor_general(const BandMatrix& matrix);
  void factor_twisted(const BandMatrix& matrix);
  void solve_twisted(double* x) const noexcept;

  bool ok_ = true;
  int size_ = 0;
  int width_ = 0;
  std::vector<double> lower_;  ///< row after row, `width_` entries left of the diagonal; twisted:
                               ///< the links between rows k − 1 and k
  std::vector<double> upper_;  ///< column after column of U, as lower_; empty: Lᵀ
  std::vector<double> inverse_pivot_;
  std::vector<double> skip_, back_;  ///< twisted: products of two links, inwards and outwards
};

}  // namespace gusset
