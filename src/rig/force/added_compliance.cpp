#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "rig/force/force_rig.hpp"
#include "rig/force/kinds.hpp"
#include "rig/signal_delay.hpp"

namespace gusset {
namespace {

/// Force control by added compliance with displacement compensation (Shao 2011, Fig. 8; Sivaselvan
/// et al. 2008): a displacement-controlled actuator, late by τ, pulls through a soft spring K_LC whose
/// other end is the floor:
///
///   F = K_LC·(x_a − x)      x_a(t) = x_c(t − τ)  or a second-order loop (ω, ζ) behind that delay
///   x_c = F_d/K_LC + x_fb   x_fb = x                                     without predictor:
///                                  F = C·F_d/(1 + K_LC·(1 − C)·P), apparent damping K_LC·τ
///   Smith:                  x_fb = x + x̂ − x̂(t − τ̂) + (T/2)·x̂'           →  F = C·F_d
///
/// x̂ the model's floor: (M̂s² + Ĉs + K̂ + K_LC)·x̂ = K_LC·x_c, not delayed. The last term makes up for
/// the hold of x_c over a sample T, which is a delay of T/2 and would add damping K_LC·T/2. On a moving
/// table the actuator's command contains the table's displacement as well; x is relative to it.
///
/// State: of the plant; x̂, x̂' and the x̂ of the last τ̂.
class AddedCompliance final : public ForceRig {
 public:
  explicit AddedCompliance(RigContext context) {
    const Section& section = context.section;
    const int n = context.structure.size();
    compliance_ = read_each(section, "stiffness", dim::stiffness, n, 0);
    const std::vector<double> delays = read_floors(section, "delay", dim::time, n, 0);
    const bool second_order = section.has("frequency");
    lag_ = Eigen::VectorXd::Zero(n);
    if (second_order) {
      // A loop under a staircase has a jumping acceleration.
      context.ramp = true;
    }
    const Eigen::MatrixXd spring = compliance_.asDiagonal();
    Plant plant = specimen_plant(context.structure, spring, second_order ? 2 * n : 0);
    const Eigen::MatrixXd to_floor = plant.b.block(n, 0, n, n) * spring;
    plant.force.leftCols(n) = -spring;
    if (second_order) {
      const Eigen::VectorXd omega = read_each(section, "frequency", dim::frequency, n, 0);
      const Eigen::VectorXd zeta = read_each(section, "damping_ratio", dim::none, n, 0.7);
      if (!(omega.minCoeff() > 0)) {
        section.fail("frequency", "the actuator's own loop needs a frequency above zero",
                     "write frequency = \"20 Hz\"");
      }
      const Eigen::MatrixXd squared = omega.cwiseProduct(omega).asDiagonal();
      plant.a.block(n, 2 * n, n, n) = to_floor;
      plant.a.block(2 * n, 3 * n, n, n).setIdentity();
      plant.a.block(3 * n, 2 * n, n, n) = -squared;
      plant.a.block(3 * n, 3 * n, n, n) = -2 * zeta.cwiseProduct(omega).asDiagonal();
      plant.b.setZero();
      plant.b.block(3 * n, 0, n, n) = squared;
      plant.force.block(0, 2 * n, n, n) = spring;
      own_loop_ = true;
      lag_ = 2 * zeta.cwiseQuotient(omega);
    } else {
      plant.b.block(n, 0, n, n) = to_floor;
      plant.force_input = spring;
    }
    set_plant(context, std::move(plant), delays);
    smith_ = section.choice("predictor", {"smith", "none"}, "smith") == "smith";
    if (smith_) read_model(context, delays, spring);
  }

 private:
  void read_model(const RigContext& context, const std::vector<double>& delays,
                  const Eigen::MatrixXd& spring) {
    const Section& section = context.section;
    half_sample_ = section.flag("half_sample", !own_loop_);
    TestStructure model = context.structure;
    model.mass *= section.positive("model_mass", dim::none, 1.0);
    model.damping *= section.non_negative("model_damping", dim::none, 1.0);
    model.stiffness *= section.positive("model_stiffness", dim::none, 1.0);
    int longest = 0;
    const bool given = section.has("model_delay");
    const std::vector<double> stated =
        given ? read_floors(section, "model_delay", dim::time, floors_, 0) : delays;
    for (std::size_t i = 0; i < stated.size(); ++i) {
      late_.push_back(delay_steps(section, "model_delay",
                                  given ? stated[i] : stated[i] + lag_(static_cast<Eigen::Index>(i)), dt_));
      longest = std::max(longest, late_.back().whole);
    }
    Plant plant = specimen_plant(model, spring, 0);
    plant.b.block(floors_, 0, floors_, floors_) *= spring;
    model_plant_ = LinearPlant(plant.a, plant.b, dt_);
    model_hold_ = model_plant_.from_start + model_plant_.from_end;
    model_static_ = (model.stiffness + spring).inverse() * spring;
    model_ = context.layout.add("model", "state", "SI", 2 * floors_, 1e-4);
    history_ = context.layout.add("model", "history", "m", floors_ * (longest + 2), 1e-4);
  }

