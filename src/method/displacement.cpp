#include "method/displacement.hpp"

namespace gusset {

DisplacementMethod::DisplacementMethod(std::unique_ptr<Integrator> integrator,
                                       std::vector<Channel> channels, Profile profile, double dt,
                                       Layout& layout)
    : integrator_(std::move(integrator)),
      channels_(std::move(channels)),
      profile_(profile),
      rate_(1 / dt) {
  forces_ = layout.add("feedback", "force", "N", static_cast<int>(channels_.size()), 1.0);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const auto& weights = channels_[c].interface.weights;
    Tap tap{channels_[c].ground, weights[0].second, 0, weights[0].first, weights[0].first};
    if (weights.size() > 1) {
      tap.second_weight = weights[1].second;
      tap.second_dof = weights[1].first;
    }
    taps_.push_back(tap);
    for (const auto& [dof, weight] : weights) {
      contributions_.push_back({static_cast<int>(c), dof, weight});
    }
  }
}

void DisplacementMethod::begin(State& state, const Input& input, const Response& response,
                               Piece* pieces) const noexcept {
  const double* d = state.at(integrator_->displacement());
  const double* p = state.at(integrator_->increment());

  // Where each target stands before the integrator moves on: c0 holds x_i, c1 its last increment.
  Piece* piece_of = pieces;
  for (const Tap& tap : taps_) {
    piece_of->c0 = tap.of(d) + tap.ground * input.displacement;
    piece_of->c1 = tap.of(p) + tap.ground * input.increment;
    ++piece_of;
  }
  integrator_->advance(state, {input.acceleration, state.at(forces_), contributions_}, response);
  piece_of = pieces;
  for (const Tap& tap : taps_) {
    const double change = (tap.ground * input.next_increment - piece_of->c1) + tap.of(p);
    *piece_of = piece(profile_, piece_of->c0, piece_of->c1, change, rate_);
    ++piece_of;
  }
}

}  // namespace gusset
