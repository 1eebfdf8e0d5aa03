#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include "analysis/identify.hpp"
#include "analysis/linearize.hpp"
#include "analysis/loop_response.hpp"
#include "analysis/spectrum.hpp"
#include "base/linear_system.hpp"
#include "common.hpp"
#include "open_run.hpp"
#include "report/plot.hpp"
#include "runs/atomic_file.hpp"
#include "runs/run_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace response_private {

using std::numbers::pi;

struct Options {
  ExperimentOptions experiment;
  std::string of = "storey1.displacement", csv, svg;
  double from = 0.1, to = 10;
  int points = 991;
  bool force = false;
};

struct Curve {
  std::string source;  ///< "loop" or "welch"
  std::string unit;
  std::vector<double> frequency, magnitude, phase_deg, coherence, exact;
  std::vector<Peak> peaks, exact_peaks;
  bool stable = true;
};

/// The loop itself, and beside it the whole structure without a test.
Curve from_experiment(const Options& options) {
  const Loaded loaded = load(options.experiment);
  const int floors = loaded.experiment().structure().size();
  const ResponseSignal signal = response_signal(options.of, floors);
  const LoopResponse loop(loaded.experiment());
  const LinearSystem whole = loaded.experiment().whole();
  Curve curve;
  curve.source = "loop";
  curve.unit = signal.unit;
  Linearizer linearizer;
  curve.stable = spectrum(linearizer.matrix(loaded.experiment())).stable;
  for (int i = 0; i < options.points; ++i) {
    const double f = options.from + (options.to - options.from) * i / (options.points - 1);
    const std::complex<double> value = signal.of(loop.at(f));
    curve.frequency.push_back(f);
    curve.magnitude.push_back(std::abs(value));
    curve.phase_deg.push_back(std::arg(value) * 180 / pi);
    curve.exact.push_back(std::abs(signal.of(exact_response(whole, floors, f))));
  }
  curve.peaks = find_peaks(curve.frequency, curve.magnitude, 1.0001);
  curve.exact_peaks = find_peaks(curve.frequency, curve.exact, 1.0001);
  return curve;
}

bool has_channel(const Run& run, const std::string& name) {
  return std::any_of(run.tables.begin(), run.tables.end(), [&](const Table& table) {
    return std::any_of(table.channels.begin(), table.channels.end(),
                       [&](const Trace& channel) { return channel.name == name; });
  });
}

/// "storey2.drift" is the difference of two channels. `prefix` is "reference." for the whole structure's.
std::vector<double> signal_of(const Run& run, const std::string& file, const std::string& name,
                              std::string& unit, double& dt, const std::string& prefix = "") {
  const auto find = [&](const std::string& plain) -> const std::vector<double>& {
    const std::string wanted = prefix + plain;
    for (const Table& table : run.tables) {
      for (const Trace& channel : table.channels) {
        if (channel.name != wanted) continue;
        unit = channel.unit;
        dt = table.step;
        return channel.values;
      }
    }
    throw InputError({file, 0, 0}, "the run has no channel " + wanted,
                     "choose one that it has: gusset export");
  };
  if (!name.ends_with(".drift")) return find(name);
  const std::string floor = name.substr(0, name.size() - 6);
  std::vector<double> own = find(floor + ".displacement");
  const std::string digits = floor.substr(floor.find_last_not_of("0123456789") + 1);
  if (digits.empty() || digits == "1") return own;
  const std::vector<double>& below = find("storey" + std::to_string(std::stoi(digits) - 1) + ".displacement");
  for (std::size_t i = 0; i < own.size(); ++i) own[i] -= below[i];
  return own;
}

Curve from_run(const Options& options) {
  const Run run = open_run(options.experiment.file);
  std::string unit, ground_unit;
  double dt = 0;
  const std::vector<double> ground =
      signal_of(run, options.experiment.file, "ground.acceleration", ground_unit, dt);
  const std::vector<double> own = signal_of(run, options.experiment.file, options.of, unit, dt);
  if (own.size() < 1024) {
    throw InputError({options.experiment.file, 0, 0},
                     "the run has only " + std::to_string(own.size()) + " samples; Welch's method takes 1024",
                     "make a longer run");
  }
  const MeasuredResponse measured = measured_response(ground, own, dt);
  // The same estimator on the whole structure under the same noise, where the run has it.
  const std::string floor = options.of.substr(0, options.of.rfind('.'));
  const bool displacement = options.of.ends_with(".drift") || options.of.ends_with(".displacement");
  MeasuredResponse whole;
  if (displacement && has_channel(run, "reference." + floor + ".displacement")) {
    whole = measured_response(
        ground, signal_of(run, options.experiment.file, options.of, unit, dt, "reference."), dt);
  }
  Curve curve;
  curve.source = "welch";
  curve.unit = unit;
  for (std::size_t i = 0; i < measured.frequency.size(); ++i) {
    const double f = measured.frequency[i];
    if (f < options.from || f > options.to || f < measured.low || f > measured.high) continue;
    curve.frequency.push_back(f);
    curve.magnitude.push_back(std::abs(measured.response[i]));
    curve.phase_deg.push_back(std::arg(measured.response[i]) * 180 / pi);
    curve.coherence.push_back(measured.coherence[i]);
    if (!whole.response.empty()) curve.exact.push_back(std::abs(whole.response[i]));
  }
  curve.peaks = find_peaks(curve.frequency, curve.magnitude, 1.02);
  curve.exact_peaks = find_peaks(curve.frequency, curve.exact, 1.02);
  return curve;
}

