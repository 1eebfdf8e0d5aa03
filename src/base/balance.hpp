#pragma once

#include <Eigen/Core>

namespace gusset {

/// Scales rows and columns by powers of two until their norms agree (Osborne; Parlett & Reinsch), in
/// place. Returns the scales d: the balanced matrix is diag(1/d)·A·diag(d).
Eigen::VectorXd balance(Eigen::MatrixXd& matrix);

/// e^A of a matrix whose entries differ by many orders of magnitude, as positions beside pressures
/// do: balanced first, or the squarings that a large norm asks for cost half of the digits.
Eigen::MatrixXd exponential(Eigen::MatrixXd matrix);

}  // namespace gusset
