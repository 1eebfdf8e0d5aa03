#pragma once

#include <cstdint>
#include <vector>

#include "document/document.hpp"
#include "excitation/ground_motion.hpp"

namespace gusset {

/// Reads [trajectory], the displacement of a predefined test, on the grid t_i = i·dt, i = 0 … steps + 1.
///
///   kind = "sweep"   x = A·sin φ(t), φ' = 2π·f(t), f rising evenly (or evenly in log f) from `from`
///                    to `to` over `duration`; a Tukey ramp of `taper` at both ends
///   kind = "steps"   the `levels` one after the other, each held for `hold`, reached in `rise` along
///                    a smooth curve of fifth order, ½ at mid-rise
///   kind = "noise"   A_rms·Σ sqrt(2/n)·cos(2πf_j·t + φ_j), n lines evenly spaced by 1/duration over
///                    `from` … `to`; the phases are a function of (seed, j)
///   kind = "record"  the shape of a record, its peak scaled to `amplitude`
///
/// It ends at `duration` and rests at its last value from there.
struct Trajectory {
  std::vector<double> displacement;  ///< [m] at i·dt
};

/// How long the trajectory lasts [s], which is the test's duration unless the file says otherwise.
double trajectory_duration(const Section& section, const RecordLoader& loader);
Trajectory read_trajectory(const Section& section, const RecordLoader& loader, double dt, std::int64_t steps);

}  // namespace gusset
