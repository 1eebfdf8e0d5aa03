#pragma once

#include <string>
#include <vector>

#include "build/experiment.hpp"

namespace gusset {

/// The loop of a test as a value: its stages in the order in which they run, what each reads, writes and
/// keeps, and what crosses the cut. For people, who see numbers that belong together as one:
///
///   NAME, NAME.rate, NAME.curvature[, NAME.start_rate]   a goal or a command: NAME
///   storey1.WHAT, storey2.WHAT, … storeyN.WHAT, N > 2    storey1 … storeyN WHAT
struct LoopListing {
  struct Entry {
    std::string name;                  ///< as people read it
    std::string unit;                  ///< SI, of the first
    std::vector<std::string> signals;  ///< of the row, in its order
    bool needed = true;                ///< of feedback: read behind the cut, or judged by limits
  };
  /// A field of the State.
  struct Keep {
    std::string name;
    std::string unit;  ///< SI; nothing for a branch
    int size = 1;
    enum class Kind { signal, parameter, branch } kind = Kind::signal;
  };
  struct Stage {
    std::string name;
    std::string does;  ///< a sentence
    std::string rig;   ///< the rig it is part of, or nothing
    std::vector<Entry> reads, writes;
    std::vector<Keep> keeps;
    std::vector<std::string> shares;  ///< stages whose State it uses

    int kept() const;  ///< entries of the State
  };
  /// A phase that has stages.
  struct Part {
    Phase phase;
    std::string does;  ///< a sentence
    std::vector<Stage> stages;

    bool every_substep() const { return phase != Phase::begin && phase != Phase::end; }
    bool in_laboratory() const { return phase == Phase::rig; }
  };
  struct Crossing {
    std::string rig;
    int every = 1;  ///< it moves in every n-th sub-step
    std::vector<Entry> commands, feedback;
  };

  std::string title;
  double dt = 0, rig_dt = 0;  ///< [s]
  int substeps = 1;
  bool trials = false;        ///< all sub-steps but the last are tried, then time is rewound
  int storeys = 0;            ///< 0: the motion is predefined
  std::vector<Entry> inputs;  ///< what comes from outside before a step
  std::vector<Part> parts;
  std::vector<Crossing> cut;  ///< one a rig

  /// Null if the phase has no stage.
  const Part* part(Phase phase) const;
};

LoopListing list_loop(const Experiment& experiment);

/// Signals as people read them, see LoopListing; each once.
std::vector<LoopListing::Entry> grouped(const std::vector<Row::Entry>& signals);

}  // namespace gusset
