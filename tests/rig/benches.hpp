#pragma once

#include <numbers>
#include <string>
#include <vector>

#include "build/experiment.hpp"
#include "support/documents.hpp"

namespace gusset::test {

/// A rig on its bench: no numerical part, commands given by hand.
class Bench {
 public:
  Bench(const std::string& rig, const std::string& specimen, const std::string& rest = "",
        const std::vector<std::string>& assignments = {})
      : document_(document(
            "[method]\nkind = \"predefined\"\n[trajectory]\nkind = \"sweep\"\n"
            "from = \"0.1 Hz\"\nto = \"1 Hz\"\namplitude = \"1 mm\"\nduration = \"1 s\"\n[specimen]\n" +
                specimen + "\n[rig]\n" + rig + "\n" + rest,
            assignments)),
        experiment_(Experiment::build(document_)),
        state_(experiment_.start().state) {
    names_ = experiment_.rigs().front()->signals();
    row_.resize(names_.size());
  }

  const Experiment& experiment() const { return experiment_; }
  const Rig& rig() const { return *experiment_.rigs().front(); }
  State& state() { return state_; }
  double dt() const { return experiment_.rig_dt(); }

  void advance(const Command& command) { rig().advance(state_, command, row_.data()); }
  /// Follows amplitude·(1 − cos ωt)-like motion given as position, velocity and acceleration.
  void follow(double x, double v, double a) { advance({x, v, a, v - dt() * a}); }
  double value(const std::string& name) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i].name == name) return row_[i];
    }
    throw std::runtime_error("no signal " + name);
  }

 private:
  Document document_;
  Experiment experiment_;
  State state_;
  std::vector<Signal> names_;
  std::vector<double> row_;
};

}  // namespace gusset::test
