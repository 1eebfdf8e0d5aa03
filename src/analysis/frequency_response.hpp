#pragma once

#include <complex>
#include <vector>

#include "analysis/transfer_function.hpp"
#include "build/experiment.hpp"

namespace gusset {

/// The blocks of one channel as state spaces, by perturbing the very blocks that a test runs. Inputs
/// are a target's or command's displacement, velocity and acceleration.
///
///   plant        command → measured displacement, at the rig's step
///   tracking     target → command, measured displacement, with the measurement fed back to the
///                compensator as in a test; at the rig's step. No compensator: the plant alone
///   planner      the piece's coefficient c0 → that of the command's piece, at the integrator's step;
///                of a compensator that works there
struct ChannelSystems {
  StateSpace plant, tracking, planner;
  bool per_step = false;  ///< planner is there
};
ChannelSystems channel_systems(const Experiment& experiment, std::size_t channel);

/// The compensator's own transfer function, target → command, at its own step. One that works on
/// velocity and acceleration too shows its response to the displacement alone.
TransferFunction compensator_transfer_function(const Experiment& experiment, std::size_t channel);

/// Responses at one frequency f. The target is x = exp(2πjf·t) with the derivatives that belong to it.
struct BlockResponse {
  std::complex<double> compensator;  ///< command/target
  std::complex<double> plant;        ///< measured/command
  std::complex<double> combined;     ///< measured/target
};
BlockResponse frequency_response(const ChannelSystems& systems, double frequency);

}  // namespace gusset
