// Every format: fixtures written here, with known step, count, unit and peak; and damaged ones.

#include "excitation/record_formats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "excitation/record_write.hpp"

namespace gusset {
namespace {

constexpr double g = 9.80665;

/// A decaying wave with one largest sample, all of them to be had exactly from five decimals.
std::vector<double> wave(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i);
    values.push_back(std::round(1e5 * std::sin(0.7 * t) * std::exp(-t / 30) / 4) / 1e5);
  }
  return values;
}

double peak_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Numbers in columns of a Fortran format.
std::string columns(const std::vector<double>& values, const char* format, std::size_t per_line) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += number(format, values[i]);
    if ((i + 1) % per_line == 0 || i + 1 == values.size()) text += '\n';
  }
  return text;
}

std::string at2(const std::string& counts, const std::vector<double>& values) {
  return "PEER NGA STRONG MOTION DATABASE RECORD\nSomewhere, 1/1/1999, STATION, 090\n"
         "ACCELERATION TIME SERIES IN UNITS OF G\n" +
         counts + "\n" + columns(values, "%15.7E", 5);
}

std::string cosmos(const std::vector<double>& values, int unit, const char* title_unit, double step_ms) {
  std::vector<double> integers(100, -999), reals(100, -999.999);
  integers[2] = unit;
  reals[61] = step_ms;
  std::string text = "Corrected acceleration    (Format v01.20 with 13 text lines) Src: 052\n";
  for (int i = 2; i <= 13; ++i) text += "text line " + std::to_string(i) + "\n";
  text += " 100    Integer-header values follow on 10 lines, Format= (10I8)\n";
  text += columns(integers, "%8.0f", 10);
  text += " 100    Real-header values follow on 20 lines, Format= (5F15.6)\n";
  text += columns(reals, "%15.6f", 5);
  text += "   2    Comment line(s) follow, each starting with a \"|\":\n| one\n| 99 acceleration points\n";
  text += std::to_string(values.size()) + " acceleration pts, approx 1 secs, units=" + title_unit +
          ",Format=(8F10.5)\n";
  text += columns(values, "%10.5f", 8);
  return text + "End-of-data for Station Chan 1: acceleration\n";
}

std::string csmip(const std::vector<double>& values) {
  std::string text;
  for (int i = 1; i <= 25; ++i) text += "corrected accelerogram, text line " + std::to_string(i) + "\n";
  text += columns(std::vector<double>(100, 7), "%5.0f", 16);
  text += columns(std::vector<double>(100, 1.5), "%10.3f", 8);
  const std::string count = std::to_string(values.size());
  text += "  " + count + " points of accel data equally spaced at  .005 sec, in cm/sec2. (8f10.6)\n";
  text += columns(values, "%10.6f", 8);
  text += "  " + count + " points of veloc data equally spaced at  .005 sec, in cm/sec.  (8f10.6)\n";
  text += columns(std::vector<double>(values.size(), 9.0), "%10.6f", 8);
  return text + "/&  ----------  End of data for channel  1  ----------\n";
}

std::string knet(const std::vector<int>& counts, const std::string& duration) {
  std::string text =
      "Origin Time       2011/03/11 14:46:00\nLat.              38.103\nLong.             142.861\n"
      "Depth. (km)       24\nMag.              9.0\nStation Code      ABC001\nStation Lat.      38.0\n"
      "Station Long.     140.0\nStation Height(m) 20\nRecord Time       2011/03/11 14:46:36\n"
      "Sampling Freq(Hz) 100Hz\nDuration Time(s)  " +
      duration +
      "\nDir.              N-S\nScale Factor      3920(gal)/6182761\nMax. Acc. (gal)   1.0\n"
      "Last Correction   2011/03/11 14:46:21\nMemo.             \n";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    text += number("%9.0f", counts[i]);
    if (i % 8 == 7 || i + 1 == counts.size()) text += '\n';
  }
  return text;
}

