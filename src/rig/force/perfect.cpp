#include "rig/force/force_rig.hpp"
#include "rig/force/kinds.hpp"

namespace gusset {
namespace {

/// Force and table acceleration are what is commanded, a fixed time late: u = F.
class PerfectForces final : public ForceRig {
 public:
  explicit PerfectForces(const RigContext& context) {
    const int n = context.structure.size();
    Plant plant = specimen_plant(context.structure, Eigen::MatrixXd::Zero(n, n), 0);
    plant.force_input.setIdentity();
    set_plant(context, std::move(plant), read_floors(context.section, "delay", dim::time, n, 0));
  }

 private:
  void drive(State&, const double* wanted, double* inputs) const noexcept override {
    std::copy_n(wanted, floors_, inputs);
  }
  void start_drive(State&, const Eigen::VectorXd&, const double* forces, double*,
                   double* inputs) const override {
    std::copy_n(forces, floors_, inputs);
  }
};

}  // namespace

std::unique_ptr<Rig> make_perfect_forces(const RigContext& context) {
  return std::make_unique<PerfectForces>(context);
}

}  // namespace gusset
