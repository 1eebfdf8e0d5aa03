#include "reproduce/reproduce.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "analysis/linearize.hpp"

namespace gusset::reproduce {

bool Quantity::agrees() const {
  return paper && std::isfinite(value) && std::abs(value - *paper) <= tolerance;
}

bool Quantity::acceptable() const {
  if (agrees()) return true;
  return !reason.empty() && expected && std::isfinite(value) &&
         std::abs(value - *expected) <= expected_tolerance;
}

std::optional<double> Quantity::deviation() const {
  if (!paper || statement) return std::nullopt;
  return value - *paper;
}

Quantity statement(std::string what, bool holds) {
  Quantity quantity;
  quantity.name = std::move(what);
  quantity.value = holds ? 1 : 0;
  quantity.paper = 1;
  quantity.statement = true;
  return quantity;
}

Quantity number(std::string what, double value, double paper, double tolerance) {
  Quantity quantity;
  quantity.name = std::move(what);
  quantity.value = value;
  quantity.paper = paper;
  quantity.tolerance = tolerance;
  return quantity;
}

Quantity differs(Quantity quantity, std::string reason, double expected, double tolerance) {
  quantity.reason = std::move(reason);
  quantity.expected = expected;
  quantity.expected_tolerance = tolerance;
  return quantity;
}

Simulation Context::run(const Document& which) const { return simulate(make_test(which, loader)); }

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{wu_2008(), wu_2009(), chen_2007(), chen_2008(), shao_2011()};
  return all;
}

double radius_at(const Document& document, double dt) {
  Document own = document;
  own.stop_tracking();
  own.set_number("integrator.dt", dt, dim::time);
  Linearizer linearizer;
  return spectrum(linearizer.matrix(Experiment::build(own, {.any_step = true}))).radius;
}

plot::Series radius_over_omega(const Document& document, double omega, double low, double high, int points,
                               std::string name) {
  plot::Series line{std::move(name), {}, {}, false, false};
  for (int i = 0; i < points; ++i) {
    const double at = low + (high - low) * i / (points - 1);
    line.x.push_back(at);
    line.y.push_back(radius_at(document, at / omega));
  }
  return line;
}

double limit_omega(const Document& document) {
  const Experiment experiment = Experiment::build(document, {.any_step = true});
  const Crossing limit = stability_limit(document);
  switch (limit.kind) {
    case Crossing::Kind::always: return 0;
    case Crossing::Kind::none: return std::numeric_limits<double>::infinity();
    case Crossing::Kind::unknown: return std::numeric_limits<double>::quiet_NaN();
    case Crossing::Kind::found:
    case Crossing::Kind::below: break;
  }
  return limit.value * experiment.reference_frequency();
}

const Trace& channel_of(const Simulation& simulation, const std::string& name) {
  for (const Table& table : simulation.tables) {
    for (const Trace& channel : table.channels) {
      if (channel.name == name) return channel;
    }
  }
  throw std::logic_error("the simulation has no channel " + name);
}

plot::Series history(const Simulation& simulation, const std::string& channel, double factor,
                     std::string name, bool dashed) {
  plot::Series line{std::move(name), {}, {}, dashed, false};
  for (const Table& table : simulation.tables) {
    for (const Trace& candidate : table.channels) {
      if (candidate.name != channel) continue;
      for (std::size_t i = 0; i < candidate.values.size(); ++i) {
        line.x.push_back(table.start + table.step * static_cast<double>(i));
        line.y.push_back(candidate.values[i] * factor);
      }
      return line;
    }
  }
  throw std::logic_error("the simulation has no channel " + channel);
}

plot::Figure figure(std::string title, std::string x, std::string y) {
  plot::Figure result;
  result.title = std::move(title);
  result.x.label = std::move(x);
  result.y.label = std::move(y);
  result.width = 600;
  result.height = 360;
  return result;
}

}  // namespace gusset::reproduce
