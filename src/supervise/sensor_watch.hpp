#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace gusset {

/// Sensors are believed as far as they agree with the rehearsal. Over the first second in which a signal is to
/// show something, m what was measured and e what the model of the rig answers to the same commands:
///
///   gain         g = Σ m·e/Σ e²              of a position: 0.5 … 2, or it is dead, of the wrong sign or scale
///   size         s = √(Σ m²/Σ e²)            of a force: 0.1 … 10; the specimen is there because nobody knows it
///   likeness     c = Σ m·e/√(Σ m²·Σ e²)      of a force: not below −0.5, or its sign is wrong
///   exchange     of two channels: each is like the other's expectation (c > 0.9) and not like its own (c < 0.5)
///
/// Only instants count at which |e| is above a share of the channel's limit: noise at rest says nothing.
class SensorWatch {
 public:
  enum class Kind { position, force };
  struct Sensor {
    std::size_t channel;
    Kind kind;
    double least;  ///< |e| from here on counts
  };

  /// `period` of the answers [s].
  SensorWatch(std::vector<Sensor> sensors, double period)
      : needed_(static_cast<int>(std::lround(0.1 / period))),
        most_(10 * needed_),
        sensors_(std::move(sensors)),
        sums_(sensors_.size()),
        cross_(sensors_.size() * sensors_.size()),
        measured_(sensors_.size()),
        expected_(sensors_.size()) {
    if (needed_ < 10) needed_ = 10;
    if (most_ < needed_) most_ = needed_;
  }

  std::size_t size() const noexcept { return sensors_.size(); }
  const Sensor& sensor(std::size_t i) const noexcept { return sensors_[i]; }
  void start() noexcept {
    sums_.assign(sums_.size(), Sums{});
    cross_.assign(cross_.size(), 0.0);
  }
  /// One answer of a sensor; `judge` follows when all have spoken. @rt-safe
  void observe(std::size_t i, double measured, double expected) noexcept {
    measured_[i] = measured;
    expected_[i] = expected;
  }
  /// The channel of the first sensor that cannot be believed; −1: none. @rt-safe
  int judge() noexcept {
    for (std::size_t i = 0; i < sensors_.size(); ++i) {
      Sums& own = sums_[i];
      if (own.count >= most_ || !(std::abs(expected_[i]) >= sensors_[i].least)) continue;
      ++own.count;
      own.expected += expected_[i] * expected_[i];
      own.measured += measured_[i] * measured_[i];
      for (std::size_t j = 0; j < sensors_.size(); ++j) {
        cross_[i * sensors_.size() + j] += expected_[i] * measured_[j];
      }
    }
    for (std::size_t i = 0; i < sensors_.size(); ++i) {
      if (sums_[i].count >= needed_ && wrong(i)) return static_cast<int>(sensors_[i].channel);
    }
    return -1;
  }

 private:
  struct Sums {
    int count = 0;
    double expected = 0, measured = 0;
  };
  double cross(std::size_t expected, std::size_t measured) const noexcept {
    return cross_[expected * sensors_.size() + measured];
  }
  double likeness(std::size_t expected, std::size_t measured) const noexcept {
    const double size = std::sqrt(sums_[expected].expected * sums_[measured].measured);
    return size > 0 ? cross(expected, measured) / size : 0;
  }
  bool wrong(std::size_t i) const noexcept {
    const Sums& own = sums_[i];
    if (sensors_[i].kind == Kind::position) {
      const double gain = cross(i, i) / own.expected;
      if (!(gain >= 0.5 && gain <= 2)) return true;
    } else {
      const double size = std::sqrt(own.measured / own.expected);
      if (!(size >= 0.1 && size <= 10) || likeness(i, i) < -0.5) return true;
    }
    for (std::size_t j = 0; j < sensors_.size(); ++j) {
      if (j == i || sensors_[j].kind != sensors_[i].kind || sums_[j].count < needed_) continue;
      if (likeness(i, i) < 0.5 && likeness(j, j) < 0.5 && likeness(i, j) > 0.9 && likeness(j, i) > 0.9) {
        return true;
      }
    }
    return false;
  }

  int needed_, most_;
  std::vector<Sensor> sensors_;
  std::vector<Sums> sums_;
  std::vector<double> cross_;  ///< Σ e_i·m_j
  std::vector<double> measured_, expected_;
};

}  // namespace gusset