std::string esm(const std::vector<double>& values, const char* unit) {
  std::string text = "EVENT_NAME: SOMEWHERE\nEVENT_ID: 1\nEVENT_DATE_YYYYMMDD: 20161030\n";
  for (int i = 3; i < 60; ++i) text += "FIELD_" + std::to_string(i) + ": 12.5\n";
  text += "SAMPLING_INTERVAL_S: 0.005000\nNDATA: " + std::to_string(values.size()) + "\nUNITS: " + unit +
          "\nDATA_TYPE: ACCELERATION\n";
  return text + columns(values, "%.6f", 1);
}

void expect(const Record& record, const char* format, double dt, const std::vector<double>& values,
            double factor, const char* unit) {
  EXPECT_EQ(record.format, format);
  EXPECT_EQ(record.unit, unit);
  EXPECT_DOUBLE_EQ(record.dt, dt);
  ASSERT_EQ(record.acceleration.size(), values.size());
  EXPECT_NEAR(record.peak(), factor * peak_of(values), 1e-12 * factor);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_NEAR(record.acceleration[i], factor * values[i], 1e-12 * factor) << i;
  }
}

TEST(RecordFormats, PeerAt2InBothSpellings) {
  const std::vector<double> values = wave(23);
  expect(parse_record(at2("NPTS=  23, DT= .02000 SEC", values), "r"), "PEER AT2", 0.02, values, g, "G");
  expect(parse_record(at2("  23    0.0050    NPTS, DT", values), "r"), "PEER AT2", 0.005, values, g, "G");
  std::string dos = at2("NPTS=23, DT=0.01 SEC,", values);
  for (std::size_t i = 0; (i = dos.find('\n', i)) != std::string::npos; i += 2) dos.insert(i, "\r");
  expect(parse_record(dos, "r"), "PEER AT2", 0.01, values, g, "G");
}

TEST(RecordFormats, PeerAt2WithSamplesThatTouch) {
  const Record record = parse_record(
      "a\nb\nACCELERATION TIME HISTORY (UNITS OF G)\nNPTS= 4, DT= .01 SEC\n 1.234-5.678 .5-.25\n", "r");
  expect(record, "PEER AT2", 0.01, {1.234, -5.678, 0.5, -0.25}, g, "G");
}

TEST(RecordFormats, CosmosInCmAndInG) {
  const std::vector<double> values = wave(37);
  expect(parse_record(cosmos(values, 4, "cm/sec2(04)", 5), "r"), "COSMOS", 0.005, values, 0.01, "cm/s^2");
  expect(parse_record(cosmos(values, 2, "g(02)", 10), "r"), "COSMOS", 0.01, values, g, "g");
}

TEST(RecordFormats, CosmosChannelsOneAfterTheOther) {
  const std::vector<double> first = wave(16), second = wave(21);
  const std::string both = cosmos(first, 4, "cm/sec2(04)", 5) + cosmos(second, 4, "cm/sec2(04)", 10);
  expect(parse_record(both, "r"), "COSMOS", 0.005, first, 0.01, "cm/s^2");
  expect(parse_record(both, "r", {0, "", 2}), "COSMOS", 0.01, second, 0.01, "cm/s^2");
  EXPECT_THROW(parse_record(both, "r", {0, "", 3}), InputError);
}

TEST(RecordFormats, CsmipTakesAccelerationOnly) {
  const std::vector<double> values = wave(30);
  expect(parse_record(csmip(values), "r"), "CSMIP V2", 0.005, values, 0.01, "cm/s^2");
  const std::string both = csmip(wave(10)) + csmip(values);
  expect(parse_record(both, "r", {0, "", 2}), "CSMIP V2", 0.005, values, 0.01, "cm/s^2");
}

