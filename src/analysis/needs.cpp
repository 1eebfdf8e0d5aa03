#include "analysis/needs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/simulation.hpp"
#include "base/linear_system.hpp"
#include "structure/sparse_modes.hpp"

namespace gusset {
namespace {

/// A rehearsal longer than this tells nothing more, and people wait for it.
constexpr std::int64_t most_steps = 2'000'000;

/// What a channel's equipment has to do beside what limits look at.
struct Peaks : LimitJudge::Peaks {
  double effort = 0;            ///< of a piston that moves its own mass too
  double reach = 0, speed = 0;  ///< of a piston that stands beside a table: floor and table together
};

void raise(double& peak, double value) {
  // Written so that a NaN becomes the peak instead of being passed over.
  if (!(std::abs(value) <= peak)) peak = std::abs(value);
}

/// The switches that make sensors perfect: without noise, rounding and losses.
std::vector<std::size_t> sensor_switches(const Experiment& experiment) {
  std::vector<std::size_t> switches;
  for (const Layout::BranchField& field : experiment.layout().branches()) {
    if (field.owner.ends_with(".sensor") && std::string_view(field.name) == "freeze") {
      switches.push_back(static_cast<std::size_t>(field.index));
    }
  }
  return switches;
}

/// The test without its limits, and the largest value of everything that a limit looks at.
std::vector<Peaks> rehearse(const Test& test, const LimitSettings& settings, bool noise, Review& review) {
  const Experiment& experiment = *test.experiment;
  const std::vector<Channel>& channels = experiment.channels();
  const Row& row = experiment.loop().row();
  const auto port_of = [&](const std::string& name) { return row.has(name) ? row.find(name).port : Port{}; };
  struct Seen {
    const Rig* rig = nullptr;  ///< that moves the channel by displacement
    std::size_t number = 0;    ///< of the channel, there
    Port first;                ///< of what the rig measures, in its order
    Port reach, speed;
  };
  std::vector<Seen> seen(channels.size());
  for (const MountedRig& rig : experiment.rigs()) {
    for (std::size_t i = 0; i < rig.channels.size(); ++i) {
      const Channel& channel = channels[rig.channels[i]];
      const std::string prefix = channel.name() + ".";
      Seen& own = seen[rig.channels[i]];
      if (channel.control == Control::displacement) {
        own = {rig.rig.get(), i, row.find(prefix + rig->signals(i).front().name).port, {}, {}};
        continue;
      }
      const bool table = channel.control == Control::acceleration;
      own.reach = port_of(prefix + (table ? "displacement" : "measured"));
      own.speed = port_of(prefix + "velocity");
    }
  }
  const bool table = !channels.empty() && channels.front().control == Control::acceleration;
  std::vector<Peaks> peaks(channels.size());
  LimitJudge judge(channels, experiment.guards(), experiment.loop(), settings, experiment.dt(),
                   experiment.rig_dt());
  Experiment::Start start = test.start();
  const Wires& wires = start.row;
  judge.start(wires);
  Frame frame{start.state, start.row};
  frame.judge = &judge;
  ViscousWatch viscous(experiment);
  if (!noise) {
    for (const std::size_t index : sensor_switches(experiment)) start.state.branches[index].value = 1;
  }
  RunawayWatch runaway(test);
  const std::int64_t steps = std::min(test.steps, most_steps);
  for (std::int64_t step = 0; step < steps; ++step) {
    experiment.put(test.input(step), start.row);
    experiment.loop().step(frame, [&] {
      for (std::size_t c = 0; c < peaks.size(); ++c) {
        if (seen[c].rig != nullptr) {
          raise(peaks[c].effort, seen[c].rig->effort(seen[c].number, wires.at(seen[c].first)));
          continue;
        }
        raise(peaks[c].reach, wires[seen[c].reach] + (table && c > 0 ? wires[seen[0].reach] : 0));
        raise(peaks[c].speed, wires[seen[c].speed] + (table && c > 0 ? wires[seen[0].speed] : 0));
      }
    });
    viscous.look(start.state, wires);
    runaway.look(wires, experiment.dt() * static_cast<double>(step));
  }
  review.viscous = viscous.forces();
  for (std::size_t c = 0; c < peaks.size(); ++c) static_cast<LimitJudge::Peaks&>(peaks[c]) = judge.peaks()[c];
  review.passed = judge.first();
  review.runaway = runaway.found();
  for (std::string& verdict : experiment.method().verdicts(start.state)) {
    review.warnings.push_back(std::move(verdict));
  }
  return peaks;
}

double trace(const LinearSystem::Entries& entries) {
  double sum = 0;
  for (const auto& entry : entries) sum += entry.row() == entry.col() ? entry.value() : 0;
  return sum;
}

/// What is needed of a table, or of a force-controlled actuator.
std::vector<Need> needs_of(const Channel& channel, const Peaks& peak, bool beside_table) {
  const Limits& limits = channel.limits;
  const RigCapacity& rig = channel.capacity;
  if (channel.control == Control::acceleration) {
    return {{"displacement", "m", peak.displacement, limits.displacement, rig.stroke},
            {"velocity", "m/s", peak.velocity, limits.velocity, rig.velocity},
            {"acceleration", "m/s^2", peak.acceleration, limits.acceleration, rig.acceleration}};
  }
  // Limits are on the floor's motion relative to the base. A piston beside a table makes the table's as well.
  const auto own = [&](const std::optional<double>& most) { return beside_table ? std::nullopt : most; };
  std::vector<Need> needs = {{"displacement", "m", peak.displacement, limits.displacement, own(rig.stroke)},
                             {"velocity", "m/s", peak.velocity, limits.velocity, own(rig.velocity)},
                             {"force", "N", peak.force, limits.force, rig.force}};
  if (beside_table) {
    needs.push_back({"stroke", "m", peak.reach, {}, rig.stroke});
    needs.push_back({"piston speed", "m/s", peak.speed, {}, rig.velocity});
  }
  if (rig.area) needs.push_back({"flow", "m^3/s", *rig.area * peak.speed, std::nullopt, rig.flow});
  return needs;
}

/// A limit that only indicates ends no test.
std::optional<double> stops(const LimitSettings& settings, Cause cause, const std::optional<double>& limit) {
  return settings.actions[static_cast<std::size_t>(cause)] == Action::indicate ? std::nullopt : limit;
}

/// What is needed without noise, where that is less by more than a hundredth.
std::optional<double> less(double quiet, double noisy) {
  return quiet < 0.99 * noisy ? std::optional<double>(quiet) : std::nullopt;
}

/// Of all that the channel's rig moves.
double specimen_mass(const Experiment& experiment, std::size_t channel) {
  LinearSystem empty;
  empty.sparse = true;
  empty.influence.setOnes(experiment.structure().size());
  for (const MountedRig& rig : experiment.rigs()) {
    const bool own = std::find(rig.channels.begin(), rig.channels.end(), channel) != rig.channels.end();
    if (own) rig->join(empty);
  }
  return trace(empty.mass_entries);
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g ms", 1e3 * seconds);
  return text;
}

void add_warnings(const Experiment& experiment, Review& review) {
  for (std::string& remark : experiment.method().remarks()) review.warnings.push_back(std::move(remark));
  const LinearSystem whole = experiment.whole(true);
  const double dt = experiment.dt();
  const bool moved =
      !experiment.channels().empty() && experiment.channels().front().control == Control::displacement;
  if (experiment.method().profile() == Profile::b_spline && moved) {
    // A lag τ of a spring force is a damping of −K·τ; compare it with the damping there is. Only what is in the
    // laboratory lags: storeys that yield in the computer do not.
    LinearSystem tested = experiment.structure().linear_system(true);
    const double numerical = trace(tested.stiffness_entries);
    for (const MountedRig& rig : experiment.rigs()) rig->join(tested);
    const double added = trace(tested.stiffness_entries) - numerical;
    const double damping = trace(whole.damping_entries);
    if (added > 0 && whole.size() == experiment.structure().size()) {
      const double negative = 0.5 * dt * added;
      review.warnings.push_back("the b-spline command lags half a step (" + milliseconds(0.5 * dt) +
                                "), which for a spring acts as negative damping of " +
                                (damping > 0 ? percent(negative / damping) + " of the damping there is"
                                             : "a structure that has none") +
                                "; profile = \"ramp\" or \"quadratic\" ends on the target itself");
    }
  }
  if (experiment.method().profile() == Profile::quadratic && experiment.structure().size() > 0) {
    review.warnings.emplace_back(
        "the quadratic command's velocity jumps at every step; a specimen with mass of its own feels "
        "it, and the test is not the one of the papers' stability analysis (use \"b-spline\")");
  }
  if (!review.whole_frequencies.empty()) {
    const double fastest = review.fastest;
    if (fastest * dt > 0.5) {
      review.warnings.push_back("the fastest mode has only " +
                                std::to_string(static_cast<int>(2 * M_PI / (fastest * dt))) +
                                " steps a period; 12 or more are needed for its response to be accurate");
    }
  }
}

/// Of a large structure the lowest modes only.
void describe_modes(const Experiment& experiment, Review& review) {
  constexpr int shown = 10;
  const LinearSystem whole = experiment.whole(true);
  review.degrees_of_freedom = whole.size();
  review.table = mode_table(experiment);
  const bool large = whole.size() >= large_structure;
  const NaturalModes modes = large ? lowest_modes(whole, shown) : natural_modes(experiment.whole());
  review.whole_frequencies = modes.frequencies;
  review.fastest = large ? highest_frequency(whole) : modes.frequencies.back();
  const Eigen::SparseMatrix<double> damping = whole.matrix(whole.damping_entries);
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    const Eigen::VectorXd shape = modes.shapes.col(k);
    const double omega = modes.frequencies[static_cast<std::size_t>(k)];
    review.damping_ratios.push_back(omega > 0 ? shape.dot(damping * shape) / (2 * omega) : 0);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    const Eigen::VectorXd scaled = shape / shape(largest);
    review.shapes.emplace_back(scaled.data(), scaled.data() + scaled.size());
  }
}

void finish(const Experiment& experiment, Review& review) {
  for (const ChannelReview& channel : review.channels) {
    for (const Need& need : channel.needs) review.finite = review.finite && std::isfinite(need.needed);
  }
  if (!review.finite) {
    review.warnings.emplace_back(
        "the rehearsal did not stay finite: the test is unstable once it leaves its linear range");
    if (!review.stable) review.warnings.back() = "the rehearsal did not stay finite: the test is unstable";
  }
  if (review.runaway) review.warnings.push_back("the rehearsal ran away: " + text_of(*review.runaway));
  add_warnings(experiment, review);
  review.damping = damping_of_modes(experiment);
  for (std::string& warning : damping_warnings(review.damping, review.viscous)) {
    review.warnings.push_back(std::move(warning));
  }
}

}  // namespace

