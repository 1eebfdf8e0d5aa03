/// Chen & Ricles 2008: delay compensators as discrete transfer functions. Errata 4 to 6 of
/// docs/theory.md. The actuator of the experiments is known by two facts only (section 4: a lag of
/// 36/1024 s and −3.9 dB at 5 Hz); a second-order loop with that lag stands for it.

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "analysis/frequency_response.hpp"
#include "base/quantity_text.hpp"
#include "reproduce/reproduce.hpp"

namespace gusset::reproduce {
namespace {

using Complex = std::complex<double>;

constexpr double pi = std::numbers::pi;
constexpr double tau = 36.0 / 1024;      // section 4
constexpr double step_a = 10.0 / 1024;   // Δt of the linear acceleration method
constexpr double rate = 1.0 / 1024;      // δt of the other two
constexpr double sweep_rate = 5.0 / 50;  // Hz a second: 0 to 5 Hz in 50 s

double decibel(double magnitude) { return 20 * std::log10(magnitude); }
double degrees(Complex value) { return std::arg(value) * 180 / pi; }
Complex z_at(double frequency, double dt) { return std::polar(1.0, 2 * pi * frequency * dt); }

// The transfer functions as the paper prints them.
Complex printed_linear(double f) {  // section 4
  const Complex z = z_at(f, step_a);
  return (25.76 * z * z - 40.32 * z + 16.56) / (2.0 * z * z);
}
Complex printed_feedforward(double f) {  // eq. 3.6
  const double kp = 20, ti = 5, kff = 0.71, dt = rate;
  const Complex z = z_at(f, dt);
  return ((kp * dt + kp * dt * dt / ti + kff) * z * z - (2 * kff + kp * dt) * z + kff) /
         (kp * dt * (1 + dt / ti) * z * z - kp * dt * z);
}
Complex printed_inverse(double f) {  // eq. 3.10
  const Complex z = z_at(f, rate);
  return (36.0 * z - 35.0) / z;
}

/// The second-order loop that stands for the actuator, in closed form.
Complex stand_in(double f) {
  const double natural = 2 * pi * 16.36, damping = 1.807;
  const Complex s(0, 2 * pi * f);
  return natural * natural / (s * s + 2 * damping * natural * s + natural * natural);
}

struct Method {
  const char* experiment;
  const char* name;
  Complex (*printed)(double frequency);
  // Section 4. At 5 Hz, alone (Fig. 5a and 5c): decibels, percent as printed beside them, degrees.
  double decibel, percent, phase;
  // With the actuator (Fig. 5b and 5d): the extreme of the magnitude and its place (0: not said), phase at 5 Hz.
  double extreme, extreme_at, combined_phase;
};

constexpr std::array<Method, 3> methods{{
    {"chen-2008-linear-acceleration", "linear acceleration", printed_linear, 3.0, 141, 75, -1.0, 5, 22},
    {"chen-2008-derivative-feedforward", "derivative feedforward", printed_feedforward, 3.5, 150, 48, 0.8, 0,
     -5.8},
    {"chen-2008-inverse", "inverse", printed_inverse, 3.5, 135, 45, 0.7, 4, -6.2},
}};

struct Loaded {
  Document document;
  Experiment experiment;
  ChannelSystems systems;
};

Loaded load(const Context& context, const char* name, const std::vector<std::string>& set = {}) {
  Document document = context.document(name, set);
  Experiment experiment = context.build(document);
  ChannelSystems systems = channel_systems(experiment, 0);
  return {std::move(document), std::move(experiment), std::move(systems)};
}

/// Table 3.1, n_4 … n_0 and d_4 … d_0.
struct Coefficients {
  std::array<double, 5> numerator, denominator;
};
Coefficients table_3_1(double beta, double gamma, double dt, double delay) {
  const double a = dt * dt * dt, b = delay * dt * dt, c = delay * delay * dt, d = delay * delay * delay;
  return {
      {0, (1 + 2 * gamma + 4 * beta) * a + (1 + 6 * beta) * c + 2 * (1 + gamma + 3 * beta) * b + 2 * beta * d,
       (1 - 2 * gamma - 10 * beta) * a - 2 * (1 + 9 * beta) * c - 2 * (1 + 2 * gamma + 9 * beta) * b -
           6 * beta * d,
       8 * beta * a + 2 * (gamma + 9 * beta) * b + (1 + 18 * beta) * c + 6 * beta * d,
       -2 * beta * a - 6 * beta * b - 6 * beta * c - 2 * beta * d},
      {2 * beta * a, (1 + 2 * gamma - 4 * beta) * a, (1 - 2 * gamma + 2 * beta) * a, 0, 0}};
}

Case table(const Context& context) {
  Case result;
  result.note =
      "Coefficients found by perturbing the block that runs, against the table's formulas. The leading "
      "coefficient of the denominator is 1.";
  for (const auto& [beta, gamma] : {std::array{0.0, 0.5}, std::array{0.25, 0.5}, std::array{1.0 / 6, 0.5}}) {
    const Loaded loaded =
        load(context, "chen-2008-linear-acceleration",
             {"compensator.beta=" + std::to_string(beta), "compensator.gamma=" + std::to_string(gamma)});
    // Rounded as the text of --set is.
    const Coefficients formula =
        table_3_1(std::stod(std::to_string(beta)), std::stod(std::to_string(gamma)), step_a, tau);
    const TransferFunction found = compensator_transfer_function(loaded.experiment, 0);
    // The formulas' leading zeros say how the two are lined up.
    std::size_t lead = 0;
    while (formula.denominator[lead] == 0) ++lead;
    const double scale = formula.denominator[lead];
    const int order = found.order();
    for (int k = 0; k <= order; ++k) {
      const std::size_t index = lead + static_cast<std::size_t>(k);
      const double paper = index < 5 ? formula.numerator[index] / scale : 0;
      result.quantities.push_back(
          number("β = " + brief(beta) + ": n_" + std::to_string(4 - static_cast<int>(index)),
                 found.numerator()[static_cast<std::size_t>(k)], paper, 1e-6 * (1 + std::abs(paper))));
    }
    for (int k = 1; k <= order; ++k) {
      const std::size_t index = lead + static_cast<std::size_t>(k);
      const double paper = index < 5 ? formula.denominator[index] / scale : 0;
      result.quantities.push_back(
          number("β = " + brief(beta) + ": d_" + std::to_string(4 - static_cast<int>(index)),
                 found.denominator()[static_cast<std::size_t>(k)], paper, 1e-6 * (1 + std::abs(paper))));
    }
  }
  return result;
}

std::vector<double> frequencies() {
  std::vector<double> list;
  for (int i = 1; i <= 100; ++i) list.push_back(0.05 * i);
  return list;
}

/// Magnitude over phase, against frequency.
struct Bode {
  plot::Figure magnitude, phase;

