#pragma once

#include "base/linear_plant.hpp"
#include "loading/method.hpp"
#include "loading/split.hpp"

namespace gusset {

/// Shake tables and actuators together (Shao 2011), with `ideal` feedback: commands [a_t; F] of an instant
/// follow from the motion of the same instant. Numerical part and specimen are solved simultaneously, as one
/// linear system that is advanced exactly for ground acceleration that is linear between samples: a
/// reference, which no laboratory can run. See Partition and Split for the equations, and ShakeTableMethod
/// for what can be run.
///
/// State: x, v of the numerical part and of the specimen; the specimen's x, v, a, for the rig that only
/// shows them; measured motion; the last commands.
class IdealTableMethod final : public Method {
 public:
  struct Parameters {
    Partition partition;
    Split split;
    bool table = false;
  };
  IdealTableMethod(Parameters parameters, std::vector<Channel> channels, double dt, Layout& layout);

  void begin(State& state, const Input& input, const Response& response, Piece* pieces,
             double* lines) const noexcept override;
  int wires() const override { return 3; }
  std::vector<Feed> feeds() const override;
  void start(State& state, const LinearStart& motion, const Input& input, Command* targets) const override;
  LinearStart specimen_start(const LinearStart& whole) const override;

  /// Where the specimen's x, v, a stand in the state.
  Segment specimen_motion() const { return mirror_; }

 private:
  static constexpr int most = 256;  ///< entries of any vector in a step
  using Map = Eigen::Map<Eigen::VectorXd>;
  using ConstMap = Eigen::Map<const Eigen::VectorXd>;

  void build();
  /// u of an instant.
  void commands(const double* numerical, const double* x, const double* v, const double* a, double ground,
                double* u) const noexcept;
  void accelerations(const double* numerical, const double* x, const double* v, double ground,
                     double* a) const noexcept;
  void respond(const double* numerical, const double* x, const double* v, const double* a, double ground,
               const Response& response) const noexcept;

  Parameters p_;
  int numerical_, specimen_, channels_count_;
  CommandMap map_;
  LinearPlant joined_;                     ///< numerical part and specimen in one; input ground
  Eigen::MatrixXd specimen_acceleration_;  ///< ẍ_E from [x_N v_N x_E v_E ü_g], all solved together
  Eigen::MatrixXd acceleration_n_, acceleration_e_;  ///< M_N⁻¹·[…] on [x_N v_N] and [x_E v_E]
  Segment model_;                                    ///< [x_N v_N x_E v_E]
  Segment x_, v_, a_;                                ///< measured
  Segment commands_;                                 ///< u of the last instant
  Segment mirror_;
};

}  // namespace gusset
