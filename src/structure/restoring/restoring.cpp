#include "structure/restoring.hpp"

#include <algorithm>

namespace gusset {

Restoring::Restoring(const RestoringContext& context)
    : durations_(context.durations.begin(), context.durations.end()) {
  displacement_ = context.layout.add(context.name, "displacement", "m", 1, 1e-4);
  force_ = context.layout.add(context.name, "force", "N", 1, 1.0);
  dissipated_ = context.layout.add(context.name, "dissipated", "J", 1, 1.0, Layout::Kind::parameter);
  first_branch_ = static_cast<int>(context.layout.branches().size());
  if (Devices* devices = context.layout.devices()) {
    devices->push_back({context.name, this, displacement_});
    line_ = &devices->back();
  }
}

void Restoring::claim(const RestoringContext& context) {
  values_ = std::min(context.layout.size() - displacement_.offset, most);
  branches_ = static_cast<int>(context.layout.branches().size()) - first_branch_;
}

double Restoring::advance(State& state, const Stretch& stretch) const noexcept {
  double& x = *state.at(displacement_);
  double& f = *state.at(force_);
  if (line_ != nullptr && line_->replaced) [[unlikely]] {
    f = line_->stiffness * stretch.displacement + line_->damping * stretch.velocity;
  } else {
    f = move(state, stretch, {x, f, durations_[static_cast<std::size_t>(stretch.slot)]},
             *state.at(dissipated_));
  }
  x = stretch.displacement;
  return f;
}

double Restoring::trial(State& state, const Stretch& stretch, double* tangent_there) const noexcept {
  double kept[most];
  Branch kept_branches[2];
  double* own = state.at(displacement_);
  std::copy(own, own + values_, kept);
  for (int i = 0; i < branches_; ++i) {
    kept_branches[i] = state.branches[static_cast<std::size_t>(first_branch_ + i)];
  }
  const double force = advance(state, stretch);
  if (tangent_there != nullptr) *tangent_there = tangent(state, stretch.velocity);
  std::copy(kept, kept + values_, own);
  for (int i = 0; i < branches_; ++i) {
    state.branches[static_cast<std::size_t>(first_branch_ + i)] = kept_branches[i];
  }
  return force;
}

void Restoring::join(LinearSystem& system, const Interface& at) const {
  system.add_stiffness(at, stiffness());
  system.add_damping(at, damping());
  system.linear = system.linear && affine();
}

double Restoring::start(State& state, double displacement, double velocity) const {
  const double force = advance(state, {displacement, velocity, 0});
  *state.at(dissipated_) = 0;
  // It rests where it was led to: the way there was no event of the test.
  for (int i = 0; i < branches_; ++i) {
    state.branches[static_cast<std::size_t>(first_branch_ + i)] = Branch{};
  }
  return force;
}

std::vector<StoreyForce> read_storey_forces(const Document& document, int storeys, Layout& layout,
                                            std::span<const double> durations, const StoreyFilter& filter,
                                            const std::string& prefix) {
  std::vector<StoreyForce> forces;
  int number = 0;
  for (const Section* section : document.sections("structure.restoring")) {
    if (storeys > 1 && !section->has("storey")) {
      section->fail("storey", "the restoring force does not say in which storey it acts",
                    "add storey = 1 (the lowest) to " + std::to_string(storeys));
    }
    const int dof = section->integer("storey", 1, 1, storeys) - 1;
    const bool drift = section->choice("acts", {"drift", "floor"}, "drift") == "drift";
    StoreyForce force;
    force.interface.name = prefix + "restoring" + std::to_string(++number);
    force.interface.weights.emplace_back(dof, 1.0);
    if (drift && dof > 0) force.interface.weights.emplace_back(dof - 1, -1.0);
    if (filter) {
      std::optional<Interface> place = filter(*section, force.interface);
      if (!place) continue;
      force.interface = std::move(*place);
    }
    const bool structural = !find_kind(restoring_kinds(), *section).device;
    force.restoring = make_restoring({*section, force.interface.name, layout, durations});
    force.restoring->set_damped(structural, section->flag("rayleigh", structural));
    forces.push_back(std::move(force));
  }
  return forces;
}

}  // namespace gusset
