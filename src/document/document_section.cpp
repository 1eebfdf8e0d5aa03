#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/unit_table.hpp"
#include "document/document.hpp"
#include "document/document_parse.hpp"

namespace gusset {
namespace {

constexpr Dimension per_second{.time = -1};

std::string quoted(std::string_view key) { return '`' + std::string(key) + '`'; }

/// "is a number" and so on, for values of the wrong kind.
std::string kind_noun(const Value& value) {
  switch (value.kind) {
    case Value::Kind::number: return "a number";
    case Value::Kind::quantity: return "a number with a unit";
    case Value::Kind::text: return "a text";
    case Value::Kind::boolean: return "true or false";
    case Value::Kind::list: return value.rows > 0 ? "a list of lists" : "a list";
  }
  return "a value";
}

/// The user's numbers again, so that a fix can be copied; long lists are cut short.
std::string spell_list(const std::vector<double>& numbers) {
  constexpr std::size_t shown = 4;
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size() && i < shown; ++i) {
    text += (i > 0 ? ", " : "") + detail::spell_number(numbers[i]);
  }
  return text + (numbers.size() > shown ? ", …]" : "]");
}

/// The place of a value: on the line of its key, further right.
Where value_place(const Entry& entry) {
  Where where = entry.where;
  if (where.line > 0 && entry.value.column > 0) where.column = entry.value.column;
  return where;
}

/// What a value of this dimension looks like in the file.
std::string example_of(const Dimension& dimension) {
  return dimension == dim::none ? "…" : "\"… " + detail::usual_unit(dimension) + '"';
}

}  // namespace

