#include "analysis/identify.hpp"

#include <cmath>
#include <iostream>
#include <numbers>

#include "common.hpp"
#include "open_run.hpp"
#include "report/plot.hpp"
#include "runs/atomic_file.hpp"
#include "runs/run_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace identify_private {

using std::numbers::pi;

struct Options {
  std::string file, channel, dead_time, out, csv, svg;
  int order = 2, zeros = 0;
  bool json = false, force = false;
};

/// Command and measured displacement of a channel, from the table that holds both.
struct Signals {
  std::string name;
  double dt = 0;
  const std::vector<double>* command = nullptr;
  const std::vector<double>* measured = nullptr;
};

Signals find_signals(const Run& run, const Options& options) {
  std::vector<std::string_view> known;
  for (const Table& table : run.tables) {
    for (const Trace& channel : table.channels) {
      if (!channel.name.ends_with(".command")) continue;
      const std::string_view name = std::string_view(channel.name).substr(0, channel.name.size() - 8);
      known.push_back(name);
      if (!options.channel.empty() && name != options.channel) continue;
      for (const Trace& other : table.channels) {
        if (other.name == std::string(name) + ".measured") {
          return {std::string(name), table.step, &channel.values, &other.values};
        }
      }
    }
  }
  throw InputError(
      {options.file, 0, 0},
      options.channel.empty() ? "the run holds no command with its measured motion"
                              : "the run has no channel " + options.channel,
      known.empty() ? "simulate or run a predefined test first" : "choose one of " + alternatives(known));
}

double seconds(const std::string& text) {
  if (text.empty()) return 0;
  try {
    const Quantity value = parse_quantity(text);
    if (value.dimension == dim::time && value.value >= 0) return value.value;
  } catch (const UnitError&) {
  }
  throw InputError({"--dead-time " + text, 0, 0}, "not a time", "write e.g. --dead-time \"5 ms\"");
}

Json to_json(const Identification& found, const std::string& channel, const std::string& fragment) {
  Json frequency = Json::array();
  Json magnitude = Json::array();
  Json phase = Json::array();
  Json coherence = Json::array();
  for (std::size_t i = 0; i < found.measured.frequency.size(); ++i) {
    if (found.measured.frequency[i] > found.measured.high) break;
    frequency.push_back(found.measured.frequency[i]);
    magnitude.push_back(number(std::abs(found.measured.response[i])));
    phase.push_back(number(std::arg(found.measured.response[i]) * 180 / pi));
    coherence.push_back(number(found.measured.coherence[i]));
  }
  Json poles = Json::array();
  for (std::size_t i = 0; i < found.poles.size(); ++i) {
    poles.push_back({{"real", found.poles[i].real()},
                     {"imaginary", found.poles[i].imag()},
                     {"uncertainty", number(found.uncertainty[i])}});
  }
  return {{"channel", channel},
          {"delay", found.delay},
          {"lag", found.lag},
          {"gain", found.gain},
          {"band", {found.measured.low, found.measured.high}},
          {"fit", found.fit},
          {"poles", poles},
          {"hold", found.hold == Hold::zero_order ? "zero-order" : "first-order"},
          {"polynomial", found.polynomial},
          {"numerator", found.model.numerator()},
          {"denominator", found.model.denominator()},
          {"too_narrow", found.too_narrow},
          {"remarks", found.remarks},
          {"frequency", frequency},
          {"magnitude", magnitude},
          {"phase_deg", phase},
          {"coherence", coherence},
          {"toml", fragment}};
}

void describe(const Identification& found, const std::string& channel) {
  std::printf("channel         %s, command -> measured\n", channel.c_str());
  std::printf("excited band    %.3g to %.3g Hz\n", found.measured.low, found.measured.high);
  std::printf("delay           %.5g ms (slope of the phase)\n", 1e3 * found.delay);
  std::printf("transfer function of order %zu, explains %.4f %% of the motion, gain %.5g\n",
              found.poles.size(), 100 * found.fit, found.gain);
  for (std::size_t i = 0; i < found.poles.size(); ++i) {
    std::printf("   pole %10.4g %+10.4gj rad/s   +- %.2g %%\n", found.poles[i].real(), found.poles[i].imag(),
                100 * found.uncertainty[i]);
  }
  std::printf("lag             %.5g ms at low frequency\n", 1e3 * found.lag);
  std::fflush(stdout);
}

std::string to_csv(const Identification& found) {
  std::string text = "frequency [Hz],magnitude,phase [deg],coherence,model magnitude,model phase [deg]\n";
  char line[200];
  for (std::size_t i = 0; i < found.measured.frequency.size(); ++i) {
    const double f = found.measured.frequency[i];
    const std::complex<double> model = found.model.response(f);
    std::snprintf(line, sizeof line, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", f,
                  std::abs(found.measured.response[i]), std::arg(found.measured.response[i]) * 180 / pi,
                  found.measured.coherence[i], std::abs(model), std::arg(model) * 180 / pi);
    text += line;
  }
  return text;
}

