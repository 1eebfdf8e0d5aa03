#pragma once

#include "loading/method.hpp"

namespace gusset {

/// The target is known beforehand: a sweep, steps, noise or a record as displacement, for finding out
/// what a rig does and what a compensator makes of it (Chen 2008, section 5). There is no numerical
/// part, and the measured force goes nowhere but into the results.
///
/// The trajectory comes in as Input, as the ground's displacement does for other methods: with x_i
/// and its increments the profile is drawn as there. All channels follow it, each times its share.
class PredefinedMethod final : public Method {
 public:
  using Method::Method;

  void begin(State&, const Input& input, const Response&, Piece* pieces, double*) const noexcept override {
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const double share = channels_[c].ground;
      pieces[c] = piece(profile_, share * input.displacement, share * input.increment,
                        share * (input.next_increment - input.increment), 1 / dt_);
    }
  }
};

}  // namespace gusset
