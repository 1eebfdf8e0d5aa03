#pragma once

#include <functional>
#include <map>
#include <memory>

#include "loop/stage.hpp"

namespace gusset {

/// The step of a test, written once, in two halves between which a rig may be elsewhere:
///
///    once a step        every sub-step                                                      once a step
///    [begin]──►[draw]──►[command]──► cut ──►[rig]──► cut ──►[observe]──►[feed]──►(next, or)──►[end]
///    to_rig = [begin] draw command      through_rig = rig      from_rig = observe feed [end]
///
/// **Stages are added in the order in which they run.** What a stage binds is thus claimed by an earlier
/// one, and is read after it is written. What lasts beyond its lifetime goes through the State.
///
/// **The cut is computed.** Commands are what a rig's stages bind and stages outside claim; feedback is what
/// they claim. Refused: a rig's stage that binds the input, the step part or another rig's signals, that
/// amends a command, or that shares State across the cut. leak() finds what bypasses its site.
class Loop {
 public:
  explicit Loop(int substeps = 1, bool trials = false) : substeps_(substeps), trials_(trials) {}

  // ---- building ----
  Row& row() { return row_; }
  Port input(const std::string& name, const std::string& unit) {
    return row_.claim(name, unit, Lifetime::input, false);
  }
  /// Stages added to `rig` from now on are this rig's. It moves in every n-th sub-step only.
  void add_rig(std::string name, int every = 1);
  /// Puts a stage between every command and the rig that binds it, as the last of `command`: the delay of a
  /// margin search. What it claims crosses the cut under the command's name, so a peer sees no difference;
  /// the published command stays what it is. Before any stage of a rig is added.
  struct Inserted {
    std::unique_ptr<Stage> stage;
    CommandPort command;
  };
  using Insert = std::function<Inserted(Site&, const std::string& command, const std::string& unit)>;
  void insert_at_cut(std::string name, Insert make) {
    insert_name_ = std::move(name);
    insert_ = std::move(make);
  }
  /// Nothing is added any more.
  void seal() { insert_ = nullptr; }
  template <class S, class... Args>
  const S& add(Phase phase, std::string name, Args&&... args) {
    Site site = open(phase, std::move(name));
    auto stage = std::make_unique<S>(site, std::forward<Args>(args)...);
    const S& made = *stage;
    take(std::move(site.info_), std::move(stage));
    return made;
  }

  // ---- the step; all @rt-safe ----
  void to_rig(Frame& frame) const noexcept {
    const bool first = frame.substep == 0;
    frame.tick = frame.state.step * substeps_ + frame.substep;
    frame.trial = is_trial(frame.substep);
    if (frame.poison) [[unlikely]]
      poison(frame, first);
    run(frame, first ? Phase::begin : Phase::draw, Phase::command);
    if (frame.judge != nullptr) frame.judge->commanded(frame);
  }
  void through_rig(Frame& frame) const noexcept {
    if (!rests_) return run(frame, Phase::rig, Phase::rig);
    for (std::size_t r = 0; r < rigs_.size(); ++r) through_rig(frame, r);
  }
  /// One rig alone: all that the process of that rig does.
  void through_rig(Frame& frame, std::size_t rig) const noexcept {
    if (!due(rig, frame.tick)) return;
    for (const Stage* stage : rigs_[rig].stages) stage->run(frame);
  }
  bool due(std::size_t rig, std::int64_t tick) const noexcept { return tick % rigs_[rig].every == 0; }
  /// True: the step is over. The row is left to whoever records it.
  bool from_rig(Frame& frame) const noexcept {
    run(frame, Phase::observe, Phase::observe);
    if (frame.judge != nullptr) frame.judge->measured(frame);
    run(frame, Phase::feed, Phase::feed);
    if (++frame.substep < substeps_) return false;
    run(frame, Phase::end, Phase::end);
    frame.substep = 0;
    ++frame.state.step;
    return true;
  }
  /// A whole step; look() sees the row of every sub-step.
  template <class Look>
  void step(Frame& frame, Look look) const noexcept {
    bool over = false;
    do {
      to_rig(frame);
      through_rig(frame);
      over = from_rig(frame);
      look();
    } while (!over);
  }
  void step(Frame& frame) const noexcept {
    do {
      to_rig(frame);
      through_rig(frame);
    } while (!from_rig(frame));
  }
  /// Whether the sub-step is one of those after which time is rewound.
  bool is_trial(int substep) const noexcept { return trials_ && substep + 1 < substeps_; }

