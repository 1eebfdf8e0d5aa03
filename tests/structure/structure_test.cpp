// Frames, matrices and damping against closed forms; yielding buildings against energy balance.

#include "structure/structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "base/linear_system.hpp"
#include "build/test.hpp"
#include "structure/matrix_text.hpp"
#include "support/recorded.hpp"

namespace gusset::test {
namespace {

Structure read(const std::string& text) {
  return read_structure(Document::parse(text, "structure"), {}).structure;
}

std::string node(const char* name, double x, double y, const char* more) {
  char text[200];
  std::snprintf(text, sizeof text, "[[structure.node]]\nname = \"%s\"\nx = \"%g m\"\ny = \"%g m\"\n%s\n",
                name, x, y, more);
  return text;
}

std::string element(const char* from, const char* to, double inertia, const char* more = "") {
  char text[240];
  std::snprintf(text, sizeof text,
                "[[structure.element]]\nfrom = \"%s\"\nto = \"%s\"\nmodulus = \"1 Pa\"\n"
                "area = \"1e9 m^2\"\ninertia = \"%g m^4\"\n%s\n",
                from, to, inertia, more);
  return text;
}

/// A portal of height 3 and width 6, columns of EI = 1.
double portal(double beam, const char* base, const char* column_release = "") {
  const Structure structure =
      read(node("a", 0, 0, base) + node("b", 6, 0, base) + node("c", 0, 3, "floor = 1\nmass = \"1 kg\"") +
           node("d", 6, 3, "floor = 1\nmass = \"1 kg\"") + element("a", "c", 1, column_release) +
           element("b", "d", 1, column_release) + element("c", "d", beam));
  EXPECT_EQ(structure.size(), 1);
  EXPECT_DOUBLE_EQ(structure.mass(0, 0), 2);
  return structure.stiffness(0, 0);
}

TEST(Frame, CantileverAndPortals) {
  const Structure cantilever =
      read(node("a", 1, 1, "fixed = \"xyr\"") + node("b", 1, 5, "mass = \"2 kg\"") + element("a", "b", 7));
  EXPECT_NEAR(cantilever.stiffness(0, 0), 3 * 7 / 64.0, 1e-12);
  const double h3 = 27;
  EXPECT_NEAR(portal(1e9, "fixed = \"xyr\""), 24 / h3, 1e-6);
  // Chopra 2012, eq. 1.3.5: L = 2h, ρ = I_b/(4·I_c).
  for (const double beam : {0.4, 4.0, 40.0}) {
    const double rho = beam / 4;
    EXPECT_NEAR(portal(beam, "fixed = \"xyr\""), 24 / h3 * (12 * rho + 1) / (12 * rho + 4), 1e-6);
  }
  EXPECT_NEAR(portal(1e9, "fixed = \"xy\""), 6 / h3, 1e-6);                         // pinned base
  EXPECT_NEAR(portal(1e9, "fixed = \"xyr\"", "release = \"from\""), 6 / h3, 1e-6);  // the same by release
  EXPECT_NEAR(portal(1, "fixed = \"xyr\"", "release = \"to\""), 6 / h3, 1e-6);      // hinged beam
}

TEST(Frame, TrussBraceAndMechanism) {
  // A diagonal bar resists with EA/L·cos².
  const std::string brace =
      node("a", 0, 0, "fixed = \"xyr\"") + node("b", 4, 3, "fixed = \"y\"\nmass = \"1 kg\"") +
      "[[structure.element]]\nfrom = \"a\"\nto = \"b\"\nmodulus = \"1 Pa\"\narea = \"5 m^2\"\n"
      "inertia = \"1 m^4\"\nrelease = \"both\"\n";
  EXPECT_NEAR(read(brace).stiffness(0, 0), 5.0 / 5 * 0.64, 1e-12);
  EXPECT_THROW(read(node("a", 0, 0, "fixed = \"xyr\"") + node("b", 0, 3, "floor = 1\nmass = \"1 kg\"") +
                    node("c", 3, 3, "floor = 1") + element("a", "b", 1)),
               InputError);
}

TEST(Matrices, SameBuildingInThreeSpellings) {
  const Structure lists = read(
      "[structure]\nmass = { values = [3, 2], unit = \"kg\" }\n"
      "stiffness = { values = [5, 4], unit = \"N/m\" }\n");
  Document document = Document::parse(
      "[structure]\nmass = { values = [3, 2], unit = \"kg\" }\n"
      "stiffness_matrix = \"k.mtx\"\nstiffness_unit = \"mN/mm\"\n",
      "structure");
  embed_matrices(document, [](const std::string&, const Where&) {
    return std::string("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 9\n2 1 -4\n2 2 4\n");
  });
  const Structure file = read_structure(document, {}).structure;
  const Structure matrix = read(
      "[structure]\nmass_matrix = { values = [[3, 0], [0, 2]], unit = \"kg\" }\n"
      "stiffness_matrix = { values = [[9, -4], [-4, 4]], unit = \"N/m\" }\n");
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      EXPECT_DOUBLE_EQ(file.stiffness(i, j), lists.stiffness(i, j));
      EXPECT_DOUBLE_EQ(matrix.stiffness(i, j), lists.stiffness(i, j));
      EXPECT_DOUBLE_EQ(matrix.mass(i, j), lists.mass(i, j));
    }
  }
  EXPECT_NEAR(lowest_frequency(lists), natural_frequencies(lists.linear_system())[0], 1e-9);
}

