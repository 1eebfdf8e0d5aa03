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
  experiment_.structure_ = std::move(reading.structure);
  experiment_.reference_frequency_ = reading.reference_frequency;
  const int floors = experiment_.structure_.size();
  if (floors > most_floors) {
    document_.section("structure")
        .fail("mass", "a test under force control has at most " + std::to_string(most_floors) + " storeys",
              "condense the structure");
  }
  require_lumped(document_.section("structure"), experiment_.structure_.linear_system().mass);
  kind_ == "shake-table" ? read_shake_table() : read_effective_force();
  const Capacity capacity = read_capacity(document_.section("capacity"));
  for (std::size_t c = 0; c < channel_count(); ++c) {
    Channel& channel = experiment_.channels_[c];
    if (channel.control == Control::acceleration) {
      channel.capacity = {
          capacity.table_stroke, capacity.table_velocity, capacity.table_acceleration, {}, {}, {}};
    } else {
      // What the file says of the laboratory goes before what the rig's own parameters make of it.
      const bool first_is_table = experiment_.channels_.front().control == Control::acceleration;
      RigCapacity own = experiment_.assembly_->capacity(static_cast<int>(c) - (first_is_table ? 1 : 0));
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

void Builder::read_assembly(TestStructure specimen, bool table, std::vector<StoreyForce> storeys) {
  const Section& rig = document_.section("rig");
  YieldingStoreys::add_at_rest(storeys, specimen.damping, specimen.stiffness);
  const bool trials = kind_ == "shake-table" && iterates();
  std::vector<std::string> names;
  for (const Channel& channel : experiment_.channels_) {
    names.push_back(channel.interface.name);
  }
  const LayoutMark before = experiment_.layout_.mark();
  experiment_.assembly_ =
      make_assembly({document_, rig, std::move(specimen), table, std::move(names), experiment_.layout_,
                     trials ? experiment_.dt_ : experiment_.rig_dt_, trials ? substeps_ : 1, ramp_,
                     std::make_shared<const std::vector<StoreyForce>>(std::move(storeys))});
  rig_state_.resize(1);
  rig_state_.front().push_back(experiment_.layout_.since(before));
}

void Builder::read_effective_force() {
  const Section& method = document_.section("method");
  const Section& integrator = document_.section("integrator");
  const int floors = experiment_.structure_.size();
  LinearSystem whole = experiment_.structure_.linear_system();
  const Eigen::VectorXd ratio = read_ratios(method, "virtual_mass_ratio", floors);

  EffectiveForceMethod::Parameters parameters;
  parameters.inertia = whole.mass * whole.influence;
  parameters.ratio = ratio;
  parameters.virtual_mass = ratio.cwiseProduct(whole.mass.diagonal());
  parameters.iterations = method.choice("predictor", {"direct", "iterations"}, "direct") == "iterations";
  if (parameters.iterations) {
    parameters.every = method.choice("extrapolate", {"every", "last"}, "every") == "every";
  }
  parameters.substeps = substeps_;

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
  const double durations[] = {ideal ? experiment_.dt_ : experiment_.rig_dt_};
  LayoutMark before = experiment_.layout_.mark();
  std::vector<StoreyForce> storeys = read_storey_forces(document_, floors, experiment_.layout_, durations);
  rig_state_.push_back({experiment_.layout_.since(before)});  // they stand in the laboratory
  TestStructure specimen{whole.mass, whole.damping, whole.stiffness};
  specimen.mass.diagonal() -= parameters.virtual_mass;
  for (const StoreyForce& storey : storeys) {
    whole.add_stiffness(storey.interface, storey.restoring->stiffness());
  }
  // The reference of ω·Δt is that of the structure before it yields.
  if (!storeys.empty()) experiment_.reference_frequency_ = natural_frequencies(whole).front();
  const double dt = experiment_.dt_;
  parameters.equilibrium = whole.mass + gamma * dt * whole.damping + beta * dt * dt * whole.stiffness;

  std::vector<Channel>& channels = experiment_.channels_;
  for (int i = 0; i < floors; ++i) {
    const std::string name = floors == 1 ? "actuator" : "actuator" + std::to_string(i + 1);
    channels.push_back({{name, {{i, 1.0}}}, Control::force});
  }
  parameters.hold = ideal;
  before = experiment_.layout_.mark();
  experiment_.method_ =
      std::make_unique<EffectiveForceMethod>(std::move(parameters), channels, dt, experiment_.layout_);
  loading_state_ = experiment_.layout_.since(before);
  if (!ideal) return read_assembly(std::move(specimen), false, std::move(storeys));
  refuse_sensors("an ideal rig is the integrator itself");
  before = experiment_.layout_.mark();
  experiment_.assembly_ = std::make_unique<NewmarkSpecimen>(
      NewmarkSpecimen::Parameters{beta, gamma, dt, substeps_, std::move(specimen), std::move(storeys)},
      experiment_.layout_);
  rig_state_.front().push_back(experiment_.layout_.since(before));
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
  if (!read_storey_forces(document_, experiment_.structure_.size(), experiment_.layout_, {}).empty()) {
    document_.section("structure")
        .fail("restoring", "shake-table tests take linear structures only",
              "leave [[structure.restoring]] out");
  }
  ShakeTableMethod::Parameters parameters;
  parameters.partition =
      read_partition(document_.section("partition"), experiment_.structure_.linear_system());
  const std::vector<int>& storeys = parameters.partition.experimental;
  const int floors = static_cast<int>(storeys.size());
  parameters.split = read_split(method, floors);
  parameters.feedback = read_feedback(method);
  const Split& split = parameters.split;
  check_feedback(method, document_.section("rig"), parameters.feedback, split);
  parameters.substeps = substeps_;
  parameters.table = split.alpha_l > 0 || split.alpha_p > 0;
  const bool iterations = parameters.feedback == From::iterations;
  parameters.ramp = method.choice("between", {"hold", "ramp"}, iterations ? "ramp" : "hold") == "ramp";
  ramp_ = parameters.ramp;
  if (substeps_ > 1 && !iterations) {
    document_.section("rig").fail("dt", "a shake-table test has one step: that of the controller",
                                  "leave rig.dt out");
  }
  std::vector<Channel>& channels = experiment_.channels_;
  if (parameters.table) channels.push_back({{"table", {}}, Control::acceleration});
  for (const int storey : storeys) {
    const std::string name = floors == 1 ? "actuator" : "actuator" + std::to_string(storey + 1);
    channels.push_back({{name, {{storey, 1.0}}}, Control::force});
  }
  TestStructure specimen{physical_mass(parameters.partition, split), parameters.partition.specimen_damping,
                         parameters.partition.specimen_stiffness};
  const bool ideal = parameters.feedback == From::ideal;
  const bool table = parameters.table;
  const LayoutMark before = experiment_.layout_.mark();
  auto shake = std::make_unique<ShakeTableMethod>(std::move(parameters), channels, experiment_.dt_,
                                                  experiment_.layout_);
  const Segment motion = shake->specimen_motion();
  experiment_.method_ = std::move(shake);
  loading_state_ = experiment_.layout_.since(before);
  mirrored_ = ideal;
  if (ideal) {
    const LayoutMark mark = experiment_.layout_.mark();
    refuse_sensors("ideal feedback is solved together with the specimen");
    experiment_.assembly_ = std::make_unique<MirrorAssembly>(motion, floors, table, document_,
                                                             experiment_.layout_, experiment_.dt_);
    rig_state_.push_back({experiment_.layout_.since(mark)});
  } else {
    read_assembly(std::move(specimen), table, {});
  }
}

}  // namespace gusset
