#pragma once

#include "base/linear_plant.hpp"
#include "loading/method.hpp"
#include "loading/split.hpp"

namespace gusset {

/// Shake tables and actuators together (Shao 2011): some storeys stand in the laboratory, the rest is
/// computed, and the load on the specimen is split between table and actuators; see Partition and Split
/// for the equations. The channels: the table (m/s²), if the split uses one, then an actuator a floor (N).
///
/// Where the commands [a_t; F] of an instant take the motion from is what `feedback` says:
///
///   ideal       the same instant, everything solved simultaneously: numerical part and specimen are one
///               linear system, advanced exactly for ground acceleration that is linear between samples
///   sampled     the specimen as measured at t_i, before the new command; the numerical part advanced
///               exactly under interface forces held over the sample. What a real loop does
///   iterations  n sub-steps a sample, each with a trial of the specimen's response at t_{i+1} (Chen 2007):
///               u^(k+1) = u^(k) + (ũ − u^(k))/(n − k),  ũ = u^(k) + (I − J)⁻¹·(U(u^(k)) − u^(k))
///               U(u) the commands of t_{i+1} that follow from the response to u, J = ∂U/∂u; the interface
///               forces move in ramps between samples. The first sub-step has the motion of t_i to go by
///   open-loop   a numerical model of the whole structure; the specimen's answer is only recorded
///
/// State: x, v of the numerical part (`ideal`: and of the specimen; `open-loop`: of the whole); measured
/// motion of the specimen; the last commands.
class ShakeTableMethod final : public Method {
 public:
  enum class Feedback { ideal, sampled, iterations, open_loop };
  struct Parameters {
    Partition partition;
    Split split;
    Feedback feedback = Feedback::sampled;
    int substeps = 1;
    bool ramp = false;  ///< commands move in ramps to the next sample instead of being held
    bool table = false;
  };
  ShakeTableMethod(Parameters parameters, std::vector<Channel> channels, double dt, Layout& layout);

  void begin(State& state, const Input& input, const Response& response, Piece* pieces,
             double* lines) const noexcept override;
  void correct(int substep, State& state, const double* forces, const double* positions,
               const Response& response, Piece* pieces, double* lines) const noexcept override;
  void end(State& state, const double* lines) const noexcept override;
  std::size_t lines_size() const override { return static_cast<std::size_t>(2 * specimen_ + 2); }
  int wires() const override { return 3; }
  std::vector<Feed> feeds() const override;
  void start(State& state, const LinearStart& motion, const Input& input, Command* targets) const override;
  LinearStart specimen_start(const LinearStart& whole) const override;

  /// Of `ideal`: where the specimen's x, v, a stand in the state, for the rig that only shows them.
  Segment specimen_motion() const { return mirror_; }

 private:
  static constexpr int most = 256;  ///< entries of any vector in a step
  using Map = Eigen::Map<Eigen::VectorXd>;
  using ConstMap = Eigen::Map<const Eigen::VectorXd>;

  void build_ideal();
  void build_numerical();
  void build_newton();
  /// u of an instant.
  void commands(const double* numerical, const double* x, const double* v, const double* a, double ground,
                double* u) const noexcept;
  void accelerations(const double* numerical, const double* x, const double* v, double ground,
                     double* a) const noexcept;
  void respond(const double* numerical, const double* x, const double* v, const double* a, double ground,
               const Response& response) const noexcept;
  void numerical_step(const double* from, const double* x0, const double* v0, const double* x1,
                      const double* v1, double ground, double next_ground, double* to) const noexcept;
  void send(const double* u, Piece* pieces) const noexcept;

  Parameters p_;
  int numerical_, specimen_, channels_count_;
  CommandMap map_;
  LinearPlant plant_;                      ///< numerical part: inputs interface forces, ground
  LinearPlant joined_;                     ///< numerical part and specimen in one; input ground
  Eigen::MatrixXd specimen_acceleration_;  ///< ẍ_E from [x_N v_N x_E v_E ü_g], all solved together
  Eigen::MatrixXd acceleration_n_, acceleration_e_;  ///< M_N⁻¹·[…] on [x_N v_N] and [x_E v_E]
  Eigen::MatrixXd newton_;                           ///< (I − J)⁻¹
  Segment model_;                                    ///< [x_N v_N]; ideal and open-loop: [x_N v_N x_E v_E]
  Segment x_, v_, a_;                                ///< measured
  Segment commands_;                                 ///< u of the last instant
  Segment mirror_;
};

}  // namespace gusset
