// Tests with a shake table: some storeys stand in the laboratory.

#include <algorithm>

#include "base/linear_system.hpp"
#include "build/builder.hpp"
#include "loading/ideal_table.hpp"
#include "loading/shake_table.hpp"
#include "rig/force/mirror.hpp"

namespace gusset {
namespace {

using From = ShakeTableMethod::Feedback;

std::string feedback_name(const Section& method) {
  return method.choice("feedback", {"ideal", "sampled", "iterations", "open-loop"}, "sampled");
}

From read_feedback(const Section& method) {
  const std::string name = feedback_name(method);
  return name == "sampled" ? From::sampled : name == "iterations" ? From::iterations : From::open_loop;
}

/// What cannot be done with that feedback.
void check_feedback(const Section& method, const Section& rig, const std::string& feedback,
                    const Split& split) {
  if (feedback != "ideal" && split.massless()) {
    method.fail("alpha_m",
                "with alpha_m = 1 no mass stands in the laboratory: its acceleration cannot be measured "
                "and fed back",
                "write feedback = \"ideal\" for a study of the equations, or alpha_m below 0.5");
  }
  const std::string kind = rig.text("kind", "ideal");
  if (kind == "ideal") return;
  if (feedback == "ideal") {
    method.fail("feedback", "ideal feedback is solved together with the specimen and leaves nothing to a rig",
                "write feedback = \"sampled\" or \"open-loop\", or rig.kind = \"ideal\"");
  }
  if (feedback == "iterations") {
    method.fail("feedback",
                "a real actuator cannot go back and try a step again: sub-steps do not cure its delay",
                "write feedback = \"sampled\" or \"open-loop\", or rig.kind = \"ideal\"");
  }
}

}  // namespace

/// Restoring forces of one side, and where they stand.
struct Builder::PlacedStoreys {
  std::vector<StoreyForce> forces;
  std::vector<StoreyPlace> places;
  std::vector<Interface> whole;  ///< places in the whole structure

