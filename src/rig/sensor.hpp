#pragma once

#include "base/low_pass.hpp"
#include "rig/signal_delay.hpp"

namespace gusset {

/// What sensors make of a rig's measured displacement and force. Each true sample y becomes
///
///   y → a time late (linear between samples) → Butterworth low-pass → + bias + σ·n_k → rounded to
///   whole multiples of the resolution → lost with probability p, the last sample then standing
///
/// n_k is standard normal, a pure function of (seed, sample number, channel, signal): nothing random
/// is remembered, so a run can be repeated, replayed and taken up again bit for bit. What is neither
/// linear nor deterministic (noise, rounding, loss) stands still in an analysis.
///
/// State: the delays' and filters', the last samples where some get lost, the sample number.
class Sensors {
 public:
  /// What can be measured; which of it a channel has is a set of bits, 1 << Quantity.
  enum Quantity { displacement, force, velocity, acceleration, most };
  struct Place {
    const Document& document;
    const std::string& name;  ///< of the channel
    int number, channels;     ///< which one, from 1, of how many
    Layout& layout;
    double dt;  ///< the rig's step [s]
  };

  /// Null where the file has no [sensor] for this channel.
  static std::unique_ptr<Sensors> read(const Place& place, unsigned quantities);
  static std::unique_ptr<Sensors> read(const RigContext& context);

  double step(int signal, State& state, double value) const noexcept;  ///< @rt-safe
  void count(State& state) const noexcept;  ///< to the next sample; after both signals. @rt-safe
  void rest(int signal, State& state, double value) const;

 private:
  struct Channel {
    double noise = 0, bias = 0, resolution = 0;
    SignalDelay delay;
    LowPass filter;
    Segment filter_state, last;
  };
  Channel channels_[most];
  double dropout_ = 0;
  std::uint64_t key_ = 0;  ///< of seed and channel
  Segment samples_;
  int freeze_ = 0;
};

/// A rig seen through sensors: its signals "measured" and "force" are what the sensors give, and
/// "measured_true" and "force_true", behind all others, what they would if they were perfect.
class SensedRig final : public Rig {
 public:
  SensedRig(std::unique_ptr<Rig> rig, std::unique_ptr<Sensors> sensors);

  double advance(State& state, const Command& command, double* measured) const noexcept override;
  void start(State& state, const Motion& motion, double displacement, double velocity,
             double* measured) const override;
  std::vector<Signal> signals() const override;
  const Specimen& specimen() const override { return rig_->specimen(); }
  bool affine() const override { return rig_->affine(); }
  RigCapacity capacity() const override { return rig_->capacity(); }
  double effort(const double* measured) const noexcept override { return rig_->effort(measured); }

 private:
  std::unique_ptr<Rig> rig_;
  std::unique_ptr<Sensors> sensors_;
  static constexpr int sensed = 2;
  int places_[sensed] = {0, 0};  ///< of measured and force among the rig's signals
  int count_ = 0;                ///< of the rig's signals
};

/// The keys of [sensor], for the reference.
const std::vector<Parameter>& sensor_keys();

}  // namespace gusset