TEST(Matrices, RefusesWhatIsNoMatrix) {
  EXPECT_EQ(parse_matrix("1, 2\n2, 5\n", "m.csv").values, (std::vector<double>{1, 2, 2, 5}));
  EXPECT_EQ(parse_matrix("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n5\n", "m").values,
            (std::vector<double>{1, 2, 2, 5}));
  for (const char* text : {"", "1, 2\n3\n", "1, x\n2, 3\n", "1, 2\n",
                           "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n",
                           "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n",
                           "%%MatrixMarket matrix coordinate real general\n2 2 4e40\n1 1 1\n",
                           "%%MatrixMarket matrix coordinate real general\n2 2 -1\n",
                           "%%MatrixMarket matrix coordinate real general\n2 2 0.5\n",
                           "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n"}) {
    EXPECT_THROW(parse_matrix(text, "m"), InputError) << text;
  }
  EXPECT_THROW(read("[structure]\nmass_matrix = { values = [[3, 0], [0, 2]], unit = \"kg\" }\n"
                    "stiffness_matrix = { values = [[9, -4], [-3, 4]], unit = \"N/m\" }\n"),
               InputError);
}

/// Damping ratios of the modes.
std::vector<double> ratios(const Structure& structure) {
  const LinearSystem system = structure.linear_system();
  const NaturalModes modes = natural_modes(system);
  std::vector<double> all;
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    const Eigen::VectorXd shape = modes.shapes.col(k);
    all.push_back(shape.dot(system.damping * shape) / (2 * modes.frequencies[static_cast<std::size_t>(k)]));
  }
  return all;
}

const std::string three =
    "[structure]\nmass = { values = [2, 1.5, 1], unit = \"kg\" }\n"
    "stiffness = { values = [800, 600, 300], unit = \"N/m\" }\n";

TEST(Damping, RayleighIsNotNegativeBesideItsTwoModes) {
  EXPECT_THROW(read(three + "rayleigh = { ratios = [0.1, 0.001], modes = [1, 2] }\n"), InputError);
  EXPECT_THROW(read(three + "rayleigh = { ratios = [0.001, 0.1], modes = [2, 3] }\n"), InputError);
  // The same line between the outermost modes harms nobody.
  for (const double ratio : ratios(read(three + "rayleigh = { ratios = [0.1, 0.001], modes = [1, 3] }\n"))) {
    EXPECT_GT(ratio, 0);
  }
}