const Entry* Section::lookup(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

void Section::remember(std::string_view key) const {
  if (tracking_ && std::ranges::find(asked_, key) == asked_.end()) asked_.emplace_back(key);
}

const Entry* Section::find(std::string_view key) const {
  const Entry* entry = lookup(key);
  if (!entry) {
    remember(key);
  } else if (tracking_) {
    entry->used = true;
  }
  return entry;
}

bool Section::has(std::string_view key) const {
  const bool present = lookup(key) != nullptr;
  if (!present) remember(key);
  return present;
}

std::string Section::name_of(std::string_view key) const {
  return path.empty() ? std::string(key) : path + '.' + std::string(key);
}

std::string Section::heading() const { return path.empty() ? "the top of the file" : '[' + path + ']'; }

void Section::fail(std::string_view key, std::string cause, std::string fix) const {
  const Entry* entry = lookup(key);
  throw InputError(entry ? value_place(*entry) : where, std::move(cause), std::move(fix));
}

void Section::missing(std::string_view key, const std::string& example, const std::string& note) const {
  remember(key);
  const std::string line = '`' + std::string(key) + " = " + example + '`';
  std::string fix = "add " + line + (path.empty() ? " at " : " to ") + heading();
  if (absent_) fix = "add a section [" + path + "] with " + line;
  fix += note;
  if (!hint_.empty()) fix += "; " + hint_;
  // A key nobody has read, one or two letters away, is probably this one misspelt.
  for (const Entry& entry : entries) {
    const std::size_t distance = edit_distance(entry.key, key);
    if (entry.used || distance > 2 || 3 * distance > key.size()) continue;
    fix += ", or is " + quoted(entry.key) + " on line " + std::to_string(entry.where.line) +
           " a misspelling of it?";
    break;
  }
  throw InputError(where, name_of(key) + " is missing", fix);
}

const Entry& Section::required(std::string_view key, const Dimension* dimension) const {
  const Entry* entry = find(key);
  if (!entry) missing(key, dimension ? example_of(*dimension) : "\"…\"");
  return *entry;
}

void Section::wrong_kind(const Entry& entry, const std::string& wanted, const std::string& fix) const {
  throw InputError(value_place(entry),
                   name_of(entry.key) + " is " + kind_noun(entry.value) + ", but " + wanted + " is needed",
                   fix);
}

void Section::wrong_dimension(const Entry& entry, const Dimension& dimension) const {
  const Value& value = entry.value;
  const std::string name = name_of(entry.key);
  const std::string unit = detail::usual_unit(dimension);
  const bool is_list = value.kind == Value::Kind::list;
  const std::string number = detail::spell_number(value.number);
  if (value.dimension == dim::none) {
    const std::string written =
        is_list ? "{ values = " + spell_list(value.numbers) + ", unit = \"" + unit + "\" }"
                : '"' + number + ' ' + unit + '"';
    throw InputError(value_place(entry),
                     name + " has no unit, but " + detail::dimension_noun(dimension) + " is needed",
                     "write " + entry.key + " = " + written + " (units: " + unit_examples(dimension) + " …)");
  }
  std::string cause = name + " is " + detail::dimension_noun(value.dimension);
  if (detail::find_dimension_name(value.dimension)) cause += " (" + si_unit(value.dimension) + ')';
  cause += ", but " + detail::dimension_noun(dimension) + " is needed";
  if (dimension == dim::none) {
    throw InputError(value_place(entry), cause,
                     "write a bare number, " + entry.key + " = 0.5, without quotes and unit");
  }
  std::string fix = "write it in " + unit_examples(dimension);
  if (dimension == dim::frequency && value.dimension == per_second) {
    fix = "1/s could mean cycles or radians: write " + entry.key + " = \"" + (is_list ? "…" : number) +
          " Hz\" or \"" + (is_list ? "…" : number) + " rad/s\"";
  }
  throw InputError(value_place(entry), cause, fix);
}

void Section::check_dimension(const Entry& entry, const Dimension& dimension) const {
  if (!(entry.value.dimension == dimension)) wrong_dimension(entry, dimension);
}

double Section::checked(const Entry& entry, const Dimension& dimension) const {
  const Value& value = entry.value;
  if (value.kind == Value::Kind::number || value.kind == Value::Kind::quantity) {
    check_dimension(entry, dimension);
    return value.number;
  }
  if (!value.unit_problem.empty() && value.kind == Value::Kind::text) {
    Where place = value_place(entry);
    // +1 for the quote. Escapes and long strings would shift it; quantities have neither.
    if (place.column > 0) place.column += 1 + static_cast<int>(value.unit_position);
    throw InputError(place, name_of(entry.key) + ": " + value.unit_problem, value.unit_fix);
  }
  wrong_kind(
      entry, detail::dimension_noun(dimension),
      "write " + entry.key + " = " + example_of(dimension) +
          (dimension == dim::none ? " with a number" : " (units: " + unit_examples(dimension) + " …)"));
}

double Section::number(std::string_view key, const Dimension& dimension) const {
  return checked(required(key, &dimension), dimension);
}

double Section::number(std::string_view key, const Dimension& dimension, double fallback) const {
  const Entry* entry = find(key);
  return entry ? checked(*entry, dimension) : fallback;
}

std::optional<double> Section::maybe(std::string_view key, const Dimension& dimension) const {
  const Entry* entry = find(key);
  if (!entry) return std::nullopt;
  return checked(*entry, dimension);
}

double Section::positive(std::string_view key, const Dimension& dimension) const {
  const double value = number(key, dimension);
  if (value > 0) return value;
  fail(key, name_of(key) + " is " + detail::spell_number(value) + ", but must be above zero",
       "write a value greater than 0");
}

double Section::non_negative(std::string_view key, const Dimension& dimension) const {
  const double value = number(key, dimension);
  if (value >= 0) return value;
  fail(key, name_of(key) + " is " + detail::spell_number(value) + ", but must not be negative",
       "write 0 or a positive value");
}

double Section::positive(std::string_view key, const Dimension& dimension, double fallback) const {
  return has(key) ? positive(key, dimension) : fallback;
}

double Section::non_negative(std::string_view key, const Dimension& dimension, double fallback) const {
  return has(key) ? non_negative(key, dimension) : fallback;
}

int Section::whole(const Entry& entry, double value, double lowest, double highest) const {
  if (value >= lowest && value <= highest && value == std::floor(value)) {
    return static_cast<int>(value);
  }
  const bool bounded = highest < static_cast<double>(std::numeric_limits<int>::max());
  const std::string range =
      detail::spell_number(lowest) + (bounded ? " to " + detail::spell_number(highest) : " or more");
  throw InputError(value_place(entry),
                   name_of(entry.key) + " is " + detail::spell_number(value) + ", but a whole number, " +
                       range + ", is needed",
                   "write a whole number, " + range + ", without quotes");
}

int Section::integer(std::string_view key, int fallback, int lowest, int highest) const {
  const Entry* entry = find(key);
  return entry ? whole(*entry, checked(*entry, dim::none), lowest, highest) : fallback;
}

bool Section::flag(std::string_view key, bool fallback) const {
  const Entry* entry = find(key);
  if (!entry) return fallback;
  if (entry->value.kind != Value::Kind::boolean) {
    wrong_kind(*entry, "true or false",
               "write " + entry->key + " = true or " + entry->key + " = false, without quotes");
  }
  return entry->value.number != 0;
}

std::string Section::text(std::string_view key) const {
  const Entry& entry = required(key, nullptr);
  // "5 mm" may well be a title; what was written is kept for that.
  const bool is_text = entry.value.kind == Value::Kind::text || entry.value.kind == Value::Kind::quantity;
  if (!is_text) {
    const bool has_text = entry.value.kind != Value::Kind::list;
    wrong_kind(entry, "a text",
               "write it in quotes: " + entry.key + " = \"" + (has_text ? entry.value.text : "…") + '"');
  }
  return entry.value.text;
}

std::string Section::text(std::string_view key, std::string_view fallback) const {
  return find(key) ? text(key) : std::string(fallback);
}

std::string Section::choice(std::string_view key, const std::vector<std::string_view>& allowed,
                            std::string_view fallback) const {
  const Entry* entry = find(key);
  if (!entry) {
    if (fallback.empty()) missing(key, "\"…\"", ": one of " + alternatives(allowed));
    return std::string(fallback);
  }
  const std::string written = text(key);
  if (std::ranges::find(allowed, written) != allowed.end()) return written;
  const std::string_view near = nearest(written, allowed);
  std::string fix = "write one of " + alternatives(allowed);
  if (!near.empty())
    fix = "did you mean \"" + std::string(near) + "\"? It is one of " + alternatives(allowed);
  fail(key, name_of(key) + " is \"" + written + "\", which is not known", fix);
}

const std::vector<double>& Section::checked_list(const Entry& entry, const Dimension& dimension) const {
  const Value& value = entry.value;
  if (!value.texts.empty()) {
    if (!value.unit_problem.empty()) {
      fail(entry.key, name_of(entry.key) + ": " + value.unit_problem, value.unit_fix);
    }
    fail(entry.key, name_of(entry.key) + " is a list of texts, but numbers are needed",
         "write " + entry.key + " = [1, 2]" +
             (dimension == dim::none ? "" : " with units, as in " + example_of(dimension)));
  }
  if (value.numbers.empty()) {
    fail(entry.key, name_of(entry.key) + " is an empty list", "write at least one value in it");
  }
  check_dimension(entry, dimension);
  return value.numbers;
}

std::vector<double> Section::list(std::string_view key, const Dimension& dimension) const {
  const Entry& entry = required(key, &dimension);
  if (entry.value.kind != Value::Kind::list) return {checked(entry, dimension)};
  if (entry.value.rows > 0) {
    wrong_kind(entry, "a plain list", "write " + entry.key + " = [1, 2] with one pair of brackets");
  }
  return checked_list(entry, dimension);
}

std::vector<int> Section::integers(std::string_view key, int lowest) const {
  std::vector<int> result;
  for (const double value : list(key, dim::none)) {
    result.push_back(whole(*lookup(key), value, lowest, std::numeric_limits<int>::max()));
  }
  return result;
}

std::vector<double> Section::matrix(std::string_view key, const Dimension& dimension,
                                    std::size_t& columns) const {
  const Entry& entry = required(key, &dimension);
  if (entry.value.kind != Value::Kind::list || entry.value.rows == 0) {
    wrong_kind(
        entry, "a matrix (a list of lists)",
        "write " + entry.key + " = { values = [[2, -1], [-1, 1]], unit = \"" + si_unit(dimension) + "\" }");
  }
  const std::vector<double>& numbers = checked_list(entry, dimension);
  columns = numbers.size() / entry.value.rows;
  return numbers;
}

}  // namespace gusset
