#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <string>
#include <vector>

namespace gusset {

/// A run of consecutive entries of the flat state.
struct Segment {
  int offset = 0;
  int size = 0;
};

/// A discrete entry of the state, e.g. the branch of a yielding spring. The counter lets the
/// linearisation see a branch that was left and came back within one step.
struct Branch {
  std::int32_t value = 0;
  std::uint32_t transitions = 0;

  void change(std::int32_t next) noexcept {
    if (next != value) {
      value = next;
      ++transitions;
    }
  }
  friend bool operator==(const Branch&, const Branch&) = default;
};

/// Everything that changes during a test, and nothing else. Copying it is a snapshot.
struct State {
  std::vector<double> values;
  std::vector<Branch> branches;
  std::int64_t step = 0;

  double* at(Segment segment) noexcept { return values.data() + segment.offset; }
  const double* at(Segment segment) const noexcept { return values.data() + segment.offset; }
};

/// Entries of the State that one block keeps.
struct Kept {
  int first = 0, last = 0;  ///< of the values
  int first_branch = 0, last_branch = 0;

  bool has(int entry) const noexcept { return entry >= first && entry < last; }
};

/// How far a Layout has grown.
struct LayoutMark {
  int size = 0, branches = 0;
};

class Restoring;

/// A device with one displacement as its input, and the straight line f = k·x + c·v that may stand in for it
/// while a loop is analysed. In a test no line is active.
struct Device {
  std::string name;
  const Restoring* restoring = nullptr;
  Segment displacement;
  bool replaced = false;              ///< the line acts instead of the device
  double stiffness = 0, damping = 0;  ///< k, c of the line
};
/// Devices in the order in which they were built; their addresses stay.
using Devices = std::deque<Device>;

/// What the entries of a State are. Blocks claim their segments here while the experiment is built;
/// afterwards it never changes.
class Layout {
 public:
  /// A *signal* decays or grows with the response. A *parameter* (adaptive gain, tare, plastic set)
  /// stays where it is put: it adds eigenvalues of modulus 1, so the analysis freezes it.
  enum class Kind { signal, parameter };

  struct Field {
    std::string owner;  ///< the block, e.g. "numerical"
    const char* name;   ///< what it is, e.g. "displacement"
    const char* unit;   ///< SI
    double scale;       ///< a small but representative change, for linearising nonlinear loops
    Kind kind;
    Segment segment;
  };
  struct BranchField {
    std::string owner;
    const char* name;
    int index;
  };

  Segment add(const std::string& owner, const char* name, const char* unit, int size, double scale,
              Kind kind = Kind::signal);
  int add_branch(const std::string& owner, const char* name);

  /// Where devices list themselves while an experiment is built for an analysis; null for a test.
  void list_devices(Devices* devices) { devices_ = devices; }
  Devices* devices() const { return devices_; }

  LayoutMark mark() const { return {size_, static_cast<int>(branches_.size())}; }
  /// What was claimed since.
  Kept since(const LayoutMark& mark) const {
    return {mark.size, size_, mark.branches, static_cast<int>(branches_.size())};
  }

  int size() const { return size_; }
  const std::vector<Field>& fields() const { return fields_; }
  const std::vector<BranchField>& branches() const { return branches_; }

  /// The field that entry `index` belongs to.
  const Field& field_of(int index) const;
  /// "numerical.displacement[2]" for entry `index`.
  std::string name_of(int index) const;

  State zero() const;

 private:
  int size_ = 0;
  std::vector<Field> fields_;
  std::vector<BranchField> branches_;
  Devices* devices_ = nullptr;
};

/// One line a field: offset, size, name, unit, scale, kind.
std::ostream& operator<<(std::ostream& out, const Layout& layout);

}  // namespace gusset
