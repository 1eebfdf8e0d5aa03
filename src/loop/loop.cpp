// The part of the loop that runs while a test is built: wiring and the cut.
#include "loop/loop.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace gusset {

const char* name_of(Phase phase) {
  constexpr const char* names[phases] = {"begin", "draw", "command", "rig", "observe", "feed", "end"};
  return names[static_cast<int>(phase)];
}

// ---- Site ----

void Site::refuse(const std::string& why) const {
  throw WiringError(std::string(name_of(info_.phase)) + ": " + info_.name + ": " + why);
}

void Site::write(std::size_t entry) {
  info_.writes.push_back({entry, loop_.row_.entries()[entry].port});
  loop_.written(entry, info_.phase);
}

void Site::write_command(const std::string& name) {
  for (const std::size_t entry : loop_.row_.command_indices(name)) write(entry);
}

Port Site::claim(std::string name, std::string unit, bool published) {
  const Port port = loop_.row_.claim(std::move(name), std::move(unit), lifetime(), published);
  write(loop_.row_.entries().size() - 1);
  return port;
}

Port Site::claim(const std::vector<Signal>& signals, bool published) {
  Port port;
  for (const Signal& signal : signals) {
    const Port one = claim(signal.name, signal.unit, published);
    if (!port.bound()) port.at = one.at;
    ++port.size;
  }
  return port;
}

CommandPort Site::claim_command(const std::string& name, const std::string& unit, bool published) {
  const CommandPort port = loop_.row_.claim_command(name, unit, lifetime(), published);
  const std::size_t end = loop_.row_.entries().size();
  for (std::size_t entry = end - 4; entry < end; ++entry) write(entry);
  return port;
}

Port Site::scratch(int size) { return loop_.row_.scratch(size, lifetime()); }

CommandPort Site::alias_command(const std::string& name, const std::string& of) {
  if (info_.phase == Phase::rig) {
    // A command under a second name would come in around the cut and around what is inserted there.
    const Loop::Writer writer = loop_.writer(loop_.row_.index_of(of));
    if (!writer.known || writer.phase != Phase::rig ||
        loop_.rigs_[static_cast<std::size_t>(writer.rig)].name != info_.rig) {
      refuse(of + " is not of this rig: it gets no second name here");
    }
  }
  const CommandPort port = loop_.row_.alias_command(name, of);
  write_command(name);
  return port;
}

/// What a rig's stage may bind: signals of the sub-step that are not another rig's.
void Site::check_crossing(std::size_t index) const {
  if (info_.phase != Phase::rig) return;
  const Row::Entry& entry = loop_.row_.entries()[index];
  if (entry.lifetime == Lifetime::input) refuse(entry.name() + " is input and does not cross the cut");
  if (entry.lifetime == Lifetime::step) {
    refuse(entry.name() + " stands for a step and does not cross the cut");
  }
  const Loop::Writer writer = loop_.writer(index);
  if (writer.known && writer.phase == Phase::rig &&
      loop_.rigs_[static_cast<std::size_t>(writer.rig)].name != info_.rig) {
    refuse(entry.name() + " belongs to the rig " + loop_.rigs_[static_cast<std::size_t>(writer.rig)].name);
  }
}

bool Site::crosses(std::size_t entry) const {
  const Loop::Writer writer = loop_.writer(entry);
  return info_.phase == Phase::rig && writer.known && writer.phase != Phase::rig;
}

Port Site::bind(const std::string& name, std::string_view unit) {
  Port port = loop_.row_.bind(name, unit).port;
  const std::size_t entry = loop_.row_.index_of(name);
  check_crossing(entry);
  if (crosses(entry)) {
    // One number of a command crosses where its command does.
    const auto [command, place] = loop_.row_.command_of(name);
    if (!command.empty()) {
      const std::string whole_unit = loop_.row_.find(command).signal.unit;  // the row grows meanwhile
      port.at = loop_.crossing(command, whole_unit).at + place;
    }
  }
  info_.reads.push_back({entry, port});
  return port;
}

