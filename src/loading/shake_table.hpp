#pragma once

#include "loading/method.hpp"
#include "loading/numerical_storeys.hpp"
#include "loading/split.hpp"

namespace gusset {

/// Shake tables and actuators together (Shao 2011): some storeys stand in the laboratory, the rest is
/// computed, and the load on the specimen is split between table and actuators; see Partition and Split
/// for the equations. The channels: the table (m/s²), if the split uses one, then an actuator a floor (N).
///
/// A *model* is advanced by an Integrator: the numerical part under the specimen's interface forces, or of
/// `open-loop` the whole structure. Its motion and the specimen's, at one instant, give the commands:
///
///   ẍ = M⁻¹·(−C·ẋ − K·x − Σ b·f) − ι·ü_g         f: interface forces and restoring forces of the model
///   P_2 as in Partition, and what restoring forces across the cut pull the specimen's floors with
///   [a_t; F] = base·(ẍ_b + ü_g) + force·P_2 + own·ẍ_E                          see LoadShares
///
/// Which instant is what `feedback` says (`ideal`, a linear reference, is IdealTableMethod):
///
///   sampled     the specimen as measured at t_i, before the new command; the numerical part goes to t_{i+1}
///               under interface forces held over the sample. What a real loop does
///   iterations  n sub-steps a sample, each with a trial of the specimen's response at t_{i+1} (Chen 2007):
///               u^(k+1) = u^(k) + (ũ − u^(k))/(n − k),  ũ = u^(k) + (I − J)⁻¹·(U(u^(k)) − u^(k))
///               U(u) the commands of t_{i+1} that follow from the response to u, J = ∂U/∂u of the structure
///               at rest; the interface forces move in ramps between samples. The first sub-step has the
///               motion of t_i to go by
///   open-loop   the specimen's answer is only recorded
///
/// The force on floor b follows from the specimen's motion as long as that is linear. Where its lowest storey
/// yields, the force is measured: it is the shear under the specimen.
///
/// What the model does at t_{i+1} is what its next step will say of that instant (Response): a step is taken
/// and taken back, which serves every integrator.
///
/// State: what the integrator and the restoring forces keep; measured motion of the specimen and the shear;
/// the last commands; of `iterations` with parts that yield, the largest of each command so far and the
/// largest share of it that the sub-steps left unresolved.
class ShakeTableMethod final : public Method {
 public:
  enum class Feedback { sampled, iterations, open_loop };
  struct Parameters {
    Partition partition;  ///< of the matrices in the file
    Partition rest;       ///< restoring forces included, as they are at rest
    LinearSystem whole;   ///< the matrices in the file; of `open_loop` the model
    Split split;
    Feedback feedback = Feedback::sampled;
    int substeps = 1;
    bool ramp = false;  ///< commands move in ramps to the next sample instead of being held
    bool table = false;
    bool shear = false;     ///< the force on floor b is measured
    bool yielding = false;  ///< some restoring force is not linear
  };
  /// What integrates the model.
  struct Model {
    std::unique_ptr<Integrator> integrator;  ///< null: nothing is numerical
    Kept state;                              ///< of the integrator
    std::vector<StoreyForce> storeys;
    std::vector<int> far;  ///< of each storey the specimen's floor it pulls; −1: none
  };
  ShakeTableMethod(Parameters parameters, Model model, std::vector<Channel> channels, double dt,
                   Layout& layout);

  /// The forces by which a specimen loads the numerical part, as an integrator is told of them: they come
  /// before those of the storeys.
  static std::vector<ForceEstimate> interface_estimates(const Partition& partition);

  void begin(State& state, const Input& input, const Response& response, Piece* pieces,
             double* lines) const noexcept override;
  void correct(int substep, State& state, const double* forces, const double* positions,
               const Response& response, Piece* pieces, double* lines) const noexcept override;
  void end(State& state, double* lines) const noexcept override;
  std::size_t lines_size() const override;
  int wires() const override { return 3; }
  std::vector<Feed> feeds() const override;
  void start(State& state, const LinearStart& motion, const Input& input, Command* targets) const override;
  LinearStart specimen_start(const LinearStart& whole) const override;
  std::vector<std::string> verdicts(const State& state) const override;

