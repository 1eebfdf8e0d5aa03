#include "rig/plant_rig.hpp"

#include <algorithm>
#include <cmath>

#include "base/linear_system.hpp"

namespace gusset {
namespace {

/// The specimen of the file alone, its interface being degree of freedom 0.
LinearSystem alone(const Specimen& specimen) {
  LinearSystem system;
  for (Eigen::MatrixXd* matrix : {&system.mass, &system.damping, &system.stiffness}) {
    *matrix = Eigen::MatrixXd::Zero(1, 1);
  }
  system.influence = Eigen::VectorXd::Ones(1);
  specimen.join(system, Interface{"", {{0, 1.0}}});
  return system;
}

/// As the context's, but with what it claims going elsewhere.
SpecimenContext elsewhere(const SpecimenContext& context, Layout& layout) {
  return {context.document,
          context.section,
          context.name,
          layout,
          context.durations,
          context.numerical_mass,
          context.numerical_stiffness,
          context.reference_frequency};
}

}  // namespace

SpecimenAtRest specimen_at_rest(const RigContext& context) {
  Layout scrap;
  const std::unique_ptr<Specimen> specimen =
      specimen_kind(context.specimen).make(elsewhere(context.specimen_context({&context.dt, 1}), scrap));
  const LinearSystem system = alone(*specimen);
  return {specimen->affine(), system.mass(0, 0), system.damping(0, 0) - specimen->nonlinear_damping(),
          system.stiffness(0, 0)};
}

int pieces_of(double duration, const SpecimenAtRest& specimen, double rig_mass) {
  if (specimen.linear) return 1;
  double longest = 1e-4;
  if (specimen.stiffness > 0) {
    longest = std::min(longest, 0.5 * std::sqrt((rig_mass + specimen.mass) / specimen.stiffness));
  }
  return static_cast<int>(std::clamp(std::ceil(duration / longest - 1e-9), 1.0, 1000.0));
}

OwnSpecimen read_own_specimen(const RigContext& context, double rig_mass, std::span<const double> durations) {
  OwnSpecimen own;
  own.linear = specimen_at_rest(context).linear;
  // A linear specimen lives in the plant; state of its own would only stand still.
  Layout scrap;
  const SpecimenContext outer = context.specimen_context(durations);
  const LayoutMark mark = context.layout.mark();
  own.specimen = specimen_kind(context.specimen).make(own.linear ? elsewhere(outer, scrap) : outer);
  const LinearSystem system = alone(*own.specimen);
  own.matrices = {system.mass, system.damping, system.stiffness};
  own.damping = own.specimen->nonlinear_damping();
  own.matrices.damping(0, 0) -= own.damping;
  own.kept = context.layout.since(mark);
  if (own.kept.last - own.kept.first > SpecimenSolver::most_entries ||
      own.kept.last_branch - own.kept.first_branch > SpecimenSolver::most_branches) {
    context.specimen.fail("kind", "the specimen has too many parts for this rig", "join some of its parts");
  }
  constexpr int most_states = 32;
  if (2 * system.size() > most_states) {
    context.specimen.fail("kind", "the specimen has too many degrees of freedom for this rig",
                          "use a simpler specimen, or rig.kind = \"second-order\"");
  }
  if (!(rig_mass + system.mass(0, 0) > 0)) {
    context.section.fail("mass", "nothing that this rig moves has mass",
                         "give rig.mass, of piston, rod and platen, e.g. mass = \"50 kg\"");
  }
  return own;
}

PlantRig::PlantRig(const RigContext& context, std::unique_ptr<Drive> drive) {
  const SpecimenAtRest rest = specimen_at_rest(context);
  linear_ = rest.linear;
  drives_.push_back(std::move(drive));
  const Drive::Line line = drives_.front()->line();
  lines_.emplace_back(context.layout, context.name(), line.name, line.unit,
                      delay_steps(context.section, "delay", line.delay, context.dt), line.ramp, line.scale);
  drives_.front()->claim_memory(context.layout, context.name());
  cut(context.dt, rest);
  std::vector<double> durations;
  for (const Interval& interval : intervals_) durations.push_back(interval.duration);
  OwnSpecimen own = read_own_specimen(context, drives_.front()->model().mass, durations);
  specimen_ = std::move(own.specimen);
  build(context, own.matrices, {Interface{"", {{0, 1.0}}}}, context.name());
  if (linear_) return;
  std::vector<Eigen::VectorXd> gains;
  for (std::size_t i = 0; i < intervals_.size(); ++i)
    gains.push_back(propagator_.gain(1, static_cast<int>(i)));
  solver_ = SpecimenSolver(plant_, own.kept, own.damping, std::move(gains), durations);
}

PlantRig::PlantRig(const RigContext& context, Drives drives, Stand stand) : drives_(std::move(drives)) {
  for (std::size_t c = 0; c < drives_.size(); ++c) {
    const Drive::Line line = drives_[c]->line();
    const std::string& name = context.channels[c].name();
    lines_.emplace_back(context.layout, name, line.name, line.unit,
                        delay_steps(context.section, "delay", line.delay, context.dt), line.ramp, line.scale);
    drives_[c]->claim_memory(context.layout, name);
  }
  cut(context.dt, {});
  build(context, stand.specimen, stand.attachments, drives_.size() == 1 ? context.name() : "specimen");
}

/// Cuts the sub-step where an older course ends.
void PlantRig::cut(double dt, const SpecimenAtRest& specimen) {
  std::vector<double> ends{1.0};
  for (const InputLine& line : lines_) {
    ramps_ = ramps_ || line.ramp();
    if (line.fraction() > 0) ends.push_back(line.fraction());
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  double from = 0;
  for (const double to : ends) {
    const double whole = (to - from) * dt;
    const int pieces = pieces_of(whole, specimen, drives_.front()->model().mass);
    intervals_.push_back({from, to, whole / pieces, pieces});
    from = to;
  }
}

void PlantRig::build(const RigContext& context, const TestStructure& specimen,
                     const std::vector<Interface>& attachments, const std::string& owner) {
  channels_.assign(context.channels.begin(), context.channels.end());
  matrices_ = specimen;
  std::vector<DriveModel> models;
  for (std::size_t c = 0; c < drives_.size(); ++c) {
    models.push_back(drives_[c]->model());
    models.back().at = attachments[c];
  }
  plant_ = Plant(specimen, std::move(models));
  if (plant_.size() > Propagator::most_states || drives_.size() > most_channels) {
    context.section.fail("kind", "the rig has too many states", "condense the specimen");
  }
  const Eigen::Index inputs = plant_.b().cols();
  Eigen::MatrixXd b(plant_.size(), linear_ ? inputs : inputs + 1);
  b.leftCols(inputs) = plant_.b();
  if (!linear_) b.rightCols(1) = -plant_.loads().col(0);
  std::vector<double> durations;
  for (const Interval& interval : intervals_) durations.push_back(interval.duration);
  propagator_ = Propagator(plant_.a(), b, durations);

  // Consecutive segments: the plant sees them as one vector.
  Layout& layout = context.layout;
  z_ = layout.add(owner, "position", "m", plant_.freedoms(), 1e-3);
  layout.add(owner, "speed", "m/s", plant_.freedoms(), 1e-2);
  for (std::size_t c = 0; c < drives_.size(); ++c) {
    drives_[c]->claim_states(layout, context.channels[c].name());
  }
  remainder_ = layout.add(owner, "remainder", "N", linear_ ? 0 : 1, 1.0);
  for (std::size_t c = 0; c < drives_.size(); ++c) {
    force_delays_.emplace_back(
        layout, context.channels[c].name(), "late_force", "N",
        delay_steps(context.section, "force_delay", drives_[c]->force_delay(), context.dt), 1.0);
  }
}

double PlantRig::remainder(State& state, const double* z, const Motion& motion) const noexcept {
  return specimen_->advance(state, motion) - plant_.specimen_force(0, z, &motion.acceleration, 0, 0);
}

void PlantRig::move(State& state, const InputLine::Course* courses) const noexcept {
  double from[most_channels + 1], change[most_channels + 1];
  double* z = state.at(z_);
  const std::size_t count = lines_.size();
  const int n = plant_.freedoms();
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    const Interval& interval = intervals_[i];
    const int slot = static_cast<int>(i);
    for (std::size_t c = 0; c < count; ++c) {
      const InputLine::Course& course = courses[c];
      const double f = lines_[c].fraction();
      const bool newer = !(interval.from < f);
      const double begin = newer ? f : 0, end = newer ? 1 : f;
      const double first = newer ? course.new_start : course.old_start;
      const double last = newer ? course.new_end : course.old_end;
      // Where the interval is all of the course the shares are 0 and 1, exactly.
      const double span = end - begin;
      from[c] = first + (interval.from - begin) / span * (last - first);
      change[c] = (interval.to - interval.from) / span * (last - first) / interval.pieces;
    }
    for (int piece = 0; piece < interval.pieces; ++piece) {
      double inputs[most_channels + 1];
      for (std::size_t c = 0; c < count; ++c) inputs[c] = from[c] + piece * change[c];
      if (!linear_) {
        inputs[count] = *state.at(remainder_);
        change[count] = 0;
      }
      const double before = z[n];
      ramps_ ? propagator_.ramp(z, inputs, change, slot) : propagator_.hold(z, inputs, slot);
      if (linear_) continue;
      solver_.solve(*specimen_, state, z, before, *state.at(remainder_), slot);
      *state.at(remainder_) =
          remainder(state, z, {z[0], z[n], (z[n] - before) / interval.duration, before, slot});
    }
  }
}

double PlantRig::base_acceleration(const double* pushes) const noexcept {
  double sum = 0;
  for (std::size_t c = 0; c < drives_.size(); ++c) sum += plant_.drives()[c].base ? pushes[c] : 0;
  return sum;
}

/// Writes all that is measured; the forces, which may be late, are left to the caller.
void PlantRig::measure(const State& state, const double* inputs, const double* ends,
                       const double* start_forces, RigRow row, double* forces) const noexcept {
  const double* z = state.at(z_);
  const std::size_t count = drives_.size();
  double pushes[most_channels], remainders[most_channels] = {};
  double accelerations[Propagator::most_states / 2];
  if (!linear_) remainders[0] = *state.at(remainder_);
  for (std::size_t c = 0; c < count; ++c) pushes[c] = plant_.push(c, z, ends[c]);
  for (int i = 0; i < plant_.freedoms(); ++i) {
    accelerations[i] = plant_.acceleration(i, z, pushes, remainders);
  }
  const double base = base_acceleration(pushes);
  for (std::size_t c = 0; c < count; ++c) {
    const Interface& at = plant_.drives()[c].at;
    const double own = pushes[c] + plant_.drives()[c].force_displacement * plant_.displacement(c, z);
    forces[c] = drives_[c]->measure({plant_.displacement(c, z), plant_.velocity(c, z), at.of(accelerations),
                                     plant_.specimen_force(c, z, accelerations, base, remainders[c]), own,
                                     0.5 * (start_forces[c] + own), inputs[c], z + plant_.first_state(c)},
                                    row.signals(c));
  }
}

void PlantRig::advance(State& state, RigRow row, bool) const noexcept {
  double inputs[most_channels], ends[most_channels], forces[most_channels], starts[most_channels];
  InputLine::Course courses[most_channels];
  double* z = state.at(z_);
  const std::size_t count = drives_.size();
  for (std::size_t c = 0; c < count; ++c) {
    inputs[c] = drives_[c]->control(
        state, row.command(c), {plant_.displacement(c, z), plant_.velocity(c, z), z + plant_.first_state(c)});
    courses[c] = lines_[c].step(state, inputs[c]);
    ends[c] = courses[c].new_end;
    starts[c] = plant_.force(c, z, lines_[c].fraction() > 0 ? courses[c].old_start : courses[c].new_start);
  }
  move(state, courses);
  for (std::size_t c = 0; c < count; ++c) drives_[c]->bound(z + plant_.first_state(c));
  measure(state, inputs, ends, starts, row, forces);
  for (std::size_t c = 0; c < count; ++c) {
    if (plant_.drives()[c].base) continue;
    row.signals(c)[1] = force_delays_[c].step(state, forces[c]);
  }
}

std::vector<Signal> PlantRig::signals(std::size_t channel) const { return drives_[channel]->signals(); }

bool PlantRig::affine() const {
  return linear_ &&
         std::all_of(drives_.begin(), drives_.end(), [](const auto& drive) { return drive->affine(); });
}

}  // namespace gusset
