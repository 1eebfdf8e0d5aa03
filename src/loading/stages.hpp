#pragma once

#include <span>

#include "base/channel.hpp"
#include "loading/method.hpp"
#include "loop/stage.hpp"

// A loading on the loop: it begins the step, its goals are drawn sub-step by sub-step, what was measured is
// fed into its State, and it corrects and settles the step.

namespace gusset {

/// Names of what the driver writes before a step, in the order of Input.
std::vector<Signal> input_signals();

/// What the stages of a loading have between them.
struct LoadingPorts {
  Port input;                                 ///< five numbers, see Input
  Port displacement, velocity, acceleration;  ///< of the floors, at t_i
  Port work;                                  ///< work space of the integrator
  Port pieces;                                ///< the goals: a Piece a channel, side by side
  Port lines;                                 ///< scratch of the loading
  Port first;                                 ///< the targets of t_0: a Command a channel

  Response response(const WireView& row) const noexcept {
    return {row.at(displacement), row.at(velocity), row.at(acceleration), row.at(work)};
  }
  /// The goals as the loading sees them: three numbers each, see Piece.
  Piece* goals(const WireView& row) const noexcept { return reinterpret_cast<Piece*>(row.at(pieces)); }
};
static_assert(sizeof(Piece) == 3 * sizeof(double));

/// begin: from the measured forces and what comes from outside to the goals of the step, and the response
/// at t_i. Keeps the State of the numerical part.
class BeginStage final : public Stage {
 public:
  BeginStage(Site& site, const Method& method, std::span<const Channel> channels, int floors,
             const Kept& state, LoadingPorts& ports);
  void run(Frame& frame) const noexcept override;
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  const Input& input(const Frame& frame) const noexcept {
    static_assert(sizeof(Input) == 5 * sizeof(double));
    return *reinterpret_cast<const Input*>(frame.at(ports_.input));
  }

  const Method& method_;
  LoadingPorts ports_;
};

/// draw: the target of the sub-step, a point of each channel's goal; the command too, where no compensator
/// makes another.
class DrawStage final : public Stage {
 public:
  DrawStage(Site& site, std::span<const Channel> channels, const std::vector<bool>& compensated, double dt,
            const LoadingPorts& ports);
  void run(Frame& frame) const noexcept override;
  void start(Frame& frame, const LinearStart& motion) const override;

 private:
  double dt_;
  LoadingPorts ports_;
  CommandPort targets_;  ///< of the first channel; the others follow
  int count_;
};

/// feed: takes measured numbers over into the State of the loading.
class FeedStage final : public Stage {
 public:
  /// Entries of the State and the signals that go there.
  struct Way {
    int to;
    std::string signal;
    const char* unit;
  };
  FeedStage(Site& site, std::span<const Way> ways);
  void run(Frame& frame) const noexcept override {
    for (const auto& [to, from] : ways_) frame.state.values[static_cast<std::size_t>(to)] = frame[from];
  }

 private:
  std::vector<std::pair<int, Port>> ways_;
};

/// feed: corrects the step by what was measured in the sub-step, where the scheme named it; rewrites the
/// goals.
class CorrectStage final : public Stage {
 public:
  /// `forces` and `positions` name a signal a channel each, or none where the loading does not use them.
  CorrectStage(Site& site, const Method& method, std::span<const Channel> channels,
               std::span<const std::string> forces, const LoadingPorts& ports);
  void run(Frame& frame) const noexcept override;
  void start(Frame&, const LinearStart&) const override {}

 private:
  const Method& method_;
  LoadingPorts ports_;
  std::vector<Port> forces_, positions_;
  Port measured_;
};

/// end: puts right what the corrections left.
class SettleStage final : public Stage {
 public:
  SettleStage(Site& site, const Method& method, const LoadingPorts& ports);
  void run(Frame& frame) const noexcept override { method_.end(frame.state, frame.at(ports_.lines)); }
  void start(Frame&, const LinearStart&) const override {}

 private:
  const Method& method_;
  LoadingPorts ports_;
};

inline constexpr const char* loading_stage = "numerical part";

}  // namespace gusset
