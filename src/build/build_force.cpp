// Tests under force control: the structure of the file stands in the laboratory.

#include <algorithm>

#include "base/linear_system.hpp"
#include "build/builder.hpp"
#include "loading/effective_force.hpp"
#include "rig/capacity.hpp"
#include "rig/force/yielding.hpp"
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
                 section.name_of(key) + " has " + std::to_string(values.size()) + " values, but there are " +
                     std::to_string(floors) + " storeys",
                 "give one number for all storeys, or one for each");
  }
  for (const double value : values) {
    if (value >= 0 && value < 1) continue;
    section.fail(key,
                 section.name_of(key) +
                     " must be at least 0 and below 1: the share of the mass that is "
                     "computed; with all of it computed no mass is left to push",
                 "write " + std::string(key) + " = 0.25");
  }
  return Eigen::Map<Eigen::VectorXd>(values.data(), floors);
}

/// What stands for a specimen under forces, and the Newton step of iterations that goes with it.
struct SpecimenScheme {
  double beta, gamma;
  bool exact = false;  ///< the matrix exponential, instead of the Newmark family
};

/// A scheme can stand for a specimen if it gives the acceleration that the force of the same instant causes,
/// as often as it is asked.
SpecimenScheme read_specimen_scheme(const Section& integrator, bool ideal) {
  const std::string kind = integrator.text("kind", "newmark");
  const bool known = std::any_of(integrator_kinds().begin(), integrator_kinds().end(),
                                 [&](const IntegratorKind* one) { return kind == one->name; });
  const bool exact = kind == "exact", explicitly = kind == "newmark-explicit";
  if (known && !ideal && kind != "newmark") {
    integrator.fail("kind",
                    "the specimen of an effective-force test stands in the laboratory: nothing is computed "
                    "that \"" +
                        kind + "\" could integrate",
                    "leave integrator.kind out, or write rig.kind = \"ideal\"");
  }
  if (known && !exact && !explicitly && kind != "newmark") {
    integrator.fail(
        "kind",
        "\"" + kind +
            "\" cannot stand for a specimen under ideal forces: the test needs the "
            "acceleration that the force of the same instant causes, and this scheme takes forces "
            "of other instants or gives another acceleration",
        "write kind = \"newmark\" (with beta and gamma), \"newmark-explicit\" or \"exact\"");
  }
  // In a ramp over the step the force at its end moves x by Δt²/6·P/m, v by Δt/2·P/m.
  if (exact) return {1.0 / 6, 0.5, true};
  if (!explicitly) integrator.choice("kind", {"newmark", "newmark-explicit", "exact"}, "newmark");
  const double beta = explicitly ? 0 : integrator.number("beta", dim::none, 0.25);
  const double gamma = integrator.number("gamma", dim::none, 0.5);
  if (!(gamma >= 0 && gamma <= 2)) {
    integrator.fail("gamma", "gamma must lie between 0 and 2", "write gamma = 0.5");
  }
  if (!(beta >= 0 && beta <= 2)) {
    integrator.fail("beta", "beta must lie between 0 and 2", "write beta = 0.25");
  }
  return {beta, gamma};
}

