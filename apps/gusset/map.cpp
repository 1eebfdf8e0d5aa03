#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>

#include "analysis/parameter_map.hpp"
#include "common.hpp"
#include "report/plot.hpp"
#include "runs/atomic_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace map_private {

struct Options {
  ExperimentOptions experiment;
  std::string x, y, csv, svg;
  int threads = 0;
  bool force = false;
};

std::string label_of(const MapAxis& axis) {
  return axis.unit.empty() ? axis.key : axis.key + " [" + axis.unit + "]";
}

std::string to_csv(const ParameterMap& map) {
  std::string text = label_of(map.x) + "," + label_of(map.y) + ",spectral_radius\n";
  char line[96];
  for (int row = 0; row < map.y.count; ++row) {
    for (int column = 0; column < map.x.count; ++column) {
      const double radius = map.radius[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.x.count) +
                                       static_cast<std::size_t>(column)];
      std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g\n", map.x.at(column) / map.x.unit_factor,
                    map.y.at(row) / map.y.unit_factor, radius);
      text += line;
    }
  }
  return text;
}

/// The file's own value of a key, in the axis' unit; nothing if the file does not have it.
std::optional<double> own_value(const Document& document, const MapAxis& axis) {
  const Value* value = document.find(axis.key);
  if (value == nullptr || (value->kind != Value::Kind::number && value->kind != Value::Kind::quantity)) {
    return std::nullopt;
  }
  return value->number / axis.unit_factor;
}

std::string to_svg(const Document& document, const ParameterMap& map, const std::string& title) {
  plot::Map picture;
  picture.title = title;
  picture.x = {label_of(map.x), false, map.x.low / map.x.unit_factor, map.x.high / map.x.unit_factor};
  picture.y = {label_of(map.y), false, map.y.low / map.y.unit_factor, map.y.high / map.y.unit_factor};
  picture.columns = static_cast<std::size_t>(map.x.count);
  picture.rows = static_cast<std::size_t>(map.y.count);
  picture.values = map.radius;
  picture.value_label = "spectral radius";
  picture.contour = 1;
  const std::optional<double> x = own_value(document, map.x);
  const std::optional<double> y = own_value(document, map.y);
  if (x && y && *x >= picture.x.low && *x <= picture.x.high && *y >= picture.y.low && *y <= picture.y.high) {
    picture.has_point = true;
    picture.point_x = *x;
    picture.point_y = *y;
    picture.point_label = "this test";
  }
  return plot::svg(picture);
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->experiment.add_to(command);
  command.add_option("--x", options->x, "first parameter, key=lo:hi:n")->required();
  command.add_option("--y", options->y, "second parameter, key=lo:hi:n")->required();
  command.add_option("--csv", options->csv, "write the numbers to this file")->type_name("FILE.csv");
  command.add_option("--svg", options->svg, "write a picture to this file")->type_name("FILE.svg");
  command.add_option("--threads", options->threads, "how many (default: all cores)")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--force", options->force, "overwrite existing files");
  return [options] {
    const MapAxis x = parse_map_axis(options->x);
    const MapAxis y = parse_map_axis(options->y);
    for (const std::string* path : {&options->csv, &options->svg}) {
      if (!path->empty()) require_writable(*path, options->force);
    }
    const Loaded loaded = load(options->experiment);
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int threads = options->threads > 0 ? options->threads : cores;
    const ParameterMap map = parameter_map(loaded.document, x, y, threads, progress_bar("mapping"));

    const std::string csv = to_csv(map);
    if (!options->csv.empty()) write_atomically(options->csv, csv, options->force);
    if (!options->svg.empty()) {
      write_atomically(options->svg, to_svg(loaded.document, map, loaded.experiment().title()),
                       options->force);
    }
    const auto stable =
        std::count_if(map.radius.begin(), map.radius.end(), [](double radius) { return radius <= 1 + 1e-9; });
    const auto blank =
        std::count_if(map.radius.begin(), map.radius.end(), [](double radius) { return std::isnan(radius); });
    if (options->experiment.json) {
      Json radius = Json::array();
      for (int row = 0; row < y.count; ++row) {
        Json line = Json::array();
        for (int column = 0; column < x.count; ++column) {
          line.push_back(number(map.radius[static_cast<std::size_t>(row) * static_cast<std::size_t>(x.count) +
                                           static_cast<std::size_t>(column)]));
        }
        radius.push_back(line);
      }
      const auto axis = [](const MapAxis& a) {
        Json values = Json::array();
        for (int i = 0; i < a.count; ++i) values.push_back(a.at(i));
        return Json{{"key", a.key}, {"values", values}};
      };
      print({{"x", axis(x)},
             {"y", axis(y)},
             {"spectral_radius", radius},
             {"stable_points", stable},
             {"blank_points", blank}});
    } else if (options->csv.empty() && options->svg.empty()) {
      std::cout << csv;
    } else {
      std::cout << stable << " of " << map.radius.size() << " points are stable";
      if (blank > 0) std::cout << "; " << blank << " describe no possible test and are left blank";
      std::cout << '\n';
    }
    return good;
  };
}

}  // namespace map_private

const Verb map_verb{
    "map", "spectral radius over two parameters, as CSV or as a picture",
    "Any two numeric keys of the experiment file; ranges carry units as in the file. The picture "
    "shows the contour of radius 1 and the experiment's own point. Values in --json are SI.\n"
    "Examples: gusset map wu-pure-inertia --x specimen.mass_ratio=0.05:1.2:60 \\\n"
    "              --y \"integrator.dt=10 ms:350 ms:60\" --svg map.svg",
    map_private::add};

}  // namespace gusset::app