  bool affine() const {
    return std::all_of(forces.begin(), forces.end(),
                       [](const StoreyForce& storey) { return storey.restoring->affine(); });
  }
  /// Lets them act on the whole structure instead of their side.
  void in_whole() {
    for (std::size_t s = 0; s < forces.size(); ++s) forces[s].interface = whole[s];
  }
  template <class Wanted>
  static PlacedStoreys read(const Document& document, const Partition& partition, Layout& layout, double dt,
                            const std::string& prefix, Wanted wanted) {
    PlacedStoreys all;
    const double durations[] = {dt, 0.5 * dt};
    const auto floors = static_cast<int>(partition.numerical.size() + partition.experimental.size());
    all.forces = read_storey_forces(
        document, floors, layout, durations,
        [&](const Section& section, const Interface& at) -> std::optional<Interface> {
          StoreyPlace place = place_of(partition, section, at);
          if (!wanted(place)) return std::nullopt;
          all.whole.push_back(at);
          all.places.push_back(place);
          return place.at;
        },
        prefix);
    return all;
  }
};

void Builder::read_shake_table() {
  const Section& method = document_.section("method");
  Partition partition = read_partition(document_.section("partition"), parts_.structure.linear_system());
  const std::vector<int>& storeys = partition.experimental;
  const int floors = static_cast<int>(storeys.size());
  Split split = read_split(method, floors);
  const std::string feedback = feedback_name(method);
  check_feedback(method, document_.section("rig"), feedback, split);
  const bool table = split.alpha_l > 0 || split.alpha_p > 0;
  const bool iterations = feedback == "iterations";
  ramp_ = method.choice("between", {"hold", "ramp"}, iterations ? "ramp" : "hold") == "ramp";
  if (parts_.substeps > 1 && !iterations) {
    document_.section("rig").fail("dt", "a shake-table test has one step: that of the controller",
                                  "leave rig.dt out");
  }
  std::vector<Channel>& channels = parts_.channels;
  if (table) channels.push_back({{"table", {}}, Control::acceleration});
  for (const int storey : storeys) {
    const std::string name = floors == 1 ? "actuator" : "actuator" + std::to_string(storey + 1);
    channels.push_back({{name, {{storey, 1.0}}}, Control::force});
  }
  if (feedback == "ideal") {
    read_ideal_table(std::move(partition), std::move(split), table);
  } else {
    read_table_loading(method, std::move(partition), std::move(split), table);
  }
}

void Builder::read_ideal_table(Partition partition, Split split, bool table) {
  const std::string way_out = "write method.feedback = \"iterations\", \"sampled\" or \"open-loop\"";
  const Section& integrator = document_.section("integrator");
  if (integrator.text("kind", "exact") != "exact") {
    integrator.fail("kind",
                    "method.feedback = \"ideal\" solves numerical part and specimen together, exactly: no "
                    "other integrator has anything to do there",
                    "leave integrator.kind out, or " + way_out);
  }
  if (const auto restoring = document_.sections("structure.restoring"); !restoring.empty()) {
    throw InputError(restoring.front()->where,
                     "method.feedback = \"ideal\" is a linear reference: it solves the matrices of "
                     "numerical part and specimen together, and no restoring force beside them",
                     way_out + ", or leave [[structure.restoring]] out");
  }
  parts_.mirrored = true;
  const int floors = static_cast<int>(partition.experimental.size());
  const LayoutMark before = parts_.layout.mark();
  auto loading = std::make_unique<IdealTableMethod>(
      IdealTableMethod::Parameters{std::move(partition), std::move(split), table}, parts_.channels, parts_.dt,
      parts_.layout);
  const Segment motion = loading->specimen_motion();
  parts_.method = std::move(loading);
  parts_.loading_state = parts_.layout.since(before);
  const LayoutMark mark = parts_.layout.mark();
  refuse_sensors("ideal feedback is solved together with the specimen");
  auto rig = std::make_unique<MirrorRig>(motion, floors, table, document_, parts_.layout, parts_.dt);
  mount(std::move(rig), {parts_.layout.since(mark)});
}

LinearSystem Builder::structure_at_rest() const {
  LinearSystem system = parts_.structure.linear_system();
  for (const ListedStorey& storey : parts_.storeys) {
    system.add_stiffness(storey.at, storey.restoring->stiffness());
    system.add_damping(storey.at, storey.restoring->damping());
  }
  return system;
}

void Builder::read_table_loading(const Section& method, Partition partition, Split split, bool table) {
  ShakeTableMethod::Parameters parameters;
  parameters.feedback = read_feedback(method);
  const bool open = parameters.feedback == From::open_loop;
  const double dt = parts_.dt;
  Layout& layout = parts_.layout;

  // What yields in the laboratory.
  const LayoutMark before_specimen = layout.mark();
  PlacedStoreys laboratory = PlacedStoreys::read(document_, partition, layout, dt, "",
                                                 [](const StoreyPlace& place) { return place.experimental; });
  const Kept laboratory_state = layout.since(before_specimen);
  list_storeys(laboratory, true);
  BaseShear shear;
  for (std::size_t s = 0; s < laboratory.forces.size(); ++s) {
    const auto& weights = laboratory.forces[s].interface.weights;
    if (weights.size() == 1 && weights.front().first == 0) shear.storeys.push_back(static_cast<int>(s));
  }
  parameters.shear = !open && partition.base >= 0 && !shear.storeys.empty();

  // The model. In open loop it has restoring forces of its own for those in the laboratory.
  const LayoutMark before_loading = layout.mark();
  PlacedStoreys computed =
      PlacedStoreys::read(document_, partition, layout, dt, open ? "model." : "",
                          [open](const StoreyPlace& place) { return open || !place.experimental; });
  if (open) computed.in_whole();
  list_storeys(computed, false);
  parameters.yielding = !laboratory.affine() || !computed.affine();
  ShakeTableMethod::Model model = read_model(computed, partition, parameters.feedback);

  const LinearSystem at_rest = structure_at_rest();
  parameters.whole = parts_.structure.linear_system();
  parameters.rest = read_partition(document_.section("partition"), at_rest);
  parameters.split = split;
  parameters.substeps = parts_.substeps;
  parameters.ramp = ramp_;
  parameters.table = table;
  TestStructure specimen{physical_mass(partition, split), partition.specimen_damping,
                         partition.specimen_stiffness};
  if (parameters.shear) {
    shear.stiffness = parameters.rest.load_x.row(partition.base);
    shear.damping = parameters.rest.load_v.row(partition.base);
  }
  // The reference of ω·Δt is that of the structure before it yields.
  if (!parts_.storeys.empty()) parts_.reference_frequency = natural_frequencies(at_rest).front();
  parameters.partition = std::move(partition);
  const bool measured = parameters.shear;
  parts_.method = std::make_unique<ShakeTableMethod>(std::move(parameters), std::move(model), parts_.channels,
                                                     dt, layout);
  parts_.loading_state = layout.since(before_loading);
  read_force_rig(std::move(specimen), std::move(laboratory.forces), {laboratory_state},
                 measured ? std::optional(std::move(shear)) : std::nullopt);
}

void Builder::list_storeys(const PlacedStoreys& storeys, bool experimental) {
  for (std::size_t s = 0; s < storeys.forces.size(); ++s) {
    if (storeys.places[s].experimental != experimental) continue;  // the laboratory's stands for both
    parts_.storeys.push_back({storeys.whole[s], storeys.forces[s].restoring.get()});
  }
}

ShakeTableMethod::Model Builder::read_model(PlacedStoreys& storeys, const Partition& partition,
                                            ShakeTableMethod::Feedback feedback) {
  const Section& integrator = document_.section("integrator");
  const bool open = feedback == From::open_loop;
  std::vector<ForceEstimate> estimates;
  if (!open) estimates = ShakeTableMethod::interface_estimates(partition);
  ShakeTableMethod::Model model;
  for (std::size_t s = 0; s < storeys.forces.size(); ++s) {
    const StoreyForce& storey = storeys.forces[s];
    estimates.push_back({storey.interface, storey.restoring->stiffness()});
    model.far.push_back(storeys.places[s].far);
  }
  const Structure structure = open ? parts_.structure : numerical_structure(partition);
  if (structure.size() > 0) {
    const LayoutMark mark = parts_.layout.mark();
    model.integrator = make_integrator({integrator, structure, parts_.dt, parts_.layout, estimates, false, 1,
                                        options_.any_step, feedback == From::iterations},
                                       "exact");
    model.state = parts_.layout.since(mark);
    if (!storeys.affine()) require_nonlinear(*model.integrator, "a storey of the structure");
  } else if (integrator.text("kind", "exact") != "exact") {
    integrator.fail("kind", "all storeys are experimental, and nothing is left to integrate",
                    "leave integrator.kind out");
  }
  model.storeys = std::move(storeys.forces);
  return model;
}

}  // namespace gusset
