#include "analysis/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <numbers>

#include "analysis/growth.hpp"
#include "analysis/linearize.hpp"
#include "base/linear_system.hpp"
#include "structure/sparse_modes.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

/// Delay lines make the state grow as the step shrinks; eigenvalues of matrices beyond this size take
/// longer than a person waits.
constexpr int largest_state = 120;

bool is_large(const Experiment& experiment) { return experiment.structure().size() >= large_structure; }

/// Of a large structure its lowest modes and the highest.
std::vector<double> all_frequencies(const Experiment& experiment) {
  constexpr int few = 10;
  std::vector<double> all;
  const auto add = [&](const std::vector<double>& some) { all.insert(all.end(), some.begin(), some.end()); };
  if (is_large(experiment)) {
    for (const LinearSystem& system : {experiment.whole(true), experiment.structure().linear_system(true)}) {
      add(lowest_modes(system, few).frequencies);
      add({highest_frequency(system)});
    }
  } else {
    add(natural_frequencies(experiment.whole()));
    add(natural_frequencies(experiment.structure().linear_system()));
  }
  for (const MountedRig& rig : experiment.rigs()) add(rig->frequencies());
  // A mode that nothing holds has a frequency of rounding, 1e-8 of the highest: no measure of anything.
  const double least = all.empty() ? 0 : 1e-6 * *std::max_element(all.begin(), all.end());
  std::erase_if(all, [&](double omega) { return !(omega > least); });
  if (all.empty()) all.push_back(1.0);
  return all;
}

/// How large the matrix will be: parameters are no part of it.
int matrix_size(const Experiment& experiment) {
  int size = 0;
  for (const Layout::Field& field : experiment.layout().fields()) {
    if (field.kind == Layout::Kind::signal) size += field.segment.size;
  }
  return size;
}

/// Whether a rig moves the specimen by displacement: it then feels every jump of the command's velocity.
bool moves(const Experiment& experiment, const MountedRig& rig) {
  return experiment.channels()[rig.channels.front()].control == Control::displacement;
}

/// The steps at which a mode reaches the Nyquist frequency or a multiple of it.
std::vector<double> nyquist_steps(const Experiment& experiment, double high) {
  constexpr std::size_t most = 400;
  std::vector<double> steps;
  for (const MountedRig& rig : experiment.rigs()) {
    if (!moves(experiment, rig)) continue;
    for (const double omega : rig->frequencies()) {
      for (double k = 1; k * pi / omega < high && steps.size() < most; ++k) {
        steps.push_back(k * pi / omega);
      }
    }
  }
  for (const double omega : all_frequencies(experiment)) {
    if (pi / omega < high && steps.size() < most) steps.push_back(pi / omega);
  }
  return steps;
}

/// Builds the experiment of a document again and again with one thing changed.
class Rebuilder {
 public:
  explicit Rebuilder(const Document& document) : document_(document) {
    document_.stop_tracking();
    options_.any_step = true;
  }
  Experiment with_step(double dt) {
    document_.set_number("integrator.dt", dt, dim::time);
    return Experiment::build(document_, options_);
  }
  Experiment with_delay(double delay) {
    options_.late = delay;
    return Experiment::build(document_, options_);
  }
  Spectrum spectrum_of(const Experiment& experiment) {
    if (!too_large_for_eigenvalues(experiment)) return spectrum(linearizer_.matrix(experiment));
    // A search looks at many steps; what is near the limit grows fast on its far side.
    constexpr double share = 0.1;
    const Growth own = growth(experiment, share);
    return {{}, own.radius, own.stable};
  }

  /// Whether the experiment with this step, or this delay, can be built at all, and is not too large to look
  /// at.
  bool fits_step(double dt, int size) {
    return fits(size, [&] { return with_step(dt); });
  }
  bool fits_delay(double delay, int size) {
    return fits(size, [&] { return with_delay(delay); });
  }

 private:
  template <typename Build>
  static bool fits(int size, const Build& build) {
    try {
      return matrix_size(build()) <= size;
    } catch (const InputError&) {
      return false;  // a compensator or a rig that cannot take it
    }
  }

  Document document_;
  BuildOptions options_;
  Linearizer linearizer_;
};

}  // namespace

Crossing stability_limit(const Document& document) {
  Rebuilder rebuilder(document);
  const Experiment nominal = Experiment::build(document, {.any_step = true});
  const std::vector<double> frequencies = all_frequencies(nominal);
  const double fastest = *std::max_element(frequencies.begin(), frequencies.end());
  const double slowest = *std::min_element(frequencies.begin(), frequencies.end());
  const bool large = too_large_for_eigenvalues(nominal);
  double low = (large ? 1e-2 : 1e-4) / fastest;
  const double high = std::max(large ? 20 / fastest : 100 / slowest, 2 * nominal.dt());
  const int size = std::max(largest_state, matrix_size(nominal));
  while (low < nominal.dt() && !rebuilder.fits_step(low, size)) low *= 1.25;
  // Looking further down must not outgrow the machine: delay lines double with every halving.
  double floor = low;
  for (int i = 0; i < 20 && rebuilder.fits_step(0.5 * floor, size); ++i) floor *= 0.5;
  Crossing crossing = first_crossing(
      [&](double dt) { return rebuilder.spectrum_of(rebuilder.with_step(std::max(dt, floor))); }, low, high,
      large ? std::vector<double>{} : nyquist_steps(nominal, high));
  crossing.low = std::max(crossing.low, floor);
  return crossing;
}

