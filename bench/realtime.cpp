// The loop of a three-storey test with a compensator on the beat of the clock, recorder included,
// and cyclictest, in turns under the same load: how late each wakes, and what a step costs. Prints
// ratios of the two, with the quartiles of the turns, and the loop's page faults and allocations, which are
// to be 0.
//
// usage: bench_realtime [--seconds S] [--round S] [--rate HZ]... [--load N] [--long]
//   --seconds  of each at each rate, default 10; --long is 60
//   --round    the length of a turn, default 1 s
//   --rate     default 1024 and 4096
//   --load     processes that keep processor, memory and disk busy, default one a core
// Run it as root or with the rights `gusset doctor` asks for, on a machine that does nothing else.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "build/experiment.hpp"
#include "realtime/recorder.hpp"
#include "realtime/wake_up.hpp"
#include "support/allocation_counter.hpp"

namespace {

using namespace gusset;

constexpr char file[] = R"(duration = "60 s"
[structure]
mass = { values = [2.0, 2.0, 1.5], unit = "t" }
stiffness = { values = [1800, 1500, 1200], unit = "kN/m" }
damping = { values = [6, 5, 4], unit = "kN*s/m" }
[integrator]
dt = "1 ms"
[specimen]
kind = "dashpot"
storey = 1
acts = "drift"
damping = "20 kN*s/m"
[compensator]
kind = "polynomial"
delay = "4 ms"
[rig]
kind = "delay"
delay = "4 ms"
)";

struct Options {
  double seconds = 10;
  double round = 1;
  std::vector<double> rates;
  int load = static_cast<int>(std::thread::hardware_concurrency());
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (name == "--long") {
      options.seconds = 60;
      continue;
    }
    if (value == nullptr || std::atof(value) < 0) {
      std::fprintf(stderr, "see the head of bench/realtime.cpp for the options\n");
      std::exit(2);
    }
    if (name == "--seconds") options.seconds = std::atof(value);
    if (name == "--round") options.round = std::atof(value);
    if (name == "--rate") options.rates.push_back(std::atof(value));
    if (name == "--load") options.load = std::atoi(value);
    ++i;
  }
  if (options.rates.empty()) options.rates = {1024, 4096};
  return options;
}

/// A process that keeps processor, memory and disk busy until its parent ends.
pid_t start_load(const std::string& folder, int number) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::vector<char> block(8u << 20);
  const std::string name = folder + "/load" + std::to_string(number);
  for (char value = 0;; ++value) {
    std::memset(block.data(), value, block.size());
    if (FILE* out = std::fopen(name.c_str(), "w")) {
      std::fwrite(block.data(), 1, 1u << 18, out);
      std::fclose(out);
    }
  }
}

RecordingPlan plan_for(const Experiment& experiment, double period) {
  RecordingPlan plan;
  plan.title = "bench";
  StreamPlan stream{"structure", 0, period, {}, 0};
  for (int i = 0; i < 3 * experiment.structure().size(); ++i) {
    stream.signals.push_back({"signal" + std::to_string(i), "m"});
  }
  for (const Signal& signal : experiment.row().signals) {
    stream.signals.push_back({signal.name, signal.unit});
  }
  plan.streams = {stream};
  return plan;
}

struct Ours {
  Histogram latency, step, compute;
  std::int64_t faults = 0, missed = 0;
  std::size_t allocations = 0;
  std::uint64_t dropped = 0;

  void add(const Ours& other) {
    latency.add(other.latency);
    step.add(other.step);
    compute.add(other.compute);
    faults += other.faults;
    missed += other.missed;
    allocations += other.allocations;
    dropped += other.dropped;
  }
};

void run_ours(const Experiment& experiment, WakeUpOptions how, const std::string& folder, Ours& sum) {
  const std::string path = folder + "/bench.h5";
  std::filesystem::remove(path);
  // As gusset run does: the recorder is kept off the loop's core. The load is not.
  std::optional<Recorder> recorder;
  std::thread([&] {
    keep_off(how.core);
    recorder.emplace(RecorderOptions{.path = path}, plan_for(experiment, how.period));
  }).join();
  State state = experiment.start().state;
  Wires wires = experiment.wires();
  const auto own = static_cast<std::size_t>(3 * experiment.structure().size());
  const std::size_t width = experiment.row().size();
  std::vector<double> row(own + width);
  std::size_t allocations = 0;
  how.work = [&](std::int64_t k) {
    const test::AllocationCounter counter;
    const std::int64_t begun = now_ns();
    Input input;
    input.acceleration = 1e-3 * static_cast<double>(k % 7 - 3);  // nothing dies out to zero
    experiment.step(state, input, wires);
    sum.step.add(now_ns() - begun);
    std::copy_n(wires.at(experiment.response().displacement), own, row.begin());
    experiment.row().copy(wires, row.data() + own);
    recorder->push(0, k, row.data(), row.size());
    allocations += counter.count();
  };
  const WakeUp measured = measure_wake_up(how);
  recorder->finish();
  sum.latency.add(measured.latency);
  sum.compute.add(measured.compute);
  sum.faults += measured.faults.minor + measured.faults.major;
  sum.missed += measured.missed;
  sum.allocations += allocations;
  sum.dropped += recorder->dropped();
  std::filesystem::remove(path);
}

