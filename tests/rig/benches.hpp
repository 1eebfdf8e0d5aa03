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
        start_(experiment_.start()),
        command_{experiment_.loop().row().find("specimen.command").port.at} {}

  const Experiment& experiment() const { return experiment_; }
  const Rig& rig() const { return *experiment_.rigs().front().rig; }
  State& state() { return start_.state; }
  double dt() const { return experiment_.rig_dt(); }

  void advance(const Command& command) {
    start_.row.put(command_, command);
    Frame frame{start_.state, start_.row};
    experiment_.loop().through_rig(frame);
  }
  /// Follows amplitude·(1 − cos ωt)-like motion given as position, velocity and acceleration.
  void follow(double x, double v, double a) { advance({x, v, a, v - dt() * a}); }
  double value(const std::string& name) const {
    return start_.row[experiment_.loop().row().find("specimen." + name).port];
  }

 private:
  Document document_;
  Experiment experiment_;
  Experiment::Start start_;
  CommandPort command_;
};

}  // namespace gusset::test