  explicit Bode(const std::string& title) {
    magnitude = figure(title, "", "magnitude [dB]");
    phase = figure("", "frequency [Hz]", "phase [deg]");
    magnitude.height = 260;
    phase.height = 250;
  }
  template <typename Response>
  void add(const std::string& name, const Response& response) {
    plot::Series a{name, frequencies(), {}, false, false}, b = a;
    for (const double f : a.x) {
      const Complex value = response(f);
      a.y.push_back(decibel(std::abs(value)));
      b.y.push_back(degrees(value));
    }
    magnitude.series.push_back(a);
    phase.series.push_back(b);
  }
  std::string svg() const { return plot::svg(std::vector<plot::Figure>{magnitude, phase}); }
};

Case figure_4(const Context& context) {
  Case result;
  const Loaded loaded = load(context, "chen-2008-inverse");
  const auto plant = [&](double f) { return frequency_response(loaded.systems, f).plant; };
  Bode bode("The actuator");
  bode.add("second order, 16.36 Hz, ζ = 1.807", plant);
  result.pictures.push_back({"fig-4", bode.svg(), "Fig. 4"});
  result.quantities.push_back(number("magnitude at 0.1 Hz [dB]", decibel(std::abs(plant(0.1))), 0, 0.05));
  result.quantities.push_back(
      differs(number("magnitude at 5 Hz [dB]", decibel(std::abs(plant(5))), -3.9, 0.05),
              "the paper gives the measured actuator by two facts; no second-order loop has both its "
              "lag of 36/1024 s and −3.9 dB at 5 Hz. The lag was kept",
              -3.1, 0.06));
  result.quantities.push_back(
      number("low-frequency lag [ms]", -1e3 * std::arg(plant(0.2)) / (2 * pi * 0.2), 1e3 * tau, 0.2));
  // Linear to the eye: the lag at 5 Hz within a fifth of that at low frequency.
  const double lag = -std::arg(plant(5)) / (2 * pi * 5);
  result.quantities.push_back(
      statement("the phase lag is almost linear up to 5 Hz", std::abs(lag / tau - 1) < 0.25));
  return result;
}

struct Extreme {
  double decibel = 0, frequency = 0;
};
/// The magnitude farthest from 0 dB up to 5 Hz.
template <typename Response>
Extreme extreme(const Response& response) {
  Extreme found;
  for (const double f : frequencies()) {
    const double at = decibel(std::abs(response(f)));
    if (std::abs(at) > std::abs(found.decibel)) found = {at, f};
  }
  return found;
}

Case figure_5(const Context& context) {
  Case result;
  Bode alone("Compensators alone"), both("Compensators in series with the actuator");
  const char* text =
      "section 4 rounds what it reads off its figures, and its percentages and "
      "decibels do not match each other; the printed transfer function decides";
  const char* actuator =
      "the paper measured its actuator, the second-order loop only stands for it; "
      "expected: the printed transfer function times that loop, in closed form";
  for (const Method& method : methods) {
    const Loaded loaded = load(context, method.experiment);
    const std::string name = method.name;
    const auto block = [&](double f) { return frequency_response(loaded.systems, f).compensator; };
    const auto combined = [&](double f) { return frequency_response(loaded.systems, f).combined; };
    const auto closed_form = [&](double f) { return method.printed(f) * stand_in(f); };
    alone.add(name, block);
    both.add(name, combined);
    const auto add = [&](Quantity quantity) { result.quantities.push_back(std::move(quantity)); };
    const Complex formula = method.printed(5), found = block(5);
    add(number(name + ": magnitude at 5 Hz, from the printed formula", std::abs(found), std::abs(formula),
               1e-3));
    add(number(name + ": phase at 5 Hz [deg], from the printed formula", degrees(found), degrees(formula),
               0.1));
    add(differs(number(name + ": magnitude at 5 Hz [dB], as the text says", decibel(std::abs(found)),
                       method.decibel, 0.05),
                text, decibel(std::abs(formula)), 0.01));
    add(differs(number(name + ": magnitude at 5 Hz [%], as the text says", 100 * std::abs(found),
                       method.percent, 0.5),
                text, 100 * std::abs(formula), 0.1));
    add(differs(number(name + ": phase at 5 Hz [deg], as the text says", degrees(found), method.phase, 0.5),
                text, degrees(formula), 0.1));
    const Extreme largest = extreme(combined), expected = extreme(closed_form);
    const std::string which = method.extreme < 0 ? "smallest" : "largest";
    add(differs(
        number(name + ", with actuator: " + which + " magnitude [dB]", largest.decibel, method.extreme, 0.05),
        actuator, expected.decibel, 0.02));
    if (method.extreme_at > 0) {
      add(differs(
          number(name + ", with actuator: where it is [Hz]", largest.frequency, method.extreme_at, 0.05),
          actuator, expected.frequency, 0.1));
    }
    add(differs(number(name + ", with actuator: phase at 5 Hz [deg]", degrees(combined(5)),
                       method.combined_phase, 0.5),
                actuator, degrees(closed_form(5)), 0.1));
    add(statement(name + ", with actuator: the signs of both errors are the paper's",
                  degrees(combined(5)) * method.combined_phase > 0 && largest.decibel * method.extreme > 0));
  }
  result.pictures.push_back({"fig-5ac", alone.svg(), "Fig. 5a and 5c"});
  result.pictures.push_back({"fig-5bd", both.svg(), "Fig. 5b and 5d"});
  return result;
}

/// Measured over target in the sweep around a frequency, both projected on the sweep's own phase
/// π·r·t² under a smooth window.
Complex ratio_at(const plot::Series& target, const plot::Series& measured, double frequency) {
  constexpr double half = 2.5;
  const double centre = frequency / sweep_rate;
  Complex x = 0, y = 0;
  for (std::size_t i = 0; i < target.x.size(); ++i) {
    const double t = target.x[i];
    if (std::abs(t - centre) > half) continue;
    const double window = 0.5 * (1 + std::cos(pi * (t - centre) / half));
    const Complex carrier = window * std::polar(1.0, -pi * sweep_rate * t * t);
    x += carrier * target.y[i];
    y += carrier * measured.y[i];
  }
  return y / x;
}

Case figure_6(const Context& context) {
  Case result;
  for (const Method& method : methods) {
    const Document document = context.document(method.experiment, {});
    const Simulation run = context.run(document);
    const plot::Series target = history(run, "damper.target", 1e3, "command");
    const plot::Series measured = history(run, "damper.measured", 1e3, "measured", true);
    const std::string name = method.name;
    for (const double at : {3.5, 4.5}) {
      const Complex ratio = ratio_at(target, measured, at);
      const bool less = method.extreme<0, lead = method.combined_phase> 0;
      const std::string where = name + " at " + brief(at) + " Hz: ";
      result.quantities.push_back(
          statement(where + (less ? "a little smaller" : "a little larger") + " than the command",
                    less ? std::abs(ratio) < 1 : std::abs(ratio) > 1));
      result.quantities.push_back(statement(where + (lead ? "slight phase lead" : "slight phase lag"),
                                            lead ? degrees(ratio) > 0 : degrees(ratio) < 0));
    }
    // As the paper's (a) to (c), (d) to (f), (g) to (i): the whole sweep, around 3.5 Hz, around 4.5 Hz.
    std::vector<plot::Figure> panels;
    for (const auto& [from, to] : {std::array{0.0, 50.0}, std::array{34.5, 35.5}, std::array{44.5, 45.5}}) {
      plot::Figure drawing = figure(panels.empty() ? "Sine sweep, " + name : "", "", "displacement [mm]");
      drawing.series = {target, measured};
      drawing.x.low = from;
      drawing.x.high = to;
      drawing.height = panels.empty() ? 260 : 200;
      panels.push_back(std::move(drawing));
    }
    panels.back().x.label = "time [s]";
    panels.back().height += 20;
    result.pictures.push_back({"fig-6-" + std::string(method.experiment).substr(10), plot::svg(panels),
                               "Fig. 6: the whole sweep, around 3.5 Hz and around 4.5 Hz"});
  }
  return result;
}

}  // namespace

Paper chen_2008() {
  return {"chen-2008",
          "Chen and Ricles 2008: Analysis of actuator delay compensation",
          {{"table-3.1", "Table 3.1: coefficients of the linear acceleration method", table},
           {"fig-4", "Fig. 4: frequency response of the actuator", figure_4},
           {"fig-5", "Fig. 5: frequency response of the compensators", figure_5},
           {"fig-6", "Fig. 6: sine sweeps", figure_6}}};
}

}  // namespace gusset::reproduce
