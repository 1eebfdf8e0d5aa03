#include "session/run_record.hpp"

#include <nlohmann/json.hpp>

#include "analysis/indicators.hpp"
#include "analysis/simulation.hpp"
#include "base/version.hpp"
#include "session/environment.hpp"

namespace gusset {
namespace {

using Json = nlohmann::ordered_json;

std::string commands_json(const std::vector<LoggedCommand>& commands) {
  Json list = Json::array();
  for (const LoggedCommand& command : commands) {
    list.push_back({{"time", command.time},
                    {"command", command.command},
                    {"pid", command.pid},
                    {"uid", command.uid},
                    {"name", command.name}});
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

RecordingPlan plan_of(const Loaded& loaded, const SessionOptions& options) {
  RecordingPlan plan;
  plan.title = loaded.experiment().title();
  plan.version = version;
  plan.experiment_name = loaded.document.name();
  plan.experiment_text = loaded.document.text();
  plan.overrides = loaded.document.assignments();
  plan.created = now_utc();
  plan.streams = run_streams(loaded.test).plans;
  plan.event_texts = event_texts();
  plan.texts.emplace_back("environment", environment_json());
  plan.texts.emplace_back("run", Json{{"rig", options.rig},
                                      {"lockstep", options.lockstep},
                                      {"span", loaded.realtime.span},
                                      {"fade_in", loaded.realtime.fade_in}}
                                     .dump(2));
  return plan;
}

void complete(const Test& test, const RealtimeSettings& settings, Run& run) {
  std::vector<Table> tables;
  for (const Table& table : run.tables) {
    if (table.name == "structure" || table.name == "rig") tables.push_back(table);
  }
  if (tables.empty() || tables.front().rows() == 0) return;
  const std::size_t before = tables.size();
  // The reference is of the whole excitation.
  if (settings.span == 1 && settings.fade_in == 0) add_reference(test, tables);
  summarize(tables, run.summary);
  for (std::size_t i = before; i < tables.size(); ++i) run.tables.push_back(tables[i]);
}

Closing closing_of(const SessionResult& result) {
  const LoopResult& loop = result.loop;
  Closing closing;
  closing.texts.emplace_back("arming", result.arming.to_json());
  if (!result.commands.empty()) closing.texts.emplace_back("commands", commands_json(result.commands));
  closing.summary = {
      {"realtime.missed", static_cast<double>(loop.missed)},
      {"realtime.late_answers", static_cast<double>(loop.late_answers)},
      {"realtime.page_faults", static_cast<double>(loop.page_faults.minor + loop.page_faults.major)}};
  closing.histograms = {to_run(loop.wake_up, "wake_up"), to_run(loop.compute, "compute"),
                        to_run(loop.round_trip, "round_trip")};
  return closing;
}

}  // namespace gusset