/// A mass matrix without coupling between floors, as virtual masses need it.
void require_lumped(const Section& structure, const Eigen::MatrixXd& mass) {
  const Eigen::MatrixXd diagonal = mass.diagonal().asDiagonal();
  if (mass.isApprox(diagonal, 0)) return;
  structure.fail("mass_matrix",
                 "a part of the mass can be taken away floor by floor only if the mass "
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
  if (const std::vector<const Section*> rigs = document_.sections("rig"); rigs.size() > 1) {
    throw InputError(rigs[1]->where, "a test under force control has one [rig] for all its actuators",
                     "write one [rig], whose keys take a list with one value an actuator; a shake table is "
                     "described in [table]");
  }
  StructureReading reading = read_structure(document_, {});
  parts_.structure = std::move(reading.structure);
  parts_.reference_frequency = reading.reference_frequency;
  if (parts_.structure.tangent_damping != 0) {
    document_.section("structure.rayleigh")
        .fail("stiffness",
              "with method.kind = \"" + kind_ +
                  "\" storeys stand in the laboratory, whose damping does not follow a tangent that is "
                  "computed",
              "write stiffness = \"initial\"");
  }
  const int floors = parts_.structure.size();
  if (floors > most_floors) {
    document_.section("structure")
        .fail("mass", "a test under force control has at most " + std::to_string(most_floors) + " storeys",
              "condense the structure");
  }
  require_lumped(document_.section("structure"), parts_.structure.linear_system().mass);
  kind_ == "shake-table" ? read_shake_table() : read_effective_force();
  const Capacity capacity = read_capacity(document_.section("capacity"));
  for (std::size_t c = 0; c < channel_count(); ++c) {
    Channel& channel = parts_.channels[c];
    if (channel.control == Control::acceleration) {
      channel.capacity = {
          capacity.table_stroke, capacity.table_velocity, capacity.table_acceleration, {}, {}, {}};
    } else {
      // What the file says of the laboratory goes before what the rig's own parameters make of it.
      RigCapacity own = parts_.rigs.front()->capacity(c);
      if (capacity.actuator_stroke) own.stroke = capacity.actuator_stroke;
      if (capacity.actuator_force) own.force = capacity.actuator_force;
      if (capacity.actuator_flow) own.flow = capacity.actuator_flow;
      if (capacity.actuator_area > 0) own.area = capacity.actuator_area;
      channel.capacity = own;
    }
    read_compensator(c);
  }
}

bool Builder::iterates() const {
  const Section& method = document_.section("method");
  if (kind_ == "effective-force") {
    return method.choice("predictor", {"direct", "iterations"}, "direct") == "iterations";
  }
  return kind_ == "shake-table" && method.choice("feedback", {"ideal", "sampled", "iterations", "open-loop"},
                                                 "sampled") == "iterations";
}

void Builder::refuse_sensors(const std::string& reason) const {
  const std::vector<const Section*> sensors = document_.sections("sensor");
  if (sensors.empty()) return;
  throw InputError(sensors.front()->where, reason + ", and nothing is measured",
                   kind_ == "shake-table"
                       ? "leave [sensor] out, or write method.feedback = \"sampled\""
                       : "leave [sensor] out, or choose another rig.kind, such as \"delay\"");
}

void Builder::mount(std::unique_ptr<Rig> rig, std::vector<Kept> state) {
  rig->declare(read_rig_capacity(document_.section("rig")));
  MountedRig mounted{std::move(rig), {}, std::move(state), {}};
  for (std::size_t c = 0; c < channel_count(); ++c) mounted.channels.push_back(c);
  parts_.rigs.push_back(std::move(mounted));
}

void Builder::read_force_rig(TestStructure specimen, std::vector<StoreyForce> storeys,
                             std::vector<Kept> state, std::optional<BaseShear> shear) {
  const Section& section = document_.section("rig");
  if (storeys.size() > static_cast<std::size_t>(YieldingStoreys::most)) {
    throw InputError(
        document_.sections("structure.restoring").front()->where,
        "more than " + std::to_string(YieldingStoreys::most) + " restoring forces stand in the laboratory",
        "put those of one storey together");
  }
  YieldingStoreys::add_at_rest(storeys, specimen.damping, specimen.stiffness);
  const bool trials = iterates() && section.text("kind", "ideal") == "ideal";
  const LayoutMark before = parts_.layout.mark();
  std::unique_ptr<Rig> rig =
      make_rig({.document = document_,
                .section = section,
                .channels = parts_.channels,
                .layout = parts_.layout,
                .dt = trials ? parts_.dt : parts_.rig_dt,
                .specimen = document_.section("specimen"),
                .structure = std::move(specimen),
                .trials = trials ? parts_.substeps : 1,
                .ramp = ramp_,
                .storeys = std::make_shared<const std::vector<StoreyForce>>(std::move(storeys)),
                .shear = std::move(shear)});
  state.push_back(parts_.layout.since(before));
  mount(std::move(rig), std::move(state));
  if (const std::vector<const Section*> sensors = document_.sections("sensor"); trials && !sensors.empty()) {
    throw InputError(sensors.front()->where,
                     "sub-steps that only try the step have nothing that a sensor could measure",
                     "leave [sensor] out, or write feedback = \"sampled\"");
  }
  const int count = static_cast<int>(channel_count());
  for (int c = 0; c < count; ++c) read_sensors(static_cast<std::size_t>(c), c + 1, count);
}

void Builder::read_effective_force() {
  const Section& method = document_.section("method");
  const Section& integrator = document_.section("integrator");
  const int floors = parts_.structure.size();
  LinearSystem whole = parts_.structure.linear_system();
  const Eigen::VectorXd ratio = read_ratios(method, "virtual_mass_ratio", floors);

  EffectiveForceMethod::Parameters parameters;
  parameters.inertia = whole.mass * whole.influence;
  parameters.ratio = ratio;
  parameters.virtual_mass = ratio.cwiseProduct(whole.mass.diagonal());
  parameters.iterations = method.choice("predictor", {"direct", "iterations"}, "direct") == "iterations";
  if (parameters.iterations) {
    parameters.every = method.choice("extrapolate", {"every", "last"}, "every") == "every";
  }
  parameters.substeps = parts_.substeps;

  const bool ideal = document_.section("rig").text("kind", "ideal") == "ideal";
  const SpecimenScheme scheme = read_specimen_scheme(integrator, ideal);
  const double beta = scheme.beta, gamma = scheme.gamma;
  const bool whole_steps = ideal && (!scheme.exact || parameters.iterations);
  const double durations[] = {whole_steps ? parts_.dt : parts_.rig_dt};
  LayoutMark before = parts_.layout.mark();
  std::vector<StoreyForce> storeys = read_storey_forces(document_, floors, parts_.layout, durations);
  const Kept storey_state = parts_.layout.since(before);  // they stand in the laboratory
  TestStructure specimen{whole.mass, whole.damping, whole.stiffness};
  specimen.mass.diagonal() -= parameters.virtual_mass;
  for (const StoreyForce& storey : storeys) {
    whole.add_stiffness(storey.interface, storey.restoring->stiffness());
    parts_.storeys.push_back({storey.interface, storey.restoring.get()});
  }
  // The reference of ω·Δt is that of the structure before it yields.
  if (!storeys.empty()) parts_.reference_frequency = natural_frequencies(whole).front();
  const double dt = parts_.dt;
  parameters.equilibrium = whole.mass + gamma * dt * whole.damping + beta * dt * dt * whole.stiffness;

  std::vector<Channel>& channels = parts_.channels;
  for (int i = 0; i < floors; ++i) {
    const std::string name = floors == 1 ? "actuator" : "actuator" + std::to_string(i + 1);
    channels.push_back({{name, {{i, 1.0}}}, Control::force});
  }
  parameters.hold = ideal;
  before = parts_.layout.mark();
  parts_.method = std::make_unique<EffectiveForceMethod>(std::move(parameters), channels, dt, parts_.layout);
  parts_.loading_state = parts_.layout.since(before);
  if (!ideal) return read_force_rig(std::move(specimen), std::move(storeys), {storey_state});
  refuse_sensors("an ideal rig is the integrator itself");
  ramp_ = scheme.exact;
  if (scheme.exact) return read_force_rig(std::move(specimen), std::move(storeys), {storey_state});
  before = parts_.layout.mark();
  auto newmark = std::make_unique<NewmarkSpecimen>(
      NewmarkSpecimen::Parameters{beta, gamma, dt, parts_.substeps, std::move(specimen), std::move(storeys)},
      parts_.layout);
  mount(std::move(newmark), {storey_state, parts_.layout.since(before)});
}

}  // namespace gusset
