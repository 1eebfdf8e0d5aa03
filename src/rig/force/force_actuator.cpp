#include <algorithm>
#include <cmath>

#include "rig/force/kinds.hpp"
#include "rig/force/linear_assembly.hpp"

namespace gusset {
namespace {

constexpr Dimension leakage_dimension{.length = 4, .mass = -1, .time = 1};  // m³/s/Pa

/// Direct force control of a servo-hydraulic actuator (the introduction of Chen 2007; Dimig et al.
/// 1999). The piston follows the floor, and the oil that takes is missing for the force: natural
/// velocity feedback. With the oil column's stiffness k = 4βA²/V and leakage rate λ = 4βC_l/V
///
///   Ḟ = k·(u − ẋ) − λ·F            u the valve's flow over A, τ late
///   u = (ω_b/k)·(F_d − F) + (λ/k)·F_d + c·ẋ_measured
///
/// With c = 0 the loop starves near the specimen's frequency: F/F_d → 0 there as damping does. c = 1
/// makes up for the flow (Zhao et al. 2005), as far as the valve's delay allows.
///
/// A valve has an end. With supply_pressure p_s and no_load_flow Q_0 the flow is that of a sharp-edged
/// orifice, opened no further than it goes, the load pressure F/A being that of the sample's beginning:
///   A·u = Q_0·clip(A·u/Q_0, ±1)·sqrt(1 − sgn(u)·F/(A·p_s))
/// so that the actuator's push ends at A·p_s and its speed at Q_0/A; relief valves open where the
/// specimen drives the pressure beyond that. The loop is not linear then.
///
/// State: of the plant, with F an actuator.
class ForceActuator final : public LinearAssembly {
 public:
  explicit ForceActuator(const AssemblyContext& context) {
    const Section& section = context.section;
    const int n = context.structure.size();
    const double area = section.positive("area", dim::area);
    const double oil = 4 * section.positive("bulk_modulus", dim::pressure) /
                       section.positive("volume", dim::volume);
    stiffness_ = oil * area * area;
    leakage_ = oil * (section.has("leakage") ? section.non_negative("leakage", leakage_dimension) : 0);
    bandwidth_ = section.positive("bandwidth", dim::frequency);
    compensation_ = section.number("velocity_compensation", dim::none, 0.0);
    if (section.has("supply_pressure") != section.has("no_load_flow")) {
      section.fail(section.has("supply_pressure") ? "no_load_flow" : "supply_pressure",
                   "a valve has both a supply pressure and a flow without load", "give both, or neither");
    }
    if (section.has("supply_pressure")) {
      capacity_ = area * section.positive("supply_pressure", dim::pressure);
      speed_ = section.positive("no_load_flow", dim::flow) / area;
    }
    Plant plant = specimen_plant(context.structure, Eigen::MatrixXd::Zero(n, n), n);
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
    plant.a.block(n, 2 * n, n, n) = plant.b.block(n, 0, n, n);
    plant.a.block(2 * n, n, n, n) = -stiffness_ * one;
    plant.a.block(2 * n, 2 * n, n, n) = -leakage_ * one;
    plant.b.setZero();
    plant.b.block(2 * n, 0, n, n) = stiffness_ * one;
    plant.force.block(0, 2 * n, n, n) = one;
    set_plant(context, std::move(plant), read_floors(section, "delay", dim::time, n, 0));
  }

  bool affine() const override { return speed_ == 0; }

 private:
  void drive(State& state, const Command* actuators, double* inputs) const noexcept override {
    const double* x = state.at(plant_);
    for (int i = 0; i < floors_; ++i) {
      const double wanted = actuators[i].displacement;
      const double force = x[2 * floors_ + i];
      inputs[i] = (bandwidth_ * (wanted - force) + leakage_ * wanted) / stiffness_ +
                  compensation_ * x[floors_ + i];
      if (speed_ > 0) inputs[i] = through_valve(inputs[i], force);
    }
  }
  void bound(double* x) const noexcept override {
    for (int i = 2 * floors_; speed_ > 0 && i < 3 * floors_; ++i) x[i] = std::clamp(x[i], -capacity_, capacity_);
  }
  double through_valve(double speed, double force) const noexcept {
    const double opening = std::clamp(speed / speed_, -1.0, 1.0);
    const double left = 1 - (opening < 0 ? -force : force) / capacity_;
    return speed_ * opening * std::sqrt(std::max(left, 0.0));
  }
  void start_drive(State&, const Eigen::VectorXd&, const double* forces, double* plant,
                   double* inputs) const override {
    for (int i = 0; i < floors_; ++i) {
      plant[2 * floors_ + i] = forces[i];
      inputs[i] = leakage_ * forces[i] / stiffness_ + compensation_ * plant[floors_ + i];
    }
  }

  double capacity_ = 0, speed_ = 0;  ///< A·p_s, Q_0/A; 0: a valve without end
  double stiffness_ = 0, leakage_ = 0, bandwidth_ = 0, compensation_ = 0;
};

}  // namespace

const AssemblyKind force_actuator_kind{
    "force-actuator",
    "direct force control of a servo-hydraulic actuator, with or without compensation of its flow",
    "F' = k (u - v) - l F;  u = wb/k (F_d - F) + l/k F_d + c v;  k = 4 beta A^2/V, l = 4 beta C_l/V",
    {{"area", "m^2", "", "of the piston"},
     {"volume", "m^3", "", "of oil in both chambers"},
     {"bulk_modulus", "Pa", "", "of the oil"},
     {"leakage", "m^3/s/Pa", "0 m^3/s/Pa", "between the chambers"},
     {"bandwidth", "Hz", "", "of the force loop on a fixed specimen"},
     {"velocity_compensation", "-", "0", "share of the floor's velocity that is fed forward; 1: all"},
     {"supply_pressure", "Pa", "none", "with no_load_flow: an orifice's flow, and an end to force and speed"},
     {"no_load_flow", "m^3/s", "none", "through the fully open valve"},
     {"delay", "s", "0 s", "of the valve"}},
    [](const AssemblyContext& context) -> std::unique_ptr<Assembly> {
      return std::make_unique<ForceActuator>(context);
    }};

}  // namespace gusset
