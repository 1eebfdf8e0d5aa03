#include "base/error.hpp"

#include <algorithm>
#include <utility>

namespace gusset {
namespace {

/// "file:line:column: cause" and, on a line of its own, the fix; parts that are unknown are left
/// out.
std::string compose(const Where& where, const std::string& cause, const std::string& fix) {
  std::string message = where.file;
  for (const int place : {where.line, where.column}) {
    if (place <= 0) break;  // a column without a line means nothing
    if (!message.empty()) message += ':';
    message += std::to_string(place);
  }
  if (!message.empty()) message += ": ";
  message += cause;
  if (!fix.empty()) message += "\n  fix: " + fix;
  return message;
}

/// What people mix up without noticing is no difference: case, and '-' for '_'.
char folded(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '_' ? '-' : c;
}

std::string folded(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = folded(c);
  return result;
}

constexpr std::size_t longest_word = 64;  // nobody mistypes a longer one; bounds the quadratic cost

}  // namespace

InputError::InputError(Where where, std::string cause, std::string fix)
    : std::runtime_error(compose(where, cause, fix)),
      where_(std::move(where)),
      cause_(std::move(cause)),
      fix_(std::move(fix)) {}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table of optimal string alignment: insert, delete, replace, swap neighbours.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.empty() || word.size() > longest_word) return {};
  const std::string wanted = folded(word);
  std::string_view best;
  std::size_t best_distance = longest_word;
  for (const std::string_view candidate : candidates) {
    if (candidate.empty() || candidate.size() > longest_word) continue;
    const std::size_t distance = edit_distance(wanted, folded(candidate));
    const std::size_t near_enough = std::max(word.size(), candidate.size()) / 3;
    if (distance <= near_enough && distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best.empty()) return best;

  // Too far by letters, but one may be a shortening of the other: "disp", "bouc", "actuators_mass".
  constexpr std::size_t shortest_part = 3;
  for (const bool at_the_start : {true, false}) {
    for (const std::string_view candidate : candidates) {
      if (candidate.size() > longest_word) continue;
      const std::string other = folded(candidate);
      const std::string& part = wanted.size() < other.size() ? wanted : other;
      const std::string& whole = wanted.size() < other.size() ? other : wanted;
      if (part.size() < shortest_part) continue;
      const std::size_t found = whole.find(part);
      if (found == std::string::npos || (at_the_start && found != 0)) continue;
      if (best.empty() || candidate.size() < best.size()) best = candidate;
    }
    if (!best.empty()) return best;
  }
  return {};
}

std::string alternatives(const std::vector<std::string_view>& names) {
  std::string result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) result += i + 1 == names.size() ? " or " : ", ";
    result += names[i];
  }
  return result;
}

}  // namespace gusset
