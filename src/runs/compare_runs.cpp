#include "runs/compare_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/indicators.hpp"
#include "base/error.hpp"

namespace gusset {
namespace {

const Table* find(const Run& run, const std::string& name) {
  for (const Table& table : run.tables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

const Trace* find(const Table& table, const std::string& name) {
  for (const Trace& channel : table.channels) {
    if (channel.name == name) return &channel;
  }
  return nullptr;
}

std::string seconds(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.9g s", value);
  return text;
}

void require_same_times(const Table& a, const Table& b, const std::string& name_a,
                        const std::string& name_b) {
  // A rounding of the last digits is no other step, as long as it does not add up to one.
  const auto rows = static_cast<double>(std::max<std::size_t>({a.rows(), b.rows(), 1}));
  if (std::abs(a.step - b.step) * rows > 1e-3 * a.step) {
    throw InputError({name_b, 0, 0},
                     "the table \"" + a.name + "\" has a step of " + seconds(b.step) + ", in " + name_a +
                         " it has " + seconds(a.step),
                     "run both with the same integrator.dt and rig.dt: runs are not resampled");
  }
  if (std::abs(a.start - b.start) > 1e-3 * a.step) {
    throw InputError({name_b, 0, 0},
                     "the table \"" + a.name + "\" starts at " + seconds(b.start) + ", in " + name_a +
                         " at " + seconds(a.start),
                     "compare runs that start at the same time");
  }
}

ChannelComparison compare(const Table& table, const Trace& a, const Trace& b, const Tolerance& tolerance) {
  ChannelComparison result;
  result.table = table.name;
  result.channel = a.name;
  result.unit = a.unit;
  result.samples = std::min(a.values.size(), b.values.size());
  result.peak = peak(a.values);
  result.allowed = tolerance.absolute + tolerance.relative * result.peak;
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < result.samples; ++i) {
    const double x = a.values[i];
    const double y = b.values[i];
    if (std::isnan(x) && std::isnan(y)) continue;
    if (std::isnan(x) || std::isnan(y)) {
      ++result.gaps;
      continue;
    }
    const double gap = x == y ? 0 : std::abs(y - x);  // also where both are infinite
    if (gap > result.difference) {
      result.difference = gap;
      result.time = table.start + table.step * static_cast<double>(i);
    }
    error += gap * gap;
    size += x * x;
  }
  result.nrmse = error == 0 ? 0 : std::sqrt(error / size);
  result.agrees = result.gaps == 0 && result.difference <= result.allowed;
  return result;
}

}  // namespace

bool RunComparison::agrees() const {
  return differences.empty() && std::all_of(channels.begin(), channels.end(),
                                            [](const ChannelComparison& channel) { return channel.agrees; });
}

RunComparison compare_runs(const Run& a, const Run& b, const Tolerance& tolerance, const std::string& name_a,
                           const std::string& name_b) {
  RunComparison result;
  for (const Table& table : a.tables) {
    const Table* other = find(b, table.name);
    if (other == nullptr) {
      result.differences.push_back("only " + name_a + " has the table \"" + table.name + "\"");
      continue;
    }
    require_same_times(table, *other, name_a, name_b);
    if (table.rows() != other->rows()) {
      result.differences.push_back("the table \"" + table.name + "\" has " + std::to_string(table.rows()) +
                                   " samples in " + name_a + " and " + std::to_string(other->rows()) +
                                   " in " + name_b);
    }
    for (const Trace& channel : table.channels) {
      const Trace* twin = find(*other, channel.name);
      if (twin == nullptr) {
        result.differences.push_back("only " + name_a + " has " + channel.name);
        continue;
      }
      if (twin->unit != channel.unit) {
        result.differences.push_back(channel.name + " is in " + channel.unit + " in " + name_a + " and in " +
                                     twin->unit + " in " + name_b);
        continue;
      }
      result.channels.push_back(compare(table, channel, *twin, tolerance));
    }
    for (const Trace& channel : other->channels) {
      if (find(table, channel.name) == nullptr) {
        result.differences.push_back("only " + name_b + " has " + channel.name);
      }
    }
  }
  for (const Table& table : b.tables) {
    if (find(a, table.name) == nullptr) {
      result.differences.push_back("only " + name_b + " has the table \"" + table.name + "\"");
    }
  }
  return result;
}

}  // namespace gusset
