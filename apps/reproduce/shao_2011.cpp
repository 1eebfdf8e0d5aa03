/// Shao, Reinhorn & Sivaselvan 2011: shake tables and actuators together. Errata 8 to 10 of
/// docs/theory.md. The paper's record (Santa Monica City Hall, Northridge 1994) is not shipped: El
/// Centro at 0.3 g takes its place, which changes amplitudes, not agreement.

#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>

#include "analysis/indicators.hpp"
#include "analysis/spectrum.hpp"
#include "base/linear_system.hpp"
#include "reproduce/shao.hpp"

namespace gusset::reproduce {
namespace {

constexpr double pi = std::numbers::pi;

/// The largest difference from the exact response of the whole structure, of the storey's peak.
double worst_error(const Simulation& run) {
  double worst = 0;
  for (int storey = 1; storey <= 3; ++storey) {
    const std::string name = "storey" + std::to_string(storey) + ".displacement";
    worst = std::max(worst,
                     peak_error(channel_of(run, "reference." + name).values, channel_of(run, name).values));
  }
  return worst;
}

/// The largest difference of the rig's targets from the loads that a line of Table 1 or 3 prints, of their
/// peaks: on the table `base`·ü₁ − `top`·P₂/m₂, on the actuator the rest of −m₂·ü₁ + P₂ and the virtual mass.
/// `shared` is how much of the base's load the actuator leaves to the table.
double wrong_load(const Context& context, const Document& document, const Simulation& run,
                  double virtual_share, double base, double top, double shared) {
  const LinearSystem whole = context.build(document).whole();
  const double m = whole.mass(1, 1), k = -whole.stiffness(1, 2), c = -whole.damping(1, 2);
  const auto values = [&](const std::string& name) -> const std::vector<double>& {
    return channel_of(run, name).values;
  };
  const std::vector<double>&ground = values("ground.acceleration"), &a1 = values("storey1.acceleration"),
        &a2 = values("storey2.acceleration"), &v2 = values("storey2.velocity"),
        &v3 = values("storey3.velocity"), &d2 = values("storey2.displacement"),
        &d3 = values("storey3.displacement"), &force = values("actuator.target");
  // A table that rests has no channel.
  const std::vector<double>* motion = base != 0 || top != 0 ? &values("table.target") : nullptr;
  double wrong_force = 0, wrong_motion = 0, largest_force = 0, largest_motion = 0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    const double u1 = a1[i] + ground[i], p2 = k * (d3[i] - d2[i]) + c * (v3[i] - v2[i]);
    const double actuator = -(1 - shared) * m * u1 - virtual_share * m * (a2[i] - a1[i]) + (1 - top) * p2;
    const double table = base * u1 - top * p2 / m;
    wrong_force = std::max(wrong_force, std::abs(force[i] - actuator));
    largest_force = std::max(largest_force, std::abs(actuator));
    if (motion == nullptr) continue;
    wrong_motion = std::max(wrong_motion, std::abs((*motion)[i] - table));
    largest_motion = std::max(largest_motion, std::abs(table));
  }
  const auto share = [](double wrong, double largest) { return largest > 0 ? wrong / largest : wrong; };
  return std::max(share(wrong_force, largest_force), share(wrong_motion, largest_motion));
}

Case table_1(const Context& context) {
  Case result;
  result.note =
      "Eq. 3, ideal feedback at 1024 Hz. The paper says that ideally all seven cases give the same "
      "response; the difference is that from the exact solution of the whole structure.";
  struct Row {
    const char* name;
    double alpha_m, alpha_l;
  };
  constexpr std::array<Row, 7> rows{{{"pseudodynamic, α_m = 1", 1, 0},
                                     {"dynamic, α_l = 0", 0, 0},
                                     {"dynamic, α_l = 1", 0, 1},
                                     {"dynamic, 0 < α_l < 1", 0, 0.5},
                                     {"quasi-dynamic, α_l = 0", 0.77, 0},
                                     {"quasi-dynamic, α_l = 1", 0.77, 1},
                                     {"quasi-dynamic, 0 < α_l < 1", 0.77, 0.5}}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const Document document = context.document("shao-table1-" + std::to_string(i + 1), {});
    const Simulation run = context.run(document);
    result.quantities.push_back(number(std::string(row.name) + ": difference of the response, of the peak",
                                       worst_error(run), 0, 1e-3));
    // −(1 − α_m)(1 − α_l)·m·ü_b − α_m·m·ü_b is −(1 − (1 − α_m)·α_l)·m·ü_b.
    result.quantities.push_back(number(
        std::string(row.name) + ": difference of table and actuator from the printed loads, of the peak",
        wrong_load(context, document, run, row.alpha_m, row.alpha_l, 0, (1 - row.alpha_m) * row.alpha_l), 0,
        1e-9));
  }
  return result;
}

Case table_2(const Context& context) {
  Case result;
  LinearSystem whole = context.build(context.document("shao-three-storey", {})).whole();
  whole.damping.setZero();
  constexpr std::array printed{1.55, 2.91, 4.87}, expected{1.553, 2.920, 4.868};
  std::size_t mode = 0;
  for (const std::complex<double>& pole : continuous_poles(whole)) {
    if (mode == 3) break;
    result.quantities.push_back(differs(number("natural frequency " + std::to_string(mode + 1) + " [Hz]",
                                               std::abs(pole) / (2 * pi), printed[mode], 0.005),
                                        "the table's own masses and stiffnesses give it", expected[mode],
                                        0.001));
    ++mode;
  }
  result.quantities.push_back(
      differs(number("mass of storey 2 [kg] (test set-up: 79.1)", whole.mass(1, 1), 79.1, 0.05),
              "the table's 4.4e-4 kip·s²/in are 77.06 kg; 79.1 is a slip of conversion", 77.06, 0.005));
  const double alone = std::sqrt(-whole.stiffness(0, 1) / whole.mass(1, 1)) / (2 * pi);
  result.quantities.push_back(
      number("storey 2 alone [Hz] (section on frequency response: 2.7)", alone, 2.7, 0.05));
  return result;
}

Case table_3(const Context& context) {
  Case result;
  result.note = "Eq. 6, ideal feedback at 1024 Hz.";
  for (const Loading& loading : table_3_cases) {
    const Document document = context.document(loading.experiment, {});
    const Simulation run = context.run(document);
    const std::string label = "case " + std::string(loading.name);
    result.quantities.push_back(number(label + ": difference of the response from the exact one, of the peak",
                                       worst_error(run), 0, 1e-3));
    result.quantities.push_back(
        number(label + ": difference of table and actuator from the printed loads, of the peak",
               wrong_load(context, document, run, loading.alpha_m, loading.alpha_l, loading.alpha_p,
                          loading.alpha_l),
               0, 1e-9));
  }
  const auto sampled = [&](const char* share) {
    return context.document("shao-three-storey",
                            {"method.feedback=sampled", "method.alpha_l=0", "method.alpha_p=0",
                             std::string("method.alpha_m=") + share});
  };
  const char* silent =
      "the paper feeds acceleration back at the same instant; a real loop has a sample of delay, "
      "and Chen 2007's limit of one half for the virtual share of the mass";
  for (const auto& [share, stable] :
       {std::pair{"0.49", 1.0}, std::pair{"0.51", 0.0}, std::pair{"0.77", 0.0}}) {
    const Document document = sampled(share);
    Quantity quantity;
    quantity.name = std::string("sampled feedback, α_m = ") + share + ": stable";
    quantity.value = radius_at(document, 1.0 / 1024) <= 1 + 1e-9 ? 1 : 0;
    quantity.statement = true;
    result.quantities.push_back(differs(quantity, silent, stable, 0));
  }
  return result;
}

/// Not drawn in the paper: what is left of the error where sub-steps find the acceleration of the same
/// instant (errata 10 and 11), over the sampling rate.
Case feedback(const Context& context) {
  Case result;
  result.note =
      "Case 1 (α_m = 0.77) with feedback by iterations. A force that is held over a sample comes half a "
      "sample early, an error that shrinks with the rate; moved in ramps it is as good as ideal.";
  plot::Series held{"held over a sample", {}, {}, false, false}, ramp{"in ramps", {}, {}, true, false};
  const auto error = [&](double rate, const char* between) {
    char dt[48];
    std::snprintf(dt, sizeof dt, "integrator.dt=%.17g s", 1 / rate);
    // Two sub-steps are enough for a linear specimen; the peaks are over after 12 s.
    return worst_error(context.run(
        context.document("shao-case-1", {"method.feedback=iterations", "method.substeps=2",
                                         std::string("method.between=") + between, dt, "duration=12 s"})));
  };
  for (const double rate : {512.0, 1024.0, 2048.0, 4096.0, 10240.0}) {
    held.x.push_back(rate);
    held.y.push_back(100 * error(rate, "hold"));
    if (rate > 5000) continue;
    ramp.x.push_back(rate);
    ramp.y.push_back(100 * error(rate, "ramp"));
  }
  const char* silent =
      "the paper does not say how its forces move between samples; expected from an independent calculation";
  const auto add = [&](const char* what, double value, double expected, double tolerance) {
    Quantity quantity;
    quantity.name = what;
    quantity.value = value;
    result.quantities.push_back(differs(quantity, silent, expected, tolerance));
  };
  add("force held, 1024 Hz: error of the peak [%]", held.y[1], 3.644, 0.005);
  add("force held, 10240 Hz: error of the peak [%]", held.y[4], 0.3542, 0.0005);
  result.quantities.push_back(
      statement("in ramps the error stays below 0.1 % from 1024 Hz on", ramp.y[1] < 0.1));
  plot::Figure drawing =
      figure("Computed mass of 77 %, iterations", "sampling rate [Hz]", "largest error [% of the peak]");
  drawing.x.logarithmic = drawing.y.logarithmic = true;
  drawing.series = {held, ramp};
  result.pictures.push_back({"feedback", plot::svg(drawing), "Error that remains, over the sampling rate"});
  return result;
}

Case figure_5(const Context& context) {
  Case result;
  std::array<plot::Figure, 3> drawings;
  for (std::size_t storey = 0; storey < 3; ++storey) {
    drawings[storey] = figure("", "", "storey " + std::to_string(storey + 1) + " [mm]");
    drawings[storey].height = 220;
  }
  drawings[0].title = "Displacement relative to the ground, five cases";
  drawings[0].height = 260;
  drawings[2].x.label = "time [s]";
  for (const Loading& loading : table_3_cases) {
    if (std::string_view(loading.name) == "2E") continue;  // not simulated in the paper
    const Simulation run = context.run(context.document(loading.experiment, {}));
    for (std::size_t storey = 0; storey < 3; ++storey) {
      drawings[storey].series.push_back(history(run, "storey" + std::to_string(storey + 1) + ".displacement",
                                                1e3, "case " + std::string(loading.name),
                                                !drawings[storey].series.empty()));
    }
    result.quantities.push_back(
        statement("case " + std::string(loading.name) + " matches the others", worst_error(run) < 1e-3));
  }
  result.note = std::string(other_record);
  result.pictures.push_back(
      {"fig-5", plot::svg(std::vector<plot::Figure>(drawings.begin(), drawings.end())), "Fig. 5"});
  return result;
}

}  // namespace

Paper shao_2011() {
  Paper paper{"shao-2011",
              "Shao, Reinhorn and Sivaselvan 2011: Shake tables and dynamic actuators",
              {{"table-1", "Table 1: the seven loading cases", table_1},
               {"table-2", "Table 2: the three-storey model", table_2},
               {"table-3", "Table 3: cases of simulation and experiment", table_3},
               {"feedback", "Beyond the paper: feedback by iterations, over the sampling rate", feedback},
               {"fig-5", "Fig. 5: numerical simulation", figure_5}}};
  add_shao_rig_cases(paper.cases);
  return paper;
}

}  // namespace gusset::reproduce
