#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runs/run.hpp"

namespace gusset {

/// A table of the run as it will be recorded. Row k is of the time start + k·step.
struct StreamPlan {
  struct Signal {
    std::string name, unit;
    std::optional<Control> control = {};  ///< of a channel's target and command
  };
  std::string name;  ///< of the table: "structure", "rig"
  double start = 0;
  double step = 0;
  std::vector<Signal> signals;
  std::int64_t expected_rows = 0;  ///< for a look at the free space beforehand; 0: not known
};

/// What an event's code means. In the text the event's value replaces "{}", and "{:d}" as a whole number.
struct EventText {
  std::uint16_t code = 0;
  std::string source;
  std::string text;
};

/// Everything about a recording that is known before its first sample: together with the samples
/// it makes the run file, also after the process was killed.
struct RecordingPlan {
  std::string title;
  std::string version;
  std::string experiment_name;
  std::string experiment_text;
  std::vector<std::string> overrides;
  std::string created;              ///< UTC, ISO 8601
  std::vector<StreamPlan> streams;  ///< at most 255
  std::vector<EventText> event_texts;
  std::vector<std::pair<std::string, std::string>> texts;  ///< as Run::texts
};

/// What is added at the end of a recording.
struct Closing {
  std::vector<std::pair<std::string, double>> summary;
  std::vector<RunHistogram> histograms;
  std::vector<std::pair<std::string, std::string>> texts;
};

// Both as JSON, for the raw recording. Reading throws std::runtime_error with what is wrong.
std::string to_json(const RecordingPlan& plan);
std::string to_json(const Closing& closing);
RecordingPlan plan_from_json(const std::string& text);
Closing closing_from_json(const std::string& text);

}  // namespace gusset
