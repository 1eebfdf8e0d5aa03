#include "report/html_page.hpp"

#include "report/svg_writer.hpp"

namespace gusset::html {
namespace {

using plot::escape;

constexpr std::string_view style = R"(
:root{color-scheme:light dark;--page:#f6f8fa;--card:#fff;--ink:#1b1f24;--soft:#57606a;--edge:#d0d7de;
--link:#0b61a4;--good:#116329;--good-ground:#dafbe1;--bad:#a40e26;--bad-ground:#ffebe9;
--caution:#7a4d00;--caution-ground:#fff3cd}
@media screen and (prefers-color-scheme:dark){:root{--page:#010409;--card:#0d1117;--ink:#e6edf3;
--soft:#9aa4af;--edge:#30363d;--link:#6cb6ff;--good:#56d364;--good-ground:#0f2a17;--bad:#ff7b72;
--bad-ground:#36110f;--caution:#e3b341;--caution-ground:#2e2205}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);line-height:1.5;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Ubuntu,"DejaVu Sans",sans-serif}
main,header,footer{max-width:1280px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:0 0 12px}
h3{font-size:1rem;margin:20px 0 8px}
p{margin:0 0 12px;max-width:90ch}
.soft,header p,footer{color:var(--soft)}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:14px 0 20px;font-size:.92rem}
a{color:var(--link)}
section{background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:20px;
margin:0 0 20px}
.verdict{border-radius:6px;padding:9px 14px;margin:12px 0 0;font-weight:600;max-width:none;
overflow-wrap:anywhere}
header .good{color:var(--good);background:var(--good-ground)}
header .caution{color:var(--caution);background:var(--caution-ground)}
header .bad{color:var(--bad);background:var(--bad-ground)}
td.good{color:var(--good)}td.bad{color:var(--bad)}
.figures{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr))}
figure{margin:0;min-width:0}
figure svg{display:block;width:100%;max-width:640px;height:auto;margin:0 auto}
figure.wide svg{max-width:780px}
figcaption{color:var(--soft);font-size:.88rem;text-align:center;margin:2px 8px 8px}
.scroll{overflow-x:auto;margin:0 0 12px}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{padding:5px 14px 5px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--edge)}
th{font-weight:600;white-space:nowrap}
sub{line-height:0}.n{text-align:right}.n,.k{white-space:nowrap}
table.facts th{color:var(--soft);font-weight:400}
table.facts td{overflow-wrap:anywhere}
pre{margin:8px 0 0;padding:12px;overflow-x:auto;font-size:.84rem;line-height:1.4;background:var(--page);
border:1px solid var(--edge);border-radius:6px}
summary{cursor:pointer}
footer{padding-bottom:28px;font-size:.88rem}
@media (max-width:600px){main,header,footer{padding-left:10px;padding-right:10px}
section{padding:14px 12px}h1{font-size:1.35rem}table.facts th{white-space:normal;min-width:7em}}
@media print{:root{--page:#fff}body{font-size:10pt}nav{display:none}
section{border:0;padding:0 0 12px;break-inside:auto}
h2,h3{break-after:avoid}figure,tr{break-inside:avoid}.scroll{overflow:visible}
pre{white-space:pre-wrap;overflow:visible}.figures{grid-template-columns:1fr 1fr}}
)";

/// The picture without its own style sheet: the page has it once.
std::string without_style(std::string svg) {
  const std::size_t from = svg.find("<style>"), to = svg.find("</style>");
  if (from != std::string::npos && to != std::string::npos) svg.erase(from, to + 8 - from);
  return svg;
}

std::string cell(const std::string& tag, const std::string& css_class, const std::string& text) {
  std::string content;
  for (const plot::Piece& piece : plot::subscripts(text)) {
    content += piece.lowered ? "<sub>" + escape(piece.text) + "</sub>" : escape(piece.text);
  }
  return "<" + tag + (css_class.empty() ? "" : " class=\"" + css_class + "\"") + ">" + content + "</" + tag +
         ">";
}

}  // namespace

