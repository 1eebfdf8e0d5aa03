// toml++ asserts some of what it should check, and in release builds assumes it. No text may end
// the program or make it undefined, so in this file, the only one to include it, they throw.
#undef NDEBUG
namespace gusset::detail {
[[noreturn]] void parser_fault();
}
#define TOML_ASSERT(condition) ((condition) ? (void)0 : ::gusset::detail::parser_fault())

#include "document/document_parse.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>

namespace gusset::detail {

struct ParserFault {};

void parser_fault() { throw ParserFault(); }

namespace {

constexpr int deepest_section = 16;

/// Whether the user meant a number, so that "300 kgg" is told from a plain word.
bool starts_like_number(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return false;
  text.remove_prefix(start);
  if (text[0] == '+' || text[0] == '-') text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

/// Walks the tables of toml++ and writes sections and entries.
class Flattener {
 public:
  /// `option` is empty for a file; otherwise every place is that option of the command line.
  Flattener(std::string name, std::string option) : name_(std::move(name)), option_(std::move(option)) {
    sections_.emplace_back();
    sections_.front().where = place({});
  }

  std::deque<Section> run(const toml::table& table) {
    walk(table, 0, 0);
    const auto in_file_order = [](const auto& a, const auto& b) {
      return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
    };
    for (Section& section : sections_) {
      std::ranges::stable_sort(section.entries, in_file_order);
    }
    std::stable_sort(sections_.begin() + 1, sections_.end(), in_file_order);
    return std::move(sections_);
  }

 private:
  Where place(const toml::source_position& at) const {
    if (!option_.empty()) return {option_, 0, 0};
    return {name_, static_cast<int>(at.line), static_cast<int>(at.column)};
  }

  static std::string join(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + '.' + std::string(key);
  }

  void walk(const toml::table& table, std::size_t index, int depth) {
    const std::string path = sections_[index].path;
    if (depth > deepest_section) {
      throw InputError(sections_[index].where, "tables inside each other, more than 16 deep",
                       "sections of an experiment file are one or two levels deep");
    }
    for (const auto& [key, node] : table) {
      const Where where = place(key.source().begin);
      if (!is_key(key.str())) {
        throw InputError(where, "a key that is not made of letters, digits, '_' and '-'",
                         "write a name such as damping_ratio");
      }
      const std::string full = join(path, key.str());
      if (const toml::table* inner = node.as_table(); inner && !is_list_with_unit(*inner, full)) {
        walk(*inner, add_section(full, *inner, where), depth + 1);
      } else if (const toml::array* array = node.as_array(); array && has_tables(*array)) {
        walk_tables(*array, full, where, depth);
      } else {
        Entry entry{.key = std::string(key.str()), .value = value_of(node, full), .where = where};
        entry.value.column = place(node.source().begin).column;
        sections_[index].entries.push_back(std::move(entry));
      }
    }
  }

  std::size_t add_section(const std::string& path, const toml::node& node, const Where& fallback) {
    Section& section = sections_.emplace_back();
    section.path = path;
    const bool placed = node.source().begin.line > 0;
    section.where = placed ? place(node.source().begin) : fallback;
    return sections_.size() - 1;
  }

  static bool has_tables(const toml::array& array) {
    return std::ranges::any_of(array, [](const toml::node& node) { return node.is_table(); });
  }

  void walk_tables(const toml::array& array, const std::string& path, const Where& where, int depth) {
    int number = 0;
    for (const toml::node& node : array) {
      const toml::table* table = node.as_table();
      if (!table) {
        throw InputError(place(node.source().begin), path + " mixes tables and plain values",
                         "write every one as a [[" + path + "]] of its own");
      }
      const std::string full = join(path, std::to_string(++number));
      walk(*table, add_section(full, *table, where), depth + 1);
    }
  }

  /// { values = […], unit = "…" } is a value; any other table is a section.
  bool is_list_with_unit(const toml::table& table, const std::string& full) const {
    if (!table.is_inline() || !table.contains("values")) return false;
    if (table.size() == 1) return true;
    if (table.size() > 2) return false;
    if (table.contains("unit")) return true;
    for (const auto& [key, node] : table) {
      if (key.str() != "values" && !nearest(key.str(), {"unit"}).empty()) {
        throw InputError(place(key.source().begin),
                         full + ": unknown key `" + std::string(key.str()) + "` in a list",
                         "write " + full + " = { values = […], unit = \"…\" }");
      }
    }
    return false;
  }

  Value value_of(const toml::node& node, const std::string& full) const {
    if (const toml::table* table = node.as_table()) return list_with_unit(*table, full);
    if (const toml::array* array = node.as_array()) return list_of(*array, full);
    Value value;
    if (node.is_number()) {
      value.kind = Value::Kind::number;
      value.number = number_of(node, full);
      value.text = spell_number(value.number);
    } else if (const auto* boolean = node.as_boolean()) {
      value.kind = Value::Kind::boolean;
      value.number = boolean->get() ? 1 : 0;
      value.text = boolean->get() ? "true" : "false";
    } else if (const auto* text = node.as_string()) {
      read_text(text->get(), value);
    } else {
      throw InputError(place(node.source().begin), full + " is a date or a time of day",
                       "write a duration with its unit, as in \"10 s\", and other text in quotes");
    }
    return value;
  }

  static void read_text(const std::string& text, Value& value) {
    value.kind = Value::Kind::text;
    value.text = text;
    if (!starts_like_number(text)) return;
    try {
      const Quantity quantity = parse_quantity(text);
      value.kind = Value::Kind::quantity;
      value.number = quantity.value;
      value.dimension = quantity.dimension;
    } catch (const UnitError& problem) {
      // It may still be meant as text ("3 storeys"); whoever asks for a number is told why not.
      value.unit_problem = problem.what();
      value.unit_fix = problem.fix();
      value.unit_position = problem.position();
    }
  }

  double number_of(const toml::node& node, const std::string& full) const {
    const double number = node.value<double>().value_or(0);
    if (std::isfinite(number)) return number;
    throw InputError(place(node.source().begin), full + " is not a finite number",
                     "write a finite number such as 0.05, or with its unit if it has one: \"10 ms\"");
  }

  /// The items of a list, or of a list of lists row after row.
  std::vector<const toml::node*> items_of(const toml::array& array, const std::string& full,
                                          std::size_t& rows) const {
    std::vector<const toml::node*> items;
    rows = !array.empty() && array[0].is_array() ? array.size() : 0;
    for (const toml::node& node : array) {
      const toml::array* row = node.as_array();
      if ((row != nullptr) != (rows > 0)) {
        throw InputError(place(node.source().begin), full + " mixes lists and single values",
                         "write a list [1, 2], or a matrix [[1, 2], [3, 4]]");
      }
      if (!row) {
        items.push_back(&node);
        continue;
      }
      if (row->empty() || row->size() != array[0].as_array()->size()) {
        throw InputError(place(node.source().begin), full + " has rows of different lengths",
                         "give every row of the matrix the same number of values, at least one");
      }
      for (const toml::node& item : *row) items.push_back(&item);
    }
    return items;
  }

  Value list_of(const toml::array& array, const std::string& full) const {
    Value value;
    value.kind = Value::Kind::list;
    const auto items = items_of(array, full, value.rows);
    std::vector<Value> read;
    for (const toml::node* item : items) {
      if (!item->is_number() && !item->is_string()) {
        throw InputError(place(item->source().begin),
                         full + " holds a value that is neither a number nor a text",
                         "write a list such as [1, 2], or a matrix [[1, 2], [3, 4]]");
      }
      read.push_back(value_of(*item, full));
    }
    if (read.empty()) return value;
    if (read[0].kind == Value::Kind::text && !read[0].unit_problem.empty()) {
      value.unit_problem = read[0].unit_problem;
      value.unit_fix = read[0].unit_fix;
    }
    for (std::size_t i = 0; i < read.size(); ++i) {
      const Where where = place(items[i]->source().begin);
      if (read[i].kind != read[0].kind) {
        if (read[i].unit_problem.empty()) {
          throw InputError(where, full + " mixes numbers, numbers with units, and texts",
                           "write them all alike, or { values = [1, 2], unit = \"kg\" }");
        }
        throw InputError(where, full + ": " + read[i].unit_problem, read[i].unit_fix);
      }
      if (!(read[i].dimension == read[0].dimension)) {
        throw InputError(where,
                         full + " mixes " + si_unit(read[0].dimension) + " and " + si_unit(read[i].dimension),
                         "give every value of the list a unit of the same kind");
      }
      if (read[i].kind == Value::Kind::text) {
        value.texts.push_back(std::move(read[i].text));
      } else {
        value.numbers.push_back(read[i].number);
      }
    }
    value.dimension = read[0].dimension;
    return value;
  }

  Value list_with_unit(const toml::table& table, const std::string& full) const {
    const toml::node& values = *table.get("values");
    const toml::array* array = values.as_array();
    if (!array || has_tables(*array)) {
      throw InputError(place(values.source().begin), full + ": `values` is not a list of numbers",
                       "write " + full + " = { values = [1, 2], unit = \"kg\" }");
    }
    Value value = list_of(*array, full);
    const toml::node* unit = table.get("unit");
    if (!unit) return value;
    Where where = place(unit->source().begin);
    const auto* text = unit->as_string();
    if (!text) {
      throw InputError(where, full + ": `unit` is not a text", "write unit = \"kg\"");
    }
    if (!value.texts.empty() || !(value.dimension == dim::none)) {
      throw InputError(where, full + " has a unit of its own and values that are not bare numbers",
                       "write bare numbers in `values`, or leave `unit` out");
    }
    try {
      const Quantity factor = parse_unit(text->get());
      value.dimension = factor.dimension;
    } catch (const UnitError& problem) {
      if (where.column > 0) where.column += 1 + static_cast<int>(problem.position());
      throw InputError(where, full + ": " + problem.what(), problem.fix());
    }
    for (double& number : value.numbers) {
      // Through the text, so that a value is the same double as in a string of its own.
      try {
        number = parse_quantity(spell_number(number) + ' ' + text->get()).value;
      } catch (const UnitError& problem) {
        throw InputError(where, full + ": " + problem.what(), problem.fix());
      }
    }
    return value;
  }

  std::string name_;
  std::string option_;
  std::deque<Section> sections_;
};

toml::table parse_toml(std::string_view text, const std::string& name) {
  refuse_what_breaks_the_parser(text, name);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& problem) {
    const auto at = problem.source().begin;
    const bool twice = problem.description().find("redefine") != std::string_view::npos;
    throw InputError({name, static_cast<int>(at.line), static_cast<int>(at.column)},
                     "not valid TOML: " + std::string(problem.description()),
                     twice ? "it is given twice; keep one of the two"
                           : "write `key = value` below a [section]; text and numbers with units "
                             "go in quotes, as in mass = \"300 kg\"");
  } catch (const ParserFault&) {
    throw InputError({name, 0, 0}, "not valid TOML, and the parser cannot say where",
                     "look for unmatched brackets, commas and quotes");
  }
}

}  // namespace

std::string spell_number(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

bool is_key(std::string_view key) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::ranges::all_of(key, allowed);
}

std::deque<Section> flatten_toml(std::string_view text, const std::string& name) {
  return Flattener(name, {}).run(parse_toml(text, name));
}

std::deque<Section> flatten_assignment(std::string_view path, std::string_view value,
                                       const std::string& option) {
  toml::table table;
  const std::string key(path);
  try {
    // A line break would let one option write a whole file.
    const bool one_line = value.find_first_of("\r\n") == std::string_view::npos;
    if (one_line) table = parse_toml(key + " = " + std::string(value), option);
  } catch (const InputError& problem) {
    const bool meant_as_toml = value.find_first_of("\"'[{") == 0;
    if (meant_as_toml) throw InputError({option, 0, 0}, problem.cause(), "check quotes and brackets");
  }
  if (table.empty()) {
    table = parse_toml(key + " = 0", option);
    toml::table* inner = &table;
    while (inner->begin()->second.is_table()) inner = inner->begin()->second.as_table();
    inner->insert_or_assign(inner->begin()->first, std::string(value));
  }
  return Flattener(option, option).run(table);
}

}  // namespace gusset::detail