  /// The numerical part alone: behind the last step of a test only the response is asked for. @rt-safe
  void begin(Frame& frame) const noexcept { run(frame, Phase::begin, Phase::begin); }
  /// What bode and identify look at: from the targets, which the driver writes, to what was measured.
  void middle(Frame& frame) const noexcept {
    run(frame, Phase::command, Phase::command);
    through_rig(frame);
    run(frame, Phase::observe, Phase::observe);
  }

  /// Every stage at t_0, in the order of the phases. The row needs its input.
  void start(Frame& frame, const LinearStart& motion) const;

  // ---- what is known of it ----
  const Row& row() const { return row_; }
  int substeps() const { return substeps_; }
  const std::vector<StageInfo>& stages() const { return infos_; }
  /// What is used, by name, where the stage finds it.
  std::vector<Row::Entry> entries(const std::vector<Use>& uses) const;
  std::size_t rig_count() const { return rigs_.size(); }
  const std::string& rig_name(std::size_t rig) const { return rigs_[rig].name; }

  /// What crosses the cut to and from a rig, in published order: the text of the hello.
  struct Cut {
    std::vector<Row::Entry> commands;
    std::vector<Row::Entry> feedback;
    std::vector<bool> needed;  ///< of the feedback: bound behind the cut, so a peer must send it
    std::vector<Kept> state;   ///< what the rig keeps: it lives on the rig's side only
  };
  Cut cut(std::size_t rig = 0) const;
  /// Runs every rig twice, the second time with all poisoned that does not cross the cut. Returns the name
  /// of what comes out different or is written although it is not the rig's; nothing if the cut is tight.
  std::string leak(const Layout& layout, const State& state, const Wires& wires) const;
  /// Steps after which the pattern of rigs that rest repeats: what an analysis has to call one step.
  int pattern() const;
  /// Name of a stage that may not run in real time; empty if all may.
  std::string not_realtime() const;

 private:
  friend class Site;
  struct Rig {
    std::string name;
    int every;
    std::vector<const Stage*> stages;
  };
  /// All stages of these phases, the last one included.
  void run(Frame& frame, Phase from, Phase last) const noexcept {
    const auto* const end = stages_.data() + ends_[static_cast<int>(last) + 1];
    for (const auto* stage = stages_.data() + ends_[static_cast<int>(from)]; stage != end; ++stage) {
      (*stage)->run(frame);
    }
  }
  void poison(const Frame& frame, bool first) const noexcept;
  Site open(Phase phase, std::string name);
  void take(StageInfo info, std::unique_ptr<Stage> stage);
  CommandPort crossing(const std::string& command, const std::string& unit);
  /// Who wrote an entry first.
  struct Writer {
    bool known = false;  ///< false: it is input
    Phase phase = Phase::begin;
    int rig = -1;  ///< of `rig`: which
  };
  Writer writer(std::size_t entry) const { return entry < writers_.size() ? writers_[entry] : Writer{}; }
  void written(std::size_t entry, Phase phase);

  int substeps_;
  bool trials_;
  bool rests_ = false;  ///< a rig moves in every n-th sub-step only
  Row row_;
  std::vector<Rig> rigs_;
  std::vector<std::unique_ptr<const Stage>> stages_;  ///< in the order in which they run
  std::vector<StageInfo> infos_;                      ///< of the stages
  std::vector<Writer> writers_;                       ///< of the row's entries
  std::ptrdiff_t ends_[phases + 1] = {};              ///< where the phase before ends
  std::string insert_name_;
  Insert insert_;
  std::map<std::string, CommandPort> inserted_;  ///< by the command's name
};

}  // namespace gusset
