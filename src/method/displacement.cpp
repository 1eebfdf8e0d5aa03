#include "method/displacement.hpp"

namespace gusset {

DisplacementMethod::DisplacementMethod(std::unique_ptr<Integrator> integrator,
                                       std::vector<Channel> channels, Profile profile, double dt,
                                       Layout& layout)
    : Method(std::move(channels), profile, dt, layout), integrator_(std::move(integrator)) {
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    for (const auto& [dof, weight] : channels_[c].interface.weights) {
      contributions_.push_back({static_cast<int>(c), dof, weight});
    }
  }
}

void DisplacementMethod::begin(State& state, const Input& input, const Response& response,
                               Piece* pieces) const noexcept {
  const double* d = state.at(integrator_->displacement());
  const double* p = state.at(integrator_->increment());

  // Where each target stands before the integrator moves on: c0 holds x_i and c1 its increment.
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const Channel& channel = channels_[c];
    pieces[c].c0 = channel.interface.of(d) + channel.ground * input.displacement;
    pieces[c].c1 = channel.interface.of(p) + channel.ground * input.increment;
  }
  integrator_->advance(state, {input.acceleration, state.at(forces_), contributions_}, response);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const Channel& channel = channels_[c];
    const double next = channel.interface.of(p) + channel.ground * input.next_increment;
    pieces[c] = piece(profile_, pieces[c].c0, pieces[c].c1, next, dt_);
  }
}

}  // namespace gusset
