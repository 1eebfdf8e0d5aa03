#include "structure/partition.hpp"

#include <algorithm>

namespace gusset {
namespace {

/// One of the matrices C or K, cut up.
struct Cut {
  Eigen::MatrixXd specimen, numerical, load, from_numerical, from_specimen;
};

class Cutter {
 public:
  Cutter(const Section& section, const Partition& partition, int bottom)
      : section_(section), p_(partition), bottom_(bottom) {}

  Cut cut(const Eigen::MatrixXd& k, const char* what) const {
    const auto& e = p_.experimental;
    const auto& n = p_.numerical;
    const auto ne = static_cast<Eigen::Index>(e.size());
    const auto nn = static_cast<Eigen::Index>(n.size());
    const double small = 1e-9 * k.cwiseAbs().maxCoeff();
    Cut c;
    c.specimen = k(e, e);
    c.numerical = k(n, n);
    c.load = Eigen::MatrixXd::Zero(nn, ne);
    c.from_numerical = Eigen::MatrixXd::Zero(ne, nn);
    c.from_specimen = Eigen::MatrixXd::Zero(ne, ne);
    for (Eigen::Index i = 0; i < ne; ++i) {
      double tie = 0;  // to whatever is above
      for (Eigen::Index j = 0; j < nn; ++j) {
        const double spring = -k(e[static_cast<std::size_t>(i)], n[static_cast<std::size_t>(j)]);
        if (j >= bottom_) {
          tie += spring;
          c.from_numerical(i, j) += spring;
          c.load(j, i) += spring;
          if (p_.base >= 0) c.numerical(j, p_.base) -= spring;
        } else if (j == p_.base) {
          c.numerical(j, j) -= spring;
          c.load(j, i) += spring;
        } else if (std::abs(spring) > small) {
          refuse(what, "touch a floor below the one they stand on");
        }
      }
      c.specimen(i, i) -= tie;
      c.from_specimen(i, i) -= tie;
      if (p_.base >= 0) c.from_numerical(i, p_.base) -= tie;
    }
    // Moved as a rigid body with their base they must feel nothing.
    const double base_share = small;
    for (Eigen::Index i = 0; i < ne; ++i) {
      double sum = c.specimen.row(i).sum();
      if (p_.base >= 0) {
        sum += k(e[static_cast<std::size_t>(i)], n[static_cast<std::size_t>(p_.base)]);
        if (std::abs(sum) > base_share)
          refuse(what, "are tied to something else than the floors next to them");
      }
    }
    for (Eigen::Index i = 0; i < bottom_; ++i) {
      for (Eigen::Index j = bottom_; j < nn; ++j) {
        if (std::abs(k(n[static_cast<std::size_t>(i)], n[static_cast<std::size_t>(j)])) > small) {
          refuse(what, "are bypassed: the parts above and below them touch each other");
        }
      }
    }
    return c;
  }

 private:
  [[noreturn]] void refuse(const char* what, const std::string& why) const {
    section_.fail("experimental", std::string("in the ") + what + " matrix the experimental storeys " + why,
                  "cut where one storey joins the parts (damping between floors, not against the ground), "
                  "or choose other storeys");
  }

