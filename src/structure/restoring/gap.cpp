#include <cmath>

#include "structure/restoring/kinds.hpp"

namespace gusset {
namespace {

/// A gap that closes and a hook that catches:  f = k·(x − g) for x > g (side "positive"),
/// f = k·(x + g) for x < −g (side "negative"), 0 between. Elastic: dissipates nothing. Branch: −1, 0, 1
/// where it touches.
class Gap final : public Restoring {
 public:
  Gap(const RestoringContext& context, double k, double gap, bool positive, bool negative)
      : Restoring(context), k_(k), gap_(gap), positive_(positive), negative_(negative) {
    branch_ = context.layout.add_branch(context.name, "contact");
    claim(context);
  }
  double stiffness() const override { return gap_ > 0 ? 0 : k_; }
  double tangent(const State& state, double) const noexcept override {
    return state.branches[static_cast<std::size_t>(branch_)].value == 0 ? stiffness() : k_;
  }

 protected:
  double move(State& state, const Stretch& stretch, const From&, double&) const noexcept override {
    Branch& branch = state.branches[static_cast<std::size_t>(branch_)];
    const double x = stretch.displacement;
    if (positive_ && x > gap_) {
      branch.change(1);
      return k_ * (x - gap_);
    }
    if (negative_ && x < -gap_) {
      branch.change(-1);
      return k_ * (x + gap_);
    }
    branch.change(0);
    return 0;
  }

 private:
  double k_, gap_;
  bool positive_, negative_;
  int branch_;
};

}  // namespace

const RestoringKind gap_kind{
    "gap",
    "a gap that closes, or a hook that catches",
    "f = k (x - g) for x > g, k (x + g) for x < -g, else 0",
    {{"stiffness", "N/m", "", "k, in contact"},
     {"gap", "m", "", "g"},
     {"side", "word", "both", "positive, negative or both"}},
    [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
      const Section& section = context.section;
      const std::string side = section.choice("side", {"positive", "negative", "both"}, "both");
      return std::make_unique<Gap>(context, section.positive("stiffness", dim::stiffness),
                                   section.non_negative("gap", dim::length), side != "negative",
                                   side != "positive");
    },
    true};

}  // namespace gusset
