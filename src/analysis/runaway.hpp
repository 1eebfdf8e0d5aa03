#pragma once

#include <optional>
#include <string>
#include <vector>

#include "build/test.hpp"

namespace gusset {

/// How far and how fast a test would move its structure if the test were perfect: the yardstick for a response
/// that runs away. From the lowest ten modes of the whole structure, numerical part and specimens joined without
/// any rig in between,
///
///   q_k'' + 2ζ_k·ω_k·q_k' + ω_k²·q_k = −Γ_k·a_g(t),      scale = max_i Σ_k |φ_ik|·max_t |q_k|
///
/// The sum of the modes' peaks is at least the peak of their sum, at most some times more. Initial displacements
/// and velocities count. A structure that is not linear moves further than its stiffness at rest says, and its
/// dampers do less than their slope at rest says: there ζ is at most 5 %, and the scale is the largest of three,
/// with the stiffness that specimens and restoring forces add taken whole, taken by a tenth, and left out
/// where the structure stands without it. A predefined test has no structure: its scale is that of its trajectory.
struct MotionScale {
  double displacement = 0;  ///< relative to the ground [m]; 0: nothing acts
  double velocity = 0;      ///< [m/s]
};
MotionScale motion_scale(const Test& test);

/// A response that passed `runaway_factor` times the test's own scale.
struct Runaway {
  double time = 0;     ///< when it did [s]
  std::string signal;  ///< "storey1.displacement"
  double reached = 0;  ///< its largest magnitude in the whole test [m]
  double scale = 0;    ///< [m]
};
inline constexpr double runaway_factor = 10;

/// "storey1.displacement passed 10 times the test's own scale of 0.052 m at t = 3.2 s, and reached 100 m"
std::string text_of(const Runaway& runaway);

/// Looks at the floors' displacements, step by step; in a predefined test at what the channels measure.
class RunawayWatch {
 public:
  explicit RunawayWatch(const Test& test) : RunawayWatch(test, motion_scale(test)) {}
  RunawayWatch(const Test& test, const MotionScale& scale);

  /// The row of a step that began at this time. Something that is not finite has run away too.
  void look(const Wires& row, double time) noexcept;
  std::optional<Runaway> found() const;
  const MotionScale& scale() const { return scale_; }

 private:
  MotionScale scale_;
  std::vector<std::string> names_;
  std::vector<Port> ports_;
  std::ptrdiff_t first_ = -1;  ///< what passed it first
  double time_ = 0, reached_ = 0;
};

}  // namespace gusset
