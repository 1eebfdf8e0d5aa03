#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/row.hpp"
#include "base/state.hpp"

namespace gusset {

/// The phases of a step, in the order in which they run. `begin` and `end` run once a step, all others once
/// a sub-step; between `command` and `rig`, and between `rig` and `observe`, runs the cut.
enum class Phase { begin, draw, command, rig, observe, feed, end };
inline constexpr int phases = 7;
const char* name_of(Phase phase);

class Judge;

/// What a stage sees while it runs.
struct Frame {
  State& state;
  WireView row;
  Judge* judge = nullptr;  ///< none in an analysis
  bool poison = false;     ///< everything is made not a number before it is written anew
  int substep = 0;
  bool trial = false;     ///< time will be rewound: a plant that can be tried leaves the State alone
  std::int64_t tick = 0;  ///< sub-steps since t_0; over a link the sequence number

  // All @rt-safe.
  double* at(Segment segment) const noexcept { return state.at(segment); }
  double* at(Port port) const noexcept { return row.at(port); }
  double& operator[](Port port) const noexcept { return row[port]; }
};

/// The one evaluator of limits. The loop calls it, so that no driver can forget to. All @rt-safe.
class Judge {
 public:
  virtual ~Judge() = default;
  virtual void commanded(const Frame& frame) noexcept = 0;  ///< what is about to be sent
  virtual void measured(const Frame& frame) noexcept = 0;   ///< before the force goes on
};

struct LinearStart;

/// One block in its place: an adapter of a few lines that lives beside its block. What changes is in the
/// State, what passes is in the row; the stage itself is constant.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual void run(Frame& frame) const noexcept = 0;  ///< @rt-safe
  /// Puts the stage at t_0 and writes what it claims; `motion` is that of the whole structure then, the row
  /// has the input of step 0. A stage without memory starts by running.
  virtual void start(Frame& frame, const LinearStart& /*motion*/) const { run(frame); }
  /// False: a test with this stage is not armed.
  virtual bool realtime() const { return true; }
};

/// A signal as a stage uses it.
struct Use {
  std::size_t entry;  ///< of the row
  Port port;          ///< where the stage finds it: a command that something was put in front of is elsewhere
};

/// A stage as the loop knows it: who reads, writes, keeps and shares what.
struct StageInfo {
  Phase phase;
  std::string name;
  std::string rig;  ///< the rig it is part of, or nothing
  std::vector<Use> reads, writes;
  std::vector<Kept> keeps;          ///< entries of the State of its own
  std::vector<std::string> shares;  ///< stages whose entries it uses
};

class Loop;

/// What a stage is given while the test is built. The stage claims what it writes, binds what it reads and
/// says what it keeps through its site; so the loop knows.
class Site {
 public:
  /// Lives as long as its phase says: for the step in `begin` and `end`, else for the sub-step.
  Port claim(std::string name, std::string unit, bool published = true);
  /// Side by side, in this order.
  Port claim(const std::vector<Signal>& signals, bool published = true);
  CommandPort claim_command(const std::string& name, const std::string& unit, bool published = true);
  Port scratch(int size);
  CommandPort alias_command(const std::string& name, const std::string& of);

  Port bind(const std::string& name, std::string_view unit);
  CommandPort bind_command(const std::string& name, const std::string& unit);
  /// Writes again what an earlier stage claimed: a corrected goal, a tared force.
  Port amend(const std::string& name, std::string_view unit);

  void keep(const Kept& entries) { info_.keeps.push_back(entries); }
  /// Uses entries that an earlier stage keeps: the other half of a compensator.
  void share(const std::string& stage);

  [[noreturn]] void refuse(const std::string& why) const;

 private:
  friend class Loop;
  Site(Loop& loop, Phase phase, std::string name, std::string rig)
      : loop_(loop), info_{phase, std::move(name), std::move(rig), {}, {}, {}, {}} {
    info_.reads.reserve(8);
    info_.writes.reserve(16);
  }
  Lifetime lifetime() const {
    return info_.phase == Phase::begin || info_.phase == Phase::end ? Lifetime::step : Lifetime::substep;
  }
  void check_crossing(std::size_t entry) const;
  /// Whether an entry is a signal of another phase that a stage of a rig uses.
  bool crosses(std::size_t entry) const;
  void write(std::size_t entry);
  void write_command(const std::string& name);

  Loop& loop_;
  StageInfo info_;
};

}  // namespace gusset
