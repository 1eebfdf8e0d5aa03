#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/channel.hpp"
#include "base/state.hpp"
#include "compensate/compensator.hpp"
#include "compensate/online_indicators.hpp"
#include "loading/method.hpp"
#include "rig/rig.hpp"
#include "rig/sensor.hpp"
#include "structure/structure.hpp"

namespace gusset {

/// A rig in its test, the numbers of the channels that it drives, and what it keeps of the State.
struct MountedRig {
  std::unique_ptr<Rig> rig;
  std::vector<std::size_t> channels;
  std::vector<Kept> state;
  /// The motion of the specimen's own degrees of freedom at t_0, given that of the whole structure (see
  /// Rig::start); none: the method says it.
  std::function<LinearStart(const LinearStart&)> specimen = {};

  const Rig* operator->() const { return rig.get(); }
};

/// A restoring force of the structure, numerical or in the laboratory, at its place in the whole.
struct ListedStorey {
  Interface at;
  const Restoring* restoring;
};

/// The blocks of a test and whose each entry of the State is, before they are wired: what a file is read
/// into.
struct ExperimentParts {
  std::string title;
  double dt = 0;
  double rig_dt = 0;
  int substeps = 1;  ///< of the rig, a step
  double late = 0;   ///< a delay put in between every actuator's command and the rig [s]
  double reference_frequency = 0;

  Layout layout;
  Structure structure;
  std::vector<ListedStorey> storeys;
  std::vector<Channel> channels;
  std::unique_ptr<Method> method;
  Kept loading_state;
  std::vector<MountedRig> rigs;
  bool mirrored = false;  ///< the model itself gives the specimen's motion: no rig could be elsewhere

  // One a channel; null where there is none.
  std::vector<std::unique_ptr<Sensors>> sensors;
  std::vector<Kept> sensor_state;
  std::vector<std::unique_ptr<Compensator>> compensators;
  std::vector<Kept> compensator_state;
  std::vector<std::unique_ptr<OnlineIndicators>> indicators;  ///< or none at all
  std::vector<Kept> indicator_state;

  // At t_0.
  std::vector<double> displacement, velocity;                    ///< of the floors
  std::vector<double> specimen_displacement, specimen_velocity;  ///< relative to the interfaces
};

}  // namespace gusset