TEST(RecordFormats, KnetScalesAndRemovesTheMean) {
  std::vector<int> counts;
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) counts.push_back(1000 + (i % 2 == 0 ? 500 : -500) + (i == 7 ? 5000 : 0) - 25);
  for (const int count : counts) values.push_back(count - 1000.0);  // the mean is 1000
  expect(parse_record(knet(counts, "2"), "r"), "K-NET", 0.01, values, 3920.0 / 6182761 * 0.01, "gal");
}

TEST(RecordFormats, Esm) {
  const std::vector<double> values = wave(19);
  expect(parse_record(esm(values, "cm/s^2"), "r"), "ESM", 0.005, values, 0.01, "cm/s^2");
}

TEST(RecordFormats, PlainColumns) {
  expect(parse_record("0.1\n-0.2\n0.05\n", "r", {0.01, "g", 1}), "plain text", 0.01, {0.1, -0.2, 0.05}, g,
         "g");
  expect(parse_record("# dt = 20 ms, unit = m/s^2\n1\n2\n3\n", "r"), "plain text", 0.02, {1, 2, 3}, 1,
         "m/s^2");
  expect(parse_record("% unit = gal\n0 1\n0.02 2\n0.04\t-3\n", "r"), "plain text", 0.02, {1, 2, -3}, 0.01,
         "gal");
  expect(parse_record("0,1\n0.5,2\n1.0,-3\n", "r", {0, "cm/sec2", 1}), "plain text", 0.5, {1, 2, -3}, 0.01,
         "cm/sec2");
}

TEST(RecordFormats, CsvAsEver) {
  const Record record = parse_record("time_s,acceleration_g\n0,1\n0.5,-2\n", "r");
  expect(record, "CSV", 0.5, {1, -2}, g, "g");
}

TEST(RecordFormats, WhatIsWrittenIsReadBack) {
  Record record{"wave", 0.005, wave(52)};
  EXPECT_EQ(parse_record(to_csv(record), "r").acceleration, record.acceleration);
  const Record at2 = parse_record(to_at2(record), "r");
  EXPECT_EQ(at2.dt, record.dt);
  ASSERT_EQ(at2.acceleration.size(), record.acceleration.size());
  for (std::size_t i = 0; i < 52; ++i) EXPECT_NEAR(at2.acceleration[i], record.acceleration[i], 1e-7 * 2.5);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? "not there: " + from : text.replace(at, from.size(), to);
}

/// All but the last `lines` lines.
std::string cut(std::string text, int lines) {
  for (int i = 0; i < lines; ++i) text.erase(text.find_last_of('\n', text.size() - 2) + 1);
  return text;
}

std::string complaint(const std::string& text, const RecordHints& hints = {}) {
  try {
    parse_record(text, "r", hints);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.fix().empty());
    EXPECT_EQ(error.where().file, "r");
    EXPECT_GT(error.where().line, 0) << error.what();
    return error.what();
  }
  return "accepted";
}

void expect_complaint(const std::string& text, const char* about, const RecordHints& hints = {}) {
  const std::string what = complaint(text, hints);
  EXPECT_NE(what.find(about), std::string::npos) << about << " not in: " << what;
}

