#include "runs/compare_runs.hpp"

#include <algorithm>
#include <iostream>

#include "common.hpp"
#include "open_run.hpp"
#include "report/plot.hpp"
#include "runs/atomic_file.hpp"
#include "runs/run_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace compare_private {

struct Options {
  std::string a, b, svg;
  std::vector<std::string> channels;
  Tolerance tolerance;
  bool force = false, json = false;
};

/// Only the channels asked for, of every table that has them. Unless asked for, not how the loop kept time
/// and how the rig was led to the start and back: that is of a run, not of the test.
Run only(Run run, const std::vector<std::string>& channels, const std::string& name) {
  if (channels.empty()) {
    std::erase_if(run.tables, [](const Table& table) {
      return table.name == "realtime" || table.name == "approach" || table.name == "retreat";
    });
    return run;
  }
  std::vector<bool> found(channels.size());
  std::vector<std::string> known;
  for (Table& table : run.tables) {
    std::erase_if(table.channels, [&](const Trace& channel) {
      known.push_back(channel.name);
      for (std::size_t i = 0; i < channels.size(); ++i) {
        if (channel.name != channels[i]) continue;
        found[i] = true;
        return false;
      }
      return true;
    });
  }
  std::erase_if(run.tables, [](const Table& table) { return table.channels.empty(); });
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (found[i]) continue;
    const std::string_view close =
        nearest(channels[i], std::vector<std::string_view>(known.begin(), known.end()));
    throw InputError({"--channel", 0, 0}, name + " has no channel \"" + channels[i] + "\"",
                     close.empty() ? "gusset export " + name + " shows the names in its first line"
                                   : "did you mean " + std::string(close) + "?");
  }
  return run;
}

/// One panel a channel, those that differ most first, both runs in each.
std::string overlay(const Run& a, const Run& b, const RunComparison& comparison, const Options& options) {
  std::vector<ChannelComparison> worst = comparison.channels;
  std::erase_if(worst, [](const ChannelComparison& c) { return c.peak == 0 && c.difference == 0; });
  std::stable_sort(worst.begin(), worst.end(), [](const auto& x, const auto& y) {
    return x.difference * std::max(y.peak, y.difference) > y.difference * std::max(x.peak, x.difference);
  });
  constexpr std::size_t most = 6;
  if (worst.size() > most) worst.resize(most);
  std::vector<plot::Figure> figures;
  const auto series = [](const Run& run, const ChannelComparison& c, const std::string& name, double factor,
                         bool dashed) {
    plot::Series line{name, {}, {}, dashed, false};
    for (const Table& table : run.tables) {
      if (table.name != c.table) continue;
      for (const Trace& channel : table.channels) {
        if (channel.name != c.channel) continue;
        for (std::size_t i = 0; i < channel.values.size(); ++i) {
          line.x.push_back(table.start + table.step * static_cast<double>(i));
          line.y.push_back(channel.values[i] * factor);
        }
      }
    }
    return line;
  };
  for (const ChannelComparison& c : worst) {
    const ShownUnit unit = shown_unit(c.unit, c.peak);
    plot::Figure figure;
    if (figures.empty()) figure.title = a.title == b.title ? a.title : a.title + " / " + b.title;
    figure.height = figures.empty() ? 300 : 230;
    figure.y.label = c.channel + " [" + typeset(unit.unit) + "]";
    if (&c == &worst.back()) figure.x.label = "time [s]";
    figure.series = {series(a, c, options.a, unit.factor, false), series(b, c, options.b, unit.factor, true)};
    figures.push_back(figure);
  }
  return plot::svg(figures);
}

void describe(const RunComparison& comparison) {
  std::puts("                                      largest   at time                           ");
  std::puts("  channel                          difference       [s]      of peak       NRMSE  ");
  for (const ChannelComparison& c : comparison.channels) {
    std::printf("%s %-30s %12s  %8.4g  %11.3g  %10.3g%s\n", c.agrees ? " " : "!", c.channel.c_str(),
                readable(c.difference, c.unit).c_str(), c.time, c.difference == 0 ? 0 : c.difference / c.peak,
                c.nrmse, c.gaps ? "  samples missing in one of them" : "");
  }
  for (const std::string& difference : comparison.differences) std::puts(("! " + difference).c_str());
  const auto apart = std::count_if(comparison.channels.begin(), comparison.channels.end(),
                                   [](const ChannelComparison& c) { return !c.agrees; });
  std::printf("\n%zu channels compared, %td outside the tolerance: %s\n", comparison.channels.size(), apart,
              comparison.agrees() ? "they agree" : "they DIFFER");
  std::fflush(stdout);
}

Json to_json(const RunComparison& comparison, const Options& options) {
  Json channels = Json::array();
  for (const ChannelComparison& c : comparison.channels) {
    channels.push_back({{"table", c.table},
                        {"channel", c.channel},
                        {"unit", c.unit},
                        {"samples", c.samples},
                        {"peak", number(c.peak)},
                        {"difference", number(c.difference)},
                        {"time", c.time},
                        {"nrmse", number(c.nrmse)},
                        {"allowed", number(c.allowed)},
                        {"gaps", c.gaps},
                        {"agrees", c.agrees}});
  }
  return {{"a", options.a},
          {"b", options.b},
          {"rtol", options.tolerance.relative},
          {"atol", options.tolerance.absolute},
          {"agrees", comparison.agrees()},
          {"channels", channels},
          {"differences", comparison.differences}};
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("A", options->a, "a run file")->required();
  command.add_option("B", options->b, "the run file to compare with it")->required();
  command
      .add_option("--rtol", options->tolerance.relative,
                  "allowed difference over the channel's peak in A (default 1e-6)")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--atol", options->tolerance.absolute,
                  "allowed difference in the channel's SI unit, added to it (default 0)")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--channel", options->channels, "only this channel; may be given again")
      ->allow_extra_args(false);
  command
      .add_option("--svg", options->svg, "draw both runs over each other: the six channels that differ most")
      ->type_name("FILE.svg");
  command.add_flag("--force", options->force, "overwrite an existing file");
  command.add_flag("--json", options->json, "print one JSON object on standard output and nothing else");
  return [options] {
    if (!options->svg.empty()) require_writable(options->svg, options->force);
    const Run a = only(open_run(options->a), options->channels, options->a);
    const Run b = only(open_run(options->b), options->channels, options->b);
    const RunComparison comparison = compare_runs(a, b, options->tolerance, options->a, options->b);
    if (!options->svg.empty()) {
      write_atomically(options->svg, overlay(a, b, comparison, *options), options->force);
    }
    if (options->json) {
      print(to_json(comparison, *options));
    } else {
      describe(comparison);
    }
    return comparison.agrees() ? good : bad;
  };
}

}  // namespace compare_private

const Verb compare_verb{
    "compare", "two run files, channel by channel, within tolerances",
    "A channel agrees if no sample differs by more than ATOL + RTOL times the largest magnitude of "
    "the channel in A. Runs with different steps are refused: nothing is resampled.\n"
    "Exit status 1 if a channel differs by more, or one of the runs has channels or samples that "
    "the other lacks.\n"
    "Examples: gusset compare run.h5 other.h5\n"
    "          gusset compare run.h5 other.h5 --rtol 0.01 --channel storey1.displacement --svg both.svg",
    compare_private::add};

}  // namespace gusset::app
