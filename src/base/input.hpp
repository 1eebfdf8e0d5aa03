#pragma once

namespace gusset {

/// What comes from outside the loop at t_i. All zero: free vibration.
struct Input {
  double acceleration = 0;       ///< of the ground, a_g(t_i)
  double displacement = 0;       ///< of the ground, u_i
  double increment = 0;          ///< u_i − u_{i−1}
  double next_increment = 0;     ///< u_{i+1} − u_i
  double next_acceleration = 0;  ///< a_g(t_{i+1}); linear in between
};

}  // namespace gusset
