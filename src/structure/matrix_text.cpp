#include "structure/matrix_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace gusset {
namespace {

constexpr int largest = 2000;

/// Splits text into lines of numbers and words, remembering where it is.
class Lines {
 public:
  Lines(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  bool next(std::string_view& line) {
    while (!text_.empty()) {
      const std::size_t end = text_.find('\n');
      line = text_.substr(0, end);
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
      ++number_;
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
      if (!line.empty() && line.front() != '%' && line.front() != '#') return true;
    }
    return false;
  }

  std::vector<double> numbers(std::string_view line) const {
    std::vector<double> values;
    while (true) {
      const std::size_t start = line.find_first_not_of(" \t,;");
      if (start == std::string_view::npos) return values;
      line.remove_prefix(start);
      if (line.front() == '+') line.remove_prefix(1);
      double value = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
      if (error != std::errc() || !std::isfinite(value)) {
        fail("this is not a list of finite numbers", "write numbers only, separated by commas or blanks");
      }
      values.push_back(value);
      line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    }
  }

  [[noreturn]] void fail(const std::string& cause, const std::string& fix) const {
    throw InputError({name_, number_, 0}, cause, fix);
  }

 private:
  std::string_view text_;
  const std::string& name_;
  int number_ = 0;
};

SquareMatrix square(const Lines& lines, double rows, double columns) {
  if (!(rows == columns && rows >= 1 && rows <= largest && rows == std::floor(rows))) {
    lines.fail("the matrix is not square, or larger than " + std::to_string(largest),
               "give a square matrix; a shear building is better given by lists");
  }
  SquareMatrix matrix;
  matrix.size = static_cast<int>(rows);
  matrix.values.assign(static_cast<std::size_t>(matrix.size) * static_cast<std::size_t>(matrix.size), 0.0);
  return matrix;
}

SquareMatrix parse_matrix_market(std::string_view text, const std::string& name) {
  const std::string_view banner = text.substr(0, text.find('\n'));
  const auto says = [&](const char* word) { return banner.find(word) != std::string_view::npos; };
  Lines lines(text, name);
  if (says("complex") || says("pattern") || says("skew") || says("hermitian")) {
    lines.fail("only real matrices, general or symmetric, describe a structure",
               "save it as \"%%MatrixMarket matrix coordinate real symmetric\"");
  }
  const bool coordinate = says("coordinate");
  const bool symmetric = says("symmetric");
  std::string_view line;
  if (!lines.next(line)) lines.fail("the file holds no matrix", "add the line with its size");
  const std::vector<double> head = lines.numbers(line);
  if (head.size() != (coordinate ? 3U : 2U)) {
    lines.fail("the line with the matrix's size is not complete", "write rows, columns (and entries)");
  }
  SquareMatrix matrix = square(lines, head[0], head[1]);
  const auto n = static_cast<std::size_t>(matrix.size);
  if (coordinate && !(head[2] >= 0 && head[2] <= head[0] * head[1] && head[2] == std::floor(head[2]))) {
    lines.fail("the number of entries is not a whole number that such a matrix can hold",
               "write rows, columns and the number of lines that follow");
  }
  std::size_t count = 0;
  std::size_t row = 0;
  std::size_t column = 0;
  while (lines.next(line)) {
    const std::vector<double> numbers = lines.numbers(line);
    double value = 0;
    if (coordinate) {
      const auto inside = [&](double index) {
        return index >= 1 && index <= static_cast<double>(n) && index == std::floor(index);
      };
      if (numbers.size() != 3 || !inside(numbers[0]) || !inside(numbers[1])) {
        lines.fail("an entry is \"row column value\", rows and columns from 1", "correct the line");
      }
      row = static_cast<std::size_t>(numbers[0]) - 1;
      column = static_cast<std::size_t>(numbers[1]) - 1;
      value = numbers[2];
    } else {
      if (numbers.size() != 1 || column >= n) {
        lines.fail("an array has one value a line, column after column", "correct the line");
      }
      value = numbers[0];
    }
    matrix.values[row * n + column] += value;
    if (symmetric && row != column) matrix.values[column * n + row] += value;
    ++count;
    if (!coordinate && ++row == n) {
      ++column;
      row = symmetric ? column : 0;
    }
  }
  const double wanted = coordinate ? head[2] : symmetric ? head[0] * (head[0] + 1) / 2 : head[0] * head[1];
  if (static_cast<double>(count) != wanted) {
    lines.fail("the file announces " + std::to_string(static_cast<long>(wanted)) + " entries and holds " +
                   std::to_string(count),
               "the file may have been cut off: save it again");
  }
  return matrix;
}

}  // namespace

SquareMatrix parse_matrix(std::string_view text, const std::string& name) {
  if (text.starts_with("%%MatrixMarket")) return parse_matrix_market(text, name);
  Lines lines(text, name);
  std::vector<double> all;
  std::size_t rows = 0;
  std::string_view line;
  while (lines.next(line)) {
    const std::vector<double> row = lines.numbers(line);
    all.insert(all.end(), row.begin(), row.end());
    ++rows;
    if (all.size() != rows * row.size()) {
      lines.fail("this line has more or fewer values than those before it", "give every row alike");
    }
  }
  SquareMatrix matrix =
      square(lines, static_cast<double>(rows), rows > 0 ? static_cast<double>(all.size() / rows) : 0.0);
  matrix.values = std::move(all);
  return matrix;
}

void embed_matrices(Document& document, const TextLoader& loader) {
  for (const auto& [what, unit] :
       {std::pair("mass", "kg"), std::pair("stiffness", "N/m"), std::pair("damping", "N*s/m")}) {
    const std::string key = std::string("structure.") + what + "_matrix";
    if (document.has_section(key)) {
      document.section(key).fail(
          "file", key + " is a list of rows with its unit, or the name of a file",
          std::string("write ") + what + "_matrix = \"k.mtx\" and " + what + "_unit = \"" + unit + "\"");
    }
    const Value* value = document.find(key);
    if (value == nullptr || value->kind != Value::Kind::text) continue;
    const Section& section = document.section("structure");
    const std::string file = section.text(what + std::string("_matrix"));
    const std::string written = section.text(what + std::string("_unit"), unit);
    const SquareMatrix matrix =
        parse_matrix(loader(file, section.find(what + std::string("_matrix"))->where), file);
    std::string text = key + "={ values = [";
    char number[40];
    for (int i = 0; i < matrix.size; ++i) {
      text += i > 0 ? ", [" : "[";
      for (int j = 0; j < matrix.size; ++j) {
        std::snprintf(number, sizeof number, "%s%.17g", j > 0 ? ", " : "",
                      matrix.values[static_cast<std::size_t>(i) * static_cast<std::size_t>(matrix.size) +
                                    static_cast<std::size_t>(j)]);
        text += number;
      }
      text += "]";
    }
    document.set(text + "], unit = \"" + written + "\" }");
  }
}

}  // namespace gusset
