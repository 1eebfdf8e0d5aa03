#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/input.hpp"
#include "document/document.hpp"
#include "excitation/record.hpp"

namespace gusset {

/// Finds a record by the name or path an experiment file gives; throws InputError. The library
/// itself opens no files: whoever builds an experiment brings this along.
using RecordLoader =
    std::function<std::shared_ptr<const Record>(const std::string& name, const Where& where)>;

/// A record on the grid of the integrator's steps, with the displacement that belongs to it by the
/// central difference rule (ground at rest before t_0):
///   u_{i+1} − u_i = (u_i − u_{i−1}) + Δt²·a_i,      u_0 = 0,   u_0 − u_{−1} = −½Δt²·a_0
/// so that a command that includes the ground's motion gives a specimen the absolute acceleration
/// (d_{i+1} − 2d_i + d_{i−1})/Δt² + a_i of the papers.
class GroundMotion {
 public:
  GroundMotion() = default;
  GroundMotion(const Record& record, double scale, double dt, std::int64_t steps);
  /// Displacements given as they are, at t_0, t_1, …; at rest on the first before and on the last
  /// after. Nothing is accelerated by them: it is the trajectory of a predefined test.
  explicit GroundMotion(std::vector<double> displacement);

  bool empty() const { return displacement_.empty(); }
  Input at(std::int64_t step) const noexcept;

 private:
  Input trajectory_at(std::int64_t step) const noexcept;

  std::vector<double> acceleration_;
  std::vector<double> displacement_;
};

/// Reads [excitation]: record = "name or path", and peak = "0.3 g" or scale = 0.4; or
///   kind = "noise", from and to (the band), rms or peak, duration, dt (1/1024 s), taper, seed: flat
///   band-limited noise as ground acceleration, linear between its samples like any record (noise.hpp)
struct ExcitationReading {
  std::shared_ptr<const Record> record;  ///< null if there is none
  double scale = 1;
};
ExcitationReading read_excitation(const Section& section, const RecordLoader& loader);

}  // namespace gusset
