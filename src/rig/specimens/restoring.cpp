#include "structure/restoring.hpp"

#include "base/linear_system.hpp"
#include "rig/specimens/kinds.hpp"

namespace gusset {
namespace {

/// Any restoring force as a specimen between interface and ground. State: that of the force.
class RestoringSpecimen final : public Specimen {
 public:
  explicit RestoringSpecimen(std::unique_ptr<Restoring> restoring) : restoring_(std::move(restoring)) {}

  double advance(State& state, const Motion& motion) const noexcept override {
    return restoring_->advance(state, {motion.displacement, motion.velocity, motion.slot});
  }
  double start(State& state, const Motion& motion, double, double) const override {
    return restoring_->start(state, motion.displacement, motion.velocity);
  }
  void join(LinearSystem& system, const Interface& at) const override { restoring_->join(system, at); }
  bool affine() const override { return restoring_->affine(); }
  double nonlinear_damping() const override { return affine() ? 0 : restoring_->damping(); }

 private:
  std::unique_ptr<Restoring> restoring_;
};

SpecimenTraits traits(const Document&, const Section& section, double) {
  // The stiffness at rest is wanted before there is a place for the state: a layout to throw away.
  Layout layout;
  const double duration = 1;
  SpecimenTraits traits;
  traits.grounded = true;
  traits.stiffness = make_restoring({section, "", layout, {&duration, 1}})->stiffness();
  return traits;
}

std::unique_ptr<Specimen> make(const SpecimenContext& context) {
  return std::make_unique<RestoringSpecimen>(
      make_restoring({context.section, context.name, context.layout, context.durations}));
}

}  // namespace

const std::vector<SpecimenKind>& restoring_specimen_kinds() {
  static const std::vector<SpecimenKind> kinds = [] {
    std::vector<SpecimenKind> all;
    for (const RestoringKind* kind : restoring_kinds()) {
      all.push_back({kind->name, kind->summary, kind->equations, kind->parameters, traits, make});
    }
    return all;
  }();
  return kinds;
}

}  // namespace gusset
