#include "runs/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace gusset {
namespace {

/// A channel as a column: sample `first + stride * row` of it.
struct Column {
  const Trace* channel;
  std::string name;
  long long first;
  long long stride;
};

/// The shortest decimal that reads back as the same double.
void append_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value < 0 ? "-Inf" : "Inf";
  } else {
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
}

void append_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

const Table* table_named(const Run& run, std::string_view name) {
  const auto found = std::find_if(run.tables.begin(), run.tables.end(),
                                  [&](const Table& table) { return table.name == name; });
  return found == run.tables.end() ? nullptr : &*found;
}

[[noreturn]] void fail_no_table(const Run& run, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Table& table : run.tables) names.push_back(table.name);
  const std::string fix =
      names.empty() ? "this run has none: was anything recorded?" : "this run has " + alternatives(names);
  throw InputError({run.experiment_name, 0, 0}, "the run has no table \"" + name + "\"", fix);
}

const Table& table_of_rows(const Run& run, const std::string& wanted) {
  const std::string name = wanted.empty() ? "structure" : wanted;
  if (const Table* table = table_named(run, name)) return *table;
  if (wanted.empty() && run.tables.size() == 1) return run.tables.front();
  fail_no_table(run, name);
}

[[noreturn]] void fail_times(const Run& run, const Table& rows, const Table& other) {
  throw InputError({run.experiment_name, 0, 0},
                   "the samples of table \"" + other.name + "\" do not fall on the times of table \"" +
                       rows.name + "\", so that the two do not fit into one CSV file",
                   "export that table at its own rate: --table " + other.name);
}

/// True if `ratio` is whole but for rounding: steps are decimal numbers written in binary, and the
/// error of an offset grows with its size.
bool whole(double ratio) {
  return std::abs(ratio) < 1e15 && std::abs(ratio - std::round(ratio)) <= 1e-6 + 1e-12 * std::abs(ratio);
}

std::vector<Column> columns_of(const Run& run, const Table& rows, bool alone) {
  std::vector<Column> columns;
  const auto taken = [&](const std::string& name) {
    return std::any_of(columns.begin(), columns.end(),
                       [&](const Column& column) { return column.name == name; });
  };
  const auto add = [&](const Table& table, long long first, long long stride) {
    if (table.channels.empty()) return;
    for (const Trace& channel : table.channels) {
      if (channel.values.size() != table.rows()) {
        throw std::logic_error("channel " + channel.name + " is not as long as its table");
      }
      const std::string name = taken(channel.name) ? table.name + "." + channel.name : channel.name;
      columns.push_back({&channel, name, first, stride});
    }
  };
  add(rows, 0, 1);
  if (alone) return columns;
  for (const Table& table : run.tables) {
    if (&table == &rows || table.rows() == 0) continue;
    const double stride = rows.rows() < 2 ? 1 : rows.step / table.step;
    const double offset = rows.start - table.start;
    const double first = offset == 0 ? 0 : offset / table.step;
    if (!whole(stride) || !whole(first) || std::llround(stride) < 1) fail_times(run, rows, table);
    add(table, std::llround(first), std::llround(stride));
  }
  return columns;
}

}  // namespace

std::string to_csv(const Run& run, const std::string& table) {
  const Table& rows = table_of_rows(run, table);
  const std::vector<Column> columns = columns_of(run, rows, !table.empty());

  std::string out = "time [s]";
  for (const Column& column : columns) {
    out += ',';
    const std::string& unit = column.channel->unit;
    // A spreadsheet computes a cell that begins like a formula.
    const bool formula =
        !column.name.empty() && std::string_view("=+-@\t\r").find(column.name[0]) != std::string_view::npos;
    append_field(out, (formula ? "'" : "") + (unit.empty() ? column.name : column.name + " [" + unit + "]"));
  }
  out += '\n';
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    append_number(out, rows.start + static_cast<double>(row) * rows.step);
    for (const Column& column : columns) {
      const std::vector<double>& values = column.channel->values;
      const long long sample = column.first + column.stride * static_cast<long long>(row);
      const bool inside = sample >= 0 && sample < static_cast<long long>(values.size());
      out += ',';
      append_number(
          out, inside ? values[static_cast<std::size_t>(sample)] : std::numeric_limits<double>::quiet_NaN());
    }
    out += '\n';
  }
  return out;
}

}  // namespace gusset
