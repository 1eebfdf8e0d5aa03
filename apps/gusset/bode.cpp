#include <cmath>
#include <iostream>
#include <numbers>

#include "analysis/frequency_response.hpp"
#include "analysis/spectrum.hpp"
#include "common.hpp"
#include "report/plot.hpp"
#include "runs/atomic_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace bode_private {

struct Options {
  ExperimentOptions experiment;
  std::vector<double> frequencies;
  double from = 0.1, to = 0;
  int points = 200;
  int channel = 1;
  std::string csv, svg;
  bool force = false;
};

/// Magnitudes and phases; the phase runs on from frequency to frequency instead of jumping by 360°.
struct Curve {
  std::vector<double> magnitude, phase_deg;

  void add(std::complex<double> value) {
    magnitude.push_back(std::abs(value));
    double phase = std::arg(value) * 180 / std::numbers::pi;
    if (!phase_deg.empty()) phase -= 360 * std::round((phase - phase_deg.back()) / 360);
    phase_deg.push_back(phase);
  }
};

struct Bode {
  std::vector<double> frequency;
  Curve compensator, plant, combined;
};

std::vector<double> grid(const Options& options, double nyquist) {
  if (!options.frequencies.empty()) return options.frequencies;
  const double to = options.to > 0 ? options.to : nyquist;
  if (!(options.from > 0) || !(to > options.from)) {
    throw InputError({"--from, --to", 0, 0}, "the range of frequencies is empty",
                     "write e.g. --from 0.1 --to 10 --points 100");
  }
  std::vector<double> values;
  for (int i = 0; i < options.points; ++i) {
    const double share = options.points > 1 ? i / (options.points - 1.0) : 0;
    values.push_back(options.from * std::pow(to / options.from, share));
  }
  return values;
}

Json to_json(const Curve& curve) {
  Json magnitude = Json::array();
  Json phase = Json::array();
  for (std::size_t i = 0; i < curve.magnitude.size(); ++i) {
    magnitude.push_back(number(curve.magnitude[i]));
    phase.push_back(number(curve.phase_deg[i]));
  }
  return {{"magnitude", magnitude}, {"phase_deg", phase}};
}

std::string to_csv(const Bode& bode) {
  std::string text =
      "frequency [Hz],compensator magnitude,compensator phase [deg],plant magnitude,plant phase "
      "[deg],combined magnitude,combined phase [deg]\n";
  char line[256];
  for (std::size_t i = 0; i < bode.frequency.size(); ++i) {
    std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", bode.frequency[i],
                  bode.compensator.magnitude[i], bode.compensator.phase_deg[i], bode.plant.magnitude[i],
                  bode.plant.phase_deg[i], bode.combined.magnitude[i], bode.combined.phase_deg[i]);
    text += line;
  }
  return text;
}

std::string to_svg(const Bode& bode, const std::string& title) {
  plot::Figure magnitude;
  plot::Figure phase;
  magnitude.title = title;
  magnitude.x = {"", true, 0, 0};
  magnitude.y = {"magnitude [dB]", false, 0, 0};
  phase.x = {"frequency [Hz]", true, 0, 0};
  phase.y = {"phase [deg]", false, 0, 0};
  const auto draw = [&](const char* name, const Curve& curve, bool dashed) {
    std::vector<double> decibel;
    for (const double m : curve.magnitude) decibel.push_back(20 * std::log10(m));
    magnitude.series.push_back({name, bode.frequency, decibel, dashed, false});
    phase.series.push_back({name, bode.frequency, curve.phase_deg, dashed, false});
  };
  draw("compensator", bode.compensator, false);
  draw("plant", bode.plant, true);
  draw("both", bode.combined, false);
  return plot::svg(std::vector<plot::Figure>{magnitude, phase});
}

