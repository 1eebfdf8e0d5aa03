#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gusset::app {

/// A verb's `details` taken apart: what stands before the examples, what exit status 1 means, and
/// the examples, one command each (a backslash joins the next line).
struct Details {
  std::vector<std::string> paragraphs;
  std::string bad;
  std::vector<std::string> examples;
};
Details take_apart(const std::string& details);

/// --help in the order of a manual page: name, synopsis, description, arguments, options, exit
/// status, examples; 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace gusset::app