bool Review::ok() const {
  return stable && finite && !passed && !runaway && numerical.empty() &&
         std::all_of(channels.begin(), channels.end(), [](const ChannelReview& channel) {
           return std::all_of(channel.needs.begin(), channel.needs.end(),
                              [](const Need& need) { return need.enough(); });
         });
}

Review review(const Test& test, const LimitSettings& settings) {
  const Experiment& experiment = *test.experiment;
  Review review;
  if (experiment.structure().size() > 0) describe_modes(experiment, review);
  review.stability = judge_stability(test);
  review.spectral_radius = review.stability.at_rest.spectrum.radius;
  review.radius_resolution = review.stability.at_rest.resolution;
  review.stable = review.stability.stable();
  review.warnings = review.stability.warnings;

  const std::vector<Channel>& channels = experiment.channels();
  const std::vector<Peaks> peaks = rehearse(test, settings, true, review);
  std::vector<double> forces;
  for (const Peaks& peak : peaks) forces.push_back(peak.force);
  review.numerical = unreachable_forces(experiment, forces);
  for (const std::string& sentence : review.numerical) review.warnings.push_back(sentence);
  std::vector<Peaks> quiet;
  if (!sensor_switches(experiment).empty()) {
    Review aside;
    quiet = rehearse(test, settings, false, aside);
  }
  const bool table = !channels.empty() && channels.front().control == Control::acceleration;
  for (std::size_t c = 0; c < peaks.size(); ++c) {
    if (channels[c].control != Control::displacement) {
      review.channels.push_back({channels[c].name(), 0, needs_of(channels[c], peaks[c], table)});
      if (channels[c].limits.force_error) {
        review.channels.back().needs.push_back(
            {"force error",
             "N",
             peaks[c].tracking_error,
             stops(settings, Cause::tracking, channels[c].limits.force_error),
             {}});
      }
      continue;
    }
    const Interface& interface = channels[c].interface;
    double numerical = 0;
    for (const auto& [dof, weight] : interface.weights) {
      numerical += weight * weight * experiment.structure().mass(dof, dof);
    }
    ChannelReview channel{interface.name, numerical > 0 ? specimen_mass(experiment, c) / numerical : 0, {}};
    const Limits& limits = experiment.channels()[c].limits;
    const RigCapacity& rig = experiment.channels()[c].capacity;
    const Peaks& peak = peaks[c];
    // A hydraulic rig moves its own mass too: what its piston has to do is a line of its own.
    const bool own_mass = rig.area.has_value();
    channel.needs = {{"displacement", "m", peak.displacement, limits.displacement, rig.stroke},
                     {"velocity", "m/s", peak.velocity, limits.velocity, rig.velocity},
                     {"acceleration", "m/s^2", peak.acceleration, limits.acceleration, rig.acceleration},
                     {"force", "N", peak.force, limits.force, own_mass ? std::nullopt : rig.force},
                     {"tracking error",
                      "m",
                      peak.tracking_error,
                      stops(settings, Cause::tracking, limits.tracking_error),
                      {}},
                     {"energy", "J", peak.energy, stops(settings, Cause::energy, limits.energy), {}}};
    if (own_mass) {
      channel.needs.push_back({"actuator force", "N", peak.effort, std::nullopt, rig.force});
      channel.needs.push_back({"flow", "m^3/s", *rig.area * peak.velocity, std::nullopt, rig.flow});
    }
    if (!quiet.empty()) {
      channel.needs[1].without_noise = less(quiet[c].velocity, peak.velocity);
      channel.needs[2].without_noise = less(quiet[c].acceleration, peak.acceleration);
    }
    review.channels.push_back(std::move(channel));
  }
  finish(experiment, review);
  return review;
}

}  // namespace gusset
