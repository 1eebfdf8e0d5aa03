// Specimens, the numerical part, and the method that joins them.

#include <algorithm>
#include <cctype>
#include <cmath>

#include "build/builder.hpp"
#include "loading/displacement.hpp"
#include "loading/predefined.hpp"

namespace gusset {

/// What must be known of the specimens before the numerical part can be.
void Builder::read_specimens() {
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

namespace {

/// Names stand in greetings, run files, CSV headers and paths: no blanks, dots or signs that mean something there.
void require_name(const Section& section, const std::string& name) {
  const bool sound = !name.empty() && name.size() <= 64 && name.front() != '-' &&
                     std::all_of(name.begin(), name.end(), [](unsigned char letter) {
                       return letter >= 0x80 || std::isalnum(letter) != 0 || letter == '_' || letter == '-';
                     });
  if (sound) return;
  section.fail("name", "a name has 1 to 64 letters, digits, _ or -, and does not begin with -",
               "write something like name = \"first-damper\"");
}

}  // namespace

Interface Builder::read_interface(const Section& section) {
  const int storeys = static_cast<int>(masses_.size());
  Interface interface;
  interface.name = section.text(
      "name", section.path.starts_with("specimen.") ? "specimen" + section.path.substr(9) : "specimen");
  require_name(section, interface.name);
  for (const Interface& other : interfaces_) {
    if (other.name == interface.name) {
      section.fail("name", "two specimens are called " + interface.name, "give each a name of its own");
    }
  }
  if (predefined_) {
    drift_.push_back(false);
    return interface;
  }
  if (storeys > 1 && !section.has("storey")) {
    section.fail(
        "storey",
        "the structure has " + std::to_string(storeys) + " storeys and the specimen does not say where it is",
        "add storey = 1 (the lowest) to " + std::to_string(storeys));
  }
  const int dof = section.integer("storey", 1, 1, storeys) - 1;
  const std::string acts = section.choice("acts", {"floor", "drift"}, "floor");
  interface.weights.emplace_back(dof, 1.0);
  if (acts == "drift" && dof > 0) interface.weights.emplace_back(dof - 1, -1.0);
  drift_.push_back(acts == "drift");
  return interface;
}

void Builder::read_numerical_part() {
  if (predefined_) return refuse_numerical_part();
  SpecimenShare share;
  for (const SpecimenTraits& traits : traits_) {
    share.mass += traits.mass;
    share.stiffness += traits.stiffness;
    share.stiffness_ratio += traits.stiffness_ratio;
  }
  StructureReading reading = read_structure(document_, share);
  parts_.structure = std::move(reading.structure);
  parts_.reference_frequency = reading.reference_frequency;
}

void Builder::refuse_numerical_part() {
  for (const char* name : {"structure", "excitation", "initial"}) {
    if (!document_.has_section(name)) continue;
    throw InputError(
        document_.section(name).where,
        "a predefined test has no numerical part, so [" + std::string(name) + "] would have no effect",
        "leave it out, or write method.kind = \"displacement\"");
  }
}

void Builder::read_predefined_method() {
  for (const Interface& interface : interfaces_) {
    parts_.channels.push_back({interface, Control::displacement, 1.0});
  }
  const Section& method = document_.section("method");
  const Profile profile = read_profile(method, Profile::quadratic);
  if (lagrange_order(profile) > 0) {
    method.fail("profile", "a predefined motion needs no prediction: all of it is known",
                "write profile = \"ramp\", \"quadratic\" or \"b-spline\"");
  }
  parts_.method = std::make_unique<PredefinedMethod>(parts_.channels, profile, parts_.dt, parts_.layout);
}

void Builder::read_method() {
  const LayoutMark before = parts_.layout.mark();
  predefined_ ? read_predefined_method() : read_displacement_method();
  parts_.loading_state = parts_.layout.since(before);
}

void Builder::read_displacement_method() {
  const Section& method = document_.section("method");
  const std::string reference = method.choice("reference", {"auto", "absolute", "relative"}, "auto");
  std::vector<Channel>& channels = parts_.channels;
  for (std::size_t c = 0; c < specimens_.size(); ++c) {
    channels.push_back({interfaces_[c], Control::displacement, ground_share(method, reference, c)});
  }
  std::vector<ForceEstimate> estimates = force_estimates();
  const double durations[] = {parts_.dt, 0.5 * parts_.dt};
  std::vector<StoreyForce> storeys =
      read_storey_forces(document_, parts_.structure.size(), parts_.layout, durations);
  for (const StoreyForce& storey : storeys) {
    estimates.push_back({storey.interface, storey.restoring->stiffness()});
    parts_.storeys.push_back({storey.interface, storey.restoring.get()});
  }
  std::unique_ptr<Integrator> integrator =
      make_integrator({document_.section("integrator"), parts_.structure, parts_.dt, parts_.layout, estimates,
                       !channels.empty(), parts_.substeps, options_.any_step});
  for (const StoreyForce& storey : storeys) {
    if (!storey.restoring->affine()) require_nonlinear(*integrator, "a storey of the structure");
  }
  require_tangent(*integrator, storeys);
  const Profile profile = read_command_profile(method, *integrator);
  parts_.method = std::make_unique<DisplacementMethod>(
      std::move(integrator), channels, std::move(storeys), std::move(estimates), profile, parts_.dt,
      parts_.substeps, parts_.layout, read_late(method, profile), parts_.structure.tangent_damping);
}

/// A scheme that evaluates the force at the end of the step, again and again, has the velocity there too.
void Builder::require_tangent(const Integrator& integrator, std::span<const StoreyForce> storeys) const {
  if (parts_.structure.tangent_damping == 0) return;
  if (integrator.corrections() > 0 && integrator.correction_point() == 1) return;
  if (std::none_of(storeys.begin(), storeys.end(),
                   [](const StoreyForce& storey) { return storey.restoring->damped(); }))
    return;
  document_.section("structure.rayleigh")
      .fail("stiffness",
            "damping that follows the tangent stiffness needs an implicit scheme that iterates, and this "
            "integrator does not",
            "write integrator.kind = \"newmark\", \"hht-alpha\" or \"generalized-alpha\", or stiffness = "
            "\"initial\"");
}

void Builder::require_nonlinear(const Integrator& integrator, const std::string& what) const {
  // Stages within a step would follow the initial stiffness of a part that has long yielded.
  if (!integrator.linear_only()) return;
  document_.section("integrator")
      .fail("kind",
            what +
                " does not follow a straight line, and this integrator would take its initial "
                "stiffness through the whole step",
            "use \"central-difference\", \"newmark\" with iterations, \"alpha-os\", \"kr-alpha\" or "
            "\"rosenbrock\"");
}

int Builder::read_late(const Section& method, Profile profile) const {
  if (lagrange_order(profile) == 0) {
    if (method.has("compute_share")) {
      method.fail("compute_share",
                  "compute_share belongs to profile = \"p1\", \"p2\" or \"p3\": the others need the new "
                  "target at the beginning of the step",
                  "leave it out, or write profile = \"p3\"");
    }
    return 0;
  }
  const double share = method.number("compute_share", dim::none, 0.5);
  if (!(share >= 0 && share < 1)) {
    method.fail("compute_share", "compute_share is the part of a step that computing takes: 0 to 1",
                "write compute_share = 0.5");
  }
  const int substeps = parts_.substeps;
  const int late = static_cast<int>(std::ceil(share * substeps - 1e-9));
  if (late < substeps) return late;
  if (options_.any_step) return substeps - 1;
  method.fail(method.has("compute_share") ? "compute_share" : "profile",
              "the new target comes too late: with " + std::to_string(substeps) +
                  (substeps == 1 ? " sub-step" : " sub-steps") +
                  " of the rig a step none is left to go there",
              "shorten rig.dt (integrator.dt is a whole multiple of it), or lower compute_share");
}

/// The numerical stiffness at a channel's interface, bᵀ·K·b.
double Builder::interface_stiffness(std::size_t c) const {
  double k = 0;
  for (const auto& [i, wi] : interfaces_[c].weights) {
    for (const auto& [j, wj] : interfaces_[c].weights) {
      k += wi * wj * parts_.structure.stiffness(i, j);
    }
  }
  return k;
}

std::vector<ForceEstimate> Builder::force_estimates() const {
  std::vector<ForceEstimate> estimates;
  for (std::size_t c = 0; c < specimens_.size(); ++c) {
    estimates.push_back(
        {interfaces_[c], traits_[c].stiffness + traits_[c].stiffness_ratio * interface_stiffness(c)});
  }
  return estimates;
}

Profile Builder::read_command_profile(const Section& method, const Integrator& integrator) const {
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
double Builder::ground_share(const Section& method, const std::string& reference, std::size_t c) {
  const SpecimenTraits& traits = traits_[c];
  const double share = drift_[c] ? 0 : interfaces_[c].ground_share();
  const bool shaken = document_.has_section("excitation");
  bool absolute = reference == "absolute";
  if (reference == "auto") absolute = !traits.grounded && (traits.inside || traits.rigid_mass > 0);
  if (shaken && absolute && traits.grounded) {
    method.fail("reference", interfaces_[c].name + " acts against the ground and cannot be moved with it",
                "write reference = \"relative\"");
  }
  if (shaken && !absolute && traits.inside && share != 0) {
    method.fail("reference",
                interfaces_[c].name + " has mass of its own, which must feel the ground's acceleration",
                "write reference = \"absolute\", and put grounded parts on a channel of their own");
  }
  if (absolute) return share;
  for (const auto& [dof, weight] : interfaces_[c].weights) {
    parts_.structure.inertia[static_cast<std::size_t>(dof)] += weight * traits.rigid_mass * share;
  }
  return 0;
}

}  // namespace gusset