  const Section& section_;
  const Partition& p_;
  int bottom_;
};

}  // namespace

Partition read_partition(const Section& section, const LinearSystem& whole) {
  std::vector<int> storeys = section.integers("experimental", 1);
  std::sort(storeys.begin(), storeys.end());
  const int floors = whole.size();
  Partition p;
  for (std::size_t i = 0; i < storeys.size(); ++i) {
    if (storeys[i] > floors) {
      section.fail("experimental",
                   "storey " + std::to_string(storeys[i]) + " is experimental, but the structure has only " +
                       std::to_string(floors),
                   "name storeys from 1 (the lowest) to " + std::to_string(floors));
    }
    if (i > 0 && storeys[i] != storeys[i - 1] + 1) {
      section.fail("experimental", "the experimental storeys are not consecutive",
                   "name each of them once, without gaps");
    }
    p.experimental.push_back(storeys[i] - 1);
  }
  if (p.experimental.empty()) {
    section.fail("experimental", "no storey is experimental", "write experimental = [2]");
  }
  const int bottom = p.experimental.front();
  for (int i = 0; i < bottom; ++i) p.numerical.push_back(i);
  for (int i = p.experimental.back() + 1; i < floors; ++i) p.numerical.push_back(i);
  p.base = bottom - 1;
  // The specimen is shaken by what its base does relative to the ground, and by the ground.
  for (int i = std::max(p.base, 0); i <= p.experimental.back(); ++i) {
    if (whole.influence(i) == 1) continue;
    section.fail("experimental",
                 "an experimental storey, or the floor it stands on, has a structure.influence other than 1",
                 "give it the influence 1, or leave it to the numerical part");
  }

  const Cutter cutter(section, p, bottom);
  const Cut k = cutter.cut(whole.stiffness, "stiffness");
  const Cut c = cutter.cut(whole.damping, "damping");
  p.specimen_mass = whole.mass(p.experimental, p.experimental);
  p.specimen_damping = c.specimen;
  p.specimen_stiffness = k.specimen;
  p.mass = whole.mass(p.numerical, p.numerical);
  p.damping = c.numerical;
  p.stiffness = k.numerical;
  p.influence = whole.influence(p.numerical);
  p.load_x = k.load;
  p.load_v = c.load;
  p.from_numerical_x = k.from_numerical;
  p.from_numerical_v = c.from_numerical;
  p.from_specimen_x = k.from_specimen;
  p.from_specimen_v = c.from_specimen;
  return p;
}

LinearStart relative_to_base(const Partition& p, const LinearStart& whole) {
  const auto relative = [&](const Eigen::VectorXd& all) {
    Eigen::VectorXd own = all(p.experimental);
    if (p.base >= 0) own.array() -= all(p.numerical[static_cast<std::size_t>(p.base)]);
    return own;
  };
  return {relative(whole.displacement), relative(whole.velocity), relative(whole.acceleration)};
}

Structure numerical_structure(const Partition& p) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto banded = [](const Rows& dense) {
    return BandMatrix::from_general(dense.data(), static_cast<int>(dense.rows()));
  };
  Structure structure;
  structure.mass = banded(p.mass);
  structure.damping = banded(p.damping);
  structure.stiffness = banded(p.stiffness);
  structure.influence.assign(p.influence.begin(), p.influence.end());
  const Eigen::VectorXd inertia = p.mass * p.influence;
  structure.inertia.assign(inertia.begin(), inertia.end());
  return structure;
}

StoreyPlace place_of(const Partition& p, const Section& section, const Interface& at) {
  const auto index = [](const std::vector<int>& floors, int floor) {
    const auto found = std::find(floors.begin(), floors.end(), floor);
    return found == floors.end() ? -1 : static_cast<int>(found - floors.begin());
  };
  const int upper = at.weights.front().first;
  const bool drift = at.weights.size() > 1;
  StoreyPlace place;
  place.at.name = at.name;
  const int specimen = index(p.experimental, upper);
  place.experimental = specimen >= 0;
  if (!place.experimental) {
    for (const auto& [floor, weight] : at.weights) {
      const int own = index(p.numerical, floor);
      if (own >= 0) place.at.weights.emplace_back(own, weight);
      if (own < 0) place.far = index(p.experimental, floor);
    }
    return place;
  }
  place.at.weights.emplace_back(specimen, 1.0);
  if (drift && specimen > 0) place.at.weights.emplace_back(specimen - 1, -1.0);
  if (!drift && p.base >= 0) {
    section.fail("acts",
                 "storey " + std::to_string(upper + 1) +
                     " is experimental and stands on a floor that moves: the ground, to which this would tie "
                     "it, is not in the laboratory",
                 "write acts = \"drift\", or leave the storey to the numerical part");
  }
  return place;
}

}  // namespace gusset
