#include <algorithm>
#include <string>

#include "document/document_parse.hpp"

namespace gusset::detail {
namespace {

constexpr int deepest_dotted_key = 32;

/// Follows strings, comments and brackets just far enough to know what is a key and what a heading.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        new_line();
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;  // the line break is not part of the comment
      } else if (c == '"' || c == '\'') {
        skip_string(c);
        line_is_blank_ = false;
        continue;
      } else if (c == '.') {
        count_dot();
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        fail(at_, "a non-ASCII character outside quotes (a curly quote, an accent, a wide space)",
             "write keys and numbers in plain ASCII, and text in straight quotes \"…\"");
      } else if (c != ' ' && c != '\t') {
        if (!is_key({&c, 1})) dots_ = 0;
        if (c == '[' && open_.empty() && line_is_blank_) check_heading();
        follow_bracket(c);
        line_is_blank_ = false;
      }
      ++at_;
    }
  }

 private:
  void new_line() {
    ++line_;
    line_start_ = at_ + 1;
    line_is_blank_ = true;
    dots_ = 0;
  }

  void skip_string(char quote) {
    // Elsewhere the parser does not take it for the start of a string, and we would lose the
    // thread.
    constexpr std::string_view may_come_before = " \t\n=[,{";
    if (at_ > 0 && may_come_before.find(text_[at_ - 1]) == std::string_view::npos) {
      fail(at_, "a quote in the middle of a word",
           "put the whole text in quotes, as in \"300 kg\"; keys need none");
    }
    const std::string mark(3, quote);
    const bool lines = text_.substr(at_).starts_with(mark);
    const std::string_view closing = std::string_view(mark).substr(0, lines ? 3 : 1);
    for (at_ += closing.size(); at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        if (!lines) return;  // not closed: the parser will say so
        new_line();
      } else if (quote == '"' && text_[at_] == '\\' && text_.substr(at_ + 1, 1) != "\n") {
        ++at_;
      } else if (text_.substr(at_).starts_with(closing)) {
        at_ += closing.size();
        // A long string may end in two quotes of its own.
        for (int i = 0; lines && i < 2 && text_.substr(at_, 1) == mark.substr(0, 1); ++i) ++at_;
        return;
      }
    }
    at_ = text_.size();
  }

  void count_dot() {
    if (++dots_ <= deepest_dotted_key) return;
    fail(at_, "a key with more than 32 dots", "sections of an experiment file are one or two levels deep");
  }

  void follow_bracket(char c) {
    if (c == '[' || c == '{') open_ += c;
    if (c != ']' && c != '}') return;
    if (open_.empty() || open_.back() != (c == ']' ? '[' : '{')) {
      fail(at_, c == ']' ? "']' closes nothing that is open" : "'}' closes nothing that is open",
           "check the brackets up to here; each [ needs its ] and each { its }");
    }
    open_.pop_back();
  }

  void check_heading() const {
    std::size_t next = at_ + 1;
    if (text_.substr(next).starts_with('[')) ++next;
    next = std::min(text_.find_first_not_of(" \t", next), text_.size());
    const std::string_view first = text_.substr(next, 1);
    if (is_key(first) || first == "\"" || first == "'" || first == "]") return;
    fail(next, "a section heading without a name", "write a heading such as [structure]");
  }

  [[noreturn]] void fail(std::size_t at, const char* cause, const char* fix) const {
    // Columns count characters, as editors do, so bytes that continue one are left out.
    const std::string_view before = text_.substr(line_start_, at - line_start_);
    const auto characters = std::ranges::count_if(before, [](char c) { return (c & 0xC0) != 0x80; });
    throw InputError({name_, line_, static_cast<int>(characters) + 1}, cause, fix);
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  int dots_ = 0;
  std::string open_;  ///< brackets that are not closed yet
  bool line_is_blank_ = true;
};

}  // namespace

void refuse_what_breaks_the_parser(std::string_view text, const std::string& name) {
  // toml++ skips a byte order mark; so must whoever looks for the start of a line.
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Scanner(text, name).run();
}

}  // namespace gusset::detail
