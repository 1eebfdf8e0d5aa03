#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "supervise/action.hpp"
#include "supervise/cause.hpp"
#include "supervise/guard.hpp"

namespace gusset {

struct LimitSettings;

/// What the limits look at, once a period: what is about to be commanded and what was measured last.
struct Snapshot {
  explicit Snapshot(std::size_t channels = 0)
      : commands(channels),
        rates(channels),
        accelerations(channels),
        errors(channels),
        positions(channels),
        velocities(channels),
        forces(channels),
        untared(channels),
        tares(channels),
        energies(channels) {}

  std::vector<Command> commands;      ///< about to be sent
  std::vector<double> rates;          ///< from the last command to this one [m/s]
  std::vector<double> accelerations;  ///< of the command, see CommandWatch [m/s²]
  std::vector<double> errors;         ///< measured less what it was meant to be: position [m], or force [N]
  std::vector<double> positions;      ///< where they were measured [m]
  std::vector<double> velocities;     ///< measured, or from measured positions, see SpeedWatch [m/s]
  std::vector<double> forces;         ///< measured and tared [N]
  std::vector<double> untared;        ///< as the load cell shows them [N]
  std::vector<double> tares;          ///< what a load cell showed at rest, to be tared away [N]
  std::vector<double> energies;       ///< energy the tracking error has fed into the test [J]
  bool finite = true;                 ///< every measured number was finite
  int stale = 0;                      ///< periods in a row without a new answer
  double frozen = 0;                  ///< a channel's answers bring nothing new although it is to move [s]
  int frozen_channel = -1;            ///< which
  double still = 0;                   ///< a command moves and nothing moves with it, for this long [s]
  int still_channel = -1;             ///< which
  int suspect = -1;                   ///< channel whose sensor disagrees with the rehearsal
  int missed = 0;                     ///< periods the loop was late by, of the beats since one was in time
  std::int64_t silence = 0;           ///< since the peer was heard last [ns]
  bool connected = true;
  bool recording = true;
  Cause rig = Cause::none;  ///< why the rig stands still
};

/// How much of a limit is used: 1 is the limit itself, more trips it.
struct Reading {
  double use = 0;
  double value = 0;  ///< what was measured against it, SI
  int channel = -1;
};

/// One thing that must not happen. Stateless: what it needs to remember is in the snapshot.
class Limit {
 public:
  Limit(Cause cause, Action action) : cause_(cause), action_(action) {}
  virtual ~Limit() = default;

  /// What is about to be sent, and what was measured or is known otherwise. @rt-safe
  virtual Reading commanded(const Snapshot&) const noexcept { return {}; }
  virtual Reading measured(const Snapshot&) const noexcept { return {}; }
  /// The larger of both. @rt-safe
  Reading read(const Snapshot& snapshot) const noexcept;
  /// It is of the loop's own numbers, not of what only a running test can know: deadlines, links, recorders.
  virtual bool of_the_loop() const { return false; }
  /// Changes a harmless snapshot so that this limit must trip: for the self-test before arming.
  virtual void provoke(Snapshot& snapshot) const = 0;

  Cause cause() const noexcept { return cause_; }
  Action action() const noexcept { return action_; }

 private:
  Cause cause_;
  Action action_;
};

struct LimitContext {
  const std::vector<Guard>& guards;  ///< one a channel
  bool measured;                     ///< the rig measures anything
  double period;                     ///< of the loop [s]
  const LimitSettings& settings;
  bool hardware;                 ///< the rig is real
  Action action = Action::none;  ///< of the file, or the kind's own
};

/// A line of the table of limits.
struct LimitKind {
  const char* name;  ///< in [limits.actions]
  Cause cause;
  Action action;  ///< unless the file says otherwise
  Action least;   ///< the mildest the file may choose
  const char* summary;
  std::unique_ptr<Limit> (*make)(const LimitContext&);  ///< null: nothing to watch
};

const std::vector<const LimitKind*>& limit_kinds();
/// All that watch anything. The context's `action` does not count: each limit has its own.
std::vector<std::unique_ptr<Limit>> make_limits(const LimitContext& context);

/// Every limit must be quiet on a harmless snapshot and trip on one that breaks it. Empty, or the name
/// of one that does not work.
std::string self_test(const std::vector<std::unique_ptr<Limit>>& limits, std::size_t channels);

/// Whether any channel has such a limit.
bool any_limit(const std::vector<Guard>& guards, std::optional<double> Guard::*which);

/// The larger share of two, NaN counting as beyond every limit. @rt-safe
void take_larger(Reading& reading, double value, double limit, int channel) noexcept;

}  // namespace gusset