Page::Page(const std::string& title, const std::string& subtitle) : title_(title) {
  head_ = "<header>\n<h1>" + escape(title) + "</h1>\n";
  if (!subtitle.empty()) head_ += "<p>" + escape(subtitle) + "</p>\n";
}

void Page::verdict(Verdict verdict, const std::string& text) {
  constexpr const char* names[] = {"good", "caution", "bad"};
  constexpr const char* signs[] = {"✓ ", "! ", "✗ "};
  const auto which = static_cast<std::size_t>(verdict);
  head_ += "<p class=\"verdict " + std::string(names[which]) + "\">" + signs[which] + escape(text) + "</p>\n";
}

void Page::section(const std::string& id, const std::string& heading) {
  if (open_) body_ += "</section>\n";
  open_ = true;
  contents_ += "<a href=\"#" + id + "\">" + escape(heading) + "</a>\n";
  body_ += "<section id=\"" + id + "\">\n<h2>" + escape(heading) + "</h2>\n";
}

void Page::subheading(const std::string& text) { body_ += cell("h3", "", text) + "\n"; }

void Page::paragraph(const std::string& text) { body_ += cell("p", "", text) + "\n"; }

void Page::facts(const std::vector<std::pair<std::string, std::string>>& rows) {
  if (rows.empty()) return;
  body_ += "<div class=\"scroll\"><table class=\"facts\">\n";
  for (const auto& [name, value] : rows) {
    body_ += "<tr>" + cell("th", "", name) + cell("td", "", value) + "</tr>\n";
  }
  body_ += "</table></div>\n";
}

void Page::table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
                 std::size_t first_number_column) {
  if (rows.empty()) return;
  body_ += "<div class=\"scroll\"><table>\n<thead><tr>";
  for (std::size_t i = 0; i < header.size(); ++i) {
    body_ += cell("th", i >= first_number_column ? "n" : "", header[i]);
  }
  body_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    body_ += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string css_class = i >= first_number_column ? "n" : "";
      if (row[i].starts_with("✓")) css_class = "good";
      if (row[i].starts_with("✗")) css_class = "bad";
      constexpr std::size_t brief_cell = 20;  // numbers and verdicts stay on one line
      if (row[i].size() <= brief_cell) css_class += css_class.empty() ? "k" : " k";
      body_ += cell("td", css_class, row[i]);
    }
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void Page::listing(const std::string& summary, const std::string& text) {
  // Line by line: escape() takes control characters, line ends among them, for spaces.
  std::string lines;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string line = text.substr(from, end - from);
    if (line.ends_with('\r')) line.pop_back();
    lines += escape(line) + "\n";
    from = end + 1;
  }
  body_ += "<details open><summary>" + escape(summary) + "</summary>\n<pre>" + lines + "</pre></details>\n";
}

void Page::figure(const std::string& svg, const std::string& caption) {
  body_ += "<figure>\n" + without_style(svg);
  if (!caption.empty()) body_ += cell("figcaption", "", caption);
  body_ += "\n</figure>\n";
}

void Page::wide_figure(const std::string& svg) {
  body_ += "<figure class=\"wide\">\n" + without_style(svg) + "</figure>\n";
}

std::string Page::finish() {
  if (open_) body_ += "</section>\n";
  open_ = false;
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
         // No icon, so that a browser asks nobody for one.
         "<link rel=\"icon\" href=\"data:,\">\n<title>" +
         escape(title_) + "</title>\n<style>" + std::string(style) + "</style>\n" +
         std::string(plot::style_sheet()) + "</head>\n<body>\n" + head_ + "<nav>\n" + contents_ +
         "</nav>\n</header>\n<main>\n" + body_ + "</main>\n</body>\n</html>\n";
}

}  // namespace gusset::html
