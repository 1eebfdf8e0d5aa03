#include <algorithm>
#include <cmath>

#include "base/linear_system.hpp"
#include "excitation/trajectory.hpp"
#include "experiment/experiment.hpp"
#include "method/displacement.hpp"
#include "method/predefined.hpp"
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
std::vector<double> read_start(const Section& section, std::string_view key,
                               const Dimension& dimension, std::size_t count, const char* what) {
  if (!section.has(key)) return std::vector<double>(count, 0.0);
  std::vector<double> values = section.list(key, dimension);
  if (values.size() != count) {
    section.fail(key,
                 section.name_of(key) + " has " + std::to_string(values.size()) +
                     " values, but there are " + std::to_string(count) + " " + what,
                 std::string("give one value for each of the ") + what);
  }
  return values;
}

}  // namespace

/// Reads a document section by section into an Experiment.
class Builder {
 public:
  Builder(const Document& document, const BuildOptions& options)
      : document_(document), options_(options) {}

  Experiment build() {
    experiment_.title_ = document_.top().text("title", document_.name());
    predefined_ = document_.section("method").choice("kind", {"displacement", "predefined"},
                                                     "displacement") == "predefined";
    read_time();
    read_specimens();
    read_numerical_part();
    read_method();
    read_rigs();
    read_limits();
    if (!options_.for_analysis) read_excitation_and_duration();
    read_initial();
    return std::move(experiment_);
  }

 private:
  void read_time() {
    const Section& integrator = document_.section("integrator");
    const std::vector<const Section*> rigs = document_.sections("rig");
    // Without a numerical part there is one step, that of the rig, unless the file gives two.
    const bool alone = predefined_ && !integrator.has("dt") && !rigs.empty();
    experiment_.dt_ = (alone ? *rigs.front() : integrator).positive("dt", dim::time);
    for (const Section* rig : rigs) {
      if (!rig->has("dt")) continue;
      const double rig_dt = rig->positive("dt", dim::time);
      const double ratio = experiment_.dt_ / rig_dt;
      const double whole = std::max(1.0, std::round(ratio));
      if (whole > 1e6) {
        rig->fail("dt", "rig.dt is more than a million times shorter than integrator.dt",
                  "lengthen rig.dt");
      }
      if (!options_.for_analysis && std::abs(ratio - whole) > 1e-6 * whole) {
        rig->fail("dt",
                  "integrator.dt (" + in_ms(experiment_.dt_) +
                      ") is not a whole multiple of rig.dt (" + in_ms(rig_dt) + ")",
                  "write rig.dt = \"" + in_ms(experiment_.dt_ / whole) + "\" or integrator.dt = \"" +
                      in_ms(whole * rig_dt) + "\"");
      }
      experiment_.substeps_ = static_cast<int>(whole);
    }
    experiment_.rig_dt_ = experiment_.dt_ / experiment_.substeps_;
  }

  /// What must be known of the specimens before the numerical part can be.
  void read_specimens() {
    if (!predefined_) masses_ = read_masses(document_);
    for (const Section* section : document_.sections("specimen")) {
      const Entry* kind = section->find("kind");
      if (kind != nullptr && kind->value.text == "none") continue;
      specimens_.push_back(section);
      interfaces_.push_back(read_interface(*section));
      double mass = 0;
      for (const auto& [dof, weight] : interfaces_.back().weights) {
        mass += weight * weight * masses_[static_cast<std::size_t>(dof)];
      }
      interface_masses_.push_back(mass);
      traits_.push_back(specimen_kind(*section).traits(document_, *section, mass));
    }
  }

