#include "analysis/linearize.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"

namespace gusset {
namespace {

/// The first branch that was left since, if only for a moment; their number if none was.
std::size_t first_changed(const State& now, const State& before) {
  for (std::size_t b = 0; b < now.branches.size(); ++b) {
    if (now.branches[b].transitions != before.branches[b].transitions) return b;
  }
  return now.branches.size();
}

/// Gains that adapt stand still in an analysis: their switch is thrown.
void freeze(const Layout& layout, State& state) {
  for (const Layout::BranchField& field : layout.branches()) {
    if (std::string_view(field.name) == "freeze") {
      state.branches[static_cast<std::size_t>(field.index)].value = 1;
    }
  }
}

/// All signals zero, all parameters as at t_0.
State silent_state(const Experiment& experiment) {
  const Layout& layout = experiment.layout();
  State state = layout.zero();
  const bool parameters =
      std::any_of(layout.fields().begin(), layout.fields().end(), [](const Layout::Field& field) {
        return field.kind == Layout::Kind::parameter && field.segment.size > 0;
      });
  if (!parameters) return state;
  const State start = experiment.start().state;
  for (const Layout::Field& field : layout.fields()) {
    if (field.kind != Layout::Kind::parameter) continue;
    std::copy_n(start.at(field.segment), field.segment.size, state.at(field.segment));
  }
  return state;
}

}  // namespace

State frozen_state(const Experiment& experiment) {
  State state = experiment.affine() ? silent_state(experiment) : experiment.start().state;
  freeze(experiment.layout(), state);
  return state;
}

const Eigen::MatrixXd& Linearizer::matrix(const Experiment& experiment) {
  perturb(experiment, frozen_state(experiment), experiment.affine());
  return matrix_;
}

const Eigen::MatrixXd& Linearizer::matrix(const Experiment& experiment, const State& around) {
  perturb(experiment, around, experiment.affine());
  return matrix_;
}

void Linearizer::perturb(const Experiment& experiment, const State& around, bool affine) {
  const Layout& layout = experiment.layout();
  entries_.clear();
  scales_.clear();
  for (const Layout::Field& field : layout.fields()) {
    if (field.kind == Layout::Kind::parameter) continue;
    for (int i = 0; i < field.segment.size; ++i) {
      entries_.push_back(field.segment.offset + i);
      scales_.push_back(field.scale);
    }
  }
  wires_ = experiment.wires();
  base_ = around;
  const Input silence;
  experiment.step(base_, silence, wires_);

  const auto n = static_cast<Eigen::Index>(entries_.size());
  matrix_.resize(n, n);
  finer_.resize(n);
  const Eigen::Map<const Eigen::ArrayXd> scales(scales_.data(), n);
  const std::size_t none = around.branches.size();
  for (Eigen::Index column = 0; column < n; ++column) {
    const int entry = entries_[static_cast<std::size_t>(column)];
    double h = affine ? 1.0 : scales(column);
    std::size_t changed = slope(experiment, around, entry, h, matrix_.col(column));
    for (int tries = 0; tries < 2 && !(affine && changed == none); ++tries) {
      h *= 1e-3;
      const std::size_t again = slope(experiment, around, entry, h, finer_);
      if (changed == none) {
        // In units of the scales, or pascals would outweigh metres.
        const double bend = ((finer_ - matrix_.col(column)).array() / scales).abs().maxCoeff();
        if (again < none || bend <= 1e-6 * (finer_.array() / scales).abs().maxCoeff()) break;
      }
      matrix_.col(column) = finer_;
      changed = again;
    }
    if (changed < none) {
      const Layout::BranchField& branch = layout.branches()[changed];
      throw InputError({},
                       branch.owner + "." + branch.name + " changes its branch within the step when " +
                           layout.name_of(entry) + " is perturbed: the loop has no derivative there",
                       "analyse around a state away from the corner, or lower the scale");
    }
  }
}

std::size_t Linearizer::slope(const Experiment& experiment, const State& around, int entry, double h,
                              Eigen::Ref<Eigen::VectorXd> column) {
  state_ = around;
  state_.values[static_cast<std::size_t>(entry)] += h;
  experiment.step(state_, {}, wires_);
  for (Eigen::Index row = 0; row < column.size(); ++row) {
    const auto i = static_cast<std::size_t>(entries_[static_cast<std::size_t>(row)]);
    column(row) = (state_.values[i] - base_.values[i]) / h;
  }
  return first_changed(state_, around);
}

Eigen::MatrixXd interface_gain(const Experiment& experiment) {
  const Segment forces = experiment.method().forces();
  Eigen::MatrixXd gain(forces.size, forces.size);
  const State zero = frozen_state(experiment);
  Wires wires = experiment.wires();
  State base = zero;
  experiment.step(base, {}, wires);
  for (int column = 0; column < forces.size; ++column) {
    State state = zero;
    state.at(forces)[column] += 1;
    experiment.step(state, {}, wires);
    for (int row = 0; row < forces.size; ++row) {
      gain(row, column) = state.at(forces)[row] - base.at(forces)[row];
    }
  }
  return gain;
}

}  // namespace gusset