 private:
  static constexpr int most = 256;  ///< entries of any vector on the stack
  using Map = Eigen::Map<Eigen::VectorXd>;
  using ConstMap = Eigen::Map<const Eigen::VectorXd>;

  /// The specimen at an instant, relative to its base.
  struct Specimen {
    const double *x, *v, *a;
    double shear;
  };
  /// The loading's scratch, which lives for a step.
  struct Work {
    double* ground;                     ///< ü_g of t_i and t_{i+1}
    double *forces, *next, *peek;       ///< interface forces, then the storeys'; of t_i, t_{i+1}, at will
    NumericalStoreys::Scratch storeys;  ///< parts of the arrays below
    double* change;                     ///< of all forces: the storeys' and noughts
    double *far_x, *far_v;              ///< motion of the storeys' far ends
    double* base_rate;                  ///< p_i of floor b
    double* saved;                      ///< State of the integrator
    double *x, *v, *a;                  ///< response of the model at an instant
    double* integrator;                 ///< scratch of the integrator

    Response response() const noexcept { return {x, v, a, integrator}; }
  };

  bool open() const noexcept { return p_.feedback == Feedback::open_loop; }
  void build_model();
  void build_newton();
  Work work(double* lines) const noexcept;
  Specimen measured(const State& state) const noexcept;
  void interface_forces(const Specimen& specimen, double* forces) const noexcept;
  NumericalStoreys::Far far(const State& state, const Specimen& specimen, double point,
                            const Work& w) const noexcept;
  /// From t_i to t_{i+1}, corrections included; `ramp`: w.next has the forces at the end.
  void model_step(State& state, const Specimen& specimen, bool ramp, const Work& w) const noexcept;
  void save(const State& state, const Work& w) const noexcept;  ///< of the integrator
  void restore(State& state, const Work& w) const noexcept;
  /// Writes x and v of the model now, under w.peek, and leaves the State alone.
  void model_now(State& state, double ground, const Work& w) const noexcept;
  /// Writes a of the model under these forces.
  void accelerate(double ground, const double* forces, const Work& w) const noexcept;
  /// u of an instant; of `open_loop` the specimen is that of the model.
  void commands(const Specimen& specimen, const double* forces, double ground, const Work& w,
                double* u) const noexcept;
  /// The commands of t_{i+1} that follow from what is measured in a trial.
  void wanted(State& state, const Work& w, double* u) const noexcept;
  void respond(const State& state, const Response& response, const Work& w) const noexcept;
  void send(const double* u, Piece* pieces) const noexcept;
  void judge(State& state, const Work& w) const noexcept;

  Parameters p_;
  std::unique_ptr<Integrator> integrator_;
  Kept kept_;
  NumericalStoreys storeys_;
  std::vector<int> far_;
  int numerical_, specimen_, channels_count_;
  int model_ = 0;                            ///< degrees of freedom of the model
  int interfaces_ = 0;                       ///< interface forces
  int base_ = -1;                            ///< floor b among the model's degrees of freedom
  bool across_ = false;                      ///< a storey stands across the cut
  std::vector<Contribution> contributions_;  ///< of all forces
  std::vector<int> loaded_;                  ///< floor that each interface force acts on
  LoadShares shares_;
  Eigen::MatrixXd inverse_mass_, damping_, stiffness_;  ///< of the model
  Eigen::VectorXd influence_;
  Eigen::MatrixXd measured_load_;  ///< M_N⁻¹·[Q_x Q_v]: what the measured specimen does to numerical floors
  Eigen::MatrixXd newton_;         ///< (I − J)⁻¹
  Segment x_, v_, a_;              ///< measured
  Segment shear_;
  Segment commands_;  ///< u of the last instant
  Segment largest_, unresolved_;
};

}  // namespace gusset