TEST(RecordFormats, DamagedFilesAreRefused) {
  const std::vector<double> values = wave(23);
  const std::string peer = at2("NPTS=  23, DT= .02000 SEC", values);
  expect_complaint(cut(peer, 1), "holds 20");
  expect_complaint(peer + " 0.5\n", "more samples");
  expect_complaint(at2("NPTS=  22, DT= .02000 SEC", values), "more values");
  expect_complaint(replaced(peer, "UNITS OF G", "UNITS OF CM/S"), "no unit of acceleration");
  expect_complaint(replaced(peer, "ACCELERATION", "VELOCITY"), "not acceleration");
  expect_complaint(replaced(peer, "IN UNITS OF G", ""), "which unit");
  expect_complaint(replaced(peer, "DT= .02000", "DT= 0"), "cannot be read");
  expect_complaint(replaced(peer, "NPTS=  23", "NPTS=  x3"), "cannot be read");
  expect_complaint(replaced(peer, "E-0", "Q-0"), "finite number");
  expect_complaint(replaced(peer, "0.0000000E+00", "          nan"), "finite number");

  const std::string cos = cosmos(values, 4, "cm/sec2(04)", 5);
  expect_complaint(cut(cos, 1), "End-of-data");
  expect_complaint(cut(cos, 2), "cut off");
  expect_complaint(cosmos(values, 50, "counts(50)", 5), "counts");
  expect_complaint(cosmos(values, 7, "x(07)", 5), "not known");
  expect_complaint(cosmos(values, 4, "cm/sec2(04)", 0), "sampling interval");
  expect_complaint(replaced(cos, "Format= (10I8)", ""), "Format");

  const std::string cal = csmip(values);
  expect_complaint(replaced(cal, "23 points of accel", "22 points of accel"), "more");
  expect_complaint(replaced(cal, "23 points of accel", "999 points of accel"), "finite number");
  expect_complaint(replaced(cal, "at  .005 sec", "at  0 sec"), "cannot be read");
  expect_complaint(replaced(cal, "in cm/sec2.", "in furlongs"), "no unit");
  expect_complaint(cal, "channels", {0, "", 4});

  const std::string japan = knet(std::vector<int>(200, 3), "2");
  expect_complaint(cut(japan, 1), "cut off");
  expect_complaint(japan + "   12\n", "more samples");
  expect_complaint(knet(std::vector<int>(200, 3), "2.0003"), "no number of samples");
  expect_complaint(replaced(japan, "3920(gal)/6182761", "3920"), "scale factor");
  expect_complaint(replaced(japan, "Sampling Freq", "Sampling Fred"), "no line");

  const std::string europe = esm(values, "cm/s^2");
  expect_complaint(cut(europe, 2), "holds 21");
  expect_complaint(europe + "1.0\n", "more samples");
  expect_complaint(esm(values, "cm"), "no unit");
  expect_complaint(replaced(europe, "ACCELERATION", "VELOCITY"), "not acceleration");
  expect_complaint(replaced(europe, "NDATA: 23", "NDATA: many"), "number of samples");

  expect_complaint("0.1\n0.2\n", "how far", {0, "g", 1});
  expect_complaint("0.1\n0.2\n", "which unit", {0.01, "", 1});
  expect_complaint("0.1\n0.2\n", "no unit", {0.01, "furlong", 1});
  expect_complaint("0 1\n1 2\n2.5 3\n", "equally spaced", {0, "g", 1});
  expect_complaint("0 1\n1 2 3\n", "a line of 3", {0, "g", 1});
  expect_complaint("1 2 3\n1 2 3\n", "more than two", {0, "g", 1});
  expect_complaint("0 1\n1 abc\n", "`abc`", {0, "g", 1});
  expect_complaint("1\n", "two samples", {0.1, "g", 1});
}

TEST(RecordFormats, SpellingsOfUnits) {
  for (const char* one :
       {"cm/sec2", "CM/SEC^2", "cm/s^2", "cm/s**2", "gal", "Gal", "cm/s/s", "cm/sec/sec", "cm/s2."}) {
    EXPECT_DOUBLE_EQ(acceleration_unit(one), 0.01) << one;
  }
  EXPECT_DOUBLE_EQ(acceleration_unit("g"), g);
  EXPECT_DOUBLE_EQ(acceleration_unit(" G"), g);
  EXPECT_DOUBLE_EQ(acceleration_unit("m/s^2"), 1);
  EXPECT_EQ(acceleration_unit("cm/sec"), 0);
  EXPECT_EQ(acceleration_unit("furlong"), 0);
  EXPECT_EQ(acceleration_unit(""), 0);
}

}  // namespace
}  // namespace gusset
