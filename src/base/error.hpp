#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gusset {

/// A place in something the user wrote: a file, or an option of the command line (line 0).
struct Where {
  std::string file;
  int line = 0;
  int column = 0;
};

/// The user's input cannot be used. Says where, what is wrong, and how to put it right; the command
/// line prints it and leaves with exit status 2.
class InputError : public std::runtime_error {
 public:
  InputError(Where where, std::string cause, std::string fix);

  const Where& where() const { return where_; }
  const std::string& cause() const { return cause_; }
  const std::string& fix() const { return fix_; }

 private:
  Where where_;
  std::string cause_;
  std::string fix_;
};

/// The candidate nearest to `word` by edit distance, or an empty view if none is near enough to be
/// worth suggesting.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "a, b or c", for messages that list choices.
std::string alternatives(const std::vector<std::string_view>& names);

}  // namespace gusset
