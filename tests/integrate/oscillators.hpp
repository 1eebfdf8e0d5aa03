#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"
#include "base/linear_system.hpp"
#include "build/test.hpp"

namespace gusset::test {

/// `[integrator]` lines of a scheme, e.g. {"kr-alpha", "rho_inf = 0.5"}.
struct Scheme {
  std::string kind;
  std::string settings;
};

inline std::string integrator_section(const Scheme& scheme, double dt) {
  char text[64];
  std::snprintf(text, sizeof text, "dt = \"%.17g s\"\n", dt);
  return "[integrator]\nkind = \"" + scheme.kind + "\"\n" + scheme.settings + "\n" + text;
}

/// One mass, ω = 1 rad/s, damping ratio ξ, no specimen.
inline Experiment oscillator(const Scheme& scheme, double omega_dt, double xi) {
  const std::string text =
      "[structure]\nmass = \"2 kg\"\nstiffness = \"2 N/m\"\ndamping_ratio = " + std::to_string(xi) + "\n" +
      integrator_section(scheme, omega_dt);
  return Experiment::build(Document::parse(text, "oscillator"), {.any_step = true});
}

/// Three storeys with storey dampers, a start and a jagged ground motion with corners every 0.1 s.
inline Test building(const Scheme& scheme, double dt, bool shaken) {
  std::string text =
      "duration = \"2 s\"\n[structure]\n"
      "mass = { values = [2, 1.5, 1], unit = \"kg\" }\n"
      "stiffness = { values = [800, 600, 300], unit = \"N/m\" }\n"
      "damping = { values = [2, 1, 0.5], unit = \"N*s/m\" }\n";
  text += shaken ? "[excitation]\nrecord = \"jagged\"\n"
                 : "[initial]\ndisplacement = { values = [1, 2, 4], unit = \"cm\" }\n"
                   "velocity = { values = [0.1, 0, -0.2], unit = \"m/s\" }\n";
  text += integrator_section(scheme, dt);
  const RecordLoader loader = [](const std::string&, const Where&) {
    auto record = std::make_shared<Record>();
    record->dt = 0.1;
    record->acceleration = {0, 1, -2, 1.5, 3, -1, 0, 2, -2.5, 0.5, 1, 0, -1, 2, 2, -3, 0, 1, 0, 0, 0, 0};
    return record;
  };
  return make_test(Document::parse(text, "building"), loader);
}

inline std::vector<std::complex<double>> eigenvalues(const Experiment& experiment) {
  Linearizer linearizer;
  std::vector<std::complex<double>> values = spectrum(linearizer.matrix(experiment)).values;
  // Entries that are only derived from others add eigenvalues of zero.
  std::erase_if(values, [](const auto& value) { return std::abs(value) < 1e-7; });
  return values;
}

inline Spectrum spectrum_of(const Experiment& experiment) {
  Linearizer linearizer;
  return spectrum(linearizer.matrix(experiment));
}

/// Every scheme with the parameters worth looking at.
inline std::vector<Scheme> all_schemes() {
  std::vector<Scheme> schemes{{"central-difference", ""},
                              {"newmark-explicit", ""},
                              {"newmark", ""},
                              {"newmark", "beta = 0.16666666666666667"},
                              {"hht-alpha", "alpha = 0"},
                              {"hht-alpha", "alpha = -0.1"},
                              {"hht-alpha", "alpha = -0.3"},
                              {"alpha-os", "alpha = -0.1"},
                              {"alpha-os", "alpha = -0.3"},
                              {"cr", ""},
                              {"rosenbrock", ""},
                              {"exact", ""},
                              {"rk4", ""}};
  for (const char* kind : {"generalized-alpha", "kr-alpha", "mkr-alpha"}) {
    for (const char* rho : {"0", "0.5", "0.8", "1"}) {
      schemes.push_back({kind, std::string("rho_inf = ") + rho});
    }
  }
  return schemes;
}

inline std::string name_of(const Scheme& scheme) { return scheme.kind + " " + scheme.settings; }

}  // namespace gusset::test
