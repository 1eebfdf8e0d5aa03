#include "analysis/analysis.hpp"

#include <cmath>
#include <iostream>
#include <numbers>

#include "common.hpp"
#include "modes_text.hpp"
#include "session/answers.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace analyze_private {

/// `dt` and `omega` of the limit: 0 where no step is stable, null where every step searched is and where the
/// search failed.
std::optional<double> limit_value(const Crossing& limit) {
  switch (limit.kind) {
    case Crossing::Kind::found:
    case Crossing::Kind::below: return limit.value;
    case Crossing::Kind::always: return 0.0;
    case Crossing::Kind::unknown:
    case Crossing::Kind::none: break;
  }
  return std::nullopt;
}

const char* verdict(const Analysis& analysis) {
  switch (analysis.limit.kind) {
    case Crossing::Kind::found: return "found";
    case Crossing::Kind::below: return "below the range first searched";
    case Crossing::Kind::always:
      return analysis.stable ? "unstable for small steps" : "unstable for every step";
    case Crossing::Kind::unknown: return "not found";
    case Crossing::Kind::none: break;
  }
  return "stable for every step searched";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

/// Why a search has no answer; null where it has one.
Json not_found(const Crossing& crossing) {
  return crossing.kind == Crossing::Kind::unknown ? Json(crossing.ended) : Json(nullptr);
}

Json to_json(const Analysis& analysis) {
  const std::optional<double> dt = limit_value(analysis.limit);
  Json eigenvalues = Json::array();
  for (const auto& value : analysis.eigenvalues) {
    eigenvalues.push_back({value.real(), value.imag()});
  }
  const bool zero_stability = analysis.interface_problem.empty();
  Json result{{"dt", analysis.dt},
              {"spectral_radius", number(analysis.spectral_radius)},
              {"spectral_radius_resolution", number(analysis.radius_resolution)},
              {"stable", analysis.stable},
              {"stability", gusset::to_json(analysis.stability)},
              {"omega", analysis.dt * analysis.reference_frequency},
              {"reference_frequency", analysis.reference_frequency / (2 * std::numbers::pi)},
              {"limit",
               {{"dt", number(dt)},
                {"omega", dt ? number(*dt * analysis.reference_frequency) : Json(nullptr)},
                {"bounded", dt.has_value()},
                {"verdict", verdict(analysis)},
                {"searched", {analysis.limit.low, analysis.limit.high}},
                {"search_ended", text_or_null(analysis.limit.ended)},
                {"not_found", not_found(analysis.limit)}}},
              {"modes", modes_json(analysis)},
              {"over_damped", analysis.decays},
              {"delay_margin", nullptr},
              {"zero_stability",
               {{"radius", zero_stability ? number(analysis.interface_radius) : Json(nullptr)},
                {"stable", zero_stability ? Json(analysis.interface_radius <= 1 + 1e-6) : Json(nullptr)},
                {"not_found", text_or_null(analysis.interface_problem)}}},
              {"state_size", analysis.state_size},
              {"eigenvalues", eigenvalues}};
  if (analysis.delay_margin) {
    result["delay_margin"] = number(limit_value(*analysis.delay_margin));
    // PSI of Maghareh: the decimal logarithm of the critical delay in ms.
    const std::optional<double> margin = limit_value(*analysis.delay_margin);
    result["predictive_stability_index"] =
        margin && *margin > 0 ? number(std::log10(1e3 * *margin)) : Json(nullptr);
    result["delay_margin_searched"] = {analysis.delay_margin->low, analysis.delay_margin->high};
    result["delay_margin_not_found"] = not_found(*analysis.delay_margin);
  }
  return result;
}

void describe(const Experiment& experiment, const Analysis& analysis) {
  const double omega = analysis.reference_frequency;
  std::cout << experiment.title() << "\n\n";
  std::cout << "step            " << readable(analysis.dt, "s");
  if (omega > 0) std::cout << "  (omega*dt = " << brief(omega * analysis.dt) << ")";
  std::cout << '\n';
  std::printf("spectral radius %.6f%s  -> %s\n", analysis.spectral_radius,
              analysis.stability.affine ? "" : " at rest", analysis.stability.sentence.c_str());
  if (experiment.structure().size() == 0) {
    std::cout << "the motion is predefined: compensator and rig only, no loop to close\n";
    return;
  }
  const std::optional<double> limit = limit_value(analysis.limit);
  std::cout << "stability limit ";
  if (analysis.limit.kind == Crossing::Kind::always) {
    std::cout << (analysis.stable ? "none: stable at this step, but unstable at small ones, down to "
                                  : "none: unstable for every step, down to ")
              << readable(analysis.limit.low, "s");
    if (analysis.stable) std::cout << "\n                (what is given in samples means other times there)";
  } else if (limit) {
    std::cout << readable(*limit, "s");
    if (omega > 0) std::cout << "  (omega*dt = " << brief(omega * *limit) << ")";
    std::cout << ", stable for every smaller step down to " << readable(analysis.limit.low, "s");
  } else if (analysis.limit.kind == Crossing::Kind::unknown) {
    std::cout << "not found: " << analysis.limit.ended;
  } else {
    std::cout << "none up to " << readable(analysis.limit.high, "s");
    if (!analysis.limit.ended.empty()) {
      std::cout << "\n                (the search ended there: " << analysis.limit.ended << ')';
    }
  }
  std::cout << '\n';
  if (analysis.delay_margin) {
    const std::optional<double> margin = limit_value(*analysis.delay_margin);
    const bool unknown = analysis.delay_margin->kind == Crossing::Kind::unknown;
    std::cout << "delay margin    "
              << (margin    ? readable(*margin, "s")
                  : unknown ? "not found: " + analysis.delay_margin->ended
                            : "more than " + readable(analysis.delay_margin->high, "s"))
              << '\n';
  }
  std::cout << "interface gain  ";
  if (analysis.interface_problem.empty()) {
    std::cout << brief(analysis.interface_radius)
              << (analysis.interface_radius <= 1 + 1e-6 ? "  (zero-stable)" : "  (NOT zero-stable)");
  } else {
    std::cout << "not found: " << analysis.interface_problem;
  }
  std::cout << "\n\n" << std::flush;
  print_modes(analysis, analysis.radius_resolution > 0);
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<ExperimentOptions>();
  options->add_to(command);
  return [options] {
    const Loaded loaded = load(*options);
    const Analysis analysis = analyze(loaded.document, loaded.test);
    if (options->json) {
      print(to_json(analysis));
    } else {
      describe(loaded.experiment(), analysis);
    }
    return analysis.stable ? good : bad;
  };
}

}  // namespace analyze_private

const Verb analyze_verb{
    "analyze", "is the test stable, and how accurate is it",
    "Perturbs the state of the very loop that a test runs, and so gets its amplification matrix: "
    "spectral radius, stability limit (stable for every smaller step), delay margin, and frequency "
    "and damping of each mode against the exact structure.\n"
    "Exit status 1 if the test is unstable.\n"
    "Examples: gusset analyze wu-pure-inertia\n"
    "          gusset analyze wu-dynamic-specimen --set specimen.mass_ratio=0.5 --json",
    analyze_private::add};

}  // namespace gusset::app
