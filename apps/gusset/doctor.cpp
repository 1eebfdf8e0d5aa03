#include <algorithm>
#include <cstdio>
#include <iostream>

#include "common.hpp"
#include "doctor_rig.hpp"
#include "realtime/kept_latency.hpp"
#include "realtime/readiness.hpp"
#include "realtime/wake_up.hpp"
#include "session/environment.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace doctor_private {

constexpr double period = 1.0 / 1024;

struct Options {
  double seconds = 2;
  bool json = false;
  RigDoctorOptions rig;
};

std::string microseconds(std::int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", 1e-3 * static_cast<double>(nanoseconds));
  return text;
}

/// The measured latency as one more check: half a period has to be left for the step and the link.
ReadinessCheck latency_check(const Histogram& latency) {
  ReadinessCheck check;
  check.name = "wake-up latency";
  check.required = true;
  const auto allowed = static_cast<std::int64_t>(0.5e9 * period);
  check.ok = latency.maximum() <= allowed;
  check.found = "at most " + microseconds(latency.maximum()) + " in " + std::to_string(latency.count()) +
                " periods at 1024 Hz";
  check.consequence = "steps begin later than half a period: deadlines will be missed";
  check.fix = "put right what is listed here, stop other programs, then: gusset doctor --seconds 60";
  return check;
}

Json to_json(const Histogram& histogram) {
  const auto seconds = [](std::int64_t nanoseconds) { return 1e-9 * static_cast<double>(nanoseconds); };
  const RunHistogram bins = to_run(histogram, "");
  return {{"count", histogram.count()},
          {"p50", seconds(histogram.percentile(0.5))},
          {"p99", seconds(histogram.percentile(0.99))},
          {"p999", seconds(histogram.percentile(0.999))},
          {"maximum", seconds(histogram.maximum())},
          {"overflow", histogram.overflow()},
          {"edges", bins.edges},
          {"counts", bins.counts}};
}

/// Octaves of latency, ours and cyclictest's, one line each.
void print_histogram(const Histogram& ours, const std::optional<Histogram>& theirs) {
  const auto share = [](const Histogram& histogram, std::int64_t from, std::int64_t to) {
    std::uint64_t sum = 0;
    for (std::size_t i = Histogram::bin_of(from); i < Histogram::bin_of(to); ++i) sum += histogram[i];
    return 100.0 * static_cast<double>(sum) /
           static_cast<double>(std::max<std::uint64_t>(histogram.count(), 1));
  };
  std::printf("\nwake-up latency at 1024 Hz       ours%s\n", theirs ? "   cyclictest" : "");
  const std::int64_t longest = std::max(ours.maximum(), theirs ? theirs->maximum() : 0);
  for (std::int64_t from = 0, to = 1024; from <= longest; from = to, to *= 2) {
    const double a = share(ours, from, to);
    const double b = theirs ? share(*theirs, from, to) : 0;
    if (a == 0 && b == 0) continue;
    std::printf("   %10s … %10s   %7.3f %%", microseconds(from).c_str(), microseconds(to).c_str(), a);
    if (theirs) std::printf("   %7.3f %%", b);
    std::printf("   %s\n", std::string(static_cast<std::size_t>(a / 2.5), '#').c_str());
    if (to >= (std::int64_t{1} << 30)) break;
  }
  for (const auto& [name, percentile] :
       {std::pair{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"maximum", 1.0}}) {
    const auto value = [&, p = percentile](const Histogram& h) {
      return microseconds(p < 1 ? h.percentile(p) : h.maximum());
    };
    std::printf("   %-25s   %11s", name, value(ours).c_str());
    if (theirs) std::printf("  %11s", value(*theirs).c_str());
    std::printf("\n");
  }
  if (!theirs) std::puts("   (no cyclictest to compare with: sudo apt-get install rt-tests)");
}

void print_human(const Readiness& readiness, const WakeUp& measured,
                 const std::optional<Histogram>& cyclictest) {
  for (const ReadinessCheck& check : readiness.checks) {
    std::printf("%-8s %-18s %s\n",
                check.ok         ? "ok"
                : check.required ? "FAILED"
                                 : "advice",
                check.name.c_str(), check.found.c_str());
    if (!check.ok) {
      std::printf("%27s %s\n%27s fix: %s\n", "", check.consequence.c_str(), "", check.fix.c_str());
    }
  }
  print_histogram(measured.latency, cyclictest);
  std::printf("\nThis machine is %s.\n", readiness.fit() ? "fit for tests in real time"
                                                         : "not fit for tests on hardware; see FAILED above");
  std::fflush(stdout);
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("--seconds", options->seconds, "how long to measure the latency")
      ->check(CLI::Range(0.1, 86400.0))
      ->capture_default_str();
  command.add_flag("--json", options->json, "print one JSON object on standard output");
  options->rig.add_to(command);
  return [options] {
    if (!options->rig.url.empty()) return examine_rig_for(options->rig, options->json);
    Readiness readiness = examine();
    WakeUpOptions how;
    how.seconds = options->seconds;
    how.period = period;
    how.core = suggested_core();
    const RealtimeProcess process;
    const WakeUp measured = measure_wake_up(how);
    const std::optional<Histogram> cyclictest = measure_with_cyclictest(how);
    readiness.checks.push_back(latency_check(measured.latency));
    KeptLatency kept = this_machine();
    kept.seconds = options->seconds;
    kept.worst = measured.latency.maximum();
    kept.when = now_utc();
    const bool keeps = keep_latency(kept);
    if (!options->json) {
      print_human(readiness, measured, cyclictest);
      std::printf(keeps ? "The measurement of %s is kept: a test on hardware asks for it.\n"
                        : "%s are too short to be kept: a test on hardware asks for 120 s or more.\n",
                  in_words(options->seconds).c_str());
      std::fflush(stdout);
    } else {
      Json grants = Json::array();
      for (const std::vector<Grant>& list : {process.grants(), measured.grants}) {
        for (const Grant& grant : list) {
          grants.push_back({{"name", grant.name}, {"granted", grant.granted}, {"detail", grant.detail}});
        }
      }
      const Json report = Json::parse(readiness.to_json());
      print({{"fit", report.at("fit")},
             {"checks", report.at("checks")},
             {"grants", grants},
             {"core", how.core},
             {"period", period},
             {"kept", keeps},
             {"wake_up", to_json(measured.latency)},
             {"page_faults", measured.faults.minor + measured.faults.major},
             {"cyclictest", cyclictest ? to_json(*cyclictest) : Json(nullptr)}});
    }
    return readiness.fit() ? good : bad;
  };
}

}  // namespace doctor_private

const Verb doctor_verb{
    "doctor", "is this machine, or this rig, fit for tests in real time",
    "Each check says what was found, what follows from it, and the command that puts it right. Then "
    "the latency of waking is measured, beside cyclictest's where that is installed.\n"
    "With --rig a laboratory's own rig is examined instead: every phase, repeated numbers, strangers, "
    "garbage, "
    "stop and silence are played, with the rig on blocks and no specimen in it. No channel is told to go "
    "further "
    "than --amount from where it stands.\n"
    "Exit status 1 if a check has FAILED; advice alone does not count.\n"
    "Example: gusset doctor --seconds 10\n"
    "         gusset doctor quickstart --rig udp://127.0.0.1:7400 --amount \"0.2 mm\"",
    doctor_private::add};

}  // namespace gusset::app
