// Time of a step for shear buildings of growing height and for a condensed frame: growth with size,
// real-time factor at 1024 Hz, and how many times faster than OpenSees on the same models in the same
// run, where OpenSeesPy can be installed. Run: bench_structure (an -O3 build: cmake --preset release).

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "integrate/integrator.hpp"
#include "structure/structure.hpp"

namespace {

using namespace gusset;

/// Best of many short rounds [s a step]: noise only ever adds time.
double time_step(const std::string& kind, const Structure& structure) {
  const Document document = Document::parse("[integrator]\nkind = \"" + kind + "\"\n", "bench");
  Layout layout;
  const double dt = 1.0 / 1024;
  const auto integrator = make_integrator({document.section("integrator"), structure, dt, layout});
  const auto n = static_cast<std::size_t>(structure.size());
  State state = layout.zero();
  std::vector<double> zero(n, 0.0);
  std::vector<double> wires(n * static_cast<std::size_t>(3 + integrator->work_vectors()));
  integrator->start(state, zero.data(), zero.data(), zero.data());
  const Response response{wires.data(), wires.data() + n, wires.data() + 2 * n, wires.data() + 3 * n};
  const int steps = static_cast<int>(std::max<std::size_t>(20, 100'000 / (n + 20)));
  double best = 1;
  for (int round = 0; round < 150; ++round) {
    const auto begun = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) {
      const double ground = (i % 64 < 32) ? 1.0 : -1.0;
      integrator->advance(state, {ground, ground, nullptr, {}}, response);
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
    best = std::min(best, spent.count() / steps);
  }
  return best;
}

Structure building(int storeys, const char* damping) {
  const auto list = [&](double value) {
    std::string text = "[";
    for (int i = 0; i < storeys; ++i) text += (i > 0 ? "," : "") + std::to_string(value);
    return text + "]";
  };
  const std::string text = "[structure]\nmass = { values = " + list(1e4) +
                           ", unit = \"kg\" }\nstiffness = { values = " + list(2e7) +
                           ", unit = \"N/m\" }\nrayleigh = { " + damping + " }\n";
  return read_structure(Document::parse(text, "bench"), {}).structure;
}

/// 9 storeys of 4 m, 5 bays of 6 m.
Structure frame() {
  std::string text;
  const auto name = [](int column, int floor) {
    return "n" + std::to_string(column) + "_" + std::to_string(floor);
  };
  for (int floor = 0; floor <= 9; ++floor) {
    for (int column = 0; column <= 5; ++column) {
      text += "[[structure.node]]\nname = \"" + name(column, floor) + "\"\nx = \"" +
              std::to_string(6 * column) + " m\"\ny = \"" + std::to_string(4 * floor) + " m\"\n" +
              (floor == 0 ? "fixed = \"xyr\"\n" : "floor = " + std::to_string(floor) + "\nmass = \"8 t\"\n");
    }
  }
  const auto element = [&](const std::string& from, const std::string& to) {
    text += "[[structure.element]]\nfrom = \"" + from + "\"\nto = \"" + to +
            "\"\nmodulus = \"210 GPa\"\narea = \"200 cm^2\"\ninertia = \"60000 cm^4\"\n";
  };
  for (int floor = 1; floor <= 9; ++floor) {
    for (int column = 0; column <= 5; ++column) {
      element(name(column, floor - 1), name(column, floor));
      if (column < 5) element(name(column, floor), name(column + 1, floor));
    }
  }
  return read_structure(Document::parse("[structure]\nrayleigh = { mass_factor = \"0.3 1/s\", "
                                        "stiffness_factor = \"1 ms\" }\n" +
                                            text,
                                        "bench"),
                        {})
      .structure;
}

/// Seconds a step of OpenSees by "case storeys", from opensees_times.py; empty where it is not to be had.
std::map<std::string, double> opensees_times(const std::string& build) {
  std::map<std::string, double> times;
  const std::string source = GUSSET_SOURCE_DIR;
  const std::string command =
      "python3 -B \"" + source + "/bench/opensees_times.py\" \"" + source + "\" \"" + build + "\"";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return times;
  char line[400];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    std::istringstream words(line);
    std::string name, storeys;
    double seconds = 0;
    if (words >> name >> storeys >> seconds) {
      times[name + " " + storeys] = seconds;
    } else {
      std::printf("%s", line);  // why it was skipped
    }
  }
  ::pclose(pipe);
  return times;
}

void compare(const std::map<std::string, double>& theirs, const std::string& name, int storeys,
             double seconds, double wanted) {
  const auto found = theirs.find(name + " " + std::to_string(storeys));
  if (found == theirs.end()) return;
  std::printf("%-44s %6d  %10.1f ns  OpenSees %10.2f us  %6.0f times  (at least %.0f wanted)\n", "", storeys,
              seconds * 1e9, found->second * 1e6, found->second / seconds, wanted);
}

void print(const char* what, int storeys, double seconds, double previous, int previous_storeys) {
  std::printf("%-44s %6d  %10.1f ns", what, storeys, seconds * 1e9);
  if (previous > 0) {
    std::printf("  growth %5.2f x linear (at most 1.3 wanted)",
                seconds / previous * previous_storeys / storeys);
  } else {
    std::printf("  %42s", "");
  }
  std::printf("  real-time factor %10.0f\n", 1 / 1024.0 / seconds);
}

}  // namespace

int main(int, char** argv) {
  const std::string build = std::filesystem::absolute(argv[0]).parent_path().parent_path().string();
  const std::map<std::string, double> theirs = opensees_times(build);
  const std::map<std::string, std::map<int, double>> wanted{
      {"mass", {{3, 40}, {10, 80}, {100, 150}, {1000, 200}}},
      {"stiffness", {{3, 20}, {10, 30}, {100, 50}, {1000, 60}}}};
  struct Case {
    const char *title, *kind, *damping, *theirs;
  };
  for (const Case& one :
       {Case{"central difference, mass damping", "central-difference", "mass_factor = \"0.3 1/s\"", "mass"},
        Case{"central difference, stiffness damping", "central-difference", "stiffness_factor = \"1 ms\"",
             "stiffness"},
        Case{"newmark, stiffness damping", "newmark", "stiffness_factor = \"1 ms\"", ""},
        Case{"cr, mass damping", "cr", "mass_factor = \"0.3 1/s\"", ""}}) {
    double previous = 0;
    int previous_storeys = 0;
    for (const int storeys : {3, 10, 100, 1000, 10000}) {
      const double seconds = time_step(one.kind, building(storeys, one.damping));
      print(one.title, storeys, seconds, previous, previous_storeys);
      const auto targets = wanted.find(one.theirs);
      if (targets != wanted.end()) {
        const auto target = targets->second.find(storeys);
        if (target != targets->second.end()) compare(theirs, one.theirs, storeys, seconds, target->second);
      }
      previous = seconds;
      previous_storeys = storeys;
    }
  }
  const Structure condensed = frame();
  const double seconds = time_step("newmark", condensed);
  print("newmark, frame of 9 storeys and 5 bays", condensed.size(), seconds, 0, 0);
  compare(theirs, "frame", 9, seconds, 20);
}