  Interface read_interface(const Section& section) {
    const int storeys = static_cast<int>(masses_.size());
    Interface interface;
    interface.name = section.text("name", section.path.starts_with("specimen.")
                                              ? "specimen" + section.path.substr(9)
                                              : "specimen");
    for (const Interface& other : interfaces_) {
      if (other.name == interface.name) {
        section.fail("name", "two specimens are called " + interface.name,
                     "give each a name of its own");
      }
    }
    if (predefined_) {
      drift_.push_back(false);
      return interface;
    }
    if (storeys > 1 && !section.has("storey")) {
      section.fail("storey", "the structure has " + std::to_string(storeys) +
                                 " storeys and the specimen does not say where it is",
                   "add storey = 1 (the lowest) to " + std::to_string(storeys));
    }
    const int dof = section.integer("storey", 1, 1, storeys) - 1;
    const std::string acts = section.choice("acts", {"floor", "drift"}, "floor");
    interface.weights.emplace_back(dof, 1.0);
    if (acts == "drift" && dof > 0) interface.weights.emplace_back(dof - 1, -1.0);
    drift_.push_back(acts == "drift");
    return interface;
  }

  void read_numerical_part() {
    if (predefined_) return refuse_numerical_part();
    SpecimenShare share;
    for (const SpecimenTraits& traits : traits_) {
      share.mass += traits.mass;
      share.stiffness += traits.stiffness;
      share.stiffness_ratio += traits.stiffness_ratio;
    }
    StructureReading reading = read_structure(document_, share);
    experiment_.structure_ = std::move(reading.structure);
    experiment_.reference_frequency_ = reading.reference_frequency;
  }

  void refuse_numerical_part() {
    for (const char* name : {"structure", "excitation", "initial"}) {
      if (!document_.has_section(name)) continue;
      throw InputError(document_.section(name).where,
                       "a predefined test has no numerical part, so [" + std::string(name) +
                           "] would have no effect",
                       "leave it out, or write method.kind = \"displacement\"");
    }
  }

  void read_predefined_method() {
    std::vector<Method::Channel> channels;
    for (const Interface& interface : interfaces_) channels.push_back({interface, 1.0});
    const Section& method = document_.section("method");
    const Profile profile = read_profile(method, Profile::quadratic);
    if (lagrange_order(profile) > 0) {
      method.fail("profile", "a predefined motion needs no prediction: all of it is known",
                  "write profile = \"ramp\", \"quadratic\" or \"b-spline\"");
    }
    experiment_.method_ = std::make_unique<PredefinedMethod>(std::move(channels), profile,
                                                             experiment_.dt_, experiment_.layout_);
  }

  void read_method() {
    if (predefined_) return read_predefined_method();
    const Section& method = document_.section("method");
    const std::string reference = method.choice("reference", {"auto", "absolute", "relative"}, "auto");
    std::vector<Method::Channel> channels;
    for (std::size_t c = 0; c < specimens_.size(); ++c) {
      channels.push_back({interfaces_[c], ground_share(method, reference, c)});
    }
    std::vector<ForceEstimate> estimates = force_estimates();
    const double durations[] = {experiment_.dt_, 0.5 * experiment_.dt_};
    std::vector<StoreyForce> storeys = read_storey_forces(
        document_, experiment_.structure_.size(), experiment_.layout_, durations);
    for (const StoreyForce& storey : storeys) {
      estimates.push_back({storey.interface, storey.restoring->stiffness()});
    }
    std::unique_ptr<Integrator> integrator =
        make_integrator({document_.section("integrator"), experiment_.structure_, experiment_.dt_,
                         experiment_.layout_, estimates, !channels.empty(), experiment_.substeps_,
                         options_.for_analysis});
    for (const StoreyForce& storey : storeys) {
      if (!storey.restoring->affine()) require_nonlinear(*integrator, "a storey of the structure");
    }
    const Profile profile = read_command_profile(method, *integrator);
    experiment_.method_ = std::make_unique<DisplacementMethod>(
        std::move(integrator), std::move(channels), std::move(storeys), std::move(estimates), profile,
        experiment_.dt_, experiment_.substeps_, experiment_.layout_, read_late(method, profile));
  }

