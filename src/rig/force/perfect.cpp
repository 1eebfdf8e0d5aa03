#include "rig/force/kinds.hpp"
#include "rig/force/linear_assembly.hpp"

namespace gusset {
namespace {

/// Force and table acceleration are what is commanded, a fixed time late: u = F.
class PerfectForces final : public LinearAssembly {
 public:
  PerfectForces(const AssemblyContext& context, double delay) {
    const int n = context.structure.size();
    Plant plant = specimen_plant(context.structure, Eigen::MatrixXd::Zero(n, n), 0);
    plant.force_input.setIdentity();
    set_plant(context, std::move(plant), read_floors(context.section, "delay", dim::time, n, delay));
  }

 private:
  void drive(State&, const Command* actuators, double* inputs) const noexcept override {
    for (int i = 0; i < floors_; ++i) inputs[i] = actuators[i].value;
  }
  void start_drive(State&, const Eigen::VectorXd&, const double* forces, double*,
                   double* inputs) const override {
    std::copy_n(forces, floors_, inputs);
  }
};

}  // namespace

const AssemblyKind ideal_force_kind{"ideal",
                                    "forces and table acceleration are exactly what is commanded",
                                    "F = F_d;  a_t = a_d",
                                    {},
                                    [](const AssemblyContext& context) -> std::unique_ptr<Assembly> {
                                      return std::make_unique<PerfectForces>(context, 0);
                                    }};

const AssemblyKind delayed_force_kind{"delay",
                                      "forces are exactly what is commanded, a fixed time late",
                                      "F(t) = F_d(t - delay)",
                                      {{"delay", "s", "", "how late; one for all actuators or a list"}},
                                      [](const AssemblyContext& context) -> std::unique_ptr<Assembly> {
                                        context.section.list("delay", dim::time);
                                        return std::make_unique<PerfectForces>(context, 0);
                                      }};

}  // namespace gusset
