#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "analysis/transfer_function.hpp"

namespace gusset {

/// A continuous transfer function (1 + b1·s + …)/(a0 + a1·s + …) fitted to sampled signals: see
/// Identification.
struct OutputErrorFit {
  std::vector<double> a, b;    ///< a0 … an; b1 … bm
  Eigen::MatrixXd covariance;  ///< of a0 … an, b1 … bm
  double error = 0;            ///< Σ(y − G·u)²

  ContinuousTransferFunction continuous() const;
};

/// Levenberg and Marquardt from a starting point; nothing if even that describes no stable rig.
/// `time` is a typical time of the rig: s is measured in 1/time.
std::optional<OutputErrorFit> fit_output_error(const std::vector<double>& u, const std::vector<double>& y,
                                               double dt, Hold hold, std::vector<double> a,
                                               std::vector<double> b, double time);

/// Poles of a discrete function of order n by Steiglitz and McBride's iteration: A·y = B·u by least
/// squares on signals filtered through 1/A of the round before.
std::vector<std::complex<double>> discrete_poles(const std::vector<double>& u, const std::vector<double>& y,
                                                 int n);

}  // namespace gusset
