#include "analysis/indicators.hpp"

#include <algorithm>
#include <cmath>

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

void summarize(const std::vector<Table>& tables,
               std::vector<std::pair<std::string, double>>& summary) {
  const auto find = [&](const std::string& name) -> const Channel* {
    for (const Table& table : tables) {
      for (const Channel& channel : table.channels) {
        if (channel.name == name) return &channel;
      }
    }
    return nullptr;
  };
  for (const Table& table : tables) {
    if (table.name == "reference") continue;
    for (const Channel& channel : table.channels) {
      summary.emplace_back("peak." + channel.name, peak(channel.values));
      if (!channel.name.ends_with(".target")) continue;
      const std::string name = channel.name.substr(0, channel.name.size() - 7);
      if (const Channel* measured = find(name + ".measured")) {
        summary.emplace_back("tracking." + name + ".nrmse",
                             normalized_rms_error(channel.values, measured->values));
        summary.emplace_back("tracking." + name + ".peak",
                             peak_error(channel.values, measured->values));
      }
    }
  }
  constexpr std::size_t prefix = 10;  // "reference."
  for (const Table& table : tables) {
    if (table.name != "reference") continue;
    for (const Channel& channel : table.channels) {
      const std::string name = channel.name.substr(prefix);
      if (const Channel* own = find(name)) {
        summary.emplace_back("error." + name + ".nrmse",
                             normalized_rms_error(channel.values, own->values));
        summary.emplace_back("error." + name + ".peak", peak_error(channel.values, own->values));
      }
    }
  }
}

}  // namespace gusset
