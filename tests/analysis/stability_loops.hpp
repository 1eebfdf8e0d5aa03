#pragma once

#include <string>
#include <vector>

#include "analysis/stability.hpp"
#include "support/documents.hpp"

// Loops whose stability is known, by simulation of long free vibrations and by describing functions worked out
// apart from this program.

namespace gusset::test {

/// Three storeys, 1.5 Hz and 2 % in the first mode, a rig 2 ms late at eight sub-steps, El Centro at 0.3 g.
inline std::string three_storeys(const std::string& specimen) {
  return R"(
[structure]
mass = { values = [2, 2, 2], unit = "t" }
stiffness = { values = [897, 897, 897], unit = "kN/m" }
damping = { values = [3.807, 3.807, 3.807], unit = "kN*s/m" }
[excitation]
record = "el-centro-1940-ns"
peak = "0.3 g"
[method]
profile = "ramp"
[integrator]
kind = "cr"
dt = "4 ms"
[rig]
kind = "delay"
delay = "2 ms"
dt = "0.5 ms"
[specimen]
name = "device"
storey = 1
acts = "drift"
)" + specimen;
}

inline const char* const fluid_damper =
    "kind = \"viscous\"\ndamping = \"12 kN*(s/m)^0.4\"\nexponent = 0.4\nvelocity = \"0.1 mm/s\"\n";
inline const char* const slider =
    "kind = \"lugre\"\nstiffness = \"5e7 N/m\"\nbristle_damping = \"5e4 N*s/m\"\nforce = \"3 kN\"\n"
    "static_force = \"4.5 kN\"\n";
inline const char* const yielding_device =
    "kind = \"bilinear\"\nstiffness = \"897 kN/m\"\nyield_force = \"8 kN\"\nhardening = 0.05\n";
inline const char* const plastic_device =
    "kind = \"elastic-plastic\"\nstiffness = \"897 kN/m\"\nyield_force = \"8 kN\"\n";
inline const char* const linear_dashpot = "kind = \"dashpot\"\ndamping = \"20 kN*s/m\"\n";

/// One storey of 1.5 Hz: half of its stiffness is a spring in a rig 8 ms late, which takes 1.9 % of damping away;
/// 0.5 % is its own; 0.4 of the stiffness yields at `yield`.
inline std::string delayed_and_yielding(const std::string& yield_force = "0.71064 kN", bool shaken = true) {
  const std::string record = shaken ? "[excitation]\nrecord = \"el-centro-1940-ns\"\npeak = \"0.3 g\"\n" : "";
  return R"(
[structure]
mass = "2 t"
stiffness = "17.766 kN/m"
damping = "188.5 N*s/m"
[[structure.restoring]]
storey = 1
kind = "elastic-plastic"
stiffness = "71.064 kN/m"
yield_force = ")" +
         yield_force + "\"\n" + record + R"(
[method]
profile = "ramp"
[integrator]
kind = "cr"
dt = "4 ms"
[specimen]
name = "spring"
kind = "spring"
storey = 1
stiffness = "88.83 kN/m"
[rig]
kind = "delay"
delay = "8 ms"
dt = "0.5 ms"
)";
}

/// One linear storey of 1.5 Hz with this damping ratio.
inline std::string one_storey(double ratio) {
  return R"(
[structure]
mass = "2 t"
frequency = "1.5 Hz"
damping = ")" +
         std::to_string(2 * ratio * 2000 * 2 * 3.14159265358979 * 1.5) + R"( N*s/m"
[excitation]
record = "el-centro-1940-ns"
peak = "0.3 g"
[method]
profile = "ramp"
[integrator]
kind = "cr"
dt = "4 ms"
)";
}

inline Test test_of_text(const std::string& text, const std::vector<std::string>& sets = {}) {
  return make_test(document(text, sets), shipped_records(), {.any_step = true});
}

inline StabilityReport judged(const std::string& text, const std::vector<std::string>& sets = {},
                              bool rehearse_linear = false) {
  return judge_stability(test_of_text(text, sets), {.rehearse_linear = rehearse_linear});
}

}  // namespace gusset::test
