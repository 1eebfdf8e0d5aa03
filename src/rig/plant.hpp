#pragma once

#include <Eigen/Core>
#include <vector>

#include "base/interface.hpp"
#include "rig/test_structure.hpp"

namespace gusset {

/// What a drive is to the plant. It takes hold where the specimen moves by x = w·q, and turns its input u
/// into a force there:
///
///   ḋ = A·d + p·x + s·ẋ + b·u                     d: its states
///   F = f·d + k·x + g·u                            minus what moves its own mass, damping and stiffness
///
/// A drive of the base (a shake table) takes hold of no degree of freedom: F is the acceleration of the base.
struct DriveModel {
  Interface at;                                 ///< w: weights of the specimen's degrees of freedom
  bool base = false;                            ///< the drive moves the base
  double mass = 0, damping = 0, stiffness = 0;  ///< its own, moved with x
  Eigen::MatrixXd a = {};                       ///< A
  Eigen::VectorXd displacement = {}, velocity = {}, input = {};  ///< p, s, b
  Eigen::RowVectorXd force = {};                                 ///< f
  double force_displacement = 0;                                 ///< k
  double force_input = 0;                                        ///< g

  int states() const { return static_cast<int>(a.rows()); }
  /// With `count` states, all zero.
  static DriveModel with_states(Interface at, int count);
};

/// Specimen and drives as one linear plant, assembled from their matrices:
///
///   M̄·q̈ + C̄·q̇ + K̄·q = Σ_c w_cᵀ·(f_c·d_c + g_c·u_c − r_c) − M̄·1·a_t
///   M̄ = M + Σ m_c·w_cᵀ·w_c,   C̄, K̄ likewise, K̄ with −k_c·w_cᵀ·w_c as well
///
///   ż = A·z + B·u − L·r,       z = [q, q̇, d_1, d_2, …]
///
/// r_c is what a specimen that is not linear has beyond M, C, K at a drive's attachment. The specimen's force
/// on the drives follows from its own matrices, not from a difference of large forces:
///
///   φ = P·(M·q̈ + C·q̇ + K·q + M·1·a_t) + r,       P = (W·Wᵀ)⁻¹·W,   W the rows w_c
class Plant {
 public:
  Plant() = default;
  /// The attachments must be independent of each other, and M̄ must have an inverse.
  Plant(const TestStructure& specimen, std::vector<DriveModel> drives);

  int freedoms() const { return freedoms_; }
  int size() const { return static_cast<int>(a_.rows()); }
  const std::vector<DriveModel>& drives() const { return drives_; }
  int first_state(std::size_t drive) const { return first_[drive]; }  ///< of d_c in z
  const Eigen::MatrixXd& a() const { return a_; }
  const Eigen::MatrixXd& b() const { return b_; }                       ///< one column a drive
  const Eigen::MatrixXd& loads() const { return loads_; }               ///< L
  const Eigen::MatrixXd& force_rows() const { return specimen_rows_; }  ///< P·[K, C], one row a drive

  // All @rt-safe.
  double displacement(std::size_t drive, const double* z) const noexcept { return drives_[drive].at.of(z); }
  double velocity(std::size_t drive, const double* z) const noexcept {
    return drives_[drive].at.of(z + freedoms_);
  }
  /// F of a drive without its part k·x.
  double push(std::size_t drive, const double* z, double input) const noexcept;
  /// F of a drive.
  double force(std::size_t drive, const double* z, double input) const noexcept {
    return push(drive, z, input) + drives_[drive].force_displacement * displacement(drive, z);
  }
  /// q̈ of one degree of freedom under these pushes (of a base: its acceleration) and remainders.
  double acceleration(int freedom, const double* z, const double* pushes,
                      const double* remainders) const noexcept;
  /// φ of a drive, q̈ being known; `base` is the acceleration of the base.
  double specimen_force(std::size_t drive, const double* z, const double* accelerations, double base,
                        double remainder) const noexcept;

 private:
  int freedoms_ = 0;
  std::vector<DriveModel> drives_;
  std::vector<int> first_;
  Eigen::MatrixXd a_, b_, loads_;
  Eigen::MatrixXd effect_;         ///< M̄⁻¹·Wᵀ: of a push on q̈, one column a drive; −1 of a base
  Eigen::MatrixXd motion_;         ///< [−M̄⁻¹·K̄, −M̄⁻¹·C̄]
  Eigen::MatrixXd specimen_rows_;  ///< P·[K, C]
  struct Term {
    int freedom;
    double mass;
  };
  std::vector<std::vector<Term>> inertia_;  ///< of each drive: what is not zero of P·M
};

}  // namespace gusset