  void drive(State& state, const double* wanted, double* inputs) const noexcept override {
    const double* x = state.at(plant_);
    for (int i = 0; i < floors_; ++i) {
      inputs[i] = wanted[i] / compliance_(i) + x[i];
    }
    if (!smith_) return;
    double* model = state.at(model_);
    double* history = state.at(history_);
    std::memmove(history + floors_, history,
                 sizeof(double) * static_cast<std::size_t>(history_.size - floors_));
    std::copy_n(model, floors_, history);
    for (int i = 0; i < floors_; ++i) {
      const auto [whole, fraction] = late_[static_cast<std::size_t>(i)];
      const double late = history[whole * floors_ + i];
      const double later = history[(whole + 1) * floors_ + i];
      inputs[i] += model[i] - (late + fraction * (later - late));
      if (half_sample_) inputs[i] += 0.5 * dt_ * model[floors_ + i];
    }
    std::array<double, most_states> next_space;
    Eigen::Map<Eigen::VectorXd> next(next_space.data(), 2 * floors_);
    const Eigen::Map<const Eigen::VectorXd> now(model, 2 * floors_), command(inputs, floors_);
    next.noalias() = model_plant_.transition.lazyProduct(now);
    next.noalias() += model_hold_.lazyProduct(command);
    std::copy_n(next_space.data(), 2 * floors_, model);
  }

  void start_drive(State& state, const Eigen::VectorXd& displacement, const double* forces, double* plant,
                   double* inputs) const override {
    for (int i = 0; i < floors_; ++i) {
      inputs[i] = forces[i] / compliance_(i) + displacement(i);
      if (own_loop_) plant[2 * floors_ + i] = inputs[i];
    }
    if (!smith_) return;
    const Eigen::VectorXd rest = model_static_ * Eigen::Map<const Eigen::VectorXd>(inputs, floors_);
    for (int i = 0; i < floors_; ++i) state.at(model_)[i] = rest(i);
    for (int i = 0; i < history_.size; ++i) state.at(history_)[i] = rest(i % floors_);
  }

  Eigen::VectorXd compliance_;
  bool smith_ = true, half_sample_ = true, own_loop_ = false;
  Eigen::VectorXd lag_;           ///< of each actuator's own loop, at low frequency
  std::vector<DelaySteps> late_;  ///< τ̂ of each actuator
  LinearPlant model_plant_;
  Eigen::MatrixXd model_hold_, model_static_;
  Segment model_, history_;
};

}  // namespace

const RigKind added_compliance_kind{
    "added-compliance",
    "force control through a soft spring, with displacement compensation and Smith predictor",
    "F = K_LC (x_a - x);  x_a = C x_c;  x_c = F_d/K_LC + x + x^ - x^(t - tau) + T/2 v^",
    {Control::force, Control::acceleration},
    {{"stiffness", "N/m", "", "K_LC of the added compliance; one for all actuators or a list"},
     {"delay", "s", "0 s", "of the displacement-controlled actuator; one for all or a list"},
     {"frequency", "Hz", "none", "of the actuator's own second-order loop, behind the delay; one or a list"},
     {"damping_ratio", "-", "0.7", "of that loop"},
     {"predictor", "", "smith", "smith or none"},
     {"half_sample", "", "true", "half a sample of lead, against the hold"},
     {"model_mass", "-", "1", "of the predictor's model, times the specimen's"},
     {"model_damping", "-", "1", "the same of the damping"},
     {"model_stiffness", "-", "1", "the same of the stiffness"},
     {"model_delay", "s", "that of the actuator", "which the predictor counts on"}},
    [](const RigContext& context) -> std::unique_ptr<Rig> {
      for (const double k : context.section.list("stiffness", dim::stiffness)) {
        if (!(k > 0)) {
          context.section.fail("stiffness", "the added compliance needs a stiffness above zero",
                               "write stiffness = \"0.5 kip/in\"");
        }
      }
      return std::make_unique<AddedCompliance>(context);
    }};

}  // namespace gusset
