#include <algorithm>
#include <cmath>
#include <iostream>

#include "analysis/split_search.hpp"
#include "common.hpp"
#include "report/plot.hpp"
#include "runs/atomic_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace split_private {

struct Options {
  ExperimentOptions experiment;
  int points = 11;
  std::string svg;
  bool force = false;
};

Json to_json(const SplitDemand& d) {
  return {
      {"alpha_l", d.alpha_l},
      {"alpha_m", d.alpha_m},
      {"alpha_p", d.alpha_p},
      {"possible", d.possible},
      {"stable", d.spectral_radius ? Json(d.stable) : Json(nullptr)},
      {"spectral_radius", number(d.spectral_radius)},
      {"margin", number(d.margin)},
      {"bottleneck", d.bottleneck},
      {"power", d.power},
      {"table",
       {{"stroke", d.table_stroke}, {"velocity", d.table_velocity}, {"acceleration", d.table_acceleration}}},
      {"actuator", {{"force", d.actuator_force}, {"stroke", d.actuator_stroke}, {"flow", d.actuator_flow}}}};
}

Json to_json(const std::optional<SplitDemand>& d) { return d ? to_json(*d) : Json(nullptr); }

/// How much of the equipment is used over α_l and α_m, with the best α_p; blank where nothing is possible
/// and stable.
std::string to_svg(const SplitSearch& search, const std::string& title) {
  plot::Map map;
  map.title = title;
  map.x = {"alpha_l: the table's share of the base motion", false, 0, 1};
  map.y = {"alpha_m: share of the mass that is computed", false, 0, 1};
  const auto points = static_cast<std::size_t>(search.points);
  map.columns = map.rows = points;
  map.values.assign(points * points, std::nan(""));
  map.value_label = "demand over capacity";
  map.contour = 1;
  for (const SplitDemand& d : search.grid) {
    if (!d.good() || !std::isfinite(d.margin)) continue;
    const double step = static_cast<double>(points - 1);
    double& cell = map.values[static_cast<std::size_t>(std::lround(d.alpha_m * step)) * points +
                              static_cast<std::size_t>(std::lround(d.alpha_l * step))];
    if (!(cell <= 1 / d.margin)) cell = 1 / d.margin;
  }
  if (search.best_margin) {
    map.has_point = true;
    map.point_x = search.best_margin->alpha_l;
    map.point_y = search.best_margin->alpha_m;
    map.point_label = "largest margin";
  }
  return plot::svg(map);
}

void describe_one(const char* what, const std::optional<SplitDemand>& d) {
  if (!d) return;
  std::printf("%-15s alpha_l = %.4g, alpha_m = %.4g, alpha_p = %.4g: margin %.3g (%s), power %.4g W\n", what,
              d->alpha_l, d->alpha_m, d->alpha_p, d->margin,
              d->bottleneck.empty() ? "nothing limits it" : d->bottleneck.c_str(), d->power);
}

void describe(const SplitSearch& search) {
  std::printf(
      "alpha_l alpha_m alpha_p   table: stroke  velocity  accel.   actuator: force   stroke     flow      "
      "power   margin\n"
      "                                   [mm]    [m/s]     [g]               [N]     [mm]  [l/min]        "
      "[W]\n");
  std::vector<const SplitDemand*> shown;
  for (const SplitDemand& d : search.grid) {
    if (d.good()) shown.push_back(&d);
  }
  std::sort(shown.begin(), shown.end(), [](const auto* a, const auto* b) { return a->margin > b->margin; });
  constexpr std::size_t most = 15;
  for (std::size_t i = 0; i < std::min(most, shown.size()); ++i) {
    const SplitDemand& d = *shown[i];
    std::printf("%7.2f %7.2f %7.2f %15.2f %9.3f %7.3f %17.1f %8.2f %8.2f %10.1f %8.3f\n", d.alpha_l,
                d.alpha_m, d.alpha_p, 1e3 * d.table_stroke, d.table_velocity, d.table_acceleration / 9.80665,
                d.actuator_force, 1e3 * d.actuator_stroke, 6e4 * d.actuator_flow, d.power, d.margin);
  }
  if (shown.size() > most) std::printf("   … and %zu more; --json has them all\n", shown.size() - most);
  const auto count = [&](auto test) { return std::count_if(search.grid.begin(), search.grid.end(), test); };
  std::printf("\n%zu splits tried: %td beyond the equipment, %td unstable, %td good\n", search.grid.size(),
              count([](const SplitDemand& d) { return !d.possible; }),
              count([](const SplitDemand& d) { return d.possible && !d.stable; }),
              count([](const SplitDemand& d) { return d.good(); }));
  describe_one("largest margin", search.best_margin);
  describe_one("least power", search.least_power);
  std::fflush(stdout);
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->experiment.add_to(command);
  command.add_option("--points", options->points, "of the grid, for each coefficient (default 11)")
      ->check(CLI::Range(2, 101));
  command.add_option("--svg", options->svg, "write a map of the margin to this file")->type_name("FILE.svg");
  command.add_flag("--force", options->force, "overwrite existing files");
  return [options] {
    if (!options->svg.empty()) require_writable(options->svg, options->force);
    const Loaded loaded = load(options->experiment);
    if (loaded.document.section("method").text("kind", "") != "shake-table") {
      throw InputError({options->experiment.file, 0, 0},
                       "only a test with method.kind = \"shake-table\" has a split",
                       "start from gusset split shao-split");
    }
    if (!read_capacity(loaded.document.section("capacity")).any()) {
      throw InputError({options->experiment.file, 0, 0},
                       "the file does not say what table and actuators can do",
                       "add [capacity] with e.g. table_stroke = \"100 mm\" and actuator_force = \"9 kN\"");
    }
    SplitOptions how;
    how.points = options->points;
    how.progress = progress_bar("splits");
    const SplitSearch search = search_splits(loaded.document, loaded.test, how);
    if (how.progress) how.progress(1);
    if (!options->svg.empty()) {
      write_atomically(options->svg, to_svg(search, loaded.experiment().title()), options->force);
    }
    if (options->experiment.json) {
      Json grid = Json::array();
      for (const SplitDemand& d : search.grid) grid.push_back(to_json(d));
      print({{"best_margin", to_json(search.best_margin)},
             {"least_power", to_json(search.least_power)},
             {"splits", grid}});
    } else {
      describe(search);
    }
    if (!search.best_margin)
      std::cerr << "gusset: no split is both possible with this equipment and stable\n";
    return search.best_margin ? good : bad;
  };
}

}  // namespace split_private

const Verb split_verb{
    "split", "which share of the load table and actuators can take",
    "Tries alpha_l, alpha_m and alpha_p against [capacity] of the file, with the stability that analyze "
    "finds, "
    "and proposes the split with the largest margin and the one with the least hydraulic power.\n"
    "Exit status 1 if none is possible.\n"
    "Examples: gusset split shao-split --points 3\n"
    "          gusset split shao-split --points 5 --svg split.svg",
    split_private::add};

}  // namespace gusset::app
