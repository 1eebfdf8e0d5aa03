#include "analysis/loop_listing.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace gusset {
namespace {

using Listed = LoopListing::Entry;

struct Sentence {
  Phase phase;
  std::string_view stage;  ///< its name, or how it ends
  const char* text;
};

constexpr std::array<const char*, phases> phase_sentences = {
    "One step of the computed structure; goals for the interface follow.",
    "Goals become the targets of this sub-step.",
    "Targets become commands: what the machines are told.",
    "Machines move the specimen, sensors measure.",
    "Compensators and indicators see what was measured.",
    "What was measured goes into the computation.",
    "Yielding storeys and corrections are settled.",
};

/// What stages do, by the names that the builder gives them.
constexpr Sentence stage_sentences[] = {
    {Phase::begin, "numerical part", "solves the equation of motion; sets the goals, where there are any"},
    {Phase::begin, ".compensator", "plans the whole step ahead of the delay"},
    {Phase::draw, "profile", "draws each goal as a smooth motion, point by point"},
    {Phase::draw, ".planned", "draws the planned motion, point by point"},
    {Phase::command, ".compensator", "leads the target, so that the machine arrives in time"},
    {Phase::command, ".late", "holds the command back, for a margin"},
    {Phase::rig, ".rig", "moves the specimen as told and measures it"},
    {Phase::rig, "specimen", "drives all channels on one specimen and measures them"},
    {Phase::rig, ".sensors", "makes of the true values what is read of them"},
    {Phase::rig, ".energy", "says what the specimen has dissipated"},
    {Phase::observe, "specimen", "gives the specimen's motion from its model"},
    {Phase::observe, ".indicators", "measures how well the motion is tracked"},
    {Phase::observe, " observes", "compares measured and target, and learns"},
    {Phase::feed, "feedback", "hands the measured values to the numerical part"},
    {Phase::feed, "correction", "corrects the step by what was measured"},
    {Phase::end, "settling", "takes the forces at the end of the step over to the next"},
};

std::string sentence_of(const StageInfo& info, const Experiment& experiment) {
  if (info.phase == Phase::begin && experiment.structure().size() == 0 && info.name == loading_stage) {
    return "gives the next stretch of the motion as goals";
  }
  for (const Sentence& sentence : stage_sentences) {
    if (sentence.phase == info.phase && info.name.ends_with(sentence.stage)) return sentence.text;
  }
  return {};
}

/// "storey12.displacement" is number 12 and "displacement"; 0 for any other name.
struct Storey {
  int number = 0;
  std::string what;
};
Storey storey_of(const std::string& name) {
  constexpr std::string_view prefix = "storey";
  const std::size_t dot = name.find('.');
  if (!name.starts_with(prefix) || dot == std::string::npos || dot == prefix.size()) return {};
  int number = 0;
  for (std::size_t i = prefix.size(); i < dot; ++i) {
    if (std::isdigit(static_cast<unsigned char>(name[i])) == 0) return {};
    number = 10 * number + (name[i] - '0');
  }
  return {number, name.substr(dot + 1)};
}

/// How many signals from `at` on are storeys that follow each other.
std::size_t storeys_from(const std::vector<Row::Entry>& signals, std::size_t at) {
  const Storey first = storey_of(signals[at].name());
  if (first.number == 0) return 0;
  std::size_t count = 1;
  while (at + count < signals.size()) {
    const Storey next = storey_of(signals[at + count].name());
    if (next.number != first.number + static_cast<int>(count) || next.what != first.what) break;
    ++count;
  }
  return count;
}

std::vector<LoopListing::Keep> kept_fields(const Layout& layout, const std::vector<Kept>& kept) {
  using Kind = LoopListing::Keep::Kind;
  std::vector<LoopListing::Keep> fields;
  for (const Kept& range : kept) {
    for (const Layout::Field& field : layout.fields()) {
      if (field.segment.size == 0 || !range.has(field.segment.offset)) continue;
      fields.push_back({field.owner + "." + field.name, field.unit, field.segment.size,
                        field.kind == Layout::Kind::signal ? Kind::signal : Kind::parameter});
    }
    for (const Layout::BranchField& field : layout.branches()) {
      if (field.index < range.first_branch || field.index >= range.last_branch) continue;
      fields.push_back({field.owner + "." + field.name, "", 1, Kind::branch});
    }
  }
  return fields;
}

std::string sentence_of(Phase phase, const Experiment& experiment) {
  if (phase == Phase::begin && experiment.structure().size() == 0)
    return "The next stretch of the given motion.";
  if (phase == Phase::begin && experiment.channels().empty()) return "One step of the computed structure.";
  if (phase == Phase::observe && experiment.loop().rig_count() == 0) {
    return "No rig is asked: the specimen's motion is computed too.";
  }
  return phase_sentences[static_cast<std::size_t>(phase)];
}

/// What a channel measures is judged by limits, whoever else reads it.
bool judged(const Experiment& experiment, const std::string& signal) {
  const Channel* channel = experiment.channel_of(signal);
  return channel != nullptr &&
         (signal == channel->name() + ".measured" || signal == channel->name() + ".force");
}

LoopListing::Crossing crossing_of(const Experiment& experiment, std::size_t rig) {
  const Loop& loop = experiment.loop();
  LoopListing::Crossing crossing;
  crossing.rig = loop.rig_name(rig);
  while (!loop.due(rig, crossing.every)) ++crossing.every;
  const Loop::Cut cut = loop.cut(rig);
  crossing.commands = grouped(cut.commands);
  crossing.feedback = grouped(cut.feedback);
  for (Listed& entry : crossing.feedback) {
    entry.needed = false;
    for (std::size_t i = 0; i < cut.feedback.size(); ++i) {
      const bool part = std::find(entry.signals.begin(), entry.signals.end(), cut.feedback[i].name()) !=
                        entry.signals.end();
      entry.needed = entry.needed || (part && (cut.needed[i] || judged(experiment, cut.feedback[i].name())));
    }
  }
  return crossing;
}

}  // namespace

