#include "runs/recover.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

#include "base/error.hpp"
#include "runs/recording_plan.hpp"
#include "runs/segment.hpp"
#include "runs/severity.hpp"

namespace gusset {
namespace {

/// Rows that may be missing all in all, besides ten for each that is there. A row whose number says more is
/// damaged; to believe it would let a small file take all memory.
constexpr std::int64_t longest_gap = 100'000;
constexpr std::size_t most_gap_events = 1000;

std::string brief(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// The rows of one stream.
class Rows {
 public:
  explicit Rows(const StreamPlan& plan) : plan_(plan) {
    table_.name = plan.name;
    table_.start = plan.start;
    table_.step = plan.step;
    for (const auto& signal : plan.signals) {
      table_.channels.push_back({signal.name, signal.unit, {}, signal.control});
    }
  }

  std::size_t width() const { return table_.channels.size(); }
  double time(std::int64_t row) const { return plan_.start + static_cast<double>(row) * plan_.step; }
  double last_time() const { return next_ > 0 ? time(next_ - 1) : plan_.start; }
  std::uint64_t missing() const { return missing_; }
  bool empty() const { return !started_; }

  /// False: the row does not follow.
  bool append(std::int64_t row, const char* values, std::vector<Event>& events) {
    if (!started_) {
      if (row < 0) return false;
      started_ = true;
      next_ = row;
      table_.start = time(row);
    }
    if (row < next_ || row - next_ > longest_gap + 10 * there_ - static_cast<std::int64_t>(missing_))
      return false;
    ++there_;
    if (row > next_) {
      missing_ += static_cast<std::uint64_t>(row - next_);
      if (++gaps_ <= most_gap_events) {
        events.push_back({time(next_), to_string(Severity::indicate), "recorder",
                          std::to_string(row - next_) + " rows of " + plan_.name + " are missing, from t = " +
                              brief(time(next_)) + " s to " + brief(time(row - 1)) + " s"});
      }
      for (Trace& channel : table_.channels) {
        channel.values.resize(channel.values.size() + static_cast<std::size_t>(row - next_),
                              std::numeric_limits<double>::quiet_NaN());
      }
    }
    for (Trace& channel : table_.channels) {
      double value;
      std::memcpy(&value, values, sizeof value);
      values += sizeof value;
      channel.values.push_back(value);
    }
    next_ = row + 1;
    return true;
  }

  Table take() { return std::move(table_); }

 private:
  StreamPlan plan_;
  Table table_;
  bool started_ = false;
  std::int64_t next_ = 0;
  std::uint64_t missing_ = 0;
  std::int64_t there_ = 0;
  std::size_t gaps_ = 0;
};

class Rebuilding {
 public:
  explicit Rebuilding(const RecordingPlan& plan) : plan_(plan) {
    for (const StreamPlan& stream : plan.streams) streams_.emplace_back(stream);
  }

  /// Takes the records of a segment; returns how many bytes of it made no sense.
  std::uint64_t take(const std::string& payload) {
    std::uint64_t bad = 0;
    std::size_t at = 0;
    const auto word = [&](std::size_t index) {
      std::uint64_t value;
      std::memcpy(&value, payload.data() + at + 8 * index, sizeof value);
      return value;
    };
    while (payload.size() - at >= 8) {
      const RecordStart start = unpack(word(0));
      const bool sample = start.kind == RecordKind::sample;
      if (!sample && start.kind != RecordKind::event) break;
      const std::size_t size = sample ? 16 + std::size_t{8} * start.b : 24;
      if (size > payload.size() - at) break;
      if (sample) {
        if (start.a >= streams_.size() || streams_[start.a].width() != start.b ||
            !streams_[start.a].append(std::bit_cast<std::int64_t>(word(1)), payload.data() + at + 16,
                                      events_)) {
          bad += size;
        }
      } else {
        events_.push_back(event(start, std::bit_cast<double>(word(1)), std::bit_cast<double>(word(2))));
      }
      at += size;
    }
    return bad + payload.size() - at;
  }

  double last_time() const {
    double last = -std::numeric_limits<double>::infinity();
    for (const Rows& rows : streams_) {
      if (!rows.empty()) last = std::max(last, rows.last_time());
    }
    return std::isfinite(last) ? last : 0;
  }

  void finish(Recovery& recovery) {
    for (Rows& rows : streams_) {
      recovery.missing_rows += rows.missing();
      recovery.run.tables.push_back(rows.take());
    }
    recovery.run.events = std::move(events_);
  }

 private:
  Event event(const RecordStart& start, double time, double value) const {
    const auto severity = static_cast<Severity>(start.a);
    for (const EventText& known : plan_.event_texts) {
      if (known.code != start.b) continue;
      std::string text = known.text;
      if (const std::size_t mark = text.find("{}"); mark != std::string::npos) {
        text.replace(mark, 2, brief(value));
      }
      if (const std::size_t mark = text.find("{:d}"); mark != std::string::npos) {
        char whole[32];
        std::snprintf(whole, sizeof whole, "%.0f", value);
        text.replace(mark, 4, whole);
      }
      return {time, to_string(severity), known.source, text};
    }
    return {time, to_string(severity), "", "event " + std::to_string(start.b) + ", value " + brief(value)};
  }

  const RecordingPlan& plan_;
  std::vector<Rows> streams_;
  std::vector<Event> events_;
};

void note(Recovery& recovery, std::uint64_t count, const std::string& what) {
  if (count > 0) recovery.notes.push_back(std::to_string(count) + " " + what);
}

RecordingPlan read_plan(const std::string& path, SegmentReader& reader) {
  SegmentHeader header;
  std::string payload;
  if (!reader.next(header, payload)) {
    throw InputError({path, 0, 0}, "there is no whole segment in it: it is not a raw recording",
                     "name a file RUN.h5.raw that gusset run has left behind");
  }
  if (header.kind == SegmentKind::plan) {
    try {
      return plan_from_json(payload);
    } catch (const std::runtime_error& error) {
      throw InputError({path, 0, 0}, std::string("its first segment is not understood: ") + error.what(),
                       "use the version of Gusset that recorded it");
    }
  }
  throw InputError({path, 0, 0}, "its beginning, which names the channels, is damaged",
                   "take another copy of the file; the samples in it are as docs/run-file.md says");
}

}  // namespace

std::string raw_path_of(const std::string& run_path) { return run_path + ".raw"; }

Recovery recover_run(const std::string& raw_path) {
  SegmentReader reader(raw_path);
  const RecordingPlan plan = read_plan(raw_path, reader);
  Recovery recovery;
  Run& run = recovery.run;
  run.title = plan.title;
  run.version = plan.version;
  run.experiment_name = plan.experiment_name;
  run.experiment_text = plan.experiment_text;
  run.overrides = plan.overrides;
  run.created = plan.created;
  run.texts = plan.texts;

  Rebuilding rebuilding(plan);
  SegmentHeader header;
  std::string payload;
  std::optional<Closing> closing;
  recovery.segments = 1;
  while (reader.next(header, payload)) {
    ++recovery.segments;
    recovery.lost_records = std::max(recovery.lost_records, header.lost);
    if (header.kind == SegmentKind::samples) recovery.damaged_bytes += rebuilding.take(payload);
    if (header.kind == SegmentKind::closing) {
      try {
        closing = closing_from_json(payload);
      } catch (const std::runtime_error&) {
        recovery.damaged_bytes += payload.size();
      }
    }
  }
  const double last = rebuilding.last_time();
  rebuilding.finish(recovery);
  recovery.damaged_bytes += reader.damaged();
  recovery.torn_bytes = reader.torn();
  recovery.missing_segments = reader.missing();
  if (closing) {
    run.summary = closing->summary;
    run.histograms = closing->histograms;
    for (auto& text : closing->texts) run.texts.push_back(std::move(text));
  }
  note(recovery, recovery.lost_records, "records were lost while recording: the disk was too slow");
  note(recovery, recovery.missing_segments, "segments of about 50 ms are missing");
  note(recovery, recovery.damaged_bytes, "bytes are damaged");
  note(recovery, recovery.missing_rows, "rows are missing and stand as NaN");
  note(recovery, recovery.torn_bytes, "bytes at the end belong to a segment that was being written");
  if (!closing) {
    recovery.notes.push_back("the recording was not closed: what came after t = " + brief(last) +
                             " s, at most the last 0.2 s before the process ended, is not in it");
    run.events.push_back({last, to_string(Severity::interlock), "recorder",
                          "the recording ends here: the process or the machine was stopped, or the disk took "
                          "no more"});
  }
  if (recovery.lost_records > 0) {
    run.events.push_back(
        {last, to_string(Severity::indicate), "recorder",
         std::to_string(recovery.lost_records) + " records were lost because the recorder's queue was full"});
  }
  recovery.complete =
      closing && recovery.damaged_bytes == 0 && recovery.missing_segments == 0 && recovery.torn_bytes == 0;
  return recovery;
}

}  // namespace gusset
