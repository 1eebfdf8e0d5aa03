#pragma once

#include <functional>
#include <span>

#include "base/channel.hpp"
#include "base/linear_system.hpp"
#include "loop/stage.hpp"
#include "rig/assembly.hpp"
#include "rig/rig.hpp"

// Rigs on the loop.

namespace gusset {

/// rig: transfer system, specimen and sensors of one channel.
class RigStage final : public Stage {
 public:
  /// `displacement` and `velocity` are those of the specimen's own mass at t_0, relative to the interface.
  RigStage(Site& site, const Rig& rig, const Channel& channel, double displacement, double velocity,
           std::span<const Kept> state);
  void run(Frame& frame) const noexcept override {
    rig_.advance(frame.state, frame.row.command(command_), frame.at(measured_));
  }
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  const Rig& rig_;
  double displacement_, velocity_;
  CommandPort command_;
  Port measured_;
};

/// rig: all channels on one specimen; observe, where no rig is asked and the model itself gives the
/// specimen's motion.
class AssemblyStage final : public Stage {
 public:
  /// The specimen's motion relative to its base, given that of the whole structure.
  using Relative = std::function<LinearStart(const LinearStart&)>;
  AssemblyStage(Site& site, const Assembly& assembly, std::span<const Channel> channels, Relative relative,
                std::span<const Kept> state);
  void run(Frame& frame) const noexcept override;
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  const Assembly& assembly_;
  Relative relative_;
  std::vector<CommandPort> commands_;
  std::vector<int> first_;  ///< of each channel's signals in the row
  Port together_;           ///< the commands side by side
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
