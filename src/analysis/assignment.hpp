#pragma once

#include <Eigen/Core>
#include <vector>

namespace gusset {

/// Gives each row of a matrix of costs a column of its own so that the sum is least (Kuhn 1955, in the form
/// of shortest augmenting paths: rows³ operations). Columns are at least as many as rows.
std::vector<int> assign_columns(const Eigen::MatrixXd& cost);

}  // namespace gusset
