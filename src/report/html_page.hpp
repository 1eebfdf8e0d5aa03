#pragma once

#include <string>
#include <string_view>
#include <vector>

/// HTML that needs nothing else: style and pictures inside, no script, no network. Light and dark by
/// the reader's setting, light on paper; figures side by side where there is room.
namespace gusset::html {

/// Of a line below the title: ✓, !, ✗.
enum class Verdict { good, caution, bad };

/// Builds one page from pieces. Texts are escaped; svg is what report/plot.hpp makes.
class Page {
 public:
  Page(const std::string& title, const std::string& subtitle);

  /// A coloured line below the title: what the page has to say.
  void verdict(Verdict verdict, const std::string& text);
  void section(const std::string& id, const std::string& heading);
  void subheading(const std::string& text);
  void paragraph(const std::string& text);
  /// Two columns: name and value.
  void facts(const std::vector<std::pair<std::string, std::string>>& rows);
  /// Wider than the window: it scrolls. Columns of `numbers` are aligned right. Cells that begin
  /// with "✓" or "✗" are coloured.
  void table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
             std::size_t first_number_column = 1);
  /// Text as written, e.g. a file.
  void listing(const std::string& summary, const std::string& text);
  /// Figures between begin and end share rows.
  void begin_figures() { body_ += "<div class=\"figures\">\n"; }
  void figure(const std::string& svg, const std::string& caption);
  /// A figure by itself, that may take more room than those that share rows.
  void wide_figure(const std::string& svg);
  void end_figures() { body_ += "</div>\n"; }

  std::string finish();

 private:
  std::string title_, head_, contents_, body_;
  bool open_ = false;
};

}  // namespace gusset::html
