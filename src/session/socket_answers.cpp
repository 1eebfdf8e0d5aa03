#include "session/socket_answers.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/version.hpp"
#include "session/answers.hpp"

namespace gusset {
namespace {

using Json = SocketAnswers::Json;

constexpr std::size_t most_numbers = 20'000;  // of frames in an answer

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

}  // namespace

std::vector<LoggedCommand> SocketAnswers::commands() const {
  const std::lock_guard lock(mutex_);
  return commands_;
}

Json SocketAnswers::to(const std::string& what, const Json& request, const Sender& sender,
                       std::size_t clients) {
  Json answer{{"ok", true}, {"do", what}};
  if (what == "hello") {
    answer.update(hello());
  } else if (what == "status") {
    answer.update(status(clients));
  } else if (what == "row") {
    answer.update(row());
  } else if (what == "frames") {
    const auto since = request.find("since");
    const bool given = since != request.end() && since->is_number_unsigned();
    answer.update(frames(given ? since->get<std::uint64_t>() : 0));
  } else if (what == "hold" || what == "resume" || what == "stop") {
    const bool at_once = request.contains("at_once") && request["at_once"] == true;
    if (!command(what, at_once, sender)) return refusal("too many commands at once");
  } else {
    return refusal("nobody knows \"" + what + "\": hello, status, row, frames, memory, hold, resume or stop");
  }
  return answer;
}

bool SocketAnswers::command(const std::string& what, bool at_once, const Sender& sender) {
  const bool stop = what == "stop";
  const EventCode code = stop             ? (at_once ? stop_at_once_asked : stop_asked)
                         : what == "hold" ? hold_asked
                                          : resume_asked;
  Operator& operators = *offer_.operators;
  // Noted before it acts: the record has the command before what follows from it. A stop stops, noted or not.
  const bool noted = operators.requests.push({code, static_cast<std::uint32_t>(sender.pid)});
  if (!noted && !stop) return false;
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back({offer_.status->time.load(std::memory_order_relaxed),
                         stop && at_once ? "stop at once" : what, sender.pid, sender.uid, sender.name});
  }
  if (stop) {
    operators.ask_stop(at_once);
  } else if (what == "hold") {
    operators.press_hold();
  } else {
    operators.press_resume();
  }
  return true;
}

Json SocketAnswers::hello() const {
  Json signals = Json::array();
  for (const Signal& signal : offer_.signals) {
    signals.push_back({{"name", signal.name}, {"unit", signal.unit}});
  }
  return {{"gusset", version},
          {"protocol", 1},
          {"pid", ::getpid()},
          {"title", offer_.title},
          {"out", offer_.out},
          {"dt", offer_.dt},
          {"rig_dt", offer_.rig_dt},
          {"duration", offer_.duration},
          {"rows_a_frame", view_.rows_a_frame()},
          {"signals", signals}};
}

Json SocketAnswers::status(std::size_t clients) const {
  const auto relaxed = std::memory_order_relaxed;
  const LoopStatus& status = *offer_.status;
  return {{"state", name_of(status.state.load(relaxed))},
          {"cause", name_of(status.first_out.load(relaxed))},
          {"time", status.time.load(relaxed)},
          {"duration", offer_.duration},
          {"missed", status.missed.load(relaxed)},
          {"worst_wake_up", 1e-9 * static_cast<double>(status.worst.load(relaxed))},
          {"tracking_delay", json_number(status.delay.load(relaxed))},
          {"margin", json_number(status.margin.load(relaxed))},
          {"tightest", name_of(status.tightest.load(relaxed))},
          {"clients", clients}};
}

Json SocketAnswers::row() const {
  LiveView::Row row;
  if (!view_.row(row)) return {{"row", nullptr}};
  return {{"row", row.number}, {"time", row.time}, {"values", numbers(row.values)}};
}

Json SocketAnswers::frames(std::uint64_t since) const {
  const std::size_t most =
      std::max<std::size_t>(1, most_numbers / (2 * std::max<std::size_t>(1, view_.signals())));
  Json list = Json::array();
  std::uint64_t next = since;
  for (const LiveView::Frame& frame : view_.frames(since, most)) {
    list.push_back({{"frame", frame.number},
                    {"row", frame.first_row},
                    {"rows", frame.rows},
                    {"time", frame.time},
                    {"min", numbers(frame.least)},
                    {"max", numbers(frame.most)}});
    next = frame.number + 1;
  }
  return {{"next", next}, {"missed", next - since - list.size()}, {"frames", list}};
}

}  // namespace gusset
