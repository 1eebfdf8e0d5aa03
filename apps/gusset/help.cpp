#include "help.hpp"

#include <sstream>

namespace gusset::app {
namespace {

/// Words in lines of up to 80 columns, each with the indentation.
std::string wrapped(const std::string& text, std::size_t indentation) {
  constexpr std::size_t columns = 80;
  std::string out, line(indentation, ' ');
  std::istringstream words(text);
  std::string word;
  bool empty = true;
  const auto width = [](const std::string& s) {
    std::size_t count = 0;
    for (const char c : s) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    return count;
  };
  while (words >> word) {
    if (!empty && width(line) + 1 + width(word) > columns) {
      out += line + "\n";
      line.assign(indentation, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  return empty ? out : out + line + "\n";
}

std::string section(const std::string& heading, const std::string& content) {
  return content.empty() ? "" : heading + "\n" + content + "\n";
}

std::string describe(const CLI::Option& option) {
  std::string names = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  for (std::size_t at = names.find(','); at != std::string::npos; at = names.find(',', at + 2)) {
    names.insert(at + 1, " ");
  }
  // "INT:INT in [1 - 1024]" is for programmers.
  std::string type = option.get_type_name();
  type = type.substr(0, type.find(':'));
  const bool flag = option.get_items_expected_max() == 0;
  if (!option.get_positional() && !flag && !type.empty()) names += " " + type;
  std::string text = option.get_description();
  if (option.get_required() && !option.get_positional()) text += " (required)";
  return "    " + names + "\n" + wrapped(text, 8);
}

std::string options_of(const CLI::App& app, bool positional) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() == positional && option->get_group() != "") out += describe(*option);
  }
  return out;
}

std::string synopsis(const CLI::App& app) {
  std::string out = "gusset";
  if (app.get_parent() == nullptr) return "    gusset VERB [ARGUMENTS] [OPTIONS]\n    gusset VERB --help\n";
  out += " " + app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true);
    out += option->get_required() ? " " + name : " [" + name + "]";
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || !option->get_required()) continue;
    out += " " + option->get_name(false, false) + " " + option->get_type_name();
  }
  return wrapped(out + " [OPTIONS]", 4);
}

}  // namespace

Details take_apart(const std::string& details) {
  Details result;
  std::istringstream lines(details);
  std::string line;
  bool examples = false, joined = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("Exit status 1 ")) {
      result.bad = line.substr(14);
      continue;
    }
    const std::size_t colon = line.find(": ");
    if (line.starts_with("Example") && colon != std::string::npos) {
      examples = true;
      line = line.substr(colon + 2);
    }
    if (!examples) {
      result.paragraphs.push_back(line);
      continue;
    }
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (joined) {
      result.examples.back() += "\n    " + line;
    } else if (!line.empty()) {
      result.examples.push_back(line);
    }
    joined = line.ends_with('\\');
  }
  return result;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string /*name*/,
                                     CLI::AppFormatMode /*mode*/) const {
  const bool top = app->get_parent() == nullptr;
  const Details details = take_apart(app->get_footer());
  std::string description;
  for (const std::string& paragraph : details.paragraphs) {
    description += (description.empty() ? "" : "\n") + wrapped(paragraph, 4);
  }
  std::string verbs;
  for (const CLI::App* verb : app->get_subcommands({})) {
    verbs += "    " + verb->get_name() + "\n" + wrapped(verb->get_description(), 8);
  }
  std::string examples;
  for (const std::string& example : details.examples) {
    examples += "    ";
    for (const char c : example) {
      examples += c;
      if (c == '\n') examples += "    ";
    }
    examples += "\n";
  }
  std::string status = wrapped("0  done, and the answer is good", 4);
  if (top) status += wrapped("1  done, and the answer is bad: unstable, a limit passed, runs differ", 4);
  if (!details.bad.empty()) status += wrapped("1  " + details.bad, 4);
  status += wrapped("2  bad input or usage; nothing was written", 4);
  const std::string name = top ? "gusset" : "gusset " + app->get_name();
  return section("NAME", wrapped(name + " – " + app->get_description(), 4)) +
         section("SYNOPSIS", synopsis(*app)) + section("DESCRIPTION", description) + section("VERBS", verbs) +
         section("ARGUMENTS", options_of(*app, true)) + section("OPTIONS", options_of(*app, false)) +
         section("EXIT STATUS", status) + section("EXAMPLES", examples);
}

}  // namespace gusset::app
