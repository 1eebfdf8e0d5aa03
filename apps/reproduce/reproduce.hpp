#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.hpp"
#include "analysis/simulation.hpp"
#include "build/experiment.hpp"
#include "document/document.hpp"
#include "report/plot.hpp"

/// The figures and tables of the papers, computed anew: one file a paper, one function a figure or
/// table. Values come from the code that runs tests, on the shipped experiments; the papers' numbers
/// are constants, each with its place in the paper.
namespace gusset::reproduce {

/// One number of a paper beside ours.
struct Quantity {
  std::string name;
  double value = 0;             ///< ours
  std::optional<double> paper;  ///< the paper's; absent: it prints none
  double tolerance = 0;         ///< how near "agrees" is: mostly half of the last digit printed
  /// Why ours may differ: the paper is wrong, or does not say enough. Then an independent
  /// calculation takes the paper's place.
  std::string reason;
  std::optional<double> expected;  ///< what that gives
  double expected_tolerance = 0;
  bool statement = false;  ///< 1 or 0 for something the paper says in words: holds or not

  bool agrees() const;
  /// Agrees, or differs for a documented reason and is what the independent calculation gives.
  bool acceptable() const;
  std::optional<double> deviation() const;  ///< value − paper
};

/// "The paper says so": holds or not.
Quantity statement(std::string what, bool holds);
/// A number the paper prints, to be met within `tolerance`.
Quantity number(std::string what, double value, double paper, double tolerance);
/// A number the paper prints wrongly, or measures on something it does not describe.
Quantity differs(Quantity quantity, std::string reason, double expected, double tolerance);

struct Picture {
  std::string name;  ///< of the file, without .svg
  std::string svg, caption;
};

struct Case {
  std::vector<Picture> pictures;
  std::vector<Quantity> quantities;
  std::string note;
};

/// What cases need from outside: shipped experiments and records.
struct Context {
  std::function<Document(const std::string& name, const std::vector<std::string>& assignments)> document;
  RecordLoader loader;

  static Experiment build(const Document& which) { return Experiment::build(which); }
  Simulation run(const Document& which) const;
};

struct CaseEntry {
  const char* name;  ///< "fig-3a"
  const char* title;
  Case (*run)(const Context& context);
};

struct Paper {
  const char* name;  ///< "wu-2009"
  const char* title;
  std::vector<CaseEntry> cases;
};

/// Every paper, in the order of the gallery.
const std::vector<Paper>& papers();

// One file each.
Paper wu_2008();
Paper wu_2009();
Paper chen_2008();
Paper chen_2007();
Paper shao_2011();

// What several of them use.

/// ρ of the loop at a step [s]; NaN where there is no such experiment.
double radius_at(const Document& document, double dt);
/// ρ over Ω = ω·Δt, `omega` the frequency of the axis [rad/s].
plot::Series radius_over_omega(const Document& document, double omega, double low, double high, int points,
                               std::string name);
/// The stability limit times ω; 0 where no step is stable.
double limit_omega(const Document& document);
/// A channel over time, in the unit asked for.
plot::Series history(const Simulation& simulation, const std::string& channel, double factor,
                     std::string name, bool dashed = false);
const Trace& channel_of(const Simulation& simulation, const std::string& name);
plot::Figure figure(std::string title, std::string x, std::string y);

/// A case with its place, as computed.
struct Done {
  const Paper* paper;
  const CaseEntry* entry;
  Case result;
};
/// The gallery: every picture with its numbers, as one HTML page.
std::string gallery(const std::vector<Done>& cases);

}  // namespace gusset::reproduce
