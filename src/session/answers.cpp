#include "session/answers.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "session/session.hpp"

namespace gusset {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const std::optional<Finding>& passed, std::span<const Channel> channels) {
  if (!passed) return nullptr;
  return {{"cause", name_of(passed->cause)},
          {"signal", signal_of(*passed, channels)},
          {"unit", unit_of(*passed)},
          {"value", json_number(passed->value)},
          {"limit", json_number(passed->limit)},
          {"time", passed->time}};
}

Json to_json(const Histogram& histogram) {
  return {{"count", histogram.count()},
          {"p50", 1e-9 * static_cast<double>(histogram.percentile(0.5))},
          {"p99", 1e-9 * static_cast<double>(histogram.percentile(0.99))},
          {"p999", 1e-9 * static_cast<double>(histogram.percentile(0.999))},
          {"max", 1e-9 * static_cast<double>(histogram.maximum())},
          {"overflow", histogram.overflow()}};
}

Json to_json(const Arming& arming) { return Json::parse(arming.to_json()); }

Json to_json(const SessionResult& result) {
  const LoopResult& loop = result.loop;
  Json numbers = Json::object();
  for (const auto& [name, value] : result.summary) numbers[name] = json_number(value);
  return {{"title", result.title},
          {"rig", result.rig},
          {"armed", result.arming.granted()},
          {"completed", loop.completed},
          {"state", name_of(loop.state)},
          {"cause", name_of(loop.first_out)},
          {"action", name_of(loop.action)},
          {"rig_cause", name_of(loop.rig_cause)},
          {"passed", to_json(loop.finding, result.channels)},
          {"time", loop.time},
          {"commands", loop.commands},
          {"missed", loop.missed},
          {"late_answers", loop.late_answers},
          {"page_faults", loop.page_faults.minor + loop.page_faults.major},
          {"wake_up", to_json(loop.wake_up)},
          {"compute", to_json(loop.compute)},
          {"round_trip", to_json(loop.round_trip)},
          {"arming", to_json(result.arming)},
          {"out", result.kept ? Json(result.out) : Json(nullptr)},
          {"summary", numbers}};
}

}  // namespace gusset
