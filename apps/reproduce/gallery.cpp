#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/quantity_text.hpp"
#include "report/html_page.hpp"
#include "reproduce/reproduce.hpp"

namespace gusset::reproduce {
namespace {

std::string text_of(const Quantity& quantity, const std::optional<double>& value) {
  if (!value) return "–";
  if (quantity.statement) return *value != 0 ? "yes" : "no";
  // Six digits: a spectral radius of 1.00012 is not 1.
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", *value == 0 ? 0 : *value);
  return std::isinf(*value) ? "∞" : digits;
}

std::string verdict_of(const Quantity& quantity) {
  if (quantity.agrees()) return "✓ agrees";
  if (!quantity.acceptable()) return "✗ DIFFERS";
  return quantity.paper ? "differs, explained" : "✓ as expected";
}

}  // namespace

std::string gallery(const std::vector<Done>& cases) {
  html::Page page("The papers, computed anew",
                  "Every figure and table that Gusset reproduces, the papers' numbers beside ours.");
  std::size_t quantities = 0, agree = 0, explained = 0;
  for (const Done& done : cases) {
    for (const Quantity& quantity : done.result.quantities) {
      ++quantities;
      if (quantity.agrees()) {
        ++agree;
      } else if (quantity.acceptable()) {
        ++explained;
      }
    }
  }
  page.verdict(agree + explained == quantities ? html::Verdict::good : html::Verdict::bad,
               std::to_string(quantities) + " quantities: " + std::to_string(agree) + " agree, " +
                   std::to_string(explained) + " differ or are not printed, for a stated reason, " +
                   std::to_string(quantities - agree - explained) + " differ");
  const Paper* paper = nullptr;
  for (const Done& done : cases) {
    if (done.paper != paper) {
      paper = done.paper;
      page.section(paper->name, paper->title);
    }
    page.subheading(done.entry->title);
    if (!done.result.note.empty()) page.paragraph(done.result.note);
    if (!done.result.pictures.empty()) {
      page.begin_figures();
      for (const Picture& picture : done.result.pictures) page.figure(picture.svg, picture.caption);
      page.end_figures();
    }
    std::vector<std::vector<std::string>> rows;
    bool reasons = false;
    for (const Quantity& quantity : done.result.quantities) reasons |= !quantity.reason.empty();
    for (const Quantity& quantity : done.result.quantities) {
      rows.push_back({quantity.name, verdict_of(quantity), text_of(quantity, quantity.paper),
                      text_of(quantity, quantity.value),
                      quantity.deviation() && std::isfinite(*quantity.deviation())
                          ? brief(*quantity.deviation())
                          : "–"});
      if (reasons) rows.back().push_back(quantity.agrees() ? "" : quantity.reason);
    }
    std::vector<std::string> header{"quantity", "verdict", "paper", "Gusset", "deviation"};
    if (reasons) header.emplace_back("reason");
    page.table(header, rows, header.size());
  }
  return page.finish();
}

}  // namespace gusset::reproduce
