#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "runs/recording_plan.hpp"

namespace gusset::test {

/// Two streams, the second eight times as fast.
inline RecordingPlan recording_plan() {
  RecordingPlan plan;
  plan.title = "a test, \"recorded\"";
  plan.version = "1.2.3";
  plan.experiment_name = "somewhere/test.toml";
  plan.experiment_text = "title = \"Trägheit\"\n";
  plan.overrides = {"integrator.dt=1 ms"};
  plan.created = "2024-01-01T00:00:00Z";
  plan.streams = {{"structure", 0, 8e-3, {{"storey1.displacement", "m"}, {"storey1.velocity", "m/s"}}, 0},
                  {"rig", 0, 1e-3, {{"jack.command", "m"}, {"jack.measured", "m"}, {"jack.force", "N"}}, 0}};
  plan.event_texts = {{7, "supervisor", "the stroke reached {} m"}};
  plan.texts = {{"readiness", "{\"fit\":true}"}};
  return plan;
}

/// What the tests record: any row can be told from its number alone.
inline double recorded_value(std::size_t stream, std::int64_t row, std::size_t signal) {
  return static_cast<double>(row) * 1.25 + 1e6 * static_cast<double>(stream) +
         1e-3 * static_cast<double>(signal) + 1.0 / 3;
}

template <std::size_t width>
std::array<double, width> recorded_row(std::size_t stream, std::int64_t row) {
  std::array<double, width> values;
  for (std::size_t i = 0; i < width; ++i) values[i] = recorded_value(stream, row, i);
  return values;
}

}  // namespace gusset::test
