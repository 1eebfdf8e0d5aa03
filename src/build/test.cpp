#include "build/test.hpp"

#include <cmath>

#include "excitation/trajectory.hpp"

namespace gusset {
namespace {

double steps_of(double duration, double dt) { return std::ceil(duration / dt - 1e-9); }

void require_memory(const Section& top, double steps) {
  if (steps <= 1e8) return;
  top.fail("duration", "the motion would have more than 1e8 samples",
           "shorten the duration or lengthen integrator.dt");
}

void read_trajectory_and_duration(const Document& document, const RecordLoader& loader, Test& test) {
  const Section& top = document.top();
  const Section& trajectory = document.section("trajectory");
  const double dt = test.experiment->dt();
  test.duration =
      top.has("duration") ? top.positive("duration", dim::time) : trajectory_duration(trajectory, loader);
  const double steps = steps_of(test.duration, dt);
  require_memory(top, steps);
  test.steps = static_cast<std::int64_t>(steps);
  test.ground = GroundMotion(read_trajectory(trajectory, loader, dt, test.steps).displacement);
}

void read_excitation_and_duration(const Document& document, const RecordLoader& loader, Test& test) {
  const ExcitationReading excitation = read_excitation(document.section("excitation"), loader);
  const Section& top = document.top();
  const double dt = test.experiment->dt();
  if (top.has("duration") || !excitation.record) {
    test.duration = top.positive("duration", dim::time);
  } else {
    test.duration = excitation.record->dt * static_cast<double>(excitation.record->acceleration.size() - 1);
  }
  const double steps = steps_of(test.duration, dt);
  if (steps > 1e10) {
    top.fail("duration", "the test would take " + std::to_string(steps) + " steps, more than fit in memory",
             "shorten the duration or lengthen integrator.dt");
  }
  test.steps = static_cast<std::int64_t>(steps);
  if (!excitation.record) return;
  require_memory(top, steps);
  test.ground = GroundMotion(*excitation.record, excitation.scale, dt, test.steps + 1);
}

}  // namespace

Test make_test(std::shared_ptr<const Experiment> experiment, const Document& document,
               const RecordLoader& loader) {
  Test test;
  test.experiment = std::move(experiment);
  auto kept = std::make_shared<Document>(document);
  kept->stop_tracking();
  test.document = std::move(kept);
  if (document.section("method").text("kind", "displacement") == "predefined") {
    read_trajectory_and_duration(document, loader, test);
  } else {
    read_excitation_and_duration(document, loader, test);
  }
  return test;
}

Test make_test(const Document& document, const RecordLoader& loader, const BuildOptions& options) {
  return make_test(std::make_shared<const Experiment>(Experiment::build(document, options)), document,
                   loader);
}

}  // namespace gusset