  /// Stages within a step would follow the initial stiffness of a part that has long yielded.
  void require_nonlinear(const Integrator& integrator, const std::string& what) const {
    if (!integrator.linear_only()) return;
    document_.section("integrator")
        .fail("kind",
              what + " does not follow a straight line, and this integrator knows nothing else",
              "use \"central-difference\", \"newmark\" with iterations, \"alpha-os\", \"kr-alpha\" or "
              "\"rosenbrock\"");
  }

  /// How many sub-steps computing takes, of a numerical part slower than the rig.
  int read_late(const Section& method, Profile profile) const {
    if (lagrange_order(profile) == 0) {
      if (method.has("compute_share")) {
        method.fail("compute_share",
                    "compute_share belongs to profile = \"p1\", \"p2\" or \"p3\": the others need the "
                    "new target at the beginning of the step",
                    "leave it out, or write profile = \"p3\"");
      }
      return 0;
    }
    const double share = method.number("compute_share", dim::none, 0.5);
    if (!(share >= 0 && share < 1)) {
      method.fail("compute_share", "compute_share is the part of a step that computing takes: 0 to 1",
                  "write compute_share = 0.5");
    }
    const int substeps = experiment_.substeps_;
    const int late = static_cast<int>(std::ceil(share * substeps - 1e-9));
    if (late < substeps) return late;
    if (options_.for_analysis) return substeps - 1;
    method.fail(method.has("compute_share") ? "compute_share" : "profile",
                "the new target comes too late: with " + std::to_string(substeps) +
                    (substeps == 1 ? " sub-step" : " sub-steps") +
                    " of the rig a step none is left to go there",
                "shorten rig.dt (integrator.dt is a whole multiple of it), or lower compute_share");
  }

  /// The numerical stiffness at a channel's interface, bᵀ·K·b.
  double interface_stiffness(std::size_t c) const {
    double k = 0;
    for (const auto& [i, wi] : interfaces_[c].weights) {
      for (const auto& [j, wj] : interfaces_[c].weights) {
        k += wi * wj * experiment_.structure_.stiffness(i, j);
      }
    }
    return k;
  }

  std::vector<ForceEstimate> force_estimates() const {
    std::vector<ForceEstimate> estimates;
    for (std::size_t c = 0; c < specimens_.size(); ++c) {
      estimates.push_back({interfaces_[c], traits_[c].stiffness +
                                               traits_[c].stiffness_ratio * interface_stiffness(c)});
    }
    return estimates;
  }

  Profile read_command_profile(const Section& method, const Integrator& integrator) const {
    if (!integrator.needs_ramp() || specimens_.empty()) return read_profile(method);
    if (method.has("profile") && read_profile(method) != Profile::ramp) {
      method.fail("profile",
                  "this integrator corrects its step on the way, and the command has to lead straight "
                  "to each new target",
                  "write profile = \"ramp\", or leave it out");
    }
    return Profile::ramp;
  }

  /// How much of the ground's motion the channel's target includes; see DisplacementMethod.
  double ground_share(const Section& method, const std::string& reference, std::size_t c) {
    const SpecimenTraits& traits = traits_[c];
    const double share = drift_[c] ? 0 : interfaces_[c].ground_share();
    const bool shaken = document_.has_section("excitation");
    bool absolute = reference == "absolute";
    if (reference == "auto") absolute = !traits.grounded && (traits.inside || traits.rigid_mass > 0);
    if (shaken && absolute && traits.grounded) {
      method.fail("reference",
                  interfaces_[c].name + " acts against the ground and cannot be moved with it",
                  "write reference = \"relative\"");
    }
    if (shaken && !absolute && traits.inside && share != 0) {
      method.fail("reference",
                  interfaces_[c].name +
                      " has mass of its own, which must feel the ground's acceleration",
                  "write reference = \"absolute\", and put grounded parts on a channel of their own");
    }
    if (absolute) return share;
    for (const auto& [dof, weight] : interfaces_[c].weights) {
      experiment_.structure_.inertia[static_cast<std::size_t>(dof)] +=
          weight * traits.rigid_mass * share;
    }
    return 0;
  }

