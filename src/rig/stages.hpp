#pragma once

#include <functional>
#include <span>

#include "base/channel.hpp"
#include "base/linear_system.hpp"
#include "loop/stage.hpp"
#include "rig/rig.hpp"
#include "rig/sensor.hpp"

// Rigs on the loop.

namespace gusset {

/// rig: channels on one specimen. observe: where no rig is asked and the model itself gives the specimen's
/// motion.
class RigStage final : public Stage {
 public:
  /// The motion of the specimen's own degrees of freedom at t_0 (see Rig::start), given that of the whole
  /// structure.
  using Specimen = std::function<LinearStart(const LinearStart&)>;
  RigStage(Site& site, const Rig& rig, std::span<const Channel* const> channels, Specimen specimen,
           std::span<const Kept> state);
  void run(Frame& frame) const noexcept override {
    rig_.advance(frame.state, RigRow(frame.row, places_.data()), frame.trial);
  }
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  const Rig& rig_;
  std::vector<RigRow::Place> places_;  ///< of the channels
  Specimen specimen_;
};

/// rig: what the sensors of a channel make of the true values. NAME.Q becomes what is read, the true value
/// stands in NAME.Q_true.
class SensorStage final : public Stage {
 public:
  SensorStage(Site& site, const Sensors& sensors, const Channel& channel, const Kept& state);
  void run(Frame& frame) const noexcept override;
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  struct Sensed {
    int quantity;
    Port value, truth;
  };
  const Sensors& sensors_;
  std::vector<Sensed> sensed_;
};

/// rig: what yielding parts of specimens have dissipated, which nobody else can know.
class EnergyStage final : public Stage {
 public:
  /// The field is of one number; `name` is its owner's.
  EnergyStage(Site& site, const std::string& name, Segment field, const std::string& stage)
      : field_(field), energy_(site.claim(name + ".dissipated", "J", false)) {
    site.share(stage);
  }
  void run(Frame& frame) const noexcept override { frame[energy_] = *frame.at(field_); }

 private:
  Segment field_;
  Port energy_;
};

/// command: a command a fixed time τ = (m + f)·δ late, put in at the cut by a margin search. δ is the rig's
/// step, u_j the command of j sub-steps ago.
///
///   displacement  value and rate of the piece u_m, f·δ before its end; its curvature;
///                 the rate at the start is that of the piece before
///   force         u_m + f·(u_{m+1} − u_m): its mean over the sub-step, where it is held
///
/// State: the commands still on their way, in order of age. Before t_0 the command rests on its first value.
class LateCommandStage final : public Stage {
 public:
  LateCommandStage(Site& site, const std::string& command, const std::string& unit, bool displacement,
                   double delay, double dt, Layout& layout);
  void run(Frame& frame) const noexcept override;
  void start(Frame& frame, const LinearStart& motion) const override;
  CommandPort late() const { return late_; }

 private:
  static constexpr int entries = 3;  ///< value, rate, curvature

  bool displacement_;
  double dt_;
  int whole_ = 0;
  double fraction_ = 0;
  CommandPort command_, late_;
  Segment history_;
};

}  // namespace gusset
