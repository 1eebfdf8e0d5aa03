#include <gusset/analysis/analysis.hpp>
#include <gusset/analysis/simulation.hpp>

// A spring of known period, rehearsed and analysed by the installed loop alone.
extern "C" double period_in_test(double dt) {
  const gusset::Document document = gusset::Document::parse(
      "duration = \"2 s\"\n"
      "[structure]\nmass = \"1 t\"\nfrequency = \"1 Hz\"\n"
      "[initial]\ndisplacement = \"10 mm\"\n"
      "[integrator]\nkind = \"newmark\"\ndt = \"" +
          std::to_string(dt * 1e3) + " ms\"\n",
      "rehearsal");
  const gusset::Simulation simulation = gusset::simulate(gusset::make_test(document), {});
  const gusset::Analysis analysis = gusset::analyze(document);
  if (simulation.stop || !analysis.stable || analysis.modes.empty()) return -1;
  return 1 / *analysis.modes.front().frequency;
}