  void read_rigs() {
    const std::vector<const Section*> sections = document_.sections("rig");
    if (sections.size() > 1 && sections.size() != specimens_.size()) {
      sections.back()->fail("kind",
                            "there are " + std::to_string(sections.size()) + " rigs and " +
                                std::to_string(specimens_.size()) + " specimens",
                            "give one [rig] for all specimens, or one [[rig]] for each");
    }
    for (std::size_t c = 0; c < specimens_.size(); ++c) {
      const Section& section = sections.size() > 1 ? *sections[c] : document_.section("rig");
      experiment_.compensators_.push_back(make_compensator(
          {compensator_section(c), interfaces_[c].name, experiment_.layout_, experiment_.rig_dt(),
           experiment_.dt_, experiment_.method_->profile()}));
      const Compensator* compensator = experiment_.compensators_.back().get();
      experiment_.compensated_ = experiment_.compensated_ || compensator != nullptr;
      if (compensator != nullptr && compensator->per_step() && experiment_.method_->corrects()) {
        compensator_section(c).fail(
            "kind",
            "this compensator plans a whole step from its target, which here changes on the way",
            "use a compensator at the rig's step, or an explicit integrator with profile = \"ramp\"");
      }
      // A command that is not smooth is a ramp to the rig, whatever the target was.
      const bool smooth = compensator == nullptr || compensator->smooth();
      experiment_.rigs_.push_back(
          make_rig({document_, section, *specimens_[c], interfaces_[c].name, experiment_.layout_,
                    experiment_.rig_dt(), options_.extra_delay,
                    smooth ? experiment_.method_->profile() : Profile::ramp, interface_masses_[c],
                    interface_stiffness(c), experiment_.reference_frequency_}));
      if (experiment_.method_->integrator() != nullptr &&
          !experiment_.rigs_.back()->specimen().affine()) {
        require_nonlinear(*experiment_.method_->integrator(), interfaces_[c].name);
      }
      const Section& indicators = document_.section("indicators");
      if (document_.has_section("indicators")) {
        experiment_.indicators_.emplace_back(indicators, interfaces_[c].name, experiment_.layout_,
                                             experiment_.rig_dt());
      }
      plan_row(*experiment_.rigs_.back(), compensator);
    }
  }

  const Section& compensator_section(std::size_t channel) const {
    const std::vector<const Section*> sections = document_.sections("compensator");
    if (sections.size() > 1 && sections.size() != specimens_.size()) {
      sections.back()->fail("kind",
                            "there are " + std::to_string(sections.size()) + " compensators and " +
                                std::to_string(specimens_.size()) + " specimens",
                            "give one [compensator] for all, or one [[compensator]] for each");
    }
    return sections.size() > 1 ? *sections[channel] : document_.section("compensator");
  }