CommandPort Site::bind_command(const std::string& name, const std::string& unit) {
  CommandPort port{loop_.row_.bind(name, unit).port.at};
  const std::array<std::size_t, 4> entries = loop_.row_.command_indices(name);
  check_crossing(entries.front());
  if (crosses(entries.front())) port = loop_.crossing(name, unit);
  int part = 0;
  for (const std::size_t entry : entries) info_.reads.push_back({entry, {port.at + part++, 1}});
  return port;
}

Port Site::amend(const std::string& name, std::string_view unit) {
  const Port port = loop_.row_.bind(name, unit).port;
  const std::size_t entry = loop_.row_.index_of(name);
  const Loop::Writer writer = loop_.writer(entry);
  if (!writer.known) refuse(name + " is input: nobody amends it");
  if (info_.phase == Phase::rig && writer.phase != Phase::rig) {
    refuse(name + " is a command: a rig does not amend it");
  }
  check_crossing(entry);
  info_.reads.push_back({entry, port});
  info_.writes.push_back({entry, port});
  return port;
}

void Site::share(const std::string& stage) {
  bool elsewhere = false;  // stages of two rigs may have one name
  for (const StageInfo& other : loop_.infos_) {
    if (other.name != stage || other.keeps.empty()) continue;
    if (other.rig == info_.rig) {
      info_.shares.push_back(stage);
      return;
    }
    elsewhere = true;
  }
  if (elsewhere) refuse("the State of " + stage + " is on the other side of the cut");
  refuse("no stage " + stage + " keeps any State");
}

// ---- Loop: wiring ----

void Loop::add_rig(std::string name, int every) {
  if (every < 1)
    throw WiringError("rig " + name + ": moves in every " + std::to_string(every) + "th sub-step");
  for (const Rig& rig : rigs_) {
    if (rig.name == name) throw WiringError("two rigs are called " + name);
  }
  rests_ = rests_ || every > 1;
  rigs_.push_back({std::move(name), every, {}});
}

Site Loop::open(Phase phase, std::string name) {
  if (phase == Phase::rig && rigs_.empty()) add_rig("rig");
  Site site(*this, phase, std::move(name), phase == Phase::rig ? rigs_.back().name : "");
  if (!infos_.empty() && phase < infos_.back().phase) {
    site.refuse(std::string("added after a stage of ") + name_of(infos_.back().phase));
  }
  return site;
}

void Loop::take(StageInfo info, std::unique_ptr<Stage> stage) {
  const int phase = static_cast<int>(info.phase);
  const std::ptrdiff_t at = ends_[phase + 1];
  for (int later = phase + 1; later <= phases; ++later) ++ends_[later];
  if (info.phase == Phase::rig) rigs_.back().stages.push_back(stage.get());
  stages_.insert(stages_.begin() + at, std::move(stage));
  infos_.insert(infos_.begin() + at, std::move(info));
}

void Loop::written(std::size_t entry, Phase phase) {
  if (entry >= writers_.size()) writers_.resize(entry + 1);
  if (writers_[entry].known) return;
  const int rig = phase == Phase::rig ? static_cast<int>(rigs_.size()) - 1 : -1;
  writers_[entry] = {true, phase, rig};
}

std::vector<Row::Entry> Loop::entries(const std::vector<Use>& uses) const {
  std::vector<Row::Entry> entries;
  entries.reserve(uses.size());
  for (const Use& use : uses) {
    entries.push_back(row_.entries()[use.entry]);
    entries.back().port = use.port;
  }
  return entries;
}

/// Where a command crosses the cut: where it stands, or where the inserted stage leaves it.
CommandPort Loop::crossing(const std::string& command, const std::string& unit) {
  if (!insert_) return {row_.find(command).port.at};
  if (const auto made = inserted_.find(command); made != inserted_.end()) return made->second;
  Site site(*this, Phase::command, command + "." + insert_name_, "");
  Inserted inserted = insert_(site, command, unit);
  take(std::move(site.info_), std::move(inserted.stage));
  return inserted_[command] = inserted.command;
}

void Loop::poison(const Frame& frame, bool first) const noexcept {
  if (first) row_.poison(frame.row.data(), Lifetime::step);
  row_.poison(frame.row.data(), Lifetime::substep);
}

void Loop::start(Frame& frame, const LinearStart& motion) const {
  frame.substep = 0;
  frame.tick = 0;
  frame.trial = false;
  for (const auto& stage : stages_) stage->start(frame, motion);
}

