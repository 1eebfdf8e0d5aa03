#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <sstream>

#include "analysis/needs.hpp"
#include "check_loop.hpp"
#include "common.hpp"
#include "modes_text.hpp"
#include "realtime/ways.hpp"
#include "session/answers.hpp"
#include "session/checklist.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace check_private {

struct Options {
  ExperimentOptions experiment;
  LoopOptions loop;
  bool layout = false, checklist = false;
};

Json layout_json(const Layout& layout) {
  Json fields = Json::array();
  for (const Layout::Field& field : layout.fields()) {
    fields.push_back({{"name", field.owner + "." + field.name},
                      {"offset", field.segment.offset},
                      {"size", field.segment.size},
                      {"unit", field.unit},
                      {"scale", field.scale},
                      {"kind", field.kind == Layout::Kind::signal ? "signal" : "parameter"}});
  }
  for (const Layout::BranchField& field : layout.branches()) {
    fields.push_back(
        {{"name", field.owner + "." + field.name}, {"offset", field.index}, {"size", 1}, {"kind", "branch"}});
  }
  return fields;
}

Json ways_json(const std::vector<TravelReview>& ways) {
  Json list = Json::array();
  for (const TravelReview& way : ways) {
    list.push_back({{"channel", way.channel},
                    {"way", way.back ? "back" : "approach"},
                    {"unit", way.unit},
                    {"distance", number(way.distance)},
                    {"asked", way.asked},
                    {"takes", number(way.takes)},
                    {"velocity", number(way.velocity)},
                    {"acceleration", number(way.acceleration)}});
  }
  return list;
}

/// Ratios asked for beside those that the modes have; viscous forces of storeys that yield.
Json damping_json(const Review& review) {
  Json modes = Json::array();
  for (const ModeDamping& mode : review.damping) {
    modes.push_back({{"mode", mode.mode},
                     {"asked", mode.asked},
                     {"ratio", mode.held ? number(mode.ratio) : Json(nullptr)},
                     {"met", mode.met()}});
  }
  Json forces = Json::array();
  for (const ViscousForce& force : review.viscous) {
    forces.push_back({{"name", force.name},
                      {"storey", force.storey},
                      {"force", number(force.force)},
                      {"yield_force", force.yield_force},
                      {"share", number(force.share())}});
  }
  return {{"modes", modes}, {"viscous", forces}};
}

Json to_json(const Loaded& loaded, const Review& review, const std::vector<TravelReview>& ways) {
  const Experiment& experiment = loaded.experiment();
  Json periods = Json::array();
  for (const double omega : review.whole_frequencies) {
    periods.push_back(number(2 * std::numbers::pi / omega));
  }
  Json modes = Json::array();
  for (std::size_t k = 0; k < review.whole_frequencies.size(); ++k) {
    const double omega = review.whole_frequencies[k];
    modes.push_back({{"frequency", number(omega / (2 * std::numbers::pi))},
                     {"period", number(2 * std::numbers::pi / omega)},
                     {"damping", number(review.damping_ratios[k])},
                     {"shape", review.shapes[k]}});
  }
  Json channels = Json::array();
  for (const ChannelReview& channel : review.channels) {
    Json needs = Json::array();
    for (const Need& need : channel.needs) {
      needs.push_back({{"quantity", need.quantity},
                       {"unit", need.unit},
                       {"needed", number(need.needed)},
                       {"available", number(need.available())},
                       {"limit", number(need.limit)},
                       {"rig", number(need.rig)},
                       {"margin", number(need.margin())},
                       {"without_noise", number(need.without_noise)},
                       {"enough", need.enough()}});
    }
    channels.push_back(
        {{"name", channel.name}, {"mass_ratio", number(channel.mass_ratio)}, {"needs", needs}});
  }
  return {{"title", experiment.title()},
          {"file", loaded.document.name()},
          {"dt", experiment.dt()},
          {"rig_dt", experiment.rig_dt()},
          {"substeps", experiment.substeps()},
          {"duration", loaded.test.duration},
          {"steps", loaded.test.steps},
          {"storeys", experiment.structure().size()},
          {"reference_frequency", experiment.reference_frequency() / (2 * std::numbers::pi)},
          {"periods", periods},
          {"modes", modes},
          {"whole_modes", modes_json(review.table)},
          {"over_damped", review.table.decays},
          {"spectral_radius", number(review.spectral_radius)},
          {"spectral_radius_resolution", number(review.radius_resolution)},
          {"stable", review.stable},
          {"damping", damping_json(review)},
          {"stability", gusset::to_json(review.stability)},
          {"channels", channels},
          {"state_size", experiment.layout().size()},
          {"passed", passed_json(review.passed, experiment)},
          {"ways", ways_json(ways)},
          {"runaway", runaway_json(review.runaway)},
          {"numerical", review.numerical},
          {"warnings", review.warnings},
          {"ok", review.ok()}};
}

