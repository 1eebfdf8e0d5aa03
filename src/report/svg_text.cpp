#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "report/svg_writer.hpp"

namespace gusset::plot {
namespace {

/// Length of the well-formed UTF-8 character at the start of `text`, or 0.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, the two non-characters that XML forbids, and what is too large.
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
  if (lead == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0;
  if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
  return length;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    if (length == 0)
      out += "\xEF\xBF\xBD";  // U+FFFD, the replacement character
    else if (character == "&")
      out += "&amp;";
    else if (character == "<")
      out += "&lt;";
    else if (character == ">")
      out += "&gt;";
    else if (character == "\"")
      out += "&quot;";
    else if (length == 1 && static_cast<unsigned char>(text[0]) < 0x20)
      out += ' ';
    else
      out += character;
    text.remove_prefix(character.size());
  }
  return out;
}

std::vector<Piece> subscripts(std::string_view text) {
  const auto ascii = [&](std::size_t i) { return static_cast<unsigned char>(text[i]) < 0x80; };
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] != '_' || ascii(i - 1)) continue;
    std::size_t end = i + 1;
    while (end < text.size() && ascii(end) && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end == i + 1) end += ascii(end) ? 0 : utf8_length(text.substr(end));  // one letter: the ω of γ_ω
    if (end == i + 1) continue;
    pieces.push_back({text.substr(begin, i - begin)});
    pieces.push_back({text.substr(i + 1, end - i - 1), true});
    begin = end;
    i = end;
  }
  if (begin < text.size()) pieces.push_back({text.substr(begin)});
  return pieces;
}

std::string number(double value) {
  if (!std::isfinite(value)) return "0";
  char digits[400];
  std::snprintf(digits, sizeof digits, "%.2f", value);
  std::string text = digits;
  // A locale may have set another decimal sign.
  std::replace(text.begin(), text.end(), ',', '.');
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text, double size) {
  double ems = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    if (std::string_view(" .,:;|!ijlI'()[]ft").find(c) != std::string_view::npos)
      ems += 0.34;
    else if (std::string_view("mwMW@%").find(c) != std::string_view::npos)
      ems += 0.9;
    else if (c >= 'A' && c <= 'Z')
      ems += 0.68;
    else
      ems += 0.58;
  }
  return ems * size;
}

std::vector<std::string> wrap(const std::string& text, double size, double width, std::size_t most) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t space = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, space - from);
    if (!line.empty() && lines.size() + 1 < most && text_width(line + " " + word, size) > width) {
      lines.push_back(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    from = space + 1;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace gusset::plot