std::string Loop::not_realtime() const {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (!stages_[i]->realtime()) return infos_[i].name;
  }
  return {};
}

int Loop::pattern() const {
  int ticks = substeps_;
  for (const Rig& rig : rigs_) ticks = std::lcm(ticks, rig.every);
  return ticks / substeps_;
}

// ---- Loop: the cut ----

Loop::Cut Loop::cut(std::size_t rig) const {
  Cut cut;
  std::vector<Use> commands, feedback;
  const auto add = [](std::vector<Use>& to, const Use& use) {
    const bool there =
        std::any_of(to.begin(), to.end(), [&](const Use& other) { return other.entry == use.entry; });
    if (!there) to.push_back(use);
  };
  std::vector<bool> needed(row_.entries().size(), false);
  for (const StageInfo& info : infos_) {
    if (info.phase != Phase::rig) {
      for (const Use& use : info.reads) needed[use.entry] = true;
      continue;
    }
    if (info.rig != rigs_[rig].name) continue;
    cut.state.insert(cut.state.end(), info.keeps.begin(), info.keeps.end());
    for (const Use& use : info.reads) {
      const Writer by = writer(use.entry);
      if (!by.known || by.phase != Phase::rig) add(commands, use);
    }
    for (const Use& use : info.writes) add(feedback, use);
  }
  cut.commands = row_.in_published_order(entries(commands));
  cut.feedback = row_.in_published_order(entries(feedback));
  for (const Row::Entry& entry : cut.feedback) cut.needed.push_back(needed[row_.index_of(entry.name())]);
  return cut;
}

std::string Loop::leak(const Layout& layout, const State& state, const Wires& wires) const {
  const auto differ = [](double x, double y) { return std::memcmp(&x, &y, sizeof x) != 0; };
  for (std::size_t r = 0; r < rigs_.size(); ++r) {
    const Cut crossing = cut(r);
    Wires open_row = wires, sealed_row = row_.wires();
    for (const Row::Entry& s : crossing.commands) sealed_row[s.port] = wires[s.port];
    std::vector<bool> own(state.values.size(), false), own_branch(state.branches.size(), false);
    for (const Kept& kept : crossing.state) {
      for (int i = kept.first; i < kept.last; ++i) own[static_cast<std::size_t>(i)] = true;
      for (int i = kept.first_branch; i < kept.last_branch; ++i)
        own_branch[static_cast<std::size_t>(i)] = true;
    }
    State open = state, sealed = state;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!own[i]) sealed.values[i] = std::numeric_limits<double>::quiet_NaN();
    }
    for (std::size_t i = 0; i < own_branch.size(); ++i) {
      // Another branch, but one that exists: a stage may choose by it.
      if (!own_branch[i]) sealed.branches[i].value = state.branches[i].value == 0 ? 1 : 0;
    }
    const State before = sealed;
    const Wires row_before = sealed_row;
    Frame a{open, open_row}, b{sealed, sealed_row};
    through_rig(a, r);
    through_rig(b, r);

    for (std::size_t i = 0; i < row_.entries().size(); ++i) {
      const Row::Entry& entry = row_.entries()[i];
      const Writer by = writer(i);
      const bool ours = by.known && by.phase == Phase::rig && by.rig == static_cast<int>(r);
      // What is added to a poisoned number leaves it poisoned: only the open row shows it.
      const bool touched = !ours && differ(open_row[entry.port], wires[entry.port]);
      if (touched || differ(sealed_row[entry.port], (ours ? open_row : row_before)[entry.port])) {
        return entry.name();
      }
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      const bool touched = !own[i] && differ(open.values[i], state.values[i]);
      if (touched || differ(sealed.values[i], own[i] ? open.values[i] : before.values[i])) {
        return layout.name_of(static_cast<int>(i));
      }
    }
    for (std::size_t i = 0; i < own_branch.size(); ++i) {
      const bool touched = !own_branch[i] && open.branches[i] != state.branches[i];
      if (touched || sealed.branches[i] != (own_branch[i] ? open : before).branches[i]) {
        return layout.branches()[i].owner + "." + layout.branches()[i].name;
      }
    }
  }
  return {};
}

}  // namespace gusset
