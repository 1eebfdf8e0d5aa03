#include "check_loop.hpp"

#include <iostream>

#include "analysis/loop_listing.hpp"
#include "report/loop_picture.hpp"
#include "report/loop_text.hpp"
#include "runs/atomic_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace check_loop_private {

Json to_json(const std::vector<LoopListing::Entry>& entries, bool feedback = false) {
  Json list = Json::array();
  for (const LoopListing::Entry& entry : entries) {
    Json one{{"signal", entry.name}, {"unit", entry.unit}, {"signals", entry.signals}};
    if (feedback) one["needed"] = entry.needed;
    list.push_back(std::move(one));
  }
  return list;
}

Json to_json(const LoopListing::Stage& stage) {
  Json keeps = Json::array();
  for (const LoopListing::Keep& keep : stage.keeps) {
    using Kind = LoopListing::Keep::Kind;
    keeps.push_back({{"name", keep.name},
                     {"unit", keep.unit},
                     {"size", keep.size},
                     {"kind", keep.kind == Kind::signal      ? "signal"
                              : keep.kind == Kind::parameter ? "parameter"
                                                             : "branch"}});
  }
  return {{"stage", stage.name},
          {"does", stage.does},
          {"rig", stage.rig.empty() ? Json(nullptr) : Json(stage.rig)},
          {"reads", to_json(stage.reads)},
          {"writes", to_json(stage.writes)},
          {"keeps", keeps},
          {"shares", stage.shares}};
}

Json to_json(const LoopListing& listing) {
  Json parts = Json::array();
  for (const LoopListing::Part& part : listing.parts) {
    Json stages = Json::array();
    for (const LoopListing::Stage& stage : part.stages) stages.push_back(to_json(stage));
    parts.push_back({{"phase", name_of(part.phase)},
                     {"when", part.every_substep() ? "substep" : "step"},
                     {"where", part.in_laboratory() ? "laboratory" : "computed"},
                     {"does", part.does},
                     {"stages", stages}});
  }
  Json cut = Json::array();
  for (const LoopListing::Crossing& crossing : listing.cut) {
    cut.push_back({{"rig", crossing.rig},
                   {"every", crossing.every},
                   {"commands", to_json(crossing.commands)},
                   {"feedback", to_json(crossing.feedback, true)}});
  }
  return {{"title", listing.title},   {"dt", listing.dt},
          {"rig_dt", listing.rig_dt}, {"substeps", listing.substeps},
          {"trials", listing.trials}, {"inputs", to_json(listing.inputs)},
          {"phases", parts},          {"cut", cut}};
}

}  // namespace check_loop_private

void LoopOptions::add_to(CLI::App& command) {
  auto* flag =
      command.add_flag("--loop", loop, "show the stages of the test in their order and nothing else");
  auto* picture =
      command.add_option("--svg", svg, "write the loop as a picture to this file")->type_name("FILE.svg");
  picture->needs(flag);
  flag->excludes("--layout");
  command.add_flag("--force", force, "overwrite an existing picture")->needs(picture);
}

int show_loop(const LoopOptions& options, const ExperimentOptions& experiment) {
  if (!options.svg.empty()) require_writable(options.svg, options.force);
  const LoopListing listing = list_loop(load(experiment).experiment());
  if (!options.svg.empty()) write_atomically(options.svg, loop_picture(listing), options.force);
  if (experiment.json) {
    print(check_loop_private::to_json(listing));
  } else if (options.svg.empty()) {
    std::cout << loop_text(listing);
  } else {
    std::cout << "picture in " << options.svg << '\n';
  }
  return good;
}

}  // namespace gusset::app
