#pragma once

#include "base/channel.hpp"
#include "base/low_pass.hpp"
#include "rig/signal_delay.hpp"

namespace gusset {

/// What sensors make of what a channel's rig does. Each true sample y becomes
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
  enum Quantity { displacement, force, velocity, acceleration, most };
  /// The signal of a channel that is a sensor's of this quantity; null where it has none.
  static const char* signal_of(Control control, int quantity);
  static const char* unit_of(int quantity);
  struct Place {
    const Document& document;
    const std::string& name;  ///< of the channel
    Control control;
    int number, channels;  ///< which one, from 1, of how many
    Layout& layout;
    double dt;  ///< the rig's step [s]
  };

  /// Null where the file has no [sensor] for this channel.
  static std::unique_ptr<Sensors> read(const Place& place);

  double step(int quantity, State& state, double value) const noexcept;  ///< @rt-safe
  void count(State& state) const noexcept;  ///< to the next sample; after all quantities. @rt-safe
  void rest(int quantity, State& state, double value) const;

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

/// The keys of [sensor], for the reference.
const std::vector<Parameter>& sensor_keys();

}  // namespace gusset
