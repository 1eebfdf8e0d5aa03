#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/channel.hpp"
#include "loop/loop.hpp"
#include "supervise/command_watch.hpp"
#include "supervise/limits/limit.hpp"
#include "supervise/settings.hpp"
#include "supervise/speed_watch.hpp"
#include "supervise/tracking_watch.hpp"

namespace gusset {

/// A limit that was passed.
struct Finding {
  Cause cause = Cause::none;
  Action action = Action::none;
  int channel = -1;
  double value = 0;  ///< what was commanded or measured
  double limit = 0;
  double time = 0;  ///< of the test: the end of the sub-step that the value belongs to [s]
  bool commanded = false;
  bool of_force = false;  ///< the channel is told forces
};

/// "damper.force": what passed the limit. And its unit.
std::string signal_of(const Finding& finding, std::span<const Channel> channels);
const char* unit_of(const Finding& finding);

/// The limits of a test as the loop itself sees them: what is about to be sent, and what was measured before
/// the force goes on. The same limits, on the same numbers, as those of a running test; what only a running
/// test can know (deadlines, links, real seconds) is not among them.
///
/// It remembers the first limit that was passed with an action beyond `indicate`: measured before commanded,
/// the severer action first. And it keeps the largest value that each limit would be compared with.
class LimitJudge final : public Judge {
 public:
  LimitJudge(std::span<const Channel> channels, const std::vector<Guard>& guards, const Loop& loop,
             const LimitSettings& settings, double dt, double rig_dt);

  /// The row of t_0, which is judged too: a specimen may start beyond its limits.
  void start(const Wires& row);
  void commanded(const Frame& frame) noexcept override;
  void measured(const Frame& frame) noexcept override;

  const std::optional<Finding>& first() const { return first_; }

  /// Largest magnitudes, in the order of the channels. NaN where one was not a number.
  struct Peaks {
    double displacement = 0, velocity = 0, acceleration = 0, force = 0;
    double tracking_error = 0;  ///< in force control of the force [N]
    double energy = 0;
  };
  const std::vector<Peaks>& peaks() const { return peaks_; }

 private:
  struct Ports {
    Control control;
    CommandPort target, command;
    Port position, velocity, force;  ///< not bound where nothing of the kind is measured
  };
  template <class Read>
  void look(double time, bool commanded, Read read) noexcept;
  double end_of(const Frame& frame) const noexcept { return rig_dt_ * static_cast<double>(frame.tick + 1); }

  double rig_dt_;
  int substeps_;
  std::vector<Ports> ports_;
  std::vector<std::unique_ptr<Limit>> limits_;
  Snapshot snapshot_;
  CommandWatch commands_;
  TrackingWatch tracking_;
  SpeedWatch speeds_;
  std::vector<double> positions_;
  std::vector<Peaks> peaks_;
  std::optional<Finding> first_;
};

}  // namespace gusset
