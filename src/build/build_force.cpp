// Tests under force control: the structure of the file stands in the laboratory.

#include "base/linear_system.hpp"
#include "build/builder.hpp"
#include "loading/effective_force.hpp"
#include "loading/shake_table.hpp"
#include "rig/capacity.hpp"
#include "rig/force/mirror.hpp"
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
                             std::vector<Kept> state) {
  YieldingStoreys::add_at_rest(storeys, specimen.damping, specimen.stiffness);
  const bool trials = kind_ == "shake-table" && iterates();
  const LayoutMark before = parts_.layout.mark();
  std::unique_ptr<Rig> rig =
      make_rig({.document = document_,
                .section = document_.section("rig"),
                .channels = parts_.channels,
                .layout = parts_.layout,
                .dt = trials ? parts_.dt : parts_.rig_dt,
                .specimen = document_.section("specimen"),
                .structure = std::move(specimen),
                .trials = trials ? parts_.substeps : 1,
                .ramp = ramp_,
                .storeys = std::make_shared<const std::vector<StoreyForce>>(std::move(storeys))});
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

  integrator.choice("kind", {"newmark"}, "newmark");
  const double beta = integrator.number("beta", dim::none, 0.25);
  const double gamma = integrator.number("gamma", dim::none, 0.5);
  if (!(gamma >= 0 && gamma <= 2)) {
    integrator.fail("gamma", "gamma must lie between 0 and 2", "write gamma = 0.5");
  }
  if (!(beta >= 0 && beta <= 2)) {
    integrator.fail("beta", "beta must lie between 0 and 2", "write beta = 0.25");
  }
  const Section& rig = document_.section("rig");
  const bool ideal = rig.text("kind", "ideal") == "ideal";
  const double durations[] = {ideal ? parts_.dt : parts_.rig_dt};
  LayoutMark before = parts_.layout.mark();
  std::vector<StoreyForce> storeys = read_storey_forces(document_, floors, parts_.layout, durations);
  const Kept storey_state = parts_.layout.since(before);  // they stand in the laboratory
  TestStructure specimen{whole.mass, whole.damping, whole.stiffness};
  specimen.mass.diagonal() -= parameters.virtual_mass;
  for (const StoreyForce& storey : storeys) {
    whole.add_stiffness(storey.interface, storey.restoring->stiffness());
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
  before = parts_.layout.mark();
  auto newmark = std::make_unique<NewmarkSpecimen>(
      NewmarkSpecimen::Parameters{beta, gamma, dt, parts_.substeps, std::move(specimen), std::move(storeys)},
      parts_.layout);
  mount(std::move(newmark), {storey_state, parts_.layout.since(before)});
}

namespace {

using From = ShakeTableMethod::Feedback;

From read_feedback(const Section& method) {
  const std::string name =
      method.choice("feedback", {"ideal", "sampled", "iterations", "open-loop"}, "sampled");
  return name == "ideal"        ? From::ideal
         : name == "sampled"    ? From::sampled
         : name == "iterations" ? From::iterations
                                : From::open_loop;
}

/// What cannot be done with that feedback.
void check_feedback(const Section& method, const Section& rig, From feedback, const Split& split) {
  if (feedback != From::ideal && split.massless()) {
    method.fail("alpha_m",
                "with alpha_m = 1 no mass stands in the laboratory: its acceleration cannot be measured "
                "and fed back",
                "write feedback = \"ideal\" for a study of the equations, or alpha_m below 0.5");
  }
  const std::string kind = rig.text("kind", "ideal");
  if (kind == "ideal") return;
  if (feedback == From::ideal) {
    method.fail("feedback", "ideal feedback is solved together with the specimen and leaves nothing to a rig",
                "write feedback = \"sampled\" or \"open-loop\", or rig.kind = \"ideal\"");
  }
  if (feedback == From::iterations) {
    method.fail("feedback",
                "a real actuator cannot go back and try a step again: sub-steps do not cure its delay",
                "write feedback = \"sampled\" or \"open-loop\", or rig.kind = \"ideal\"");
  }
}

}  // namespace

void Builder::read_shake_table() {
  const Section& method = document_.section("method");
  document_.section("integrator").choice("kind", {"exact"}, "exact");
  if (!read_storey_forces(document_, parts_.structure.size(), parts_.layout, {}).empty()) {
    document_.section("structure")
        .fail("restoring", "shake-table tests take linear structures only",
              "leave [[structure.restoring]] out");
  }
  ShakeTableMethod::Parameters parameters;
  parameters.partition = read_partition(document_.section("partition"), parts_.structure.linear_system());
  const std::vector<int>& storeys = parameters.partition.experimental;
  const int floors = static_cast<int>(storeys.size());
  parameters.split = read_split(method, floors);
  parameters.feedback = read_feedback(method);
  const Split& split = parameters.split;
  check_feedback(method, document_.section("rig"), parameters.feedback, split);
  parameters.substeps = parts_.substeps;
  parameters.table = split.alpha_l > 0 || split.alpha_p > 0;
  const bool iterations = parameters.feedback == From::iterations;
  parameters.ramp = method.choice("between", {"hold", "ramp"}, iterations ? "ramp" : "hold") == "ramp";
  ramp_ = parameters.ramp;
  if (parts_.substeps > 1 && !iterations) {
    document_.section("rig").fail("dt", "a shake-table test has one step: that of the controller",
                                  "leave rig.dt out");
  }
  std::vector<Channel>& channels = parts_.channels;
  if (parameters.table) channels.push_back({{"table", {}}, Control::acceleration});
  for (const int storey : storeys) {
    const std::string name = floors == 1 ? "actuator" : "actuator" + std::to_string(storey + 1);
    channels.push_back({{name, {{storey, 1.0}}}, Control::force});
  }
  TestStructure specimen{physical_mass(parameters.partition, split), parameters.partition.specimen_damping,
                         parameters.partition.specimen_stiffness};
  const bool ideal = parameters.feedback == From::ideal;
  const bool table = parameters.table;
  const LayoutMark before = parts_.layout.mark();
  auto shake = std::make_unique<ShakeTableMethod>(std::move(parameters), channels, parts_.dt, parts_.layout);
  const Segment motion = shake->specimen_motion();
  parts_.method = std::move(shake);
  parts_.loading_state = parts_.layout.since(before);
  parts_.mirrored = ideal;
  if (ideal) {
    const LayoutMark mark = parts_.layout.mark();
    refuse_sensors("ideal feedback is solved together with the specimen");
    auto rig = std::make_unique<MirrorRig>(motion, floors, table, document_, parts_.layout, parts_.dt);
    mount(std::move(rig), {parts_.layout.since(mark)});
  } else {
    read_force_rig(std::move(specimen), {}, {});
  }
}

}  // namespace gusset
