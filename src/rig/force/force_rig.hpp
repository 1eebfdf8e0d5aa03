#pragma once

#include <Eigen/Core>

#include "base/linear_plant.hpp"
#include "rig/force/signals.hpp"
#include "rig/force/yielding.hpp"
#include "rig/rig.hpp"

namespace gusset {

/// Force-controlled actuators at the floors of a specimen and, where there is one, a shake table under its
/// base. The specimen is a structure of its own, x its floors' motion relative to the base:
///
///   M_e·ẍ + C_e·ẋ + r(x) = −M_e·1·a_t + F
///
/// F what the actuators really apply, a_t what the table really does. Actuators, specimen and table are one
/// linear plant, driven by one input a channel that arrives a pure delay late:
///
///   ẋ = A·x + Σ_c b_c·u_c(t − τ_c)         advanced exactly (matrix exponential)
///   a = A_v·x + B_v·u                       accelerations of the floors: the rows of v̇
///   F = C_f·x + D_f·u                       forces on the floors
///
/// An input is held from sample to sample, or moves in ramps. τ_c may be a fraction of a sample: the
/// sample is cut where the older value ends. u at a sample's end is that of just before the next
/// command. The measured force is the mean of those at a sample's beginning and end, as a load cell's
/// filter makes it: under a held command the force has teeth that the specimen does not feel.
/// How a command becomes the plant's input is what the kinds differ in: drive(). Yielding storeys are in
/// the plant as they are at rest, and correct it at the end of each sample (YieldingStoreys).
///
/// A table adds two states, y and ẏ, the displacement command a high-pass makes of the acceleration u:
///   ÿ = u − 2ζω·ẏ − ω²·y
/// With control = "displacement" the table follows ÿ, with "acceleration" u; then y only tells the stroke.
/// Where `frequency` is given, it follows w as a second-order loop does, a_t'' + 2ζω_t·a_t' + ω_t²·(a_t − w)
/// = 0, with two more states.
///
/// With trials, each sub-step gives the response at the end of the whole step to that sub-step's command,
/// always from the same beginning; only the last one stays (Chen 2007).
///
/// State: x (specimen.displacement, .velocity, what the kind adds, table.displacement, .velocity), and
/// of each channel the inputs that are still on their way.
class ForceRig : public Rig {
 public:
  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  std::vector<Signal> signals(std::size_t channel) const override;
  std::vector<double> frequencies() const override { return frequencies_; }
  bool rewinds() const override { return trials_ > 1; }
  bool affine() const override { return yielding_.affine(); }

 protected:
  static constexpr int most_states = 512;

  /// The plant before delays and the table are added: x begins with displacements and velocities of
  /// the floors; one input an actuator.
  struct Plant {
    Eigen::MatrixXd a, b;                ///< b: one column an actuator
    Eigen::MatrixXd force, force_input;  ///< C_f, D_f
  };
  /// M_e, C_e, K_e (with `extra` on the stiffness) and a force on every floor; `more` states behind.
  static Plant specimen_plant(const TestStructure& structure, const Eigen::MatrixXd& extra, int more);
  void set_plant(const RigContext& context, Plant plant, const std::vector<double>& delays);

  /// From the forces wanted to the actuators' inputs, at the beginning of a sub-step; the plant's states
  /// of then are measured. @rt-safe
  virtual void drive(State& state, const double* wanted, double* inputs) const noexcept = 0;
  /// What the plant cannot leave, at the end of a sample; nothing for a linear one. @rt-safe
  virtual void bound(double* /*x*/) const noexcept {}
  /// Inputs and own states that keep `forces` up with the floors at rest at `displacement`.
  virtual void start_drive(State& state, const Eigen::VectorXd& displacement, const double* forces,
                           double* plant, double* inputs) const = 0;

  int floors_ = 0, states_ = 0;
  bool table_ = false;
  double dt_ = 0;
  Segment plant_;  ///< all of x, in one piece

 private:
  struct Input {
    int whole = 0;                                           ///< samples of delay
    double fraction = 0;                                     ///< of a sample, on top
    Segment history;                                         ///< u of the last samples, newest first
    Eigen::VectorXd old_start, old_end, new_start, new_end;  ///< what they add to x
  };
  void add_input(const RigContext& context, const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                 const std::string& owner, double delay);
  /// The input at a sample's beginning, just after the new command, and at its end.
  struct Ends {
    double start, end;
  };
  Ends push(State& state, const Input& input, double value, bool keep, double* x) const noexcept;
  void write(const double* before, const double* x, const Ends* ends, RigRow row) const noexcept;
  void show_yielding(const double* x, const double* error, RigRow row) const noexcept;
  std::size_t channel_of(int floor) const noexcept {
    return static_cast<std::size_t>(floor + (table_ ? 1 : 0));
  }

  int trials_ = 1;
  bool ramp_ = false, displacement_control_ = false;
  Eigen::RowVectorXd table_state_;  ///< a_t from x …
  double table_input_ = 1;          ///< … and from u
  int table_loop_ = -1;             ///< where the table's own loop begins in x
  Eigen::MatrixXd transition_, a_, b_, force_, force_input_;
  std::vector<Input> inputs_;  ///< the table's first, if there is one
  YieldingStoreys yielding_;
  std::optional<BaseShear> shear_;
  std::vector<double> frequencies_;
};

/// A number for all floors, or a list with one each.
std::vector<double> read_floors(const Section& section, std::string_view key, const Dimension& dimension,
                                int floors, double fallback);
Eigen::VectorXd read_each(const Section& section, std::string_view key, const Dimension& dimension,
                          int floors, double fallback);

}  // namespace gusset
