#include "link/fault.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

namespace gusset {
namespace {

struct Kind {
  const char* name;
  Fault::Kind kind;
  enum { none, time, share } takes;
};
const Kind kinds[] = {
    {"delay", Fault::Kind::delay, Kind::time},      {"jitter", Fault::Kind::jitter, Kind::time},
    {"loss", Fault::Kind::loss, Kind::share},       {"duplicate", Fault::Kind::duplicate, Kind::share},
    {"reorder", Fault::Kind::reorder, Kind::share}, {"freeze", Fault::Kind::freeze, Kind::none},
    {"nan", Fault::Kind::nan, Kind::none},          {"disconnect", Fault::Kind::disconnect, Kind::none},
};

std::vector<std::string_view> names() {
  std::vector<std::string_view> list;
  for (const Kind& kind : kinds) list.emplace_back(kind.name);
  return list;
}

}  // namespace

const char* name_of(Fault::Kind kind) {
  for (const Kind& line : kinds) {
    if (line.kind == kind) return line.name;
  }
  return "fault";
}

std::vector<Fault> read_faults(const Document& document) {
  std::vector<Fault> faults;
  for (const Section* section : document.sections("faults")) {
    Fault fault;
    const std::string word = section->choice("kind", names());
    const Kind* line = kinds;
    while (word != line->name) ++line;
    fault.kind = line->kind;
    fault.from = section->non_negative("from", dim::time);
    fault.to = section->number("to", dim::time, std::numeric_limits<double>::max());
    if (fault.to <= fault.from) {
      section->fail("to", "the fault ends before it begins", "make `to` later than `from`");
    }
    if (line->takes == Kind::time) fault.value = section->positive("time", dim::time);
    if (line->takes == Kind::share) {
      fault.value = section->positive("share", dim::none);
      if (fault.value > 1) section->fail("share", "a share is at most 1", "write e.g. share = 0.2");
    }
    faults.push_back(fault);
  }
  return faults;
}

Fault parse_fault(const std::string& text) {
  const auto fail = [&](const std::string& cause) {
    throw InputError({"--fault", 0, 0}, cause,
                     "write e.g. --fault \"loss 0.2 from 1 to 2\", --fault \"delay 0.005 from 3 to 4\" "
                     "or --fault \"freeze from 5\"; times in seconds");
  };
  std::istringstream words(text);
  std::string word;
  words >> word;
  const Kind* found = nullptr;
  for (const Kind& line : kinds) {
    if (word == line.name) found = &line;
  }
  if (found == nullptr) {
    const std::vector<std::string_view> known = names();
    const std::string_view close = nearest(word, known);
    fail("there is no fault \"" + word + "\"" +
         (close.empty() ? "; there are " + alternatives(known)
                        : "; did you mean " + std::string(close) + "?"));
  }
  Fault fault;
  fault.kind = found->kind;
  fault.to = std::numeric_limits<double>::max();
  if (found->takes != Kind::none && !(words >> fault.value && fault.value > 0)) {
    fail(word + " needs a positive number");
  }
  if (found->takes == Kind::share && fault.value > 1) fail("a share is at most 1");
  while (words >> word) {
    double* target = word == "from" ? &fault.from : word == "to" ? &fault.to : nullptr;
    if (target == nullptr) fail("\"" + word + "\" is not understood");
    if (!(words >> *target) || !(*target >= 0) || !std::isfinite(*target)) {
      fail(word + " needs a time in seconds");
    }
  }
  if (fault.to <= fault.from) fail("the fault ends before it begins");
  return fault;
}

}  // namespace gusset
