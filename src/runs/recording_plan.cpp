#include "runs/recording_plan.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace gusset {
namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::pair<std::string, std::string>>;

// A number that is not finite is null in JSON.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double number_of(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Json from_texts(const Texts& texts) {
  Json list = Json::array();
  for (const auto& [name, text] : texts) list.push_back({{"name", name}, {"text", text}});
  return list;
}

Texts texts_of(const Json& list) {
  Texts texts;
  for (const Json& one : list) {
    texts.emplace_back(one.at("name").get<std::string>(), one.at("text").get<std::string>());
  }
  return texts;
}

std::string dump(const Json& json) {
  // A text that is no UTF-8 must not be the end of a test.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class Read>
auto reading(const std::string& text, Read read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace

std::string to_json(const RecordingPlan& plan) {
  Json streams = Json::array();
  for (const StreamPlan& stream : plan.streams) {
    Json signals = Json::array();
    for (const auto& signal : stream.signals) {
      Json own{{"name", signal.name}, {"unit", signal.unit}};
      if (signal.control) own["control"] = name_of(*signal.control);
      signals.push_back(std::move(own));
    }
    streams.push_back({{"name", stream.name},
                       {"start", number(stream.start)},
                       {"step", number(stream.step)},
                       {"expected_rows", stream.expected_rows},
                       {"signals", signals}});
  }
  Json events = Json::array();
  for (const EventText& event : plan.event_texts) {
    events.push_back({{"code", event.code}, {"source", event.source}, {"text", event.text}});
  }
  return dump({{"title", plan.title},
               {"version", plan.version},
               {"created", plan.created},
               {"experiment", {{"name", plan.experiment_name}, {"text", plan.experiment_text}}},
               {"overrides", plan.overrides},
               {"streams", streams},
               {"events", events},
               {"texts", from_texts(plan.texts)}});
}

RecordingPlan plan_from_json(const std::string& text) {
  return reading(text, [](const Json& json) {
    RecordingPlan plan;
    json.at("title").get_to(plan.title);
    json.at("version").get_to(plan.version);
    json.at("created").get_to(plan.created);
    json.at("experiment").at("name").get_to(plan.experiment_name);
    json.at("experiment").at("text").get_to(plan.experiment_text);
    json.at("overrides").get_to(plan.overrides);
    for (const Json& one : json.at("streams")) {
      StreamPlan stream;
      one.at("name").get_to(stream.name);
      stream.start = number_of(one.at("start"));
      stream.step = number_of(one.at("step"));
      one.at("expected_rows").get_to(stream.expected_rows);
      for (const Json& signal : one.at("signals")) {
        stream.signals.push_back({signal.at("name").get<std::string>(), signal.at("unit").get<std::string>(),
                                  control_named(signal.value("control", ""))});
      }
      plan.streams.push_back(std::move(stream));
    }
    for (const Json& event : json.at("events")) {
      plan.event_texts.push_back({event.at("code").get<std::uint16_t>(),
                                  event.at("source").get<std::string>(),
                                  event.at("text").get<std::string>()});
    }
    plan.texts = texts_of(json.at("texts"));
    return plan;
  });
}

std::string to_json(const Closing& closing) {
  Json summary = Json::array();
  for (const auto& [name, value] : closing.summary) {
    summary.push_back({{"name", name}, {"value", number(value)}});
  }
  Json histograms = Json::array();
  for (const RunHistogram& histogram : closing.histograms) {
    histograms.push_back({{"name", histogram.name},
                          {"unit", histogram.unit},
                          {"edges", histogram.edges},
                          {"counts", histogram.counts},
                          {"overflow", histogram.overflow},
                          {"maximum", number(histogram.maximum)}});
  }
  return dump({{"summary", summary}, {"histograms", histograms}, {"texts", from_texts(closing.texts)}});
}

Closing closing_from_json(const std::string& text) {
  return reading(text, [](const Json& json) {
    Closing closing;
    for (const Json& one : json.at("summary")) {
      closing.summary.emplace_back(one.at("name").get<std::string>(), number_of(one.at("value")));
    }
    for (const Json& one : json.at("histograms")) {
      RunHistogram histogram;
      one.at("name").get_to(histogram.name);
      one.at("unit").get_to(histogram.unit);
      one.at("edges").get_to(histogram.edges);
      one.at("counts").get_to(histogram.counts);
      one.at("overflow").get_to(histogram.overflow);
      histogram.maximum = number_of(one.at("maximum"));
      closing.histograms.push_back(std::move(histogram));
    }
    closing.texts = texts_of(json.at("texts"));
    return closing;
  });
}

}  // namespace gusset