Crossing delay_margin(const Document& document, const Experiment& experiment) {
  Rebuilder rebuilder(document);
  if (!rebuilder.spectrum_of(rebuilder.with_delay(0)).stable) {
    Crossing crossing;
    crossing.kind = Crossing::Kind::always;
    return crossing;
  }
  const std::vector<double> frequencies = all_frequencies(experiment);
  const double fastest = *std::max_element(frequencies.begin(), frequencies.end());
  const double slowest = *std::min_element(frequencies.begin(), frequencies.end());
  const double low = 1e-5 / fastest;
  double high = 4 * pi / slowest;
  const int size = std::max(largest_state, 2 * matrix_size(experiment));
  while (high > 2 * low && !rebuilder.fits_delay(high, size)) high *= 0.8;
  return first_crossing([&](double delay) { return rebuilder.spectrum_of(rebuilder.with_delay(delay)); }, low,
                        high, {});
}

double interface_radius(const Document& document, const Experiment& experiment) {
  const std::vector<MountedRig>& rigs = experiment.rigs();
  if (std::none_of(rigs.begin(), rigs.end(), [&](const MountedRig& rig) { return moves(experiment, rig); })) {
    return 0;
  }
  const std::vector<double> frequencies = all_frequencies(experiment);
  double dt = 1e-4 / *std::max_element(frequencies.begin(), frequencies.end());
  Rebuilder rebuilder(document);
  // A delay longer than any step cuts the loop: the force of t_{i+1} cannot know that of t_i. Its
  // history would only grow without end as the step shrinks.
  const int most = std::max(largest_state, matrix_size(experiment));
  // A compensator that keeps a window of time may not take steps that small.
  constexpr int any_size = std::numeric_limits<int>::max();
  for (int i = 0; i < 7 && !rebuilder.fits_step(dt / 2, any_size); ++i) dt *= 2;
  const Experiment fine = rebuilder.with_step(dt);
  if (matrix_size(fine) > most) return 0;
  // H(Δt) = H(0) + O(Δt): one Richardson step.
  const Experiment finer = rebuilder.with_step(dt / 2);
  return spectrum(2 * interface_gain(finer) - interface_gain(fine)).radius;
}

namespace {

/// The answer of a search, or why there is none: the other answers stand without it.
template <typename Find>
Crossing searched(const Find& find) {
  try {
    return find();
  } catch (const InputError& error) {
    Crossing crossing;
    crossing.kind = Crossing::Kind::unknown;
    crossing.ended = error.cause();
    return crossing;
  }
}

}  // namespace

Analysis analyze(const Document& document) {
  Test test;
  test.experiment = std::make_shared<const Experiment>(Experiment::build(document, {.any_step = true}));
  test.document = std::make_shared<const Document>(document);
  return analyze(document, test);
}

Analysis analyze(const Document& document, const Test& test) {
  const Experiment& experiment = *test.experiment;
  const bool large = too_large_for_eigenvalues(experiment);
  Analysis analysis;
  analysis.stability = judge_stability(test);
  const Spectrum& own = analysis.stability.at_rest.spectrum;
  analysis.radius_resolution = analysis.stability.at_rest.resolution;
  analysis.dt = experiment.dt();
  analysis.spectral_radius = own.radius;
  analysis.stable = analysis.stability.stable();
  analysis.eigenvalues = own.values;
  analysis.state_size = experiment.layout().size();
  analysis.reference_frequency = experiment.reference_frequency();
  // A predefined test has no loop to close: no limit, no modes, no margin.
  if (experiment.structure().size() == 0) return analysis;
  // The two searches take most of the time and have nothing to do with each other. The copy, because
  // a document notes what it is asked for.
  std::future<Crossing> limit = std::async(std::launch::async, [own_copy = document] {
    return searched([&] { return stability_limit(own_copy); });
  });
  static_cast<ModeTable&>(analysis) = mode_table(experiment);
  // A rig that rewinds time has no time to be late in.
  const bool rewinds = std::any_of(experiment.rigs().begin(), experiment.rigs().end(),
                                   [](const MountedRig& rig) { return rig->rewinds(); });
  const bool delays = experiment.loop().rig_count() > 0 && !rewinds;
  if (delays && !large) {
    analysis.delay_margin = searched([&] { return delay_margin(document, experiment); });
  }
  try {
    analysis.interface_radius = interface_radius(document, experiment);
  } catch (const InputError& error) {
    analysis.interface_problem = error.cause();
  }
  analysis.limit = limit.get();
  return analysis;
}

}  // namespace gusset
