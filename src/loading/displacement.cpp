#include "loading/displacement.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/linear_system.hpp"
#include "base/row.hpp"

namespace gusset {

DisplacementMethod::DisplacementMethod(std::unique_ptr<Integrator> integrator, std::vector<Channel> channels,
                                       std::vector<StoreyForce> storeys, std::vector<ForceEstimate> estimates,
                                       Profile profile, double dt, int substeps, Layout& layout, int late,
                                       double tangent_damping)
    : Method(std::move(channels), profile, dt, layout),
      integrator_(std::move(integrator)),
      estimates_(std::move(estimates)),
      rate_(1 / dt),
      substeps_(substeps),
      storeys_(std::move(storeys), dt, layout, tangent_damping),
      order_(channels_.empty() ? 0 : lagrange_order(profile)),
      late_(late) {
  corrects_.assign(static_cast<std::size_t>(substeps), false);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const auto& weights = channels_[c].interface.weights;
    if (weights.size() > 2) throw WiringError(channels_[c].name() + ": an interface of more than two floors");
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
  for (std::size_t s = 0; s < storeys_.size(); ++s) {
    for (const auto& [dof, weight] : storeys_[s].interface.weights) {
      contributions_.push_back({static_cast<int>(channels_.size() + s), dof, weight});
    }
  }
  const int count = channels_.empty() ? 0 : integrator_->corrections();
  iterates_ = count > 0;
  settles_ = iterates_ || !storeys_.empty();
  if (order_ > 1) {
    const int entries = (order_ - 1) * static_cast<int>(channels_.size());
    history_ = layout.add("target", "increment", "m", entries, 1e-5);
  }
  if (order_ > 0) {
    // Every sub-step but the last is followed by drawing the next.
    iterates_ = true;
    settles_ = !storeys_.empty();
    corrects_.assign(static_cast<std::size_t>(substeps), true);
    corrects_.back() = false;
  }
  for (int j = 1; j <= count; ++j) {
    const double end = integrator_->correction_point() * j / count * substeps;
    const int after = std::clamp(static_cast<int>(std::ceil(end - 1e-9)), 1, substeps);
    corrects_[static_cast<std::size_t>(after - 1)] = true;
  }
}

void DisplacementMethod::begin(State& state, const Input& input, const Response& response, Piece* pieces,
                               double* lines) const noexcept {
  const double* d = state.at(integrator_->displacement());
  const double* p = state.at(integrator_->increment());

  // Where each target stands before the integrator moves on: c0 holds x_i, c1 its last increment.
  Piece* piece_of = pieces;
  for (const Tap& tap : taps_) {
    piece_of->c0 = tap.of(d) + tap.ground * input.displacement;
    piece_of->c1 = tap.of(p) + tap.ground * input.increment;
    ++piece_of;
  }
  if (iterates_ && order_ == 0) [[unlikely]] {
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      lines[c] = state.at(forces_)[c] - estimates_[c].stiffness * channels_[c].interface.of(d);
    }
  }
  if (!storeys_.empty()) [[unlikely]]
    storeys_.hold(state, d, p, scratch(lines));
  integrator_->advance(
      state, {input.acceleration, input.next_acceleration, state.at(forces_), contributions_}, response);
  piece_of = pieces;
  for (const Tap& tap : taps_) {
    const double change = (tap.ground * input.next_increment - piece_of->c1) + tap.of(p);
    if (order_ > 0) [[unlikely]] {
      draw(static_cast<std::size_t>(piece_of - pieces), state, piece_of->c1 + change, *piece_of, lines);
    } else {
      *piece_of = piece(profile_, piece_of->c0, piece_of->c1, change, rate_);
    }
    ++piece_of;
  }
  if (channels_.empty() && !storeys_.empty()) [[unlikely]] {
    // Nothing to wait for: all corrections at once.
    for (int i = 0; i < integrator_->corrections(); ++i) {
      try_storeys(state, lines);
      integrator_->correct(state, lines + estimates_.size(), contributions_, response);
    }
  }
}

