#pragma once

#include <memory>

#include "rig/drive.hpp"
#include "rig/input_line.hpp"
#include "rig/propagator.hpp"
#include "rig/rig.hpp"
#include "rig/specimen_solver.hpp"
#include "rig/test_structure.hpp"

namespace gusset {

/// The specimen of a channel, as the file says. Linear, it lives in a plant by its matrices and keeps nothing.
struct OwnSpecimen {
  std::unique_ptr<Specimen> specimen;
  TestStructure matrices;  ///< q = [interface, its own degrees of freedom]; without `damping`
  bool linear = true;
  double damping = 0;  ///< at rest, of parts that are not linear
  Kept kept;           ///< its entries of the State
};
/// Refuses one of too many degrees of freedom, and where neither it nor the rig has any mass. `durations` are
/// those of the pieces in which it is moved.
OwnSpecimen read_own_specimen(const RigContext& context, double rig_mass, std::span<const double> durations);
/// What it is at rest, of the interface alone.
struct SpecimenAtRest {
  bool linear = true;
  double mass = 0, damping = 0, stiffness = 0;  ///< damping: of its linear parts
};
SpecimenAtRest specimen_at_rest(const RigContext& context);
/// How many equal pieces a time is cut into where the specimen is not linear: none longer than 0.1 ms, nor than
/// half of sqrt(m/k) of what is moved there.
int pieces_of(double duration, const SpecimenAtRest& specimen, double rig_mass);

/// Channels, drives and specimen as one plant (see Plant), advanced as one:
///
///   ż = A·z + B·u(t) − L·r        exactly over each piece of time (matrix exponential)
///
/// An input that is a fraction of a sub-step late cuts the sub-step where its older course ends; so do those
/// of all channels. A specimen that is not linear is moved piece by piece, none longer than 0.1 ms, and solved
/// together with the plant at the end of each (see SpecimenSolver); r is what it has beyond its stiffness at rest.
///
/// State: the inputs on their way and what the controllers keep; z = [q, q̇, states of the drives]; r; the
/// forces on their way.
class PlantRig final : public Rig {
 public:
  /// What stands in the laboratory.
  struct Stand {
    TestStructure specimen;
    std::vector<Interface> attachments;  ///< one a drive: weights of the specimen's degrees of freedom
  };
  using Drives = std::vector<std::unique_ptr<Drive>>;

  /// One displacement channel on the specimen of the file.
  PlantRig(const RigContext& context, std::unique_ptr<Drive> drive);
  /// Any channels on a specimen given by matrices; one drive a channel.
  PlantRig(const RigContext& context, Drives drives, Stand stand);

  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  std::vector<Signal> signals(std::size_t channel) const override;
  bool affine() const override;
  bool specimen_affine() const override { return linear_; }
  void join(LinearSystem& system) const override;
  std::vector<double> frequencies() const override;
  RigCapacity capacity(std::size_t channel) const override { return drives_[channel]->capacity(declared_); }
  double effort(std::size_t channel, const double* signals) const noexcept override {
    return drives_[channel]->effort(signals);
  }
  const Plant& plant() const { return plant_; }

 private:
  static constexpr std::size_t most_channels = 64;

  /// A piece of the sub-step in which every input takes one course.
  struct Interval {
    double from, to;  ///< shares of the sub-step
    double duration;  ///< of one of its pieces [s]
    int pieces;
  };
  void cut(double dt, const SpecimenAtRest& specimen);
  void build(const RigContext& context, const TestStructure& specimen,
             const std::vector<Interface>& attachments, const std::string& owner);
  void move(State& state, const InputLine::Course* courses) const noexcept;
  void measure(const State& state, const double* inputs, const double* ends, const double* start_forces,
               RigRow row, double* forces) const noexcept;
  double rest_specimen(State& state, const LinearStart& specimen, double command) const;
  std::vector<double> rest_matrices(State& state, const LinearStart& specimen, RigRow row) const;
  double remainder(State& state, const double* z, const Motion& motion) const noexcept;
  double base_acceleration(const double* pushes) const noexcept;

  Drives drives_;
  std::vector<Channel> channels_;
  TestStructure matrices_;              ///< of the specimen
  std::unique_ptr<Specimen> specimen_;  ///< of the file; null where the matrices are all there is
  bool linear_ = true;
  Plant plant_;
  Propagator propagator_;
  SpecimenSolver solver_;
  std::vector<Interval> intervals_;
  bool ramps_ = false;            ///< some input moves between its samples
  std::vector<InputLine> lines_;  ///< one a drive
  std::vector<SignalDelay> force_delays_;
  Segment z_, remainder_;
};

}  // namespace gusset
