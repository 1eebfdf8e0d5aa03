#pragma once

#include <functional>

#include "base/input.hpp"
#include "base/linear_plant.hpp"
#include "loading/split.hpp"

namespace gusset::test {

/// A linear shake-table test whole and by itself, numerical part and specimen advanced by matrix exponentials
/// of their own: an oracle for the loop of integrator, loading and rig. It knows no State, no stage and no
/// integrator. Commands are followed exactly, held over a sample or in ramps.
class LinearTableTest {
 public:
  enum class Feedback { sampled, iterations, open_loop };
  struct Settings {
    Partition partition;
    Split split;
    Feedback feedback = Feedback::sampled;
    int substeps = 1;
    bool ramp = false;
    double dt = 1e-3;
  };
  explicit LinearTableTest(Settings settings);

  /// Displacements of all floors at t_i, for every sample of the ground's acceleration.
  std::vector<Eigen::VectorXd> run(const std::function<Input(std::int64_t)>& input, std::int64_t steps);

 private:
  struct Specimen {
    Eigen::VectorXd x, v, a;
  };
  Eigen::VectorXd commands(const Eigen::VectorXd& model, const Specimen& specimen, double ground) const;
  Eigen::VectorXd numerical_step(const Eigen::VectorXd& from, const Specimen& at_start,
                                 const Specimen& at_end, double ground, double next) const;
  /// From z = [x v] under commands that move from u_0 to u_1.
  Specimen answer(const Specimen& from, const Eigen::VectorXd& start, const Eigen::VectorXd& end) const;
  Eigen::VectorXd model_acceleration(const Eigen::VectorXd& model, double ground) const;

  Settings s_;
  Eigen::Index n_, e_;
  CommandMap map_;
  LinearPlant numerical_, specimen_, joined_;
  Eigen::MatrixXd rates_, inputs_;         ///< of the specimen
  Eigen::MatrixXd specimen_acceleration_;  ///< from [x_N v_N x_E v_E ü_g]
  Eigen::MatrixXd newton_;
};

}  // namespace gusset::test