double* DisplacementMethod::drawn_at(std::size_t channel, double* lines) const noexcept {
  return lines + 2 * estimates_.size() + storeys_.size() + drawn * channel;
}

void DisplacementMethod::draw(std::size_t channel, State& state, double next, Piece& piece,
                              double* lines) const noexcept {
  double p1 = 0;
  double p2 = 0;
  if (order_ > 1) {
    double* history = state.at(history_) + static_cast<std::size_t>(order_ - 1) * channel;
    p1 = history[0];
    if (order_ > 2) {
      p2 = history[1];
      history[1] = p1;
    }
    history[0] = piece.c1;
  }
  const LagrangeStep step = LagrangeStep::of(order_, piece.c0, next, piece.c1, p1, p2);
  std::memcpy(drawn_at(channel, lines), &step, sizeof step);
  piece = step.piece(0, late_, substeps_, dt_);
}

void DisplacementMethod::try_storeys(State& state, double* lines) const noexcept {
  storeys_.attempt(state, state.at(integrator_->displacement()), state.at(integrator_->increment()),
                   integrator_->correction_point(), scratch(lines));
}

void DisplacementMethod::start(State& state, const LinearStart& motion, const Input& input,
                               Command* targets) const {
  Method::start(state, motion, input, targets);
  const double* velocity = motion.velocity.data();
  storeys_.start(state, state.at(integrator_->displacement()), velocity);
  // p_{−1}, p_{−2}: the motion before t_0 continued with the acceleration in p_0 = Δt·v_0 − ½Δt²·a_0.
  // The ground stood still.
  for (int k = 1; k < order_; ++k) {
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const Interface& interface = channels_[c].interface;
      const double p = interface.of(state.at(integrator_->increment()));
      const double curvature = 2 * (dt_ * interface.of(velocity) - p);
      state.at(history_)[static_cast<std::size_t>(order_ - 1) * c + static_cast<std::size_t>(k) - 1] =
          p - k * curvature;
    }
  }
}

void DisplacementMethod::correct(int substep, State& state, const double* forces, const double* positions,
                                 const Response& response, Piece* pieces, double* lines) const noexcept {
  if (order_ > 0) {
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      LagrangeStep step;
      std::memcpy(&step, drawn_at(c, lines), sizeof step);
      pieces[c] = step.piece(substep + 1, late_, substeps_, dt_);
    }
    return;
  }
  const double* d = state.at(integrator_->displacement());
  const double s = dt_ * (substep + 1) / substeps_;
  double* change = lines + estimates_.size();
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const double line = forces[c] - estimates_[c].stiffness * positions[c];
    change[c] = line - lines[c];
    lines[c] = line;
    // c2 is free in a ramp: it keeps where the target led to, less the interface's share of d.
    pieces[c].c2 = pieces[c].c0 + pieces[c].c1 * dt_ - channels_[c].interface.of(d);
  }
  try_storeys(state, lines);
  integrator_->correct(state, change, contributions_, response);
  const double rest = dt_ - s;
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    Piece& piece = pieces[c];
    const double now = piece.c0 + piece.c1 * s;
    const double target = piece.c2 + channels_[c].interface.of(d);
    const double rate = substep + 1 < substeps_ ? (target - now) / rest : 0;
    piece = {now - rate * s, rate, 0};
  }
}

void DisplacementMethod::end(State& state, double* lines) const noexcept {
  if (iterates_ && order_ == 0 && corrects_.back()) {
    double* kept = state.at(forces_);
    const double* d = state.at(integrator_->displacement());
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      kept[c] = lines[c] + estimates_[c].stiffness * channels_[c].interface.of(d);
    }
  }
  if (storeys_.empty()) return;
  storeys_.settle(state, state.at(integrator_->displacement()), state.at(integrator_->increment()),
                  scratch(lines));
}

}  // namespace gusset
