// Tests under force control: the structure of the file stands in the laboratory.

#include "base/linear_system.hpp"
#include "experiment/builder.hpp"
#include "method/effective_force.hpp"
#include "rig/newmark_specimen.hpp"

namespace gusset {
namespace {

constexpr int most_floors = 64;

/// A number for all floors, or one a floor; each at least 0 and below 1.
Eigen::VectorXd read_ratios(const Section& section, std::string_view key, int floors) {
  std::vector<double> values = section.list(key, dim::none);
  if (values.size() == 1) values.resize(static_cast<std::size_t>(floors), values.front());
  if (values.size() != static_cast<std::size_t>(floors)) {
    section.fail(key,
                 section.name_of(key) + " has " + std::to_string(values.size()) +
                     " values, but there are " + std::to_string(floors) + " storeys",
                 "give one number for all storeys, or one for each");
  }
  for (const double value : values) {
    if (value >= 0 && value < 1) continue;
    section.fail(key, section.name_of(key) + " must be at least 0 and below 1: the share of the mass that is "
                                             "computed; with all of it computed no mass is left to push",
                 "write " + std::string(key) + " = 0.25");
  }
  return Eigen::Map<Eigen::VectorXd>(values.data(), floors);
}

/// A mass matrix without coupling between floors, as virtual masses need it.
void require_lumped(const Section& structure, const Eigen::MatrixXd& mass) {
  const Eigen::MatrixXd diagonal = mass.diagonal().asDiagonal();
  if (mass.isApprox(diagonal, 0)) return;
  structure.fail("mass_matrix", "a part of the mass can be taken away floor by floor only if the mass "
                                "matrix is diagonal",
                 "lump the masses at the floors");
}

}  // namespace

void Builder::read_force_test() {
  for (const Section* specimen : document_.sections("specimen")) {
    const Entry* kind = specimen->find("kind");
    if (kind != nullptr && kind->value.text == "none") continue;
    throw InputError(specimen->where,
                     "with method.kind = \"" + kind_ + "\" the structure of the file is the specimen itself",
                     "leave [specimen] out, and describe the whole structure in [structure]");
  }
  StructureReading reading = read_structure(document_, {});
  experiment_.structure_ = std::move(reading.structure);
  experiment_.reference_frequency_ = reading.reference_frequency;
  const int floors = experiment_.structure_.size();
  if (floors > most_floors) {
    document_.section("structure")
        .fail("mass", "a test under force control has at most " + std::to_string(most_floors) + " storeys",
              "condense the structure");
  }
  require_lumped(document_.section("structure"), experiment_.structure_.linear_system().mass);
  read_effective_force();
  for (std::size_t c = 0; c < channel_count(); ++c) {
    read_compensator(c);
    plan_channel(c, experiment_.assembly_->signals(c));
  }
}

void Builder::read_effective_force() {
  const Section& method = document_.section("method");
  const Section& integrator = document_.section("integrator");
  const int floors = experiment_.structure_.size();
  LinearSystem whole = experiment_.structure_.linear_system();
  const Eigen::VectorXd ratio = read_ratios(method, "virtual_mass_ratio", floors);

  EffectiveForceMethod::Parameters parameters;
  parameters.inertia = whole.mass * whole.influence;
  parameters.virtual_mass = ratio.cwiseProduct(whole.mass.diagonal());
  parameters.iterations = method.choice("predictor", {"direct", "iterations"}, "direct") == "iterations";
  if (parameters.iterations) {
    parameters.every = method.choice("extrapolate", {"every", "last"}, "every") == "every";
  }
  parameters.substeps = experiment_.substeps_;

  integrator.choice("kind", {"newmark"}, "newmark");
  const double beta = integrator.number("beta", dim::none, 0.25);
  const double gamma = integrator.number("gamma", dim::none, 0.5);
  if (!(gamma >= 0.5 && gamma <= 2)) {
    integrator.fail("gamma", "gamma below 1/2 makes oscillations grow at every step, above 2 is useless",
                    "write gamma = 0.5");
  }
  if (!(beta >= 0 && beta <= 2)) {
    integrator.fail("beta", "beta must lie between 0 and 2", "write beta = 0.25");
  }
  const double durations[] = {experiment_.dt_};
  std::vector<StoreyForce> storeys =
      read_storey_forces(document_, floors, experiment_.layout_, durations);
  TestStructure specimen{whole.mass, whole.damping, whole.stiffness};
  specimen.mass.diagonal() -= parameters.virtual_mass;
  for (const StoreyForce& storey : storeys) {
    whole.add_stiffness(storey.interface, storey.restoring->stiffness());
  }
  const double dt = experiment_.dt_;
  parameters.equilibrium = whole.mass + gamma * dt * whole.damping + beta * dt * dt * whole.stiffness;

  std::vector<Method::Channel> channels;
  for (int i = 0; i < floors; ++i) {
    const std::string name = floors == 1 ? "actuator" : "actuator" + std::to_string(i + 1);
    channels.push_back({{name, {{i, 1.0}}}, 0, "N"});
  }
  const Section& rig = document_.section("rig");
  const bool ideal = rig.text("kind", "ideal") == "ideal";
  parameters.hold = ideal;
  experiment_.method_ = std::make_unique<EffectiveForceMethod>(std::move(parameters), std::move(channels),
                                                               dt, experiment_.layout_);
  experiment_.assembly_ = std::make_unique<NewmarkSpecimen>(
      NewmarkSpecimen::Parameters{beta, gamma, dt, experiment_.substeps_, std::move(specimen),
                                  std::move(storeys)},
      experiment_.layout_);
}

}  // namespace gusset
