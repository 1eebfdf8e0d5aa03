#include "excitation/record_write.hpp"

#include <charconv>
#include <cstdio>

namespace gusset {
namespace {

void append(std::string& text, double value) {
  char buffer[40];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace

std::string to_csv(const std::vector<RecordColumn>& columns) {
  std::string text;
  for (std::size_t c = 0; c < columns.size(); ++c) text += (c > 0 ? "," : "") + columns[c].header;
  text += '\n';
  const std::size_t rows = columns.empty() ? 0 : columns.front().values.size();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) text += ',';
      append(text, columns[c].values[i]);
    }
    text += '\n';
  }
  return text;
}

std::string to_csv(const Record& record, const std::vector<RecordColumn>& more) {
  std::vector<RecordColumn> columns{{"time [s]", {}}, {"acceleration [m/s^2]", record.acceleration}};
  for (std::size_t i = 0; i < record.acceleration.size(); ++i) {
    columns.front().values.push_back(record.dt * static_cast<double>(i));
  }
  columns.insert(columns.end(), more.begin(), more.end());
  return to_csv(columns);
}

std::string to_at2(const Record& record) {
  constexpr double gravity = 9.80665;
  char buffer[80];
  std::string text =
      "PEER-style record written by Gusset\n" + record.name + "\nACCELERATION TIME SERIES IN UNITS OF G\n";
  std::snprintf(buffer, sizeof buffer, "NPTS=%7zu, DT=%12.9f SEC\n", record.acceleration.size(), record.dt);
  text += buffer;
  for (std::size_t i = 0; i < record.acceleration.size(); ++i) {
    std::snprintf(buffer, sizeof buffer, "%15.7E", record.acceleration[i] / gravity);
    text += buffer;
    if (i % 5 == 4 || i + 1 == record.acceleration.size()) text += '\n';
  }
  return text;
}

}  // namespace gusset