double us(std::int64_t nanoseconds) { return 1e-3 * static_cast<double>(nanoseconds); }

/// What one turn of both gave at a percentile, one ratio a turn, in order.
std::vector<double> ratios_of(const std::vector<std::pair<Histogram, Histogram>>& turns, double share) {
  std::vector<double> ratios;
  for (const auto& [a, b] : turns) {
    ratios.push_back(static_cast<double>(a.percentile(share)) /
                     static_cast<double>(std::max<std::int64_t>(b.percentile(share), 1)));
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

void print_latencies(const Ours& ours, const Histogram* theirs,
                     const std::vector<std::pair<Histogram, Histogram>>& turns) {
  for (const auto& [name, share] : {std::pair{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}}) {
    const std::int64_t a = ours.latency.percentile(share);
    std::printf("   wake-up %-6s  ours %9.1f us", name, us(a));
    if (theirs != nullptr) {
      const std::int64_t b = theirs->percentile(share);
      std::printf("   cyclictest %9.1f us", us(b));
      const std::vector<double> each = ratios_of(turns, share);
      if (b < 1'000'000) {
        std::printf("   ratio %.2f (at most 1.2 wanted)",
                    static_cast<double>(a) / static_cast<double>(std::max<std::int64_t>(b, 1)));
        // How far a machine that is shared moves it: what one turn says is little.
        std::printf("; turns %.2f … %.2f … %.2f", each[each.size() / 4], each[each.size() / 2],
                    each[3 * each.size() / 4]);
      } else {
        std::printf("   beyond its histogram");
      }
    }
    std::printf("\n");
  }
  std::printf("   wake-up max     ours %9.1f us", us(ours.latency.maximum()));
  if (theirs != nullptr) std::printf("   cyclictest %9.1f us", us(theirs->maximum()));
  std::printf("\n");
}

void measure(const Options& options, double rate, const std::string& folder) {
  const std::string dt = "integrator.dt=" + std::to_string(1e6 / rate) + " us";
  Document document = Document::parse(file, "bench");
  document.set(dt);
  const Experiment experiment = Experiment::build(document);
  WakeUpOptions how;
  how.period = 1 / rate;
  how.core = suggested_core();
  how.seconds = std::min(options.round, options.seconds);
  Ours ours;
  Histogram theirs;
  std::vector<std::pair<Histogram, Histogram>> turns;
  bool compared = true;
  int number = 0;
  for (double done = 0; done < options.seconds - 1e-9; done += how.seconds, ++number) {
    Ours turn;
    std::optional<Histogram> other;
    const auto them = [&] {
      if (compared) other = measure_with_cyclictest(how);
      compared = compared && other.has_value();
    };
    // Either goes first as often as the other: whoever comes second meets what the first leaves behind.
    if (number % 2 == 1) them();
    run_ours(experiment, how, folder, turn);
    if (number % 2 == 0) them();
    ours.add(turn);
    if (!other) continue;
    theirs.add(*other);
    turns.emplace_back(turn.latency, *other);
  }
  std::printf("%.0f Hz, %llu periods\n", rate, static_cast<unsigned long long>(ours.latency.count()));
  print_latencies(ours, compared ? &theirs : nullptr, turns);
  if (!compared) std::printf("   no cyclictest to compare with: apt-get install rt-tests\n");
  std::printf("   step            median %.2f us (below 2 wanted), p99.9 %.2f us, max %.1f us\n",
              us(ours.step.percentile(0.5)), us(ours.step.percentile(0.999)), us(ours.step.maximum()));
  std::printf("   with recording  median %.2f us, p99.9 %.2f us, max %.1f us\n",
              us(ours.compute.percentile(0.5)), us(ours.compute.percentile(0.999)),
              us(ours.compute.maximum()));
  std::printf(
      "   page faults %lld, allocations %zu (0 wanted); deadlines missed %lld, records dropped %llu\n",
      static_cast<long long>(ours.faults), ours.allocations, static_cast<long long>(ours.missed),
      static_cast<unsigned long long>(ours.dropped));
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  char pattern[] = "/tmp/gusset-bench-XXXXXX";
  if (::mkdtemp(pattern) == nullptr) return 2;
  const std::string folder = pattern;
  std::vector<pid_t> load;
  for (int i = 0; i < options.load; ++i) load.push_back(start_load(folder, i));
  {
    const RealtimeProcess process;
    for (const Grant& grant : process.grants()) {
      if (!grant.granted) std::printf("without %s: %s\n", grant.name.c_str(), grant.detail.c_str());
    }
    std::printf("load: %d processes\n", options.load);
    for (const double rate : options.rates) {
      measure(options, rate, folder);
      std::fflush(stdout);
    }
  }
  for (const pid_t child : load) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
