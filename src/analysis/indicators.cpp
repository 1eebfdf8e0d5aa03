#include "analysis/indicators.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/tracking.hpp"

namespace gusset {

double normalized_rms_error(const std::vector<double>& x, const std::vector<double>& y) {
  double error = 0;
  double size = 0;
  const std::size_t count = std::min(x.size(), y.size());
  for (std::size_t i = 0; i < count; ++i) {
    error += (y[i] - x[i]) * (y[i] - x[i]);
    size += x[i] * x[i];
  }
  return error == 0 ? 0 : std::sqrt(error / size);
}

double peak_error(const std::vector<double>& x, const std::vector<double>& y) {
  double error = 0;
  const std::size_t count = std::min(x.size(), y.size());
  for (std::size_t i = 0; i < count; ++i) error = std::max(error, std::abs(y[i] - x[i]));
  return error == 0 ? 0 : error / peak(x);
}

double peak(const std::vector<double>& x) {
  double largest = 0;
  for (const double value : x) {
    if (std::abs(value) > largest) largest = std::abs(value);
  }
  return largest;
}

namespace {

void summarize_tracking(const std::string& prefix, double dt, const std::vector<double>& x,
                        const std::vector<double>& y, const Trace* force,
                        std::vector<std::pair<std::string, double>>& summary) {
  constexpr double longest = 1;  // no rig is later than a second
  const std::vector<double> indicator = tracking_indicator(x, y);
  const FrequencyIndex index = frequency_index(x, y, dt);
  const Synchronisation subspace = synchronisation(x, y);
  summary.emplace_back(prefix + ".indicator", indicator.empty() ? 0 : indicator.back());
  summary.emplace_back(prefix + ".fei.amplitude", index.amplitude);
  summary.emplace_back(prefix + ".fei.delay", index.delay);
  summary.emplace_back(prefix + ".fei.frequency", index.frequency);
  summary.emplace_back(prefix + ".correlation_delay", correlation_delay(x, y, dt, longest));
  if (force != nullptr) {
    summary.emplace_back(prefix + ".energy_error", energy_error(x, y, force->values));
  }
  summary.emplace_back(prefix + ".subspace.slope", subspace.slope);
  summary.emplace_back(prefix + ".subspace.width", subspace.width);
}

}  // namespace

void summarize(const std::vector<Table>& tables, std::vector<std::pair<std::string, double>>& summary) {
  const auto find = [&](const std::string& name) -> const Trace* {
    for (const Table& table : tables) {
      for (const Trace& channel : table.channels) {
        if (channel.name == name) return &channel;
      }
    }
    return nullptr;
  };
  for (const Table& table : tables) {
    if (table.name == "reference") continue;
    for (const Trace& channel : table.channels) {
      summary.emplace_back("peak." + channel.name, peak(channel.values));
      if (!channel.name.ends_with(".target")) continue;
      const std::string name = channel.name.substr(0, channel.name.size() - 7);
      // A force-controlled channel is after the force.
      const bool pushes = channel.control == Control::force;
      const char* followed = pushes ? ".force" : ".measured";
      if (const Trace* measured = find(name + followed)) {
        summary.emplace_back("tracking." + name + ".nrmse",
                             normalized_rms_error(channel.values, measured->values));
        summary.emplace_back("tracking." + name + ".peak", peak_error(channel.values, measured->values));
        summarize_tracking("tracking." + name, table.step, channel.values, measured->values,
                           pushes ? nullptr : find(name + ".force"), summary);
      }
    }
  }
  constexpr std::size_t prefix = 10;  // "reference."
  for (const Table& table : tables) {
    if (table.name != "reference") continue;
    for (const Trace& channel : table.channels) {
      const std::string name = channel.name.substr(prefix);
      if (const Trace* own = find(name)) {
        summary.emplace_back("error." + name + ".nrmse", normalized_rms_error(channel.values, own->values));
        summary.emplace_back("error." + name + ".peak", peak_error(channel.values, own->values));
      }
    }
  }
}

}  // namespace gusset
