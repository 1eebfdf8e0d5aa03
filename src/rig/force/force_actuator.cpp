#include <algorithm>
#include <cmath>

#include "rig/force/force_rig.hpp"
#include "rig/force/kinds.hpp"

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
class ForceActuator final : public ForceRig {
 public:
  explicit ForceActuator(const RigContext& context) {
    const Section& section = context.section;
    const int n = context.structure.size();
    const auto read = [&](const char* key, const Dimension& dimension, bool zero) {
      if (!zero && !section.has(key)) section.list(key, dimension);  // says that it is missing
      const Eigen::VectorXd all = read_each(section, key, dimension, n, 0);
      if (!zero && !(all.minCoeff() > 0)) {
        section.fail(key, section.name_of(key) + " must be positive", "write a value above zero");
      }
      return all;
    };
    const Eigen::VectorXd area = read("area", dim::area, false);
    const Eigen::VectorXd oil =
        4 * read("bulk_modulus", dim::pressure, false).cwiseQuotient(read("volume", dim::volume, false));
    area_ = area;
    stiffness_ = oil.cwiseProduct(area).cwiseProduct(area);
    leakage_ = oil.cwiseProduct(read("leakage", leakage_dimension, true));
    bandwidth_ = read("bandwidth", dim::frequency, false);
    compensation_ = read("velocity_compensation", dim::none, true);
    if (section.has("supply_pressure") != section.has("no_load_flow")) {
      section.fail(section.has("supply_pressure") ? "no_load_flow" : "supply_pressure",
                   "a valve has both a supply pressure and a flow without load", "give both, or neither");
    }
    if (section.has("supply_pressure")) {
      capacity_ = area.cwiseProduct(read("supply_pressure", dim::pressure, false));
      speed_ = read("no_load_flow", dim::flow, false).cwiseQuotient(area);
    }
    Plant plant = specimen_plant(context.structure, Eigen::MatrixXd::Zero(n, n), n);
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
    plant.a.block(n, 2 * n, n, n) = plant.b.block(n, 0, n, n);
    plant.a.block(2 * n, n, n, n) = -1 * stiffness_.asDiagonal();
    plant.a.block(2 * n, 2 * n, n, n) = -1 * leakage_.asDiagonal();
    plant.b.setZero();
    plant.b.block(2 * n, 0, n, n) = stiffness_.asDiagonal();
    plant.force.block(0, 2 * n, n, n) = one;
    set_plant(context, std::move(plant), read_floors(section, "delay", dim::time, n, 0));
  }

  bool affine() const override { return !ends() && ForceRig::affine(); }
  RigCapacity capacity(std::size_t channel) const override {
    RigCapacity own = declared_;
    const int floor = static_cast<int>(channel) - (table_ ? 1 : 0);
    if (floor < 0) return own;
    own.area = area_(floor);
    if (ends()) {
      if (!own.velocity) own.velocity = speed_(floor);
      if (!own.force) own.force = capacity_(floor);
      if (!own.flow) own.flow = speed_(floor) * area_(floor);
    }
    return own;
  }

 private:
  void drive(State& state, const double* wanted, double* inputs) const noexcept override {
    const double* x = state.at(plant_);
    for (int i = 0; i < floors_; ++i) {
      const double force = x[2 * floors_ + i];
      inputs[i] = (bandwidth_(i) * (wanted[i] - force) + leakage_(i) * wanted[i]) / stiffness_(i) +
                  compensation_(i) * x[floors_ + i];
      if (ends()) inputs[i] = through_valve(inputs[i], force, i);
    }
  }
  void bound(double* x) const noexcept override {
    if (!ends()) return;
    for (int i = 0; i < floors_; ++i) {
      x[2 * floors_ + i] = std::clamp(x[2 * floors_ + i], -capacity_(i), capacity_(i));
    }
  }
  /// Whether the valves have one.
  bool ends() const noexcept { return speed_.size() > 0; }
  double through_valve(double speed, double force, int i) const noexcept {
    const double opening = std::clamp(speed / speed_(i), -1.0, 1.0);
    const double left = 1 - (opening < 0 ? -force : force) / capacity_(i);
    return speed_(i) * opening * std::sqrt(std::max(left, 0.0));
  }
  void start_drive(State&, const Eigen::VectorXd&, const double* forces, double* plant,
                   double* inputs) const override {
    for (int i = 0; i < floors_; ++i) {
      plant[2 * floors_ + i] = forces[i];
      inputs[i] = leakage_(i) * forces[i] / stiffness_(i) + compensation_(i) * plant[floors_ + i];
    }
  }

  // One entry an actuator.
  Eigen::VectorXd capacity_, speed_;  ///< A·p_s, Q_0/A; empty: a valve without end
  Eigen::VectorXd area_, stiffness_, leakage_, bandwidth_, compensation_;
};

}  // namespace

const RigKind force_actuator_kind{
    "force-actuator",
    "direct force control of a servo-hydraulic actuator, with or without compensation of its flow",
    "F' = k (u - v) - l F;  u = wb/k (F_d - F) + l/k F_d + c v;  k = 4 beta A^2/V, l = 4 beta C_l/V",
    {Control::force, Control::acceleration},
    {{"area", "m^2", "", "of the piston; each key takes one value for all actuators or a list"},
     {"volume", "m^3", "", "of oil in both chambers"},
     {"bulk_modulus", "Pa", "", "of the oil"},
     {"leakage", "m^3/s/Pa", "0 m^3/s/Pa", "between the chambers"},
     {"bandwidth", "Hz", "", "of the force loop on a fixed specimen"},
     {"velocity_compensation", "-", "0", "share of the floor's velocity that is fed forward; 1: all"},
     {"supply_pressure", "Pa", "none", "with no_load_flow: an orifice's flow, and an end to force and speed"},
     {"no_load_flow", "m^3/s", "none", "through the fully open valve"},
     {"delay", "s", "0 s", "of the valve"}},
    [](const RigContext& context) -> std::unique_ptr<Rig> {
      return std::make_unique<ForceActuator>(context);
    }};

}  // namespace gusset