void describe(const Experiment& experiment, const Bode& bode) {
  std::cout << experiment.title() << "\n\n"
            << "                  compensator              plant                both\n"
               "  f [Hz]        |G|   phase [deg]     |G|   phase [deg]     |G|   phase [deg]\n";
  for (std::size_t i = 0; i < bode.frequency.size(); ++i) {
    std::printf("%8.4g   %8.4f  %+10.3f   %8.4f  %+10.3f   %8.4f  %+10.3f\n", bode.frequency[i],
                bode.compensator.magnitude[i], bode.compensator.phase_deg[i], bode.plant.magnitude[i],
                bode.plant.phase_deg[i], bode.combined.magnitude[i], bode.combined.phase_deg[i]);
  }
  std::fflush(stdout);
}

std::size_t channel_of(const Experiment& experiment, int wanted) {
  const std::size_t count = experiment.channels().size();
  if (wanted < 1 || static_cast<std::size_t>(wanted) > count) {
    throw InputError({"--channel", 0, 0},
                     "there is no channel " + std::to_string(wanted) + ": the experiment has " +
                         std::to_string(count) + " channels",
                     count == 0 ? "add a [specimen]" : "choose one of them, counted from 1");
  }
  return static_cast<std::size_t>(wanted) - 1;
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->experiment.add_to(command);
  command.add_option("--frequencies", options->frequencies, "in Hz, e.g. 1,3.5,5")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber);
  command.add_option("--from", options->from, "lowest frequency [Hz] (default 0.1)");
  command.add_option("--to", options->to, "highest frequency [Hz] (default: the Nyquist frequency)");
  command.add_option("--points", options->points, "how many, evenly spaced on a logarithmic axis")
      ->check(CLI::Range(1, 100000));
  command.add_option("--channel", options->channel, "which specimen's, from 1");
  command.add_option("--csv", options->csv, "write the numbers to this file")->type_name("FILE.csv");
  command.add_option("--svg", options->svg, "write a Bode diagram to this file")->type_name("FILE.svg");
  command.add_flag("--force", options->force, "overwrite existing files");
  return [options] {
    for (const std::string* path : {&options->csv, &options->svg}) {
      if (!path->empty()) require_writable(*path, options->force);
    }
    const Loaded loaded = load(options->experiment);
    const Experiment& experiment = loaded.experiment();
    const std::size_t channel = channel_of(experiment, options->channel);
    const ChannelSystems systems = channel_systems(experiment, channel);
    Bode bode;
    bode.frequency = grid(*options, 0.5 / (systems.per_step ? experiment.dt() : experiment.rig_dt()));
    for (const double frequency : bode.frequency) {
      const BlockResponse response = frequency_response(systems, frequency);
      bode.compensator.add(response.compensator);
      bode.plant.add(response.plant);
      bode.combined.add(response.combined);
    }
    if (const Spectrum own = spectrum(systems.plant.a); !own.stable) {
      std::cerr << "warning: the rig by itself is unstable (spectral radius " << brief(own.radius)
                << "): its response below is what its equations say, not what it would do\n";
    }
    if (!options->csv.empty()) write_atomically(options->csv, to_csv(bode), options->force);
    if (!options->svg.empty()) {
      write_atomically(options->svg, to_svg(bode, experiment.title()), options->force);
    }
    if (options->experiment.json) {
      print({{"frequency", bode.frequency},
             {"compensator", to_json(bode.compensator)},
             {"plant", to_json(bode.plant)},
             {"combined", to_json(bode.combined)}});
    } else {
      describe(experiment, bode);
    }
    return good;
  };
}

}  // namespace bode_private

const Verb bode_verb{
    "bode", "frequency response of compensator, rig and both in series",
    "Perturbs the very blocks that a test runs. Phases are in degrees, positive where the output "
    "leads.\n"
    "Examples: gusset bode chen-2008-inverse --frequencies 1,3.5,5\n"
    "          gusset bode chen-2008-inverse --from 0.1 --to 20 --points 300 --svg bode.svg",
    bode_private::add};

}  // namespace gusset::app
