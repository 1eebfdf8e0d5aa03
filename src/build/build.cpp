#include <algorithm>
#include <cmath>

#include "base/linear_system.hpp"
#include "build/builder.hpp"
#include "build/loadings.hpp"
#include "structure/sparse_modes.hpp"

namespace gusset {
namespace {

/// "10 ms"-like spelling of a time for messages.
std::string in_ms(double seconds) {
  std::string text = std::to_string(seconds * 1e3);
  text.erase(text.find_last_not_of('0') + 1);
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text + " ms";
}

/// A scalar for one, a list for several.
std::vector<double> read_start(const Section& section, std::string_view key, const Dimension& dimension,
                               std::size_t count, const char* what) {
  if (!section.has(key)) return std::vector<double>(count, 0.0);
  std::vector<double> values = section.list(key, dimension);
  if (values.size() != count) {
    section.fail(key,
                 section.name_of(key) + " has " + std::to_string(values.size()) + " values, but there are " +
                     std::to_string(count) + " " + what,
                 std::string("give one value for each of the ") + what);
  }
  return values;
}

/// How many of the rig's steps make a step of any length, as a search over Δt needs it: the nearest
/// whole number, and one more where that would slow the rig by more than 2 %. A controller at half its
/// rate may be unstable by itself; that says nothing of the test.
double searched_substeps(double ratio) {
  const double whole = std::max(1.0, std::round(ratio));
  return ratio > 1.02 * whole ? whole + 1 : whole;
}

}  // namespace

ExperimentParts Builder::build() {
  parts_.late = options_.late;
  parts_.layout.list_devices(options_.devices);
  parts_.title = document_.top().text("title", document_.name());
  const LoadingKind& loading = find_kind(loading_kinds(), document_.section("method"), "displacement");
  kind_ = loading.name;
  predefined_ = kind_ == "predefined";
  read_time();
  loading.read(*this);
  read_limits();
  read_initial();
  parts_.layout.list_devices(nullptr);
  return std::move(parts_);
}

void Builder::read_displacement_test() {
  read_specimens();
  read_numerical_part();
  read_method();
  read_rigs();
}

void Builder::read_time() {
  const Section& integrator = document_.section("integrator");
  const std::vector<const Section*> rigs = document_.sections("rig");
  // Without a numerical part there is one step, that of the rig, unless the file gives two.
  const bool alone = predefined_ && !integrator.has("dt") && !rigs.empty();
  parts_.dt = (alone ? *rigs.front() : integrator).positive("dt", dim::time);
  std::optional<double> common;
  for (const Section* rig : rigs) {
    if (!rig->has("dt")) continue;
    const double rig_dt = rig->positive("dt", dim::time);
    if (common && std::abs(rig_dt - *common) > 1e-9 * *common) {
      rig->fail("dt",
                "the rigs of a test share one period, and another one has dt = \"" + in_ms(*common) + "\"",
                "write dt = \"" + in_ms(*common) + "\" here too, or leave it out");
    }
    common = rig_dt;
    const double ratio = parts_.dt / rig_dt;
    const double whole = options_.any_step ? searched_substeps(ratio) : std::max(1.0, std::round(ratio));
    if (whole > 1e6) {
      rig->fail("dt", "rig.dt is more than a million times shorter than integrator.dt", "lengthen rig.dt");
    }
    if (!options_.any_step && std::abs(ratio - whole) > 1e-6 * whole) {
      rig->fail("dt",
                "integrator.dt (" + in_ms(parts_.dt) + ") is not a whole multiple of rig.dt (" +
                    in_ms(rig_dt) + ")",
                "write rig.dt = \"" + in_ms(parts_.dt / whole) + "\" or integrator.dt = \"" +
                    in_ms(whole * rig_dt) + "\"");
    }
    parts_.substeps = static_cast<int>(whole);
  }
  const Section& method = document_.section("method");
  if (iterates()) {
    const int substeps = method.integer("substeps", 10, 2, 1000);
    if (parts_.substeps != 1 && parts_.substeps != substeps) {
      method.fail("substeps",
                  "the step has " + std::to_string(parts_.substeps) + " of the rig's steps, but " +
                      std::to_string(substeps) + " sub-steps",
                  "leave rig.dt out, or make the two agree");
    }
    parts_.substeps = substeps;
  }
  parts_.rig_dt = parts_.dt / parts_.substeps;
}

void Builder::read_limits() {
  const Section& common = document_.section("limits");
  const auto limit = [&](const Section& own, std::string_view key, const Dimension& dimension) {
    // The common one is read in any case: it is no unknown key where every channel has its own.
    const auto limit_of = [&](const Section& section) {
      return section.has(key) ? std::optional<double>(section.positive(key, dimension)) : std::nullopt;
    };
    const std::optional<double> of_all = limit_of(common);
    const std::optional<double> of_channel = limit_of(own);
    return of_channel ? of_channel : of_all;
  };
  bool accelerated = false;
  for (Channel& channel : parts_.channels) {
    const std::string& name = channel.name();
    // [limits.actions] says what happens, of every channel.
    const Section& own = document_.section(name == "actions" ? "limits" : "limits." + name);
    const bool force = channel.control == Control::force, table = channel.control == Control::acceleration;
    Limits limits{limit(own, "displacement", dim::length),       limit(own, "velocity", dim::velocity),
                  limit(own, "acceleration", dim::acceleration), limit(own, "force", dim::force),
                  limit(own, "tracking_error", dim::length),     limit(own, "energy", dim::energy),
                  limit(own, "force_error", dim::force),         limit(own, "tare", dim::force)};
    if (force) limits.acceleration.reset();
    if (table) limits.force.reset();
    if (!force) {
      if (&own != &common && own.has("force_error")) {
        own.fail("force_error",
                 "channel " + name + " is not told forces: it has no target that its force could follow",
                 "limit tracking_error, or force");
      }
      limits.force_error.reset();
    }
    if (table) limits.tare.reset();
    if (force || table) {
      // A limit of all channels is for those that it can be of.
      for (const char* key : {"tracking_error", "energy"}) {
        if (&own == &common || !own.has(key)) continue;
        own.fail(
            key,
            "channel " + name + " is not told displacements: it has no target that its position could follow",
            "limit displacement, velocity or " + std::string(force ? "force" : "acceleration"));
      }
      limits.tracking_error.reset();
      limits.energy.reset();
    }
    channel.limits = limits;
    accelerated = accelerated || !force;
    if (&own != &common && own.has(force ? "acceleration" : "force") && (force || table)) {
      own.fail(
          force ? "acceleration" : "force",
          force ? "channel " + name + " is told forces, not a motion whose acceleration could be limited"
                : "the force under a shake table is not measured",
          force ? "limit displacement, velocity or force" : "limit displacement, velocity or acceleration");
    }
  }
  if (!accelerated && !parts_.channels.empty() && common.has("acceleration")) {
    common.fail("acceleration", "no channel is told a motion whose acceleration could be limited",
                "limit displacement, velocity or force");
  }
}

void Builder::read_initial() {
  const Section& initial = document_.section("initial");
  const auto storeys = static_cast<std::size_t>(parts_.structure.size());
  parts_.displacement = read_start(initial, "displacement", dim::length, storeys, "storeys");
  parts_.velocity = read_start(initial, "velocity", dim::velocity, storeys, "storeys");
  parts_.specimen_displacement =
      read_start(initial, "specimen_displacement", dim::length, specimens_.size(), "specimens");
  parts_.specimen_velocity =
      read_start(initial, "specimen_velocity", dim::velocity, specimens_.size(), "specimens");
  if (specimens_.empty()) return;
  for (MountedRig& rig : parts_.rigs) {
    const std::size_t c = rig.channels.front();
    const LinearStart own{Eigen::VectorXd::Constant(1, parts_.specimen_displacement[c]),
                          Eigen::VectorXd::Constant(1, parts_.specimen_velocity[c]),
                          {}};
    rig.specimen = [own](const LinearStart&) { return own; };
  }
}

namespace {

/// The lowest natural frequency; 0 where nothing holds the mode, whose frequency is rounding then, or of the
/// next that is held.
double lowest_held(const LinearSystem& system, bool or_next) {
  const auto trace = [](const LinearSystem::Entries& entries) {
    double sum = 0;
    for (const auto& entry : entries) sum += entry.row() == entry.col() ? entry.value() : 0;
    return sum;
  };
  const double stiffness = system.sparse ? trace(system.stiffness_entries) : system.stiffness.trace();
  const double mass = system.sparse ? trace(system.mass_entries) : system.mass.trace();
  const double least = 1e-6 * std::sqrt(std::max(stiffness, 0.0) / mass);
  for (const double omega :
       system.sparse ? lowest_modes(system, or_next ? 10 : 1).frequencies : natural_frequencies(system)) {
    if (omega > least) return omega;
    if (!or_next) break;
  }
  return 0;
}

}  // namespace

Experiment Experiment::build(const Document& document, const BuildOptions& options) {
  Experiment experiment(Builder(document, options).build());
  const Structure& structure = experiment.parts_.structure;
  double& reference = experiment.parts_.reference_frequency;
  if (reference > 0 || structure.size() == 0) return experiment;
  // Several storeys: the lowest natural frequency of what frequency_of names.
  const bool whole = document.section("structure").text("frequency_of", "numerical") == "whole";
  const bool large = structure.size() >= large_structure;
  LinearSystem system = whole ? experiment.whole(large) : structure.linear_system(large);
  reference = lowest_held(system, false);
  if (reference > 0) return experiment;
  // All stiffness of a storey may stand in restoring forces, or in the laboratory.
  if (!whole) {
    for (const ListedStorey& storey : experiment.parts_.storeys) {
      system.add_stiffness(storey.at, storey.restoring->stiffness());
    }
    reference = lowest_held(system, false);
  }
  if (reference == 0) reference = lowest_held(experiment.whole(large), true);
  return experiment;
}

}  // namespace gusset
