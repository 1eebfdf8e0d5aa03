#include "analysis/split_search.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/exact.hpp"
#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"
#include "base/linear_system.hpp"
#include "build/experiment.hpp"
#include "excitation/processing.hpp"
#include "loading/split.hpp"

namespace gusset {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The whole structure's exact response, taken apart as the commands need it; one column a sample.
struct Motions {
  double dt = 0;
  Eigen::MatrixXd x, v, a;  ///< of the specimen, relative to its base
  Eigen::VectorXd base;     ///< ü_b
  Eigen::MatrixXd above;    ///< P_2
};

Motions exact_response(const Test& test, const Partition& partition) {
  const Experiment& experiment = *test.experiment;
  const LinearSystem whole = experiment.whole();
  const LinearStart start = experiment.whole_start();
  ExactResponse exact(whole, start.displacement, start.velocity, experiment.dt());
  const auto samples = static_cast<Eigen::Index>(std::min<std::int64_t>(test.steps, 200'000)) + 1;
  const int floors = whole.size();
  const auto e = static_cast<Eigen::Index>(partition.experimental.size());
  Motions r;
  r.dt = experiment.dt();
  r.x.resize(e, samples);
  r.v.resize(e, samples);
  r.a.resize(e, samples);
  r.above.resize(e, samples);
  r.base.resize(samples);
  Eigen::VectorXd d(floors), v(floors);
  for (Eigen::Index k = 0; k < samples; ++k) {
    for (int i = 0; i < floors; ++i) {
      d(i) = exact.displacement(i);
      v(i) = exact.velocity(i);
    }
    const double ground = test.input(k).acceleration;
    const Eigen::VectorXd a =
        whole.mass.diagonal().cwiseInverse().cwiseProduct(-whole.damping * v - whole.stiffness * d) -
        whole.influence * ground;
    const auto of_base = [&](const Eigen::VectorXd& all) {
      return partition.base >= 0 ? all(partition.numerical[static_cast<std::size_t>(partition.base)]) : 0.0;
    };
    const auto relative = [&](const Eigen::VectorXd& all) -> Eigen::VectorXd {
      return all(partition.experimental).array() - of_base(all);
    };
    r.x.col(k) = relative(d);
    r.v.col(k) = relative(v);
    r.a.col(k) = relative(a);
    r.base(k) = of_base(a) + ground;
    r.above.col(k) = partition.from_numerical_x * d(partition.numerical) +
                     partition.from_numerical_v * v(partition.numerical) +
                     partition.from_specimen_x * r.x.col(k) + partition.from_specimen_v * r.v.col(k);
    exact.advance(ground, test.input(k + 1).acceleration);
  }
  return r;
}

/// The search takes the exact response of the matrices, which knows of nothing beside them.
void refuse_restoring(const Document& document) {
  const std::vector<const Section*> restoring = document.sections("structure.restoring");
  if (restoring.empty()) return;
  throw InputError(restoring.front()->where,
                   "the search for a split uses the exact response of a linear structure, and this one has "
                   "restoring forces",
                   "leave [[structure.restoring]] out and put their stiffness into [structure], or try "
                   "single splits with `gusset check`");
}

class Searcher {
 public:
  Searcher(const Document& document, const Test& test)
      : document_(document),
        capacity_(read_capacity(document.section("capacity"))),
        partition_(
            read_partition(document.section("partition"), test.experiment->structure().linear_system())),
        one_(partition_.experimental.size() == 1),
        response_(exact_response(test, partition_)) {
    refuse_restoring(document);
    document_.stop_tracking();
    // A table's motion is a sum of these two, whatever the split.
    const auto moved = [&](const Eigen::VectorXd& acceleration) {
      return integrate_twice({acceleration.data(), acceleration.data() + acceleration.size()}, response_.dt,
                             capacity_.highpass);
    };
    base_ = moved(response_.base);
    if (one_) force_ = moved(-response_.above.row(0).transpose() / partition_.specimen_mass(0, 0));
  }

  bool one_storey() const { return one_; }

  SplitDemand demand(double l, double m, double p) {
    SplitDemand need;
    need.alpha_l = l;
    need.alpha_m = m;
    need.alpha_p = p;
    const Split split{l, p, Eigen::VectorXd::Constant(floors(), m), one_};
    const LoadShares shares = load_shares(partition_, split);
    const Eigen::VectorXd mass = physical_mass(partition_, split).diagonal();
    const double scale = one_ && m < 1 ? 1 / (1 - m) : 1;
    commands_.noalias() = shares.base * response_.base.transpose();
    commands_.noalias() += shares.force * response_.above;
    commands_.noalias() += shares.own * response_.a;
    for (Eigen::Index k = 0; k < commands_.cols(); ++k) {
      const auto u = commands_.col(k);
      const auto at = static_cast<std::size_t>(k);
      double y = l * scale * base_.displacement[at], w = l * scale * base_.velocity[at];
      if (one_) {
        y += p * scale * force_.displacement[at];
        w += p * scale * force_.velocity[at];
      }
      double base = capacity_.table_mass * u(0), power = 0;
      for (int i = 0; i < floors(); ++i) {
        const double force = u(i + 1), velocity = response_.v(i, k) + w;
        raise(need.actuator_force, force);
        raise(need.actuator_stroke, response_.x(i, k) + y);
        raise(need.actuator_flow, capacity_.actuator_area * velocity);
        base += mass(i) * (response_.a(i, k) + u(0)) - force;
        power += std::abs(force * velocity);
      }
      raise(need.table_stroke, y);
      raise(need.table_velocity, w);
      raise(need.table_acceleration, u(0));
      need.power = std::max(need.power, power + std::abs(base * w));
    }
    judge(need);
    return need;
  }

  void analyse(SplitDemand& need) {
    document_.set_number("method.alpha_l", need.alpha_l, dim::none);
    document_.set_number("method.alpha_m", need.alpha_m, dim::none);
    document_.set_number("method.alpha_p", need.alpha_p, dim::none);
    try {
      const Experiment experiment = Experiment::build(document_, {.any_step = true});
      const Spectrum own = spectrum(linearizer_.matrix(experiment));
      need.spectral_radius = own.radius;
      need.stable = own.stable;
    } catch (const InputError&) {
      // A combination without meaning, or one this feedback cannot do: no mass to measure.
      need.possible = false;
    }
  }

 private:
  int floors() const { return static_cast<int>(partition_.experimental.size()); }

  static void raise(double& peak, double value) { peak = std::max(peak, std::abs(value)); }

  void judge(SplitDemand& need) const {
    struct Line {
      const char* name;
      const std::optional<double>& limit;
      double needed;
    };
    const Line lines[] = {{"table stroke", capacity_.table_stroke, need.table_stroke},
                          {"table velocity", capacity_.table_velocity, need.table_velocity},
                          {"table acceleration", capacity_.table_acceleration, need.table_acceleration},
                          {"actuator force", capacity_.actuator_force, need.actuator_force},
                          {"actuator stroke", capacity_.actuator_stroke, need.actuator_stroke},
                          {"actuator flow", capacity_.actuator_flow, need.actuator_flow}};
    need.margin = infinite;
    for (const Line& line : lines) {
      if (!line.limit || !(line.needed > 0)) continue;
      const double margin = *line.limit / line.needed;
      if (margin < need.margin) {
        need.margin = margin;
        need.bottleneck = line.name;
      }
    }
    const bool massless = need.alpha_m >= 1 && (need.alpha_l > 0 || need.alpha_p > 0);
    need.possible = need.margin >= 1 && !massless;
  }

  Document document_;
  Capacity capacity_;
  Partition partition_;
  bool one_;
  Motions response_;
  IntegratedMotion base_, force_;
  Eigen::MatrixXd commands_;  ///< of the split in hand
  Linearizer linearizer_;
};

bool better(const SplitDemand& a, const std::optional<SplitDemand>& b, bool margin) {
  return !b || (margin ? a.margin > b->margin : a.power < b->power);
}

/// Ever finer steps around the best until nothing better is found.
void refine(Searcher& searcher, std::optional<SplitDemand>& best, bool margin, const SplitOptions& options) {
  if (!best) return;
  double step = 1.0 / (options.points - 1);
  for (int round = 0; round < options.refinements; ++round) {
    step /= 2;
    const SplitDemand centre = *best;
    for (int i = 0; i < (searcher.one_storey() ? 27 : 9); ++i) {
      const auto near = [&](double alpha, int move) {
        return std::clamp(alpha + (move - 1) * step, 0.0, 1.0);
      };
      SplitDemand next = searcher.demand(near(centre.alpha_l, i % 3), near(centre.alpha_m, i / 3 % 3),
                                         searcher.one_storey() ? near(centre.alpha_p, i / 9) : 0);
      if (!next.possible || !better(next, best, margin)) continue;
      searcher.analyse(next);
      if (next.good()) best = next;
    }
  }
}

}  // namespace

SplitSearch search_splits(const Document& document, const Test& test, const SplitOptions& options) {
  Searcher searcher(document, test);
  SplitSearch search;
  search.points = options.points;
  const int forces = searcher.one_storey() ? options.points : 1;
  const double step = 1.0 / (options.points - 1);
  const int total = options.points * options.points * forces;
  for (int i = 0; i < total; ++i) {
    const double l = step * (i % options.points);
    const double m = step * (i / options.points % options.points);
    const double p = step * (i / options.points / options.points);
    SplitDemand need = searcher.demand(l, m, p);
    if (need.possible) searcher.analyse(need);
    if (need.good()) {
      if (better(need, search.best_margin, true)) search.best_margin = need;
      if (better(need, search.least_power, false)) search.least_power = need;
    }
    search.grid.push_back(std::move(need));
    if (options.progress && i % 16 == 0) options.progress(static_cast<double>(i) / total);
  }
  refine(searcher, search.best_margin, true, options);
  refine(searcher, search.least_power, false, options);
  return search;
}

}  // namespace gusset
