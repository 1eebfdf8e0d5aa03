#include "base/linear_plant.hpp"

#include "base/balance.hpp"

namespace gusset {

LinearPlant::LinearPlant(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double h) {
  const Eigen::Index n = a.rows();
  const Eigen::Index m = b.cols();
  if (h <= 0) {
    transition = Eigen::MatrixXd::Identity(n, n);
    from_start = from_end = Eigen::MatrixXd::Zero(n, m);
    return;
  }
  Eigen::MatrixXd joined = Eigen::MatrixXd::Zero(n + 2 * m, n + 2 * m);
  joined.topLeftCorner(n, n) = a * h;
  joined.block(0, n, n, m) = b * h;
  joined.block(n, n + m, m, m).setIdentity();
  const Eigen::MatrixXd e = exponential(joined);
  transition = e.topLeftCorner(n, n);
  from_end = e.block(0, n + m, n, m);
  from_start = e.block(0, n, n, m) - from_end;
}

}  // namespace gusset
