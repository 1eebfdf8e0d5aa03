#include "realtime/replay.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"

namespace gusset {
namespace {

const Trace& channel_of(const Run& run, const std::string& name, const std::string& path) {
  // The rig's own table first: other tables have signals of like names.
  for (const char* wanted : {"rig", "structure"}) {
    for (const Table& table : run.tables) {
      if (table.name != wanted) continue;
      for (const Trace& channel : table.channels) {
        if (channel.name == name) return channel;
      }
    }
  }
  throw InputError({path, 0, 0}, "the run has no signal " + name,
                   "replay it with an experiment of the same channels");
}

}  // namespace

Replay replay(const Test& test, const Run& run, const Span& span, const std::string& path) {
  const Experiment& experiment = *test.experiment;
  Replay result;
  std::vector<const Trace*> feedback;
  std::size_t rows = static_cast<std::size_t>(test.steps * experiment.substeps()) + 1;
  for (const Row::Entry& entry : experiment.cut().feedback) {
    if (!entry.published) continue;  // no command depends on what specimens dissipated
    feedback.push_back(&channel_of(run, entry.name(), path));
    rows = std::min(rows, feedback.back()->values.size());
  }
  const std::size_t channels = experiment.channels().size();
  std::vector<const Trace*> commands;
  for (const Channel& channel : experiment.channels()) {
    const std::string command = channel.name() + ".command";
    commands.push_back(&channel_of(run, command, path));
    result.channels.push_back({command, channel.unit(), {}, {}, 0, 0, 0});
  }
  TestCursor cursor(test, span);
  cursor.start();
  std::vector<double> values(experiment.cut().feedback.size());
  std::vector<double> squares(channels), sums(channels);
  for (std::size_t row = 1; row < rows && !cursor.finished(); ++row) {
    for (std::size_t i = 0; i < feedback.size(); ++i) values[i] = feedback[i]->values[row];
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
      result.missing = static_cast<std::int64_t>(rows - row);
      break;
    }
    const std::vector<Command>& made = cursor.commands();
    for (std::size_t c = 0; c < channels; ++c) {
      ReplayedChannel& channel = result.channels[c];
      const double before = commands[c]->values[row], now = made[c].value;
      channel.recorded.push_back(before);
      channel.replayed.push_back(now);
      if (std::bit_cast<std::uint64_t>(before) != std::bit_cast<std::uint64_t>(now)) {
        ++channel.different;
        if (!result.first_difference) {
          result.first_difference = experiment.rig_dt() * static_cast<double>(row);
        }
      }
      channel.largest = std::max(channel.largest, std::abs(now - before));
      squares[c] += (now - before) * (now - before);
      sums[c] += before * before;
    }
    ++result.commands;
    cursor.take_answer(values.data());
  }
  for (std::size_t c = 0; c < channels; ++c) {
    result.channels[c].rms = sums[c] > 0 ? std::sqrt(squares[c] / sums[c]) : 0;
  }
  return result;
}

}  // namespace gusset
