#include "report/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "report/contour.hpp"
#include "report/decimate.hpp"
#include "report/svg_writer.hpp"

namespace gusset::plot {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();

/// What is wrong with the XML, or nothing: tags balanced, attributes quoted, markup escaped.
std::string fault_in_xml(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t at = 0;
  bool root_closed = false;
  while (at < xml.size()) {
    if (xml[at] == '>') return "stray > at " + std::to_string(at);
    if (static_cast<unsigned char>(xml[at]) < 0x20 && xml[at] != '\n') return "control character";
    if (xml[at] == '&') {
      const std::string entity = xml.substr(at, std::min(xml.find(';', at), at + 8) - at + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") {
        return "entity " + entity;
      }
    }
    if (xml[at] != '<') {
      if (open.empty() && xml[at] != '\n') return "text outside of the root";
      ++at;
      continue;
    }
    if (root_closed) return "a second root";
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return "unclosed tag";
    std::string tag = xml.substr(at + 1, end - at - 1);
    if (std::count(tag.begin(), tag.end(), '"') % 2) return "quotes in <" + tag + ">";
    if (tag.find('<') != std::string::npos) return "< in a tag";
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "</" + tag + "> closes nothing";
      open.pop_back();
      root_closed = open.empty();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    }
    at = end + 1;
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

/// Well-formed, and nowhere a number that is none.
void expect_good(const std::string& xml) {
  EXPECT_EQ(fault_in_xml(xml), "");
  for (std::size_t at = 0; (at = xml.find('"', at)) != std::string::npos;) {
    const std::size_t end = xml.find('"', at + 1);
    const std::string value = xml.substr(at + 1, end - at - 1);
    EXPECT_EQ(value.find("nan"), std::string::npos) << value.substr(0, 200);
    EXPECT_EQ(value.find("inf"), std::string::npos) << value.substr(0, 200);
    at = end + 1;
  }
  EXPECT_EQ(xml.find(">nan"), std::string::npos);
  EXPECT_EQ(xml.find(">inf"), std::string::npos);
}

/// The points of the first path of a class.
std::vector<Pixel> path_of(const std::string& xml, const std::string& css_class) {
  const std::string start = "<path class=\"" + css_class + "\" d=\"";
  // The legend's swatches come first and are short; the data are in the nested document.
  const std::size_t data = xml.find("<svg x=");
  const std::size_t from = xml.find(start, data == std::string::npos ? 0 : data);
  std::vector<Pixel> points;
  if (from == std::string::npos) return points;
  const char* at = xml.c_str() + from + start.size();
  while (*at == 'M' || *at == 'L') {
    char* end = nullptr;
    const double x = std::strtod(at + 1, &end);
    const double y = std::strtod(end, &end);
    points.push_back({x, y});
    at = end;
  }
  return points;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

Series line(const std::string& name, std::vector<double> x, std::vector<double> y) {
  return {name, std::move(x), std::move(y), false, false};
}

TEST(Plot, GreekLettersHaveSubscriptsAndNamesKeepTheirUnderscores) {
  const auto shown = [](std::string_view text) {
    std::string out;
    for (const Piece& piece : subscripts(text))
      out += (piece.lowered ? "<" : "") + std::string(piece.text) + (piece.lowered ? ">" : "");
    return out;
  };
  EXPECT_EQ(shown("γ_m = γ_ω = 1"), "γ<m> = γ<ω> = 1");
  EXPECT_EQ(shown("|ẍ_g|max, η = 0.5"), "|ẍ<g>|max, η = 0.5");
  EXPECT_EQ(shown("ω_n·Δt"), "ω<n>·Δt");
  for (const char* plain : {"wake_up", "specimen.mass_ratio", "ρ_", "ρ_ x", "_m", "", "γ", "table_3"}) {
    EXPECT_EQ(shown(plain), plain);
  }
  EXPECT_EQ(shown("γ_\xCE"), "γ_\xCE");  // torn
  Figure figure;
  figure.title = "ζ_N & ζ_E < 1";
  figure.x.label = "ω_N";
  figure.series = {{"γ_m", {0, 1}, {0, 1}}};
  EXPECT_EQ(fault_in_xml(svg(figure)), "");
}

TEST(Plot, AWindowIsScaledToWhatItShows) {
  Figure figure;
  Series line;
  for (int i = 0; i <= 100; ++i) {
    line.x.push_back(i);
    line.y.push_back(i < 50 ? 1 + 0.01 * i : 1000);
  }
  figure.series = {line};
  EXPECT_NE(svg(figure).find(">1000<"), std::string::npos);
  figure.x.low = 0;
  figure.x.high = 10;
  EXPECT_EQ(svg(figure).find(">1000<"), std::string::npos);
  figure.x.low = 200;  // nothing there: as without a window
  figure.x.high = 300;
  EXPECT_NE(svg(figure).find(">1000<"), std::string::npos);
}

TEST(Ticks, CoverTheRangeInStepsOfOneTwoFive) {
  const std::pair<double, double> ranges[] = {{0, 1},         {0, 10},       {-3.7, 12.2},   {1e-9, 7e-9},
                                              {-1e12, 3e12},  {99.9, 100.1}, {-0.3, 0.3},    {1e6, 1e6 + 1},
                                              {-5e-8, -1e-8}, {0, 1e-250},   {-1e299, 1e299}};
  for (const auto& [low, high] : ranges) {
    for (const int wanted : {2, 5, 10}) {
      const std::vector<double> positions = ticks(low, high, wanted, false);
      ASSERT_GE(positions.size(), 2u) << low << " " << high;
      EXPECT_LE(positions.size(), static_cast<std::size_t>(2 * wanted + 3)) << low << " " << high;
      const double step = (positions.back() - positions.front()) / static_cast<double>(positions.size() - 1);
      const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
      EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 ||
                  std::abs(mantissa - 5) < 1e-6)
          << step;
      EXPECT_LE(positions.front(), low + 1e-6 * step);
      EXPECT_GE(positions.back(), high - 1e-6 * step);
      EXPECT_GT(positions.front(), low - 1.001 * step);
      EXPECT_LT(positions.back(), high + 1.001 * step);
      for (const double tick : positions) {
        EXPECT_NEAR(tick / step, std::round(tick / step), 1e-6 * std::max(1.0, std::abs(tick / step)));
      }
    }
  }
}

TEST(Ticks, AreTheNearestDoublesOfTheirDecimals) {
  EXPECT_EQ(ticks(0, 0.5, 5, false), (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5}));
  EXPECT_EQ(ticks(0, 6e-5, 3, false), (std::vector<double>{0, 2e-5, 4e-5, 6e-5}));
}

TEST(Ticks, LogarithmicAreDecadesWithTwoAndFiveWhereThereIsRoom) {
  EXPECT_EQ(ticks(0.1, 100, 4, true), (std::vector<double>{0.1, 1, 10, 100}));
  EXPECT_EQ(ticks(1, 100, 8, true), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
  EXPECT_EQ(ticks(3, 40, 8, true), (std::vector<double>{2, 5, 10, 20, 50}));
  EXPECT_EQ(ticks(1e-6, 1e3, 4, true), (std::vector<double>{1e-6, 1e-3, 1, 1e3}));
  const std::vector<double> narrow = ticks(3, 4, 5, true);
  EXPECT_GE(narrow.size(), 4u);
  EXPECT_LE(narrow.front(), 3);
  EXPECT_GE(narrow.back(), 4);
}

TEST(Ticks, TakeWhatIsOdd) {
  EXPECT_TRUE(ticks(nan, 1, 5, false).empty());
  EXPECT_TRUE(ticks(0, inf, 5, false).empty());
  EXPECT_EQ(ticks(1, 0, 5, false), ticks(0, 1, 5, false));
  for (const double value : {0.0, 1.0, -3e250, 1e-300, 5e-324, 1.7e308}) {
    for (const bool logarithmic : {false, true}) {
      const std::vector<double> positions = ticks(value, value, 5, logarithmic);
      EXPECT_GE(positions.size(), 2u) << value;
      EXPECT_LE(positions.size(), 20u) << value;
      for (const double tick : positions) EXPECT_TRUE(std::isfinite(tick));
      EXPECT_TRUE(std::is_sorted(positions.begin(), positions.end()));
    }
  }
  EXPECT_FALSE(ticks(0, 100, 5, true).empty());
  EXPECT_FALSE(ticks(-5, -1, 0, true).empty());
}

TEST(TickLabels, AreShortAndTidy) {
  const auto texts = [](double low, double high, bool logarithmic) {
    std::vector<std::string> all;
    Scale scale{low, high, logarithmic, 0, 100};
    for (const TickLabel& label : label_ticks(scale, 5).labels) {
      all.push_back(label.text + (label.superscript.empty() ? "" : "^" + label.superscript));
    }
    return all;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(0, 1, false), (Texts{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(texts(-2e-5, 2e-5, false), (Texts{"−20", "−10", "0", "10", "20"}));
  EXPECT_EQ(label_ticks({-2e-5, 2e-5, false, 0, 100}, 5).factor, -6);
  EXPECT_EQ(texts(0, 5e6, false), (Texts{"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(label_ticks({0, 5e6, false, 0, 100}, 5).factor, 6);
  EXPECT_EQ(texts(0.1, 100, true), (Texts{"0.1", "1", "10", "100"}));
  EXPECT_EQ(texts(1e-6, 1e-3, true), (Texts{"10^−6", "10^−5", "10^−4", "10^−3"}));
}

TEST(Svg, IsWellFormedWhateverTheText) {
  Figure figure;
  figure.title = "a < b && \"c\" > 'd' \x01 \xff <script>";
  figure.x.label = "<time> [s]";
  figure.y.label = "größe & co [µm]";
  figure.series = {line("<&>", {0, 1, 2}, {1, 3, 2}), line("", {0, 1}, {1, 2})};
  const std::string xml = svg(figure);
  expect_good(xml);
  EXPECT_NE(xml.find("größe &amp; co [µm]"), std::string::npos);
  EXPECT_NE(xml.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_EQ(xml.find("<script"), std::string::npos);
}

TEST(Svg, TakesEveryKindOfData) {
  const std::vector<std::vector<double>> kinds = {{},
                                                  {0},
                                                  {nan},
                                                  {inf, -inf},
                                                  {3, 3, 3},
                                                  {0, 0, 0},
                                                  {1, nan, 2},
                                                  {nan, nan, nan},
                                                  {-1e308, 1e308},
                                                  {1.7e308, -1.7e308, inf},
                                                  {5e-324, 1e-323},
                                                  {1e9, 1e9 + 1e-7},
                                                  {-1, 0, 1}};
  for (const auto& x : kinds) {
    for (const auto& y : kinds) {
      for (const int way : {0, 1, 2, 3}) {
        Figure figure;
        figure.x = {"x", (way & 1) != 0};
        figure.y = {"y", (way & 2) != 0};
        figure.series = {line("a", x, y), {"b", x, y, false, true}};
        expect_good(svg(figure));
      }
    }
  }
  expect_good(svg(std::vector<Figure>{}));
  expect_good(svg(Figure{}));
  EXPECT_NE(svg(Figure{}).find("no data"), std::string::npos);
}

TEST(Svg, NanBreaksTheLine) {
  Figure figure;
  figure.series = {line("", {0, 1, 2, 3, 4}, {0, 1, nan, 1, 0})};
  const std::string xml = svg(figure);
  const std::string path = xml.substr(xml.find("<path class=\"s s0\" d=\""));
  EXPECT_EQ(count_of(path.substr(0, path.find("/>")), "M"), 2u);
  EXPECT_EQ(path_of(xml, "s s0").size(), 4u);
}

TEST(Svg, LinesAreAtTheirValues) {
  Figure figure;
  figure.x = {"x", true, 1, 100};
  figure.y = {"y", false, 0, 4};
  figure.series = {line("", {1, 10, 100}, {0, 1, 4})};
  const std::vector<Pixel> points = path_of(svg(figure), "s s0");
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[1].x, (points[0].x + points[2].x) / 2, 0.02);
  EXPECT_NEAR(points[1].y, points[0].y + (points[2].y - points[0].y) / 4, 0.02);
  EXPECT_GT(points[0].y, points[2].y);  // y grows downwards in the picture
}

TEST(Svg, DecimationKeepsThePeaks) {
  Figure figure;
  Series series;
  for (int i = 0; i < 1'000'000; ++i) {
    series.x.push_back(i);
    series.y.push_back(std::sin(i * 0.01));
  }
  series.y[123'456] = 50;
  series.y[765'432] = -50;
  figure.y = {"y", false, -50, 50};
  figure.series = {series};
  const std::string xml = svg(figure);
  EXPECT_LT(xml.size(), 80'000u);
  const std::vector<Pixel> points = path_of(xml, "s s0");
  EXPECT_GT(points.size(), 1000u);
  const auto [high, low] = std::minmax_element(points.begin(), points.end(),
                                               [](const Pixel& a, const Pixel& b) { return a.y < b.y; });
  const double middle = (high->y + low->y) / 2, half = (low->y - high->y) / 2;
  EXPECT_GT(half, 100);  // nearly the picture's height: both peaks are there
  // All else is within a fiftieth of that.
  EXPECT_EQ(std::count_if(points.begin(), points.end(),
                          [&](const Pixel& p) { return std::abs(p.y - middle) > half / 40; }),
            2);
  const double span = points.back().x - points.front().x;
  EXPECT_NEAR((high->x - points.front().x) / span, 0.123456, 0.002);
  EXPECT_NEAR((low->x - points.front().x) / span, 0.765432, 0.002);
}

TEST(Decimate, KeepsEachColumnsExtremesInOrder) {
  std::vector<Pixel> all;
  for (int i = 0; i < 20'000; ++i) all.push_back({i * 0.01, std::cos(i * 0.37) * (i % 97)});
  const std::vector<Pixel> shown = decimate(all);
  EXPECT_LE(shown.size(), 4u * 201);
  for (int column = 0; column < 200; ++column) {
    const auto extremes = [&](const std::vector<Pixel>& line) {
      double low = inf, high = -inf;
      for (const Pixel& p : line) {
        if (std::floor(p.x) != column) continue;
        low = std::min(low, p.y);
        high = std::max(high, p.y);
      }
      return std::pair(low, high);
    };
    EXPECT_EQ(extremes(shown), extremes(all));
  }
  EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end(), [](auto& a, auto& b) { return a.x < b.x; }));
  EXPECT_EQ(decimate({{0, 1}, {0, 2}, {0, 3}}).size(), 3u);
}

TEST(Svg, LegendHasTheNamedSeries) {
  Figure figure;
  figure.series = {line("first", {0, 1}, {0, 1}), line("", {0, 1}, {1, 0})};
  EXPECT_EQ(count_of(svg(figure), ">first<"), 1u);
  // Panels with one legend show it once; different ones each.
  EXPECT_EQ(count_of(svg(std::vector<Figure>{figure, figure}), ">first<"), 1u);
  Figure other = figure;
  other.series[0].name = "second";
  EXPECT_EQ(count_of(svg(std::vector<Figure>{figure, other}), ">second<"), 1u);
}

TEST(Svg, LongTitlesAreWrapped) {
  Figure figure;
  figure.title = "word";
  const std::size_t one = count_of(svg(figure), "class=\"title\"");
  for (int i = 0; i < 25; ++i) figure.title += " word";
  EXPECT_EQ(one, 1u);
  EXPECT_GT(count_of(svg(figure), "class=\"title\""), 1u);
}

Map bowl(std::size_t columns, std::size_t rows) {
  Map map;
  map.x = {"x", false, -2, 2};
  map.y = {"y", false, -2, 2};
  map.columns = columns;
  map.rows = rows;
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < columns; ++i) {
      const double x = -2 + 4.0 * static_cast<double>(i) / static_cast<double>(columns - 1);
      const double y = -2 + 4.0 * static_cast<double>(j) / static_cast<double>(rows - 1);
      map.values.push_back(x * x + y * y);
    }
  }
  return map;
}

TEST(Contour, OfABowlIsACircle) {
  const Map map = bowl(41, 81);
  const auto lines = contour_lines(map.values, 41, 81, 1);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_GT(lines[0].size(), 60u);
  EXPECT_EQ(lines[0].front().column, lines[0].back().column);  // closed
  EXPECT_EQ(lines[0].front().row, lines[0].back().row);
  double length = 0;
  for (std::size_t i = 0; i < lines[0].size(); ++i) {
    const auto at = [&](std::size_t k) {
      return std::pair(-2 + lines[0][k].column * 0.1, -2 + lines[0][k].row * 0.05);
    };
    EXPECT_NEAR(std::hypot(at(i).first, at(i).second), 1, 0.003);
    if (i) length += std::hypot(at(i).first - at(i - 1).first, at(i).second - at(i - 1).second);
  }
  EXPECT_NEAR(length, 2 * M_PI, 0.03);
}

TEST(Contour, LeavesOutNanAndTakesInfinity) {
  Map map = bowl(41, 41);
  for (std::size_t j = 0; j < 41; ++j) map.values[j * 41 + 20] = nan;  // a slit through the middle
  EXPECT_EQ(contour_lines(map.values, 41, 41, 1).size(), 2u);
  const std::vector<double> step = {0, inf, 0, inf};
  const auto lines = contour_lines(step, 2, 2, 1);
  ASSERT_EQ(lines.size(), 1u);
  for (const GridPoint& point : lines[0]) EXPECT_NEAR(point.column, 0, 1e-9);
  EXPECT_TRUE(contour_lines({1, 2}, 2, 1, 1.5).empty());
  EXPECT_TRUE(contour_lines({}, 0, 0, 1).empty());
  EXPECT_TRUE(contour_lines({nan, nan, nan, nan}, 2, 2, 1).empty());
}

TEST(Contour, CutsSaddlesAsTheirMiddleSays) {
  // Low at two opposite corners, the middle high: each low corner is cut off.
  const auto lines = contour_lines({0, 3, 3, 0}, 2, 2, 1);
  ASSERT_EQ(lines.size(), 2u);
  for (const auto& ends : lines) {
    ASSERT_EQ(ends.size(), 2u);
    const double sum = ends[0].column + ends[0].row, other = ends[1].column + ends[1].row;
    EXPECT_TRUE((sum < 1 && other < 1) || (sum > 1 && other > 1));
  }
}

TEST(SvgMap, ContourIsAtItsPlaceInThePicture) {
  const std::string xml = svg(bowl(101, 101));
  expect_good(xml);
  const std::vector<Pixel> points = path_of(xml, "contour");
  ASSERT_GT(points.size(), 50u);
  const auto frame_at = xml.find("<rect class=\"frame\"");
  ASSERT_NE(frame_at, std::string::npos);
  const auto value = [&](const std::string& name) {
    return std::strtod(xml.c_str() + xml.find(name + "=\"", frame_at) + name.size() + 2, nullptr);
  };
  const double cx = value(" x") + value("width") / 2, cy = value(" y") + value("height") / 2;
  // 101 cells over the width, 100 of them between -2 and 2.
  const double rx = value("width") / 101 * 25, ry = value("height") / 101 * 25;
  for (const Pixel& p : points) EXPECT_NEAR(std::hypot((p.x - cx) / rx, (p.y - cy) / ry), 1, 0.01);
}

TEST(SvgMap, IsSmall) {
  Map map = bowl(200, 200);
  map.has_point = true;
  map.point_label = "this test";
  const std::string xml = svg(map);
  expect_good(xml);
  EXPECT_LT(xml.size(), 150'000u);
  EXPECT_NE(xml.find(">this test<"), std::string::npos);
  // Ragged as can be: no two neighbours alike.
  unsigned random = 1;
  for (double& cell : map.values) cell = ((random = random * 1664525u + 1013904223u) >> 16) % 1000 / 500.0;
  map.contour = 1.99;
  EXPECT_LT(svg(map).size(), 600'000u);
}

TEST(SvgMap, StableSideIsCoolAndUnstableSideWarm) {
  Map map;
  map.x = {"x", false, 0, 1};
  map.y = {"y", false, 0, 1};
  map.columns = 2;
  map.rows = 1;
  map.values = {0.9, 1e30};
  const std::string xml = svg(map);
  EXPECT_NE(xml.find("<path stroke=\"#08306b\" d=\"M0 0.5h1\"/>"), std::string::npos);
  EXPECT_NE(xml.find("<path stroke=\"#6b0a17\" d=\"M1 0.5h1\"/>"), std::string::npos);
  map.values = {0.9, nan};
  EXPECT_EQ(count_of(svg(map), "<path stroke="), 1u);  // NaN is blank
}

TEST(SvgMap, TakesEveryKindOfData) {
  for (const double fill : {0.0, 1.0, nan, inf, -inf, 1e308, -1e308, 5e-324}) {
    for (const double other : {0.5, nan, -inf, 1.7e308}) {
      for (const double contour : {1.0, nan, inf, -1e308}) {
        for (const bool logarithmic : {false, true}) {
          Map map;
          map.title = "t";
          map.x = {"x", logarithmic, 0, 0};
          map.y = {"y", logarithmic, 0.1, 10};
          map.columns = map.rows = 3;
          map.values = {fill, other, fill, other, other, fill, fill, fill, other};
          map.contour = contour;
          map.has_point = true;
          map.point_x = other;
          map.point_y = 100;
          expect_good(svg(map));
        }
      }
    }
  }
  expect_good(svg(Map{}));
  EXPECT_NE(svg(Map{}).find("no data"), std::string::npos);
  Map short_of_values;
  short_of_values.columns = short_of_values.rows = 2;
  EXPECT_THROW(svg(short_of_values), std::logic_error);
}

}  // namespace
}  // namespace gusset::plot
