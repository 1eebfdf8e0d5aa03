#include "analysis/analysis.hpp"

#include <cmath>
#include <iostream>
#include <numbers>

#include "common.hpp"
#include "session/answers.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace analyze_private {

/// `dt` and `omega` of the limit: 0 where no step is stable, null where every step searched is.
std::optional<double> limit_value(const Crossing& limit) {
  switch (limit.kind) {
    case Crossing::Kind::found:
    case Crossing::Kind::below: return limit.value;
    case Crossing::Kind::always: return 0.0;
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
    case Crossing::Kind::none: break;
  }
  return "stable for every step searched";
}

Json to_json(const Analysis& analysis) {
  const std::optional<double> dt = limit_value(analysis.limit);
  Json modes = Json::array();
  for (const Mode& mode : analysis.modes) {
    modes.push_back({{"frequency", number(mode.frequency)},
                     {"damping", number(mode.damping)},
                     {"exact_frequency", number(mode.exact_frequency)},
                     {"exact_damping", number(mode.exact_damping)},
                     {"period_error", number(mode.period_error)}});
  }
  Json eigenvalues = Json::array();
  for (const auto& value : analysis.eigenvalues) {
    eigenvalues.push_back({value.real(), value.imag()});
  }
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
                {"searched", {analysis.limit.low, analysis.limit.high}}}},
              {"modes", modes},
              {"delay_margin", nullptr},
              {"zero_stability",
               {{"radius", analysis.interface_radius}, {"stable", analysis.interface_radius <= 1 + 1e-6}}},
              {"state_size", analysis.state_size},
              {"eigenvalues", eigenvalues}};
  if (analysis.delay_margin) {
    result["delay_margin"] = number(limit_value(*analysis.delay_margin));
    // PSI of Maghareh: the decimal logarithm of the critical delay in ms.
    const std::optional<double> margin = limit_value(*analysis.delay_margin);
    result["predictive_stability_index"] =
        margin && *margin > 0 ? number(std::log10(1e3 * *margin)) : Json(nullptr);
    result["delay_margin_searched"] = {analysis.delay_margin->low, analysis.delay_margin->high};
  }
  return result;
}

/// No "-0.0000": a damping that rounds to nothing is nothing.
double tidy(double damping) { return std::abs(damping) < 5e-5 ? 0.0 : damping; }

void describe(const Experiment& experiment, const Analysis& analysis) {
  const double omega = analysis.reference_frequency;
  std::cout << experiment.title() << "\n\n";
  std::cout << "step            " << readable(analysis.dt, "s")
            << "  (omega*dt = " << brief(omega * analysis.dt) << ")\n";
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
    std::cout << readable(*limit, "s") << "  (omega*dt = " << brief(omega * *limit)
              << "), stable for every smaller step down to " << readable(analysis.limit.low, "s");
  } else {
    std::cout << "none up to " << readable(analysis.limit.high, "s");
  }
  std::cout << '\n';
  if (analysis.delay_margin) {
    const std::optional<double> margin = limit_value(*analysis.delay_margin);
    std::cout << "delay margin    "
              << (margin ? readable(*margin, "s") : "more than " + readable(analysis.delay_margin->high, "s"))
              << '\n';
  }
  std::cout << "interface gain  " << brief(analysis.interface_radius)
            << (analysis.interface_radius <= 1 + 1e-6 ? "  (zero-stable)" : "  (NOT zero-stable)")
            << "\n\nmodes of the whole structure, and what the test makes of them\n"
            << "   exact [Hz]   damping      test [Hz]   damping   period error\n";
  for (const Mode& mode : analysis.modes) {
    std::printf("   %10.4f  %8.4f", mode.exact_frequency, tidy(mode.exact_damping));
    if (mode.frequency) {
      std::printf("   %10.4f  %8.4f  %+10.3f %%\n", *mode.frequency, tidy(*mode.damping),
                  100 * *mode.period_error);
    } else {
      std::puts(analysis.radius_resolution > 0 ? "   (too large a structure to take this from)"
                                               : "   (the step is too coarse for this mode)");
    }
  }
  std::fflush(stdout);
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
