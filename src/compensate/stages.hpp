#pragma once

#include <memory>

#include "base/channel.hpp"
#include "compensate/compensator.hpp"
#include "compensate/online_indicators.hpp"
#include "loop/stage.hpp"

// A compensator on the loop, in its halves: it plans the step, makes the command, and sees what was measured.

namespace gusset {

/// begin: the piece of a whole step, of a compensator that works there.
class PlanStage final : public Stage {
 public:
  PlanStage(Site& site, const Compensator& compensator, const Channel& channel, const Kept& state);
  void run(Frame& frame) const noexcept override;
  void start(Frame&, const LinearStart&) const override {}
  Port piece() const { return planned_; }

 private:
  const Compensator& compensator_;
  Port goal_, planned_;
};

/// draw: the point of the planned piece at the end of the sub-step.
class DrawPlannedStage final : public Stage {
 public:
  DrawPlannedStage(Site& site, const Channel& channel, double dt);
  void run(Frame& frame) const noexcept override;
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  double dt_;
  Port planned_;
  CommandPort target_, drawn_;
};

/// command: from the target to the command.
class CompensateStage final : public Stage {
 public:
  CompensateStage(Site& site, const Compensator& compensator, const Channel& channel, double dt,
                  const Kept& state);
  void run(Frame& frame) const noexcept override;
  /// At rest the command is the target; the State starts where the force is known, in observe.
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  const Compensator& compensator_;
  double dt_;
  CommandPort target_, command_;
};

/// observe: what was measured, to the compensator; and what it leaves in the results.
class ObserveStage final : public Stage {
 public:
  ObserveStage(Site& site, const Compensator& compensator, const Channel& channel);
  void run(Frame& frame) const noexcept override;
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  Feedback feedback(const Frame& frame) const noexcept {
    return {frame[followed_], force_.bound() ? frame[force_] : 0};
  }

  const Compensator& compensator_;
  Port target_, followed_, force_, results_;
};

/// observe: measures of the tracking.
class IndicatorStage final : public Stage {
 public:
  IndicatorStage(Site& site, const OnlineIndicators& indicators, const Channel& channel, const Kept& state);
  void run(Frame& frame) const noexcept override {
    indicators_.observe(frame.state, frame[target_], frame[followed_], frame.at(results_));
  }
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  const OnlineIndicators& indicators_;
  Port target_, followed_, results_;
};

/// The stage that keeps the State of a channel's compensator.
std::string compensator_stage(const Channel& channel);

}  // namespace gusset