std::string to_csv(const Curve& curve) {
  std::string text = "frequency [Hz],magnitude [" + curve.unit + "/(m/s^2)],phase [deg]";
  if (!curve.coherence.empty()) text += ",coherence";
  if (!curve.exact.empty()) text += ",exact magnitude";
  text += "\n";
  char number[32];
  const std::vector<double>* columns[] = {&curve.frequency, &curve.magnitude, &curve.phase_deg,
                                          &curve.coherence, &curve.exact};
  for (std::size_t i = 0; i < curve.frequency.size(); ++i) {
    for (const std::vector<double>* column : columns) {
      if (column->empty()) continue;
      std::snprintf(number, sizeof number, column == columns[0] ? "%.9g" : ",%.9g", (*column)[i]);
      text += number;
    }
    text += "\n";
  }
  return text;
}

std::string to_svg(const Curve& curve, const std::string& of) {
  plot::Figure figure;
  figure.title = of + " to the ground's acceleration";
  figure.x.label = "frequency [Hz]";
  figure.y.label = "magnitude [" + curve.unit + "/(m/s^2)]";
  figure.series.push_back(
      {curve.source == "loop" ? "test" : "Welch's estimate", curve.frequency, curve.magnitude, false, false});
  if (!curve.exact.empty()) {
    figure.series.push_back({"whole structure", curve.frequency, curve.exact, true, false});
  }
  return plot::svg(std::vector<plot::Figure>{figure});
}

void describe(const Curve& curve, const std::string& of) {
  std::printf("%s / ground.acceleration, %s\n\npeaks\n", of.c_str(),
              curve.source == "loop" ? "from the linearised loop" : "Welch's estimate from the run");
  const auto list = [&](const std::vector<Peak>& peaks) {
    for (const Peak& peak : peaks) {
      std::printf("  %8.4f Hz   %.5g %s/(m/s^2)\n", peak.frequency, peak.magnitude, curve.unit.c_str());
    }
    if (peaks.empty()) std::printf("  none\n");
  };
  list(curve.peaks);
  if (!curve.exact.empty()) {
    std::printf("\npeaks of the whole structure%s\n",
                curve.source == "loop" ? "" : ", estimated in the same way");
    list(curve.exact_peaks);
  }
  std::fflush(stdout);
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->experiment.add_to(command);
  command.add_option(
      "--of", options->of,
      "storey1.displacement, .velocity, .acceleration or .drift (relative to the floor below)");
  command.add_option("--from", options->from, "lowest frequency [Hz] (default 0.1)")
      ->check(CLI::PositiveNumber);
  command.add_option("--to", options->to, "highest frequency [Hz] (default 10)")->check(CLI::PositiveNumber);
  command.add_option("--points", options->points, "how many frequencies (default 991)")
      ->check(CLI::Range(3, 100000));
  command.add_option("--csv", options->csv, "write the numbers to this file")->type_name("FILE.csv");
  command.add_option("--svg", options->svg, "write a picture to this file")->type_name("FILE.svg");
  command.add_flag("--force", options->force, "overwrite existing files");
  return [options] {
    for (const std::string* path : {&options->csv, &options->svg}) {
      if (!path->empty()) require_writable(*path, options->force);
    }
    if (!(options->to > options->from)) {
      throw InputError({"--from, --to", 0, 0}, "the range of frequencies is empty",
                       "write e.g. --from 0.1 --to 10");
    }
    const bool run = options->experiment.file.ends_with(".h5");
    const Curve curve = run ? from_run(*options) : from_experiment(*options);
    if (!options->csv.empty()) write_atomically(options->csv, to_csv(curve), options->force);
    if (!options->svg.empty()) write_atomically(options->svg, to_svg(curve, options->of), options->force);
    if (!curve.stable) {
      std::cerr << "gusset: the loop is unstable, and no test will show this response; see gusset analyze\n";
    }
    if (!options->experiment.json) {
      describe(curve, options->of);
      return curve.stable ? good : bad;
    }
    const auto listed = [](const std::vector<Peak>& all) {
      Json peaks = Json::array();
      for (const Peak& peak : all)
        peaks.push_back({{"frequency", peak.frequency}, {"magnitude", peak.magnitude}});
      return peaks;
    };
    Json json = {{"of", options->of},
                 {"source", curve.source},
                 {"unit", curve.unit + "/(m/s^2)"},
                 {"peaks", listed(curve.peaks)},
                 {"frequency", curve.frequency},
                 {"magnitude", curve.magnitude},
                 {"phase_deg", curve.phase_deg}};
    if (!curve.coherence.empty()) json["coherence"] = curve.coherence;
    if (curve.source == "loop") json["stable"] = curve.stable;
    if (!curve.exact.empty()) {
      json["exact"] = curve.exact;
      json["exact_peaks"] = listed(curve.exact_peaks);
    }
    print(json);
    return curve.stable ? good : bad;
  };
}

}  // namespace response_private

const Verb response_verb{
    "response", "transfer function from the ground to a floor, of the test itself or from a run",
    "From an experiment: the whole loop linearised, rig and compensator included, beside the structure "
    "without a test. From a run file (.h5) of a noise test: Welch's estimate with coherence, "
    "beside the same estimate of the whole structure. Lists the peaks.\n"
    "Exit status 1 if the loop is unstable.\n"
    "Examples: gusset response shao-three-storey --of storey2.drift\n"
    "          gusset simulate shao-noise --out noise.h5\n"
    "          gusset response noise.h5 --of storey2.drift --svg response.svg",
    response_private::add};

}  // namespace gusset::app
