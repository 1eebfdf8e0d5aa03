#pragma once

#include <cstdint>
#include <memory>

#include "build/experiment.hpp"
#include "excitation/ground_motion.hpp"

namespace gusset {

/// An experiment with what acts on it and for how long. Tests that differ only there share one Experiment.
struct Test {
  std::shared_ptr<const Experiment> experiment;
  GroundMotion ground;     ///< at the integrator's steps; in a predefined test the trajectory
  double duration = 0;     ///< [s]
  std::int64_t steps = 0;  ///< of the integrator
  std::shared_ptr<const Document> document = nullptr;  ///< what it was read from, for variants; or none

  /// What comes from outside at t_i. @rt-safe
  Input input(std::int64_t step) const noexcept { return ground.at(step); }
  /// State and row at t_0, in equilibrium with what acts then.
  Experiment::Start start() const { return experiment->start(input(0)); }
};

/// Reads [excitation] or [trajectory] and the duration. The loader finds the record; a test without one needs
/// no loader. Throws InputError.
Test make_test(std::shared_ptr<const Experiment> experiment, const Document& document,
               const RecordLoader& loader = {});
/// The same with the experiment of the document.
Test make_test(const Document& document, const RecordLoader& loader = {}, const BuildOptions& options = {});

}  // namespace gusset
