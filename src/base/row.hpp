#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/motion.hpp"

namespace gusset {

/// Two blocks do not fit together: a mistake of the program, not of the file. Thrown while a test is built,
/// never while it runs.
struct WiringError : std::logic_error {
  using std::logic_error::logic_error;
};

/// How long a signal stands.
enum class Lifetime {
  input,    ///< written by the driver before a step: ground motion
  step,     ///< written in `begin` or `end`, stands for the step: response, goals
  substep,  ///< written in every other phase, stands for the sub-step: commands, what was measured
};

/// Consecutive numbers of a row.
struct Port {
  int at = -1;
  int size = 0;

  bool bound() const noexcept { return at >= 0; }
  /// Number i alone.
  Port operator[](int i) const noexcept { return {at + i, 1}; }
  friend bool operator==(const Port&, const Port&) = default;
};

/// The four numbers of a Command, side by side in its order.
struct CommandPort {
  int at = -1;

  Port value() const noexcept { return {at, 1}; }
  friend bool operator==(const CommandPort&, const CommandPort&) = default;
};

/// A number that passes between blocks, under its name. A channel's are called CHANNEL.WHAT.
struct Signal {
  std::string name;
  std::string unit;  ///< SI
};

/// The numbers of a row. A driver owns them, and whoever records copies from them.
class Wires {
 public:
  Wires() = default;
  explicit Wires(std::size_t size) : values_(size) {}
  Wires(const Wires&) = default;
  Wires(Wires&&) = default;
  /// Copies into place, also what is about to go: of the same size, nothing is allocated and views stay good.
  Wires& operator=(const Wires&) = default;
  ~Wires() = default;

  // All @rt-safe.
  double* at(Port port) noexcept { return values_.data() + port.at; }
  const double* at(Port port) const noexcept { return values_.data() + port.at; }
  double& operator[](Port port) noexcept { return values_[static_cast<std::size_t>(port.at)]; }
  double operator[](Port port) const noexcept { return values_[static_cast<std::size_t>(port.at)]; }
  Command command(CommandPort port) const noexcept {
    const double* v = values_.data() + port.at;
    return {v[0], v[1], v[2], v[3]};
  }
  /// Number by number: a struct copied whole takes a detour through the stack that costs as much as the
  /// arithmetic.
  void put(CommandPort port, const Command& command) noexcept {
    double* v = values_.data() + port.at;
    v[0] = command.value;
    v[1] = command.rate;
    v[2] = command.curvature;
    v[3] = command.start_rate;
  }
  std::size_t size() const noexcept { return values_.size(); }
  double* data() noexcept { return values_.data(); }
  const double* data() const noexcept { return values_.data(); }

 private:
  std::vector<double> values_;
};

/// The numbers of a row as stages see them, in the shortest way; valid while the Wires live.
class WireView {
 public:
  WireView(Wires& wires) : values_(wires.data()) {}  // NOLINT: a view of them is what they are here

  // All @rt-safe.
  double* at(Port port) const noexcept { return values_ + port.at; }
  double& operator[](Port port) const noexcept { return values_[port.at]; }
  /// Four numbers side by side, as claim_command() places them.
  const Command& command(CommandPort port) const noexcept {
    static_assert(sizeof(Command) == 4 * sizeof(double) && std::is_standard_layout_v<Command>);
    return *reinterpret_cast<const Command*>(values_ + port.at);
  }
  void put(CommandPort port, const Command& command) const noexcept {
    double* v = values_ + port.at;
    v[0] = command.value;
    v[1] = command.rate;
    v[2] = command.curvature;
    v[3] = command.start_rate;
  }
  double* data() const noexcept { return values_; }

 private:
  double* values_;
};

/// What passes between the blocks of a test: named signals with units. **Who writes a signal claims it, who
/// reads it binds it by name and unit, while the test is built.** A name nobody writes, two writers, another
/// unit: refused, with the nearest name. Nothing reads a row by number.
///
/// **Memory and listing.** In memory a signal stands where its claim found room. Run files, frames and
/// plug-ins list signals in the published order, which depends on their names first: channel by channel, in
/// the order of the file, target, command, what the rig measures, *_true, compensator.*, indicator.*; then
/// energies; then the rest; within such a place in the order of the claims. A new stage between two old
/// ones therefore moves no published signal.
class Row {
 public:
  /// A signal in its place.
  struct Entry {
    Signal signal;
    Port port;
    Lifetime lifetime;
    bool published;  ///< in run files; the others only pass between blocks

    const std::string& name() const { return signal.name; }
  };

  Row() {
    entries_.reserve(32);
    sorted_.reserve(32);
  }
  /// Channels are listed in the order in which they are declared here.
  void declare_channel(std::string name) { channels_.push_back(std::move(name)); }

  Port claim(std::string name, std::string unit, Lifetime lifetime, bool published = true);
  /// NAME, NAME.rate, NAME.curvature and NAME.start_rate, of which the first alone is published.
  CommandPort claim_command(const std::string& name, const std::string& unit, Lifetime lifetime,
                            bool published = true);
  /// Numbers without a name, for the blocks that share the port.
  Port scratch(int size, Lifetime lifetime);
  /// A second name for what `of` is: the command of a channel without compensator is its target.
  Port alias(const std::string& name, const std::string& of);
  CommandPort alias_command(const std::string& name, const std::string& of);

  /// The signal of that name and unit. Throws WiringError.
  const Entry& bind(std::string_view name, std::string_view unit) const;
  const Entry& find(std::string_view name) const { return entries_[index_of(name)]; }
  bool has(std::string_view name) const;
  /// Its number among entries(). Throws WiringError.
  std::size_t index_of(std::string_view name) const;

  /// The four of a command.
  std::vector<Entry> command_entries(const std::string& name) const;
  /// Their numbers among entries(). Throws WiringError.
  std::array<std::size_t, 4> command_indices(const std::string& name) const;
  /// The command that a number is one of the four of, and its place there; no name if of none.
  std::pair<std::string, int> command_of(std::string_view name) const;

  const std::vector<Entry>& entries() const { return entries_; }
  /// What run files show of the sub-step, in published order.
  std::vector<Entry> published() const;
  std::vector<Entry> in_published_order(std::vector<Entry> entries) const;

  /// Room for every signal, poisoned: what nobody writes is not a number.
  Wires wires() const;
  void poison(double* wires, Lifetime lifetime) const noexcept;

 private:
  /// Where the name stands, or would stand, in the sorted list.
  std::vector<std::size_t>::const_iterator near(std::string_view name) const;
  Port place(Entry entry);
  Port reserve(int size, Lifetime lifetime);
  std::pair<std::size_t, int> place_of(const Entry& entry) const;

  struct Stretch {
    int from, to;
    Lifetime lifetime;
  };
  std::vector<std::string> channels_;
  std::vector<Entry> entries_;       ///< in the order of their claims
  std::vector<std::size_t> sorted_;  ///< the entries by name
  std::vector<Stretch> stretches_;   ///< of memory, by lifetime
  int size_ = 0;
};

}  // namespace gusset