int LoopListing::Stage::kept() const {
  int sum = 0;
  for (const Keep& field : keeps) sum += field.size;
  return sum;
}

const LoopListing::Part* LoopListing::part(Phase phase) const {
  for (const Part& one : parts) {
    if (one.phase == phase) return &one;
  }
  return nullptr;
}

std::vector<Listed> grouped(const std::vector<Row::Entry>& signals) {
  std::vector<Listed> entries;
  const auto listed = [&](const std::string& name) {
    return std::any_of(entries.begin(), entries.end(), [&](const Listed& entry) {
      return std::find(entry.signals.begin(), entry.signals.end(), name) != entry.signals.end();
    });
  };
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const std::string& name = signals[i].name();
    if (listed(name)) continue;
    Listed entry{name, signals[i].signal.unit, {name}};
    if (const std::size_t count = storeys_from(signals, i); count > 2) {
      const Storey last = storey_of(signals[i + count - 1].name());
      entry.name =
          name.substr(0, name.find('.')) + " … storey" + std::to_string(last.number) + " " + last.what;
      for (std::size_t k = 1; k < count; ++k) entry.signals.push_back(signals[i + k].name());
    } else {
      for (const char* part : {".rate", ".curvature", ".start_rate"}) {
        const auto is_part = [&](const Row::Entry& other) { return other.name() == name + part; };
        if (std::any_of(signals.begin(), signals.end(), is_part)) entry.signals.push_back(name + part);
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

LoopListing list_loop(const Experiment& experiment) {
  const Loop& loop = experiment.loop();
  LoopListing listing;
  listing.title = experiment.title();
  listing.dt = experiment.dt();
  listing.rig_dt = experiment.rig_dt();
  listing.substeps = loop.substeps();
  listing.trials = loop.is_trial(0);
  listing.storeys = static_cast<int>(experiment.structure().size());
  std::vector<Row::Entry> inputs;
  for (const Row::Entry& entry : loop.row().entries()) {
    if (entry.lifetime == Lifetime::input) inputs.push_back(entry);
  }
  listing.inputs = grouped(inputs);
  for (const StageInfo& info : loop.stages()) {
    if (listing.parts.empty() || listing.parts.back().phase != info.phase) {
      listing.parts.push_back({info.phase, sentence_of(info.phase, experiment), {}});
    }
    listing.parts.back().stages.push_back(
        {info.name, sentence_of(info, experiment), info.rig, grouped(loop.entries(info.reads)),
         grouped(loop.entries(info.writes)), kept_fields(experiment.layout(), info.keeps), info.shares});
  }
  for (std::size_t r = 0; r < loop.rig_count(); ++r) listing.cut.push_back(crossing_of(experiment, r));
  return listing;
}

}  // namespace gusset
