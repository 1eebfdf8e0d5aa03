#include "report/panel_drawing.hpp"

#include <algorithm>

#include "analysis/indicators.hpp"
#include "base/quantity_text.hpp"

namespace gusset::panel {
namespace {

constexpr double figure_width = 600, figure_height = 300;

}  // namespace

std::vector<double> times(const Table& table) {
  std::vector<double> result(table.rows());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = table.start + table.step * static_cast<double>(i);
  }
  return result;
}

std::vector<double> scaled(const std::vector<double>& values, double factor) {
  std::vector<double> result(values);
  for (double& value : result) value *= factor;
  return result;
}

plot::Figure figure(std::string title, std::string x, std::string y) {
  plot::Figure result;
  result.title = std::move(title);
  result.x.label = std::move(x);
  result.y.label = std::move(y);
  result.width = figure_width;
  result.height = figure_height;
  return result;
}

plot::Figure over_time(const std::string& title, const std::string& quantity,
                       const std::vector<Line>& lines) {
  double largest = 0;
  for (const Line& line : lines) largest = std::max(largest, peak(line.channel->values));
  const ShownUnit unit = shown_unit(lines.front().channel->unit, largest);
  plot::Figure result = figure(title, "time [s]", quantity + " [" + typeset(unit.unit) + "]");
  for (const Line& line : lines) {
    result.series.push_back({lines.size() > 1 ? line.name : "", times(*line.table),
                             scaled(line.channel->values, unit.factor), line.dashed, false});
  }
  return result;
}

}  // namespace gusset::panel