TEST(Matrices, TableWithAFileIsExplained) {
  Document document = Document::parse(
      "[structure]\nmass = \"1 kg\"\nstiffness_matrix = { file = \"k.csv\", unit = \"N/m\" }\n", "structure");
  EXPECT_THROW(embed_matrices(document, [](const std::string&, const Where&) { return std::string("1\n"); }),
               InputError);
}

TEST(Damping, ModalAndRayleigh) {
  const std::vector<double> modal = ratios(read(three + "damping_ratio = [0.02, 0.05, 0.1]\n"));
  EXPECT_NEAR(modal[0], 0.02, 1e-12);
  EXPECT_NEAR(modal[1], 0.05, 1e-12);
  EXPECT_NEAR(modal[2], 0.1, 1e-12);
  const std::vector<double> rayleigh =
      ratios(read(three + "rayleigh = { ratios = [0.02, 0.05], modes = [1, 3] }\n"));
  EXPECT_NEAR(rayleigh[0], 0.02, 1e-12);
  EXPECT_NEAR(rayleigh[2], 0.05, 1e-12);
  const Structure mass = read(three + "rayleigh = { mass_factor = \"0.5 1/s\" }\n");
  EXPECT_EQ(mass.damping.half_bandwidth(), 0);
  EXPECT_DOUBLE_EQ(mass.damping(1, 1), 0.75);
  EXPECT_THROW(read(three + "damping_ratio = 0.02\nrayleigh = { mass_factor = \"0.5 1/s\" }\n"), InputError);
}

/// Kinetic energy + elastic energy + what was dissipated, of a free elastic–plastic oscillator.
TEST(YieldingStorey, KeepsItsEnergyWithEveryIntegrator) {
  for (const char* kind : {"central-difference", "newmark-explicit", "newmark", "hht-alpha",
                           "generalized-alpha", "alpha-os", "cr", "kr-alpha", "mkr-alpha", "rosenbrock"}) {
    double previous = 0;
    for (const double dt : {2e-3, 1e-3}) {
      char text[500];
      std::snprintf(text, sizeof text,
                    "duration = \"4 s\"\n[structure]\nmass = \"1 kg\"\nstiffness = \"5 N/m\"\n"
                    "[[structure.restoring]]\nkind = \"elastic-plastic\"\nstiffness = \"40 N/m\"\n"
                    "yield_force = \"2 N\"\n[initial]\nvelocity = \"1 m/s\"\n"
                    "[integrator]\nkind = \"%s\"\ndt = \"%g s\"\n",
                    kind, dt);
      const auto tested = make_test(Document::parse(text, "yielding"));
      const Experiment& experiment = *tested.experiment;
      State state = experiment.start().state;
      test::Recorded output(experiment, true);
      const auto& fields = experiment.layout().fields();
      const Segment spent = std::find_if(fields.begin(), fields.end(), [](const Layout::Field& field) {
                              return field.owner == "restoring1" && std::string(field.name) == "dissipated";
                            })->segment;
      double worst = 0;
      for (std::int64_t i = 0; i < tested.steps; ++i) {
        const double dissipated = *state.at(spent);
        const double force = state.values[static_cast<std::size_t>(spent.offset) - 1];
        output.step(state, {});
        const double d = output.structure[0];
        const double v = output.structure[1];
        const double energy = 0.5 * v * v + 0.5 * 5 * d * d + 0.5 * force * force / 40 + dissipated;
        worst = std::max(worst, std::abs(energy - 0.5));
      }
      EXPECT_GT(*state.at(spent), 0.2) << kind;
      EXPECT_LT(worst, 0.5 * 12 * dt) << kind;
      // The corners of the spring leave first order.
      if (previous > 0) {
        EXPECT_LT(worst, 0.75 * previous) << kind;
      }
      previous = worst;
    }
  }
}

}  // namespace
}  // namespace gusset::test
