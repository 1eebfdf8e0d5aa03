#include "link/hello.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "base/version.hpp"
#include "build/experiment.hpp"
#include "link/crypto.hpp"
#include "runs/digest.hpp"

namespace gusset {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// Sections that concern one end only, or none: they may differ.
bool is_private(const std::string& path) {
  for (const char* name : {"", "limits", "realtime", "link", "faults"}) {
    const std::string_view own(name);
    if (path == own || (!own.empty() && path.starts_with(std::string(own) + "."))) return true;
  }
  return false;
}

/// The meaning of a value: "10 ms" and "0.01 s" are the same.
std::string meaning(const Value& value) {
  std::ostringstream out;
  const auto put = [&](double number) { out << std::hex << std::bit_cast<std::uint64_t>(number) << ' '; };
  out << static_cast<int>(value.kind) << ' ';
  if (value.kind == Value::Kind::text) {
    out << value.text;
  } else if (value.kind == Value::Kind::list) {
    for (const double number : value.numbers) put(number);
    for (const std::string& text : value.texts) out << text << ' ';
  } else {
    put(value.number);
  }
  return out.str();
}

std::int64_t whole(const std::string& text, const char* what) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    throw std::invalid_argument(std::string("its ") + what + " is not a number");
  }
  return number;
}

std::string list_difference(const Facts& a, const Facts& b, const char* what, const std::string& own,
                            const std::string& other) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i >= a.size()) return other + " has the " + what + " " + b[i].first + ", " + own + " has not";
    if (i >= b.size()) return own + " has the " + what + " " + a[i].first + ", " + other + " has not";
    if (a[i].first != b[i].first) {
      return std::string(what) + " " + std::to_string(i + 1) + " is " + a[i].first + " in " + own + " and " +
             b[i].first + " in " + other;
    }
    if (a[i].second != b[i].second) {
      return "the unit of " + a[i].first + " is " + a[i].second + " in " + own + " and " + b[i].second +
             " in " + other;
    }
  }
  return {};
}

std::string key_difference(const Hello& a, const Hello& b, const std::string& own, const std::string& other) {
  const auto has = [](const Facts& facts, const std::string& name) {
    return std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == name; });
  };
  for (const auto& [name, hash] : a.keys) {
    const auto found = has(b.keys, name);
    if (found == b.keys.end()) return "the key " + name + " is only in the file of " + own;
    if (found->second != hash) return "the key " + name + " has different values in " + own + " and " + other;
  }
  for (const auto& [name, hash] : b.keys) {
    if (has(a.keys, name) == a.keys.end()) return "the key " + name + " is only in the file of " + other;
  }
  return "the experiment files differ";
}

}  // namespace

std::string Hello::text() const {
  std::string text = "gusset-link " + std::to_string(protocol) + "\n";
  const auto line = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += std::string(name) + ' ' + value + '\n';
  };
  line("version", version);
  line("period", period > 0 ? std::to_string(period) : "");
  line("mode", mode);
  line("rig", rig);
  for (const auto& [name, unit] : commands) line("command", name + ' ' + unit);
  for (const auto& [name, unit] : feedback) line("feedback", name + ' ' + unit);
  line("experiment", experiment);
  std::string all;
  for (const auto& [name, hash] : keys) all += "key " + name + ' ' + hash + '\n';
  if (text.size() + all.size() <= largest_hello) text += all;
  return text;
}

Hello Hello::parse(std::string_view text) {
  if (text.size() > largest_hello) throw std::invalid_argument("its greeting is too long");
  Hello hello;
  hello.mode.clear();
  hello.protocol = 0;
  std::istringstream lines{std::string(text)};
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name, first, second;
    words >> name >> first >> second;
    if (name == "gusset-link") {
      hello.protocol = static_cast<int>(whole(first, "protocol"));
    } else if (hello.protocol == 0) {
      throw std::invalid_argument("its greeting does not start with gusset-link");
    } else if (name == "version") {
      hello.version = first;
    } else if (name == "period") {
      hello.period = whole(first, "period");
    } else if (name == "mode") {
      hello.mode = first;
    } else if (name == "rig") {
      hello.rig = first;
    } else if (name == "command") {
      hello.commands.emplace_back(first, second);
    } else if (name == "feedback") {
      hello.feedback.emplace_back(first, second);
    } else if (name == "experiment") {
      hello.experiment = first;
    } else if (name == "key") {
      hello.keys.emplace_back(first, second);
    }  // what a newer version says beyond this is none of our business
  }
  if (hello.protocol == 0) throw std::invalid_argument("its greeting is empty");
  return hello;
}

Hello hello_of(const Document& document, const Experiment& experiment, bool lockstep) {
  if (experiment.loop().rig_count() == 0 && !experiment.channels().empty()) {
    document.section("method").fail(
        "feedback", "with ideal feedback the model gives the specimen's motion: there is no rig to talk to",
        "write feedback = \"sampled\" or \"iterations\", or rehearse it with gusset simulate");
  }
  Hello hello;
  hello.version = version;
  hello.period = std::llround(1e9 * experiment.rig_dt());
  hello.mode = lockstep ? "lockstep" : "paced";
  for (const Row::Entry& entry : experiment.cut().commands) {
    hello.commands.emplace_back(entry.signal.name, entry.signal.unit);
  }
  for (const Row::Entry& entry : experiment.cut().feedback) {
    hello.feedback.emplace_back(entry.signal.name, entry.signal.unit);
  }
  std::vector<std::pair<std::string, std::string>> keys;
  for (const Section& section : document.all()) {
    if (is_private(section.path)) continue;
    for (const Entry& entry : section.entries) {
      keys.emplace_back(section.path + "." + entry.key, sha256(meaning(entry.value)).substr(0, 16));
    }
  }
  std::sort(keys.begin(), keys.end());  // the order in the file means nothing
  std::string all;
  for (const auto& [name, hash] : keys) all += name + ' ' + hash + '\n';
  hello.experiment = sha256(all);
  hello.keys = std::move(keys);
  return hello;
}

std::string difference(const Hello& a, const Hello& b, const std::string& own, const std::string& other) {
  if (a.protocol != b.protocol) {
    return own + " speaks version " + std::to_string(a.protocol) + " of the protocol and " + other +
           " version " + std::to_string(b.protocol);
  }
  const auto differ = [&](const std::string& x, const std::string& y) {
    return !x.empty() && !y.empty() && x != y;
  };
  if (differ(a.version, b.version)) {
    return own + " is Gusset " + a.version + " and " + other + " is " + b.version;
  }
  if (differ(a.mode, b.mode)) {
    return own + " runs " + a.mode + " and " + other + " " + b.mode + " (option --lockstep)";
  }
  if (a.period != 0 && b.period != 0 && a.period != b.period) {
    return "the time between commands is " + std::to_string(a.period) + " ns in " + own + " and " +
           std::to_string(b.period) + " ns in " + other;
  }
  if (std::string found = list_difference(a.commands, b.commands, "command", own, other); !found.empty()) {
    return found;
  }
  if (std::string found = list_difference(a.feedback, b.feedback, "feedback", own, other); !found.empty()) {
    return found;
  }
  if (differ(a.experiment, b.experiment)) return key_difference(a, b, own, other);
  return {};
}

}  // namespace gusset
