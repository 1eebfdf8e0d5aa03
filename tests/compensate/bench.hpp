#pragma once

#include <cmath>
#include <memory>
#include <string>

#include "build/experiment.hpp"
#include "compensate/compensator.hpp"

namespace gusset {

/// A compensator on its own, without rig or structure.
class Bench {
 public:
  explicit Bench(const std::string& keys, double dt = 1.0 / 1024, double integrator_dt = 10.0 / 1024,
                 Profile profile = Profile::b_spline)
      : document_(Document::parse("[compensator]\n" + keys, "bench.toml")) {
    compensator_ =
        make_compensator({document_.section("compensator"), "rig", layout_, dt, integrator_dt, profile});
    document_.reject_unknown();
    state = layout_.zero();
    if (compensator_) {
      compensator_->start(state, 0, 0);
      results.resize(compensator_->signals().size() + 1);
    }
  }

  Command command(const Command& target) { return compensator_->command(state, target); }
  Piece plan(const Piece& target) { return compensator_->plan(state, target); }
  void observe(double measured, double force = 0) {
    compensator_->observe(state, {measured, force}, results.data());
  }
  /// Whichever of the two the compensator works in, on the displacement alone.
  double follow(double x) { return compensator_->per_step() ? plan({x, 0, 0}).c0 : command({x, 0, 0}).value; }
  const Compensator* get() const { return compensator_.get(); }
  const Layout& layout() const { return layout_; }
  /// How often something was refused.
  unsigned refused() const {
    for (const Layout::BranchField& field : layout_.branches()) {
      if (std::string_view(field.name) == "refused") {
        return state.branches[static_cast<std::size_t>(field.index)].transitions;
      }
    }
    return 0;
  }

  State state;
  std::vector<double> results;

 private:
  Document document_;
  Layout layout_;
  std::unique_ptr<Compensator> compensator_;
};

/// A predefined test on an ideal rig, or on `rig`, with the compensator's keys as given.
inline Document tracking_test(const std::string& compensator, const std::string& integrator_dt,
                              const std::string& rig = "kind = \"ideal\"\n",
                              const std::string& rig_dt = "0.9765625 ms") {
  return Document::parse(
      "[method]\nkind = \"predefined\"\n[trajectory]\nkind = \"sweep\"\nto = \"5 Hz\"\n"
      "amplitude = \"25 mm\"\nduration = \"20 s\"\n[integrator]\ndt = \"" +
          integrator_dt + "\"\n[compensator]\n" + compensator +
          "[specimen]\nkind = \"spring\"\nstiffness = \"1 N/mm\"\n[rig]\ndt = \"" + rig_dt + "\"\n" + rig,
      "tracking.toml");
}

}  // namespace gusset