void describe_ways(const std::vector<TravelReview>& ways) {
  for (const TravelReview& way : ways) {
    std::printf(
        "%-11s %s: %s %s in %s%s, at most %s\n", way.back ? "way back" : "approach", way.channel.c_str(),
        way.back ? "from" : "to", readable(way.distance, way.unit).c_str(), readable(way.takes, "s").c_str(),
        way.slowed() ? (" (" + readable(way.asked, "s") + " asked, slowed to half of the limits)").c_str()
                     : "",
        readable(way.velocity, way.unit + "/s").c_str());
  }
}

void describe_damping(const Review& review) {
  constexpr std::size_t shown = 6;
  if (review.damping.empty()) return;
  std::fputs("damping     ", stdout);
  for (std::size_t i = 0; i < review.damping.size() && i < shown; ++i) {
    const ModeDamping& mode = review.damping[i];
    std::printf("%s%.4g %% in mode %d", i > 0 ? ", " : "", 100 * mode.ratio, mode.mode);
    if (!mode.met()) std::printf(" (asked for: %.4g %%)", 100 * mode.asked);
  }
  std::printf("%s of the numerical part\n", review.damping.size() > shown ? ", …" : "");
}

void describe_structure(const Experiment& experiment, const Review& review) {
  std::cout << "structure   " << experiment.structure().size()
            << (experiment.structure().size() == 1 ? " storey" : " storeys") << ", "
            << review.degrees_of_freedom << " degrees of freedom with the specimens\n"
            << "periods     ";
  for (std::size_t i = 0; i < review.whole_frequencies.size() && i < 6; ++i) {
    std::cout << (i > 0 ? ", " : "") << readable(2 * std::numbers::pi / review.whole_frequencies[i], "s");
  }
  std::cout << (review.whole_frequencies.size() > 6 ? ", …" : "") << " (whole structure)\n" << std::flush;
  std::cout << '\n' << std::flush;
  print_modes(review.table, review.radius_resolution > 0);
  std::puts("");
  describe_damping(review);
}

/// " through compensator ats", where the channel has one.
std::string through_compensator(const Document& document, std::size_t channel) {
  const std::vector<const Section*> sections = document.sections("compensator");
  if (sections.empty()) return "";
  const Section& section = *sections[std::min(channel, sections.size() - 1)];
  const std::string kind = section.text("kind", "none");
  return kind == "none" ? "" : " through compensator " + kind;
}

