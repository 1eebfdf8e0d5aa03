#include "base/linear_system.hpp"
#include "rig/specimens/kinds.hpp"

namespace gusset {
namespace {

/// Several specimens side by side on one interface:  f = Σ f_k. State: that of its parts.
class Sum final : public Specimen {
 public:
  explicit Sum(std::vector<std::unique_ptr<Specimen>> parts) : parts_(std::move(parts)) {}

  double advance(State& state, const Motion& motion) const noexcept override {
    double force = 0;
    for (const auto& part : parts_) force += part->advance(state, motion);
    return force;
  }
  double start(State& state, const Motion& motion, double displacement, double velocity) const override {
    double force = 0;
    for (const auto& part : parts_) force += part->start(state, motion, displacement, velocity);
    return force;
  }
  void join(LinearSystem& system, const Interface& at) const override {
    for (const auto& part : parts_) part->join(system, at);
  }
  std::vector<double> frequencies() const override {
    std::vector<double> all;
    for (const auto& part : parts_) {
      const std::vector<double> own = part->frequencies();
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }
  bool affine() const override {
    for (const auto& part : parts_) {
      if (!part->affine()) return false;
    }
    return true;
  }
  double nonlinear_damping() const override {
    double sum = 0;
    for (const auto& part : parts_) sum += part->nonlinear_damping();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<Specimen>> parts_;
};

std::vector<const Section*> parts_of(const Document& document, const Section& section) {
  std::vector<const Section*> parts = document.sections(section.path + ".parts");
  if (parts.empty()) {
    section.fail("parts", "a sum needs parts",
                 "write parts = [{ kind = \"mass\", mass = \"10 kg\" }, …] or a [[specimen.parts]] "
                 "table for each");
  }
  return parts;
}

SpecimenTraits traits(const Document& document, const Section& section, double numerical_mass) {
  SpecimenTraits sum;
  for (const Section* part : parts_of(document, section)) {
    const SpecimenTraits own = specimen_kind(*part).traits(document, *part, numerical_mass);
    sum.mass += own.mass;
    sum.stiffness += own.stiffness;
    sum.stiffness_ratio += own.stiffness_ratio;
    sum.rigid_mass += own.rigid_mass;
    sum.acceleration = sum.acceleration || own.acceleration;
    sum.inside = sum.inside || own.inside;
    sum.grounded = sum.grounded || own.grounded;
  }
  return sum;
}

std::unique_ptr<Specimen> make(const SpecimenContext& context) {
  std::vector<std::unique_ptr<Specimen>> parts;
  int number = 0;
  for (const Section* part : parts_of(context.document, context.section)) {
    SpecimenContext own{context.document,
                        *part,
                        context.name + ".part" + std::to_string(++number),
                        context.layout,
                        context.durations,
                        context.numerical_mass,
                        context.numerical_stiffness,
                        context.reference_frequency};
    parts.push_back(specimen_kind(*part).make(own));
  }
  return std::make_unique<Sum>(std::move(parts));
}

}  // namespace

const SpecimenKind sum_kind{"sum",
                            "several specimens side by side on one interface",
                            "f = sum of the parts' forces",
                            {{"parts", "list", "", "one table a part, each with its own kind"}},
                            traits,
                            make};

}  // namespace gusset
