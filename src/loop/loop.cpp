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

Port Site::claim(const std::string& name, const std::string& unit, bool published) {
  const Port port = loop_.row_.claim(name, unit, lifetime(), published);
  info_.writes.push_back(loop_.row_.find(name));
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
  for (const Row::Entry& entry : loop_.row_.command_entries(name)) info_.writes.push_back(entry);
  return port;
}

Port Site::scratch(int size) { return loop_.row_.scratch(size, lifetime()); }

CommandPort Site::alias_command(const std::string& name, const std::string& of) {
  if (info_.phase == Phase::rig) {
    // A command under a second name would come in around the cut and around what is inserted there.
    loop_.row_.find(of);
    const StageInfo* writer = loop_.writer(of);
    const bool own = std::any_of(info_.writes.begin(), info_.writes.end(),
                                 [&](const Row::Entry& entry) { return entry.name() == of; });
    if (!own && (writer == nullptr || writer->rig != info_.rig)) {
      refuse(of + " is not of this rig: it gets no second name here");
    }
  }
  const CommandPort port = loop_.row_.alias_command(name, of);
  for (const Row::Entry& entry : loop_.row_.command_entries(name)) info_.writes.push_back(entry);
  return port;
}

/// What a rig's stage may bind: signals of the sub-step that are not another rig's.
void Site::check_crossing(const Row::Entry& entry) const {
  if (info_.phase != Phase::rig) return;
  if (entry.lifetime == Lifetime::input) refuse(entry.name() + " is input and does not cross the cut");
  if (entry.lifetime == Lifetime::step) {
    refuse(entry.name() + " stands for a step and does not cross the cut");
  }
  const StageInfo* writer = loop_.writer(entry.name());
  if (writer != nullptr && writer->phase == Phase::rig && writer->rig != info_.rig) {
    refuse(entry.name() + " belongs to the rig " + writer->rig);
  }
}

Port Site::bind(const std::string& name, std::string_view unit) {
  Row::Entry entry = loop_.row_.bind(name, unit);
  check_crossing(entry);
  const StageInfo* writer = loop_.writer(name);
  if (info_.phase == Phase::rig && writer != nullptr && writer->phase != Phase::rig) {
    // One number of a command crosses where its command does.
    const auto [command, place] = loop_.row_.command_of(name);
    if (!command.empty()) {
      const std::string whole_unit = loop_.row_.find(command).signal.unit;  // the row grows meanwhile
      entry.port.at = loop_.crossing(command, whole_unit).at + place;
    }
  }
  info_.reads.push_back(entry);
  return entry.port;
}

CommandPort Site::bind_command(const std::string& name, const std::string& unit) {
  const Row::Entry& entry = loop_.row_.bind(name, unit);
  check_crossing(entry);
  const StageInfo* writer = loop_.writer(name);
  const bool crosses = info_.phase == Phase::rig && writer != nullptr && writer->phase != Phase::rig;
  const CommandPort port = crosses ? loop_.crossing(name, unit) : CommandPort{entry.port.at};
  int part = 0;
  for (Row::Entry own : loop_.row_.command_entries(name)) {
    own.port = {port.at + part++, 1};
    info_.reads.push_back(std::move(own));
  }
  return port;
}

Port Site::amend(const std::string& name, std::string_view unit) {
  const Row::Entry entry = loop_.row_.bind(name, unit);
  const StageInfo* writer = loop_.writer(name);
  if (writer == nullptr) refuse(name + " is input: nobody amends it");
  if (info_.phase == Phase::rig && writer->phase != Phase::rig) {
    refuse(name + " is a command: a rig does not amend it");
  }
  check_crossing(entry);
  info_.reads.push_back(entry);
  info_.writes.push_back(entry);
  return entry.port;
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

const StageInfo* Loop::writer(const std::string& name) const {
  for (const StageInfo& info : infos_) {
    for (const Row::Entry& entry : info.writes) {
      if (entry.name() == name) return &info;
    }
  }
  return nullptr;
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
  const auto add = [](std::vector<Row::Entry>& to, const Row::Entry& entry) {
    const bool there = std::any_of(to.begin(), to.end(),
                                   [&](const Row::Entry& other) { return other.name() == entry.name(); });
    if (!there) to.push_back(entry);
  };
  for (const StageInfo& info : infos_) {
    if (info.phase != Phase::rig || info.rig != rigs_[rig].name) continue;
    cut.state.insert(cut.state.end(), info.keeps.begin(), info.keeps.end());
    for (const Row::Entry& entry : info.reads) {
      const StageInfo* by = writer(entry.name());
      if (by == nullptr || by->phase != Phase::rig) add(cut.commands, entry);
    }
    for (const Row::Entry& entry : info.writes) add(cut.feedback, entry);
  }
  cut.commands = row_.in_published_order(std::move(cut.commands));
  cut.feedback = row_.in_published_order(std::move(cut.feedback));
  for (const Row::Entry& entry : cut.feedback) {
    cut.needed.push_back(std::any_of(infos_.begin(), infos_.end(), [&](const StageInfo& info) {
      return info.phase != Phase::rig &&
             std::any_of(info.reads.begin(), info.reads.end(),
                         [&](const Row::Entry& read) { return read.name() == entry.name(); });
    }));
  }
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

    for (const Row::Entry& entry : row_.entries()) {
      const StageInfo* by = writer(entry.name());
      const bool ours = by != nullptr && by->phase == Phase::rig && by->rig == rigs_[r].name;
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