  void plan_row(const Rig& rig, const Compensator* compensator) {
    const std::vector<Signal> signals = rig.signals();
    Experiment::RowPlan plan;
    plan.first = experiment_.row_width_;
    plan.measured = plan.first + 1;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const int index = plan.first + 2 + static_cast<int>(i);
      if (signals[i].name == "measured") plan.measured = index;
      if (signals[i].name == "force") plan.force = index;
    }
    plan.feedback = plan.force;
    plan.compensator = plan.first + 2 + static_cast<int>(signals.size());
    int next = plan.compensator;
    if (compensator != nullptr) {
      for (const CompensatorSignal& signal : compensator->signals()) {
        if (std::string_view(signal.name) == "feedback") plan.feedback = next;
        ++next;
      }
    }
    plan.indicators = next;
    if (!experiment_.indicators_.empty()) next += OnlineIndicators::signals;
    experiment_.row_width_ = next;
    experiment_.plan_.push_back(plan);
  }

  void read_limits() {
    const Section& section = document_.section("limits");
    const auto limit = [&](std::string_view key, const Dimension& dimension) {
      return section.has(key) ? std::optional<double>(section.positive(key, dimension))
                              : std::nullopt;
    };
    experiment_.limits_ = {limit("displacement", dim::length), limit("velocity", dim::velocity),
                           limit("acceleration", dim::acceleration), limit("force", dim::force)};
  }

  void read_trajectory_and_duration() {
    const Section& top = document_.top();
    const Section& trajectory = document_.section("trajectory");
    experiment_.duration_ = top.has("duration")
                                ? top.positive("duration", dim::time)
                                : trajectory_duration(trajectory, options_.loader);
    const double steps = std::ceil(experiment_.duration_ / experiment_.dt_ - 1e-9);
    require_memory(top, steps);
    experiment_.steps_ = static_cast<std::int64_t>(steps);
    experiment_.ground_ = GroundMotion(
        read_trajectory(trajectory, options_.loader, experiment_.dt_, experiment_.steps_).displacement);
  }

  void read_excitation_and_duration() {
    if (predefined_) return read_trajectory_and_duration();
    const ExcitationReading excitation =
        read_excitation(document_.section("excitation"), options_.loader);
    const Section& top = document_.top();
    if (top.has("duration") || !excitation.record) {
      experiment_.duration_ = top.positive("duration", dim::time);
    } else {
      experiment_.duration_ =
          excitation.record->dt * static_cast<double>(excitation.record->acceleration.size() - 1);
    }
    const double steps = std::ceil(experiment_.duration_ / experiment_.dt_ - 1e-9);
    if (steps > 1e10) {
      top.fail("duration",
               "the test would take " + std::to_string(steps) + " steps, more than fit in memory",
               "shorten the duration or lengthen integrator.dt");
    }
    experiment_.steps_ = static_cast<std::int64_t>(steps);
    if (excitation.record) {
      require_memory(top, steps);
      experiment_.ground_ = GroundMotion(*excitation.record, excitation.scale, experiment_.dt_,
                                         experiment_.steps_ + 1);
    }
  }

  static void require_memory(const Section& top, double steps) {
    if (steps <= 1e8) return;
    top.fail("duration", "the motion would have more than 1e8 samples",
             "shorten the duration or lengthen integrator.dt");
  }

  void read_initial() {
    const Section& initial = document_.section("initial");
    const auto storeys = static_cast<std::size_t>(experiment_.structure_.size());
    experiment_.displacement_ = read_start(initial, "displacement", dim::length, storeys, "storeys");
    experiment_.velocity_ = read_start(initial, "velocity", dim::velocity, storeys, "storeys");
    experiment_.specimen_displacement_ = read_start(initial, "specimen_displacement", dim::length,
                                                    specimens_.size(), "specimens");
    experiment_.specimen_velocity_ = read_start(initial, "specimen_velocity", dim::velocity,
                                                specimens_.size(), "specimens");
  }

  const Document& document_;
  const BuildOptions& options_;
  Experiment experiment_;
  bool predefined_ = false;
  std::vector<double> masses_;
  std::vector<const Section*> specimens_;
  std::vector<Interface> interfaces_;
  std::vector<double> interface_masses_;
  std::vector<bool> drift_;
  std::vector<SpecimenTraits> traits_;
};

Experiment Experiment::build(const Document& document, const BuildOptions& options) {
  Experiment experiment = Builder(document, options).build();
  if (experiment.reference_frequency_ == 0 && experiment.structure_.size() > 0) {
    // Several storeys: the lowest natural frequency of what frequency_of names.
    const bool whole = document.section("structure").text("frequency_of", "numerical") == "whole";
    if (experiment.structure_.size() >= large_structure) {
      const LinearSystem system =
          whole ? experiment.whole(true) : experiment.structure_.linear_system(true);
      experiment.reference_frequency_ = lowest_modes(system, 1).frequencies.front();
      return experiment;
    }
    const std::vector<double> frequencies = natural_frequencies(
        whole ? experiment.whole() : experiment.structure_.linear_system());
    experiment.reference_frequency_ = frequencies.front();
  }
  return experiment;
}

}  // namespace gusset
