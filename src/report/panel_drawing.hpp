#pragma once

#include <string>
#include <vector>

#include "report/plot.hpp"
#include "runs/run.hpp"

/// What the figures of a report have in common.
namespace gusset::panel {

/// The times of a table's rows [s].
std::vector<double> times(const Table& table);
std::vector<double> scaled(const std::vector<double>& values, double factor);

/// An empty figure of the size that reports use.
plot::Figure figure(std::string title, std::string x, std::string y);

/// A line to draw: a channel with its table, under a name of its own.
struct Line {
  std::string name;
  const Table* table;
  const Trace* channel;
  bool dashed = false;
};

/// Lines of one quantity over time, in the unit that suits the largest of them.
plot::Figure over_time(const std::string& title, const std::string& quantity, const std::vector<Line>& lines);

}  // namespace gusset::panel
