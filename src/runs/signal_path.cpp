#include "runs/signal_path.hpp"

#include <algorithm>
#include <array>

namespace gusset {
namespace {

constexpr std::size_t longest_name = 63;  // namelengthmax in MATLAB
constexpr std::size_t deepest = 16;       // levels of groups; dots beyond them become underscores

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_keyword(std::string_view name) {
  static constexpr std::array<std::string_view, 20> keywords = {
      "break",      "case",   "catch",    "classdef", "continue", "else",      "elseif",
      "end",        "for",    "function", "global",   "if",       "otherwise", "parfor",
      "persistent", "return", "spmd",     "switch",   "try",      "while"};
  return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

}  // namespace

std::string matlab_name(std::string_view name) {
  std::string good;
  for (const char c : name) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // one underscore a UTF-8 letter
    good += is_letter(c) || is_digit(c) ? c : '_';
  }
  if (good.empty() || !is_letter(good.front())) good.insert(0, "x");
  if (is_keyword(good)) good += '_';
  return good.substr(0, longest_name);
}

SignalPaths::SignalPaths(std::set<std::string> taken) {
  for (const std::string& name : taken) taken_.insert("/" + name);
}

std::string SignalPaths::unique(const std::string& folder, std::string_view part) {
  const std::string wanted = matlab_name(part);
  std::string name = wanted;
  for (int number = 2; !taken_.insert(folder + "/" + name).second; ++number) {
    const std::string suffix = "_" + std::to_string(number);
    name = wanted.substr(0, longest_name - suffix.size()) + suffix;
  }
  return name;
}

std::vector<std::string> SignalPaths::place(const std::string& name) {
  std::vector<std::string> path;
  std::string folder;
  std::size_t from = 0;
  while (path.size() + 1 < deepest) {
    const std::size_t dot = name.find('.', from);
    if (dot == std::string::npos) break;
    const std::string part = name.substr(from, dot - from);
    std::string& group = groups_[{folder, part}];
    if (group.empty()) group = unique(folder, part);
    path.push_back(group);
    folder += "/" + group;
    from = dot + 1;
  }
  path.push_back(unique(folder, std::string_view(name).substr(from)));
  return path;
}

}  // namespace gusset
