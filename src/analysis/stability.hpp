#pragma once

#include <string>
#include <vector>

#include "analysis/describing.hpp"
#include "analysis/rehearsals.hpp"
#include "analysis/spectrum.hpp"

namespace gusset {

/// The one-step matrix at rest: eigenvalues, without those of exactly 1 that belong to entries which stay
/// as they are and which nothing reads (an inactive plastic offset, a held value).
struct RestStability {
  Spectrum spectrum;      ///< no eigenvalues where the structure is too large for them
  double resolution = 0;  ///< 0: from eigenvalues; else see Growth
  int neutral = 0;        ///< entries left out
  std::string problem;    ///< why there is none: the loop has no derivative at rest
};
RestStability stability_at_rest(const Experiment& experiment);

/// Removes from a one-step matrix the rows and columns of entries that stay as they are (their row is the
/// identity's) and that nothing else reads (so is their column). Returns how many.
int remove_neutral(Eigen::MatrixXd& matrix);

enum class StabilityVerdict {
  stable,
  chatters,     ///< stable at the test's amplitude; a small oscillation is left at rest
  unstable,     ///< a linear loop, or nothing to rehearse: ρ at rest decides
  limit_cycle,  ///< once the record is over a large oscillation is left
  grows,        ///< motion grows after the record
  parts,        ///< two rehearsals that begin a finger apart part
  runs_away,    ///< the rehearsal leaves all bounds
};
/// "stable", "chatters", "unstable", "limit cycle", "grows", "parts", "runs away".
const char* name_of(StabilityVerdict verdict);

/// Whether a test is stable, from four answers: ρ at rest, ρ against amplitude, twins and the quiet tail
/// (docs/nonlinear-stability.md). Of an affine loop ρ alone decides, and nothing else is asked. Of a nonlinear one,
/// in this order:
///
///   1. the rehearsal leaves all bounds                                            unstable: runs away
///   2. twins: D grows more than threefold, and still grows in the second half,
///      to more than four times the amplitude of a flat tail                       unstable: parts
///   3. quiet tail: the amplitude grows (ln of end over middle above 0.05)         unstable: grows
///   4. quiet tail: flat, at `limit_cycle` of the scale or more                    unstable: limit cycle
///   5. quiet tail: flat below that and above 1e-6                                 stable, chatters
///   6. ρ(A) rises through 1 within three times the test's amplitude               a warning besides
///   7. otherwise                                                                  stable
///
/// A test in which nothing moves is judged by ρ at rest.
struct StabilityReport {
  StabilityVerdict verdict = StabilityVerdict::stable;
  bool affine = true;
  bool rehearsed = false;  ///< answers two to four were asked for
  std::string sentence;    ///< the same in every verb
  std::vector<std::string> warnings;
  RestStability at_rest;
  AmplitudeCurve amplitude;
  MotionSize scale;  ///< of the test
  Twins twins;
  QuietTail tail;

  bool stable() const { return verdict == StabilityVerdict::stable || verdict == StabilityVerdict::chatters; }
};

struct StabilityOptions {
  double limit_cycle = 0.02;  ///< share of the scale from which what is left at rest is no chatter
  bool rehearse_linear =
      false;  ///< asks a linear loop all four questions too, and decides by them: their own test
};

/// Of the test as it would be run.
StabilityReport judge_stability(const Test& test, const StabilityOptions& options = {});

/// Decides and says it, from the answers.
void decide(StabilityReport& report, const BaseRehearsal& base, const StabilityOptions& options);

/// "10.6 mm", "0.62 kN": two to three digits with a prefix.
std::string in_words(double value, const char* unit);

}  // namespace gusset
