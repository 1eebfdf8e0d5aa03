#include "session/answers.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "session/session.hpp"

namespace gusset {
namespace {

using Json = nlohmann::ordered_json;

constexpr double turn = 2 * std::numbers::pi;

Json size_json(const MotionSize& size) {
  return {{"motion", json_number(size.motion)},
          {"rate", json_number(size.rate)},
          {"force", json_number(size.force)}};
}

const char* name_of_tail(QuietTail::Kind kind) {
  constexpr const char* names[] = {"none", "decays", "flat", "grows"};
  return names[static_cast<int>(kind)];
}

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

Json to_json(const StabilityReport& stability) {
  Json amplitude = Json::array(), cycles = Json::array();
  for (const AmplitudePoint& point : stability.amplitude.points) {
    amplitude.push_back({{"amplitude", json_number(point.amplitude)},
                         {"share", json_number(point.share)},
                         {"spectral_radius", json_number(point.radius)},
                         {"frequency", json_number(point.frequency / turn)}});
  }
  for (const AmplitudeEdge& edge : stability.amplitude.edges) {
    cycles.push_back({{"amplitude", json_number(edge.amplitude)},
                      {"rate", json_number(edge.rate)},
                      {"share", json_number(edge.share)},
                      {"frequency", json_number(edge.frequency / turn)},
                      {"kind", edge.runs_away_above ? "runs away above" : "limit cycle"}});
  }
  const RestStability& rest = stability.at_rest;
  const Twins& twins = stability.twins;
  const QuietTail& tail = stability.tail;
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  Json result{{"verdict", name_of(stability.verdict)},
              {"sentence", stability.sentence},
              {"stable", stability.stable()},
              {"linear", stability.affine},
              {"at_rest",
               {{"spectral_radius", json_number(rest.spectrum.radius)},
                {"stable", rest.problem.empty() ? Json(rest.spectrum.stable) : Json(nullptr)},
                {"neutral", rest.neutral},
                {"problem", text_or_null(rest.problem)}}},
              {"amplitude", amplitude},
              {"limit_cycles", cycles},
              {"device", text_or_null(stability.amplitude.device)},
              {"scale", nullptr},
              {"twins", nullptr},
              {"tail", nullptr},
              {"warnings", stability.warnings}};
  if (stability.rehearsed) result["scale"] = size_json(stability.scale);
  if (twins.judged) {
    result["twins"] = {{"apart", twins.share},
                       {"from", twins.from},
                       {"growth", json_number(twins.growth)},
                       {"rate", json_number(twins.rate)},
                       {"part", twins.part()}};
  }
  if (tail.kind != QuietTail::Kind::none) {
    result["tail"] = {{"kind", name_of_tail(tail.kind)},
                      {"amplitude", size_json(tail.amplitude)},
                      {"share", json_number(tail.share)},
                      {"log_ratio", json_number(tail.log_ratio)},
                      {"periods", tail.periods}};
  }
  return result;
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