std::string to_svg(const Identification& found, const std::string& title) {
  plot::Figure magnitude;
  plot::Figure phase;
  plot::Figure coherence;
  magnitude.title = title;
  magnitude.y.label = "magnitude [dB]";
  phase.y.label = "phase [deg]";
  coherence.y = {"coherence", false, 0, 1.05};
  coherence.x.label = "frequency [Hz]";
  plot::Series measured[3] = {{"measured", {}, {}, false, false}, {}, {}};
  plot::Series model[2] = {{"model", {}, {}, true, false}, {}};
  model[1].dashed = true;
  for (std::size_t i = 0; i < found.measured.frequency.size(); ++i) {
    const double f = found.measured.frequency[i];
    if (f > found.measured.high) break;
    const std::complex<double> own = found.measured.response[i];
    const std::complex<double> fitted = found.model.response(f);
    const double values[3] = {20 * std::log10(std::abs(own)), std::arg(own) * 180 / pi,
                              found.measured.coherence[i]};
    const double fits[2] = {20 * std::log10(std::abs(fitted)), std::arg(fitted) * 180 / pi};
    for (int k = 0; k < 3; ++k) {
      measured[k].x.push_back(f);
      measured[k].y.push_back(values[k]);
    }
    for (int k = 0; k < 2; ++k) {
      model[k].x.push_back(f);
      model[k].y.push_back(fits[k]);
    }
  }
  magnitude.series = {measured[0], model[0]};
  phase.series = {measured[1], model[1]};
  coherence.series = {measured[2]};
  coherence.height = 200;
  return plot::svg(std::vector<plot::Figure>{magnitude, phase, coherence});
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RUN", options->file, "a run file of a sweep or noise test")->required();
  command.add_option("--channel", options->channel, "which specimen's (default: the first)");
  command.add_option("--order", options->order, "of the fitted transfer function (default 2)")
      ->check(CLI::Range(1, 8));
  command.add_option("--zeros", options->zeros, "of the fitted transfer function, fewer than poles")
      ->check(CLI::Range(0, 7));
  command.add_option("--dead-time", options->dead_time, "pure delay in front of it, e.g. \"5 ms\"");
  command.add_option("--out", options->out, "write the proposed compensators to this file")
      ->type_name("FILE.toml");
  command.add_option("--csv", options->csv, "write the frequency response to this file")
      ->type_name("FILE.csv");
  command.add_option("--svg", options->svg, "write a picture of it to this file")->type_name("FILE.svg");
  command.add_flag("--force", options->force, "overwrite existing files");
  command.add_flag("--json", options->json, "print one JSON object on standard output and nothing else");
  return [options] {
    for (const std::string* path : {&options->out, &options->csv, &options->svg}) {
      if (!path->empty()) require_writable(*path, options->force);
    }
    IdentifyOptions how;
    how.order = options->order;
    how.zeros = options->zeros;
    if (how.zeros >= how.order) {
      throw InputError({"--zeros", 0, 0}, "a rig has fewer zeros than poles",
                       "lower --zeros or raise --order");
    }
    how.dead_time = seconds(options->dead_time);
    const Run run = open_run(options->file);
    const Signals signals = find_signals(run, *options);
    const std::size_t least = 1024 + static_cast<std::size_t>(how.dead_time / signals.dt);
    if (signals.command->size() < least) {
      throw InputError({options->file, 0, 0},
                       "the run has only " + std::to_string(signals.command->size()) +
                           " samples; a frequency response takes " + std::to_string(least),
                       "make a longer run");
    }
    const Identification found = identify(*signals.command, *signals.measured, signals.dt, how);
    const std::string fragment = proposed_compensators(found, signals.dt, run.tables.front().step);
    if (!options->out.empty()) write_atomically(options->out, fragment, options->force);
    if (!options->csv.empty()) write_atomically(options->csv, to_csv(found), options->force);
    if (!options->svg.empty()) write_atomically(options->svg, to_svg(found, run.title), options->force);
    if (options->json) {
      print(to_json(found, signals.name, fragment));
    } else {
      describe(found, signals.name);
      if (options->out.empty()) std::cout << '\n' << fragment;
    }
    for (const std::string& remark : found.remarks) std::cerr << "gusset: " << remark << '\n';
    return found.too_narrow ? bad : good;
  };
}

}  // namespace identify_private

const Verb identify_verb{"identify", "what a rig does, from a sweep or noise run, and compensators for it",
                         "Frequency response with coherence (Welch), delay, a fitted transfer "
                         "function (whatever hold the "
                         "command had is part of it), and parameters for each compensator as a "
                         "piece of an experiment file.\n"
                         "Exit status 1 if the run is too narrow for the order asked.\n"
                         "Examples: gusset simulate chen-2008-inverse --set compensator.alpha=1 "
                         "--set \"trajectory.to=50 Hz\" "
                         "--out sweep.h5\n"
                         "          gusset identify sweep.h5 --order 2 --out compensator.toml",
                         identify_private::add};

}  // namespace gusset::app