void describe(const Loaded& loaded, const Review& review, const std::vector<TravelReview>& ways) {
  const Experiment& experiment = loaded.experiment();
  std::cout << experiment.title() << "\n\n"
            << "time        " << loaded.test.steps << " steps of " << readable(experiment.dt(), "s") << ", "
            << readable(loaded.test.duration, "s") << " in all; rig at " << readable(experiment.rig_dt(), "s")
            << " (" << experiment.substeps() << (experiment.substeps() == 1 ? " sub-step" : " sub-steps")
            << " a step)\n";
  if (experiment.structure().size() == 0) {
    std::cout << "structure   none: the motion is predefined\n";
  } else {
    describe_structure(experiment, review);
  }
  std::printf("stability   spectral radius %.6f%s: %s", review.spectral_radius,
              review.stability.affine ? "" : " at rest", review.stability.sentence.c_str());
  if (review.radius_resolution > 0) {
    std::printf(" (from growth over many steps; less than %.0e a step cannot be told)",
                review.radius_resolution);
  }
  std::puts("");
  std::cout << "state       " << experiment.layout().size() << " entries (--layout shows them)\n";
  for (std::size_t channel_number = 0; channel_number < review.channels.size(); ++channel_number) {
    const ChannelReview& channel = review.channels[channel_number];
    std::cout << "\n" << channel.name;
    if (channel.mass_ratio > 0) std::cout << "  (mass ratio " << brief(channel.mass_ratio) << ")";
    std::cout << "\n   quantity        needed         limit          rig            margin\n";
    for (const Need& need : channel.needs) {
      const auto or_dash = [&](const std::optional<double>& value) {
        return value ? readable(*value, need.unit) : std::string("-");
      };
      std::printf("   %-14s  %-13s  %-13s  %-13s  ", need.quantity.c_str(),
                  readable(need.needed, need.unit).c_str(), or_dash(need.limit).c_str(),
                  or_dash(need.rig).c_str());
      if (const std::optional<double> margin = need.margin()) {
        std::printf("%+.0f %%%s\n", 100 * *margin, need.enough() ? "" : "  NOT ENOUGH");
      } else {
        std::printf("%s\n", need.available() ? "" : "none given");
      }
      if (need.without_noise) {
        std::printf("   %-14s  of which %s is sensor noise%s\n", "",
                    readable(need.needed - *need.without_noise, need.unit).c_str(),
                    through_compensator(loaded.document, channel_number).c_str());
      }
    }
  }
  if (!ways.empty()) std::puts("");
  describe_ways(ways);
  if (review.passed) std::printf("\nlimit       %s\n", passed_text(*review.passed, experiment).c_str());
  std::fflush(stdout);
  for (const std::string& warning : review.warnings) std::cerr << "warning: " << warning << '\n';
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->experiment.add_to(command);
  command.add_flag("--layout", options->layout, "print the layout of the state and nothing else");
  command.add_flag("--checklist", options->checklist,
                   "print what people have to look at before the rig moves");
  options->loop.add_to(command);
  return [options] {
    if (options->loop.loop) return show_loop(options->loop, options->experiment);
    const Loaded loaded = load(options->experiment);
    if (options->layout) {
      if (options->experiment.json) {
        print({{"layout", layout_json(loaded.experiment().layout())}});
      } else {
        std::cout << loaded.experiment().layout();
      }
      return good;
    }
    Review review = gusset::review(loaded.test, loaded.realtime);
    if (options->checklist) {
      std::cout << pretest_checklist(loaded.test, review, loaded.realtime);
      return review.ok() ? good : bad;
    }
    const std::vector<TravelReview> ways = review_travel(loaded.test, review, loaded.realtime);
    for (std::string& warning : travel_warnings(ways, review)) review.warnings.push_back(std::move(warning));
    if (options->experiment.json) {
      print(to_json(loaded, review, ways));
    } else {
      describe(loaded, review, ways);
    }
    return review.ok() ? good : bad;
  };
}

}  // namespace check_private

const Verb check_verb{
    "check", "validate a file, show what follows from it, and whether the rig can do it",
    "Rehearses the test once and compares the stroke, velocity, acceleration, force and flow it "
    "needs with [limits] and with what the rig has.\n"
    "With --loop it shows how the test runs instead: its stages in their order, what each reads, writes "
    "and keeps, and what crosses the cut to the rig and back.\n"
    "Exit status 1 if the test is unstable or needs more than either allows.\n"
    "Examples: gusset check quickstart\n"
    "          gusset check quickstart --loop\n"
    "          gusset check chen-2008-inverse --loop --svg loop.svg\n"
    "          gusset check wu-dynamic-specimen --layout",
    check_private::add};

}  // namespace gusset::app
