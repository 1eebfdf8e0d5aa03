#include <pthread.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <iostream>
#include <thread>

#include "analysis/indicators.hpp"
#include "analysis/needs.hpp"
#include "analysis/simulation.hpp"
#include "base/version.hpp"
#include "common.hpp"
#include "link/link.hpp"
#include "link/local.hpp"
#include "realtime/arming.hpp"
#include "realtime/faulty_link.hpp"
#include "realtime/recorder_sink.hpp"
#include "realtime/run_loop.hpp"
#include "run_arm.hpp"
#include "run_view.hpp"
#include "runs/atomic_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace run_private {

struct Options {
  ExperimentOptions experiment;
  std::string rig = "local:";
  std::string out, key;
  bool force = false, lockstep = false, durable = false, quiet = false;
  bool allow_degraded = false, force_unstable = false, arm = false;
  double span = -1;
  std::vector<std::string> faults;
};

// What signal handlers may touch.
Operator operators;
void on_stop(int) { operators.stops.fetch_add(1, std::memory_order_relaxed); }
void on_hold(int) {
  operators.resume.store(false, std::memory_order_relaxed);
  operators.hold.store(true, std::memory_order_relaxed);
}
void on_resume(int) {
  operators.hold.store(false, std::memory_order_relaxed);
  operators.resume.store(true, std::memory_order_relaxed);
}

RecordingPlan make_plan(const Loaded& loaded, const Options& options) {
  RecordingPlan plan;
  plan.title = loaded.experiment().title();
  plan.version = version;
  plan.experiment_name = loaded.document.name();
  plan.experiment_text = loaded.document.text();
  plan.overrides = loaded.document.assignments();
  plan.created = now_utc();
  plan.streams = run_streams(loaded.test).plans;
  plan.event_texts = event_texts();
  const RealtimeSettings& realtime = loaded.realtime;
  plan.texts.emplace_back("environment", environment_json());
  plan.texts.emplace_back("run", Json{{"rig", options.rig},
                                      {"lockstep", options.lockstep},
                                      {"span", realtime.span},
                                      {"fade_in", realtime.fade_in}}
                                     .dump(2));
  return plan;
}

Json histogram_json(const Histogram& histogram) {
  return {{"count", histogram.count()},
          {"p50", 1e-9 * static_cast<double>(histogram.percentile(0.5))},
          {"p99", 1e-9 * static_cast<double>(histogram.percentile(0.99))},
          {"p999", 1e-9 * static_cast<double>(histogram.percentile(0.999))},
          {"max", 1e-9 * static_cast<double>(histogram.maximum())},
          {"overflow", histogram.overflow()}};
}

void print_histogram(const char* name, const Histogram& histogram) {
  const auto micro = [](std::int64_t nanoseconds) { return 1e-3 * static_cast<double>(nanoseconds); };
  std::printf("   %-12s median %8.1f us   99 %% %8.1f us   99.9 %% %8.1f us   worst %8.1f us\n", name,
              micro(histogram.percentile(0.5)), micro(histogram.percentile(0.99)),
              micro(histogram.percentile(0.999)), micro(histogram.maximum()));
}

/// Reference and summary of the finished test, from what was recorded.
void complete(const Test& test, const RealtimeSettings& settings, Run& run) {
  std::vector<Table> tables;
  for (const Table& table : run.tables) {
    if (table.name == "structure" || table.name == "rig") tables.push_back(table);
  }
  if (tables.empty() || tables.front().rows() == 0) return;
  const std::size_t before = tables.size();
  // The reference is of the whole excitation.
  if (settings.span == 1 && settings.fade_in == 0) add_reference(test, tables);
  summarize(tables, run.summary);
  for (std::size_t i = before; i < tables.size(); ++i) run.tables.push_back(tables[i]);
}

void install_signals() {
  struct sigaction action {};
  action.sa_handler = on_stop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A terminal that is closed, or whose connection drops, takes the test down gently.
  sigaction(SIGHUP, &action, nullptr);
  sigaction(SIGQUIT, &action, nullptr);
  action.sa_handler = on_hold;
  sigaction(SIGUSR1, &action, nullptr);
  action.sa_handler = on_resume;
  sigaction(SIGUSR2, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGTSTP, &action, nullptr);  // Ctrl-Z would freeze the loop in full motion
}

void watch_keys(const RunView& view) {
  switch (view.key()) {
    case 'h': on_hold(0); break;
    case 'r': on_resume(0); break;
    case 'q': on_stop(0); break;
    default: break;
  }
}

int act(const Options& options) {
  Loaded loaded = load(options.experiment);
  ArmingOptions arming_options;
  arming_options.on_miss = loaded.realtime.on_miss;
  for (const Fault& fault : loaded.realtime.faults) arming_options.faults.emplace_back(name_of(fault.kind));
  arming_options.asked_faults = options.faults;
  if (options.span >= 0) loaded.realtime.span = options.span / 100;
  for (const std::string& fault : options.faults) {
    loaded.realtime.faults.push_back(parse_fault(fault));
  }
  const Experiment& experiment = loaded.experiment();
  const Url url = parse_url(options.rig, "--rig");
  if (options.out.empty()) {
    throw InputError({"--out", 0, 0}, "nothing would record the test, so it cannot be armed",
                     "add --out run.h5");
  }
  require_writable(options.out, options.force);
  if (!options.lockstep && !(experiment.rig_dt() >= 1e-6)) {
    throw InputError({options.experiment.file, 0, 0}, "no machine keeps a rig's step below 1 us",
                     "lengthen rig.dt, or rehearse with gusset simulate");
  }
  // Before anybody waits for us, and before there is a recording that a refusal would leave behind.
  const Review rehearsal = review(loaded.test, loaded.realtime);

  // The rig.
  const Hello hello = hello_of(loaded.document, experiment, options.lockstep);
  LinkOptions link_options;
  if (!options.key.empty()) link_options.key = read_file(options.key);
  std::unique_ptr<Link> link;
  if (url.scheme == "local") {
    link = std::make_unique<LocalLink>(loaded.test, hello);
  } else if (url.scheme == "memory") {
    link = connect_memory(url, hello, loaded.realtime.memory);
  } else {
    link = connect_link(url, hello, link_options);
  }
  RealClock real;
  std::unique_ptr<Link> sound;  // what is behind the faults
  if (!loaded.realtime.faults.empty()) {
    sound = std::move(link);
    link = std::make_unique<FaultyLink>(*sound, loaded.realtime.faults, real, hello.feedback.size(),
                                        experiment.rig_dt());
  }
  LoopOptions how;
  how.settings = loaded.realtime;
  // What does not say that it is virtual is taken for something that can break.
  how.hardware = link->peer().rig != "virtual";
  how.lockstep = options.lockstep;
  how.on_miss = policy_with(how.hardware, loaded.realtime.on_miss);
  if (how.hardware && !operator_arms(experiment, loaded.test.duration, options.arm)) {
    std::cerr << "gusset: not armed, nothing has moved\n";
    return bad;
  }

  // The machine.
  std::optional<RealtimeProcess> process;
  Readiness readiness;
  const int core = loaded.realtime.core >= 0 ? loaded.realtime.core : suggested_core();
  if (!options.lockstep) {
    readiness = examine();
    process.emplace();
    keep_off(core);  // this thread and the recorder's: only the loop belongs there
  }
  RecordingPlan plan = make_plan(loaded, options);
  if (!options.lockstep) plan.texts.emplace_back("readiness", readiness.to_json());
  Recorder recorder({.path = options.out, .force = options.force, .durable = options.durable}, plan);
  RecorderSink sink(recorder);
  VirtualClock virtual_clock;
  Clock& clock = options.lockstep ? static_cast<Clock&>(virtual_clock) : real;
  RunLoop loop(loaded.test, *link, clock, sink, how);

  std::vector<Grant> grants;
  if (process) grants = process->grants();

  install_signals();
  std::atomic<int> stage{0};  // 0 preparing, 1 prepared, 2 go, 3 leave, 4 done
  std::thread thread([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    if (!options.lockstep) {
      for (Grant& grant : make_realtime({loaded.realtime.priority, core})) grants.push_back(grant);
      loop.warm_up();
    }
    stage.store(1);
    stage.notify_all();
    stage.wait(1);
    if (stage.load() == 2) loop.run(operators);
    stage.store(4);
    stage.notify_all();
  });
  stage.wait(0);
  arming_options.hardware = how.hardware;
  arming_options.lockstep = options.lockstep;
  arming_options.allow_degraded = options.allow_degraded;
  arming_options.force_unstable = options.force_unstable;
  const Arming arming =
      examine_arming(experiment, rehearsal, loop.limits(), readiness, grants, arming_options);
  if (!options.quiet && !options.experiment.json) {
    for (const ArmingItem& item : arming.items) {
      if (!item.ok) {
        std::cerr << (item.refuses ? "refused: " : "note: ") << item.name << ": " << item.detail << '\n';
      }
    }
  }
  if (arming.granted()) {
    stage.store(2);
    stage.notify_all();
    if (!options.quiet && !options.experiment.json && isatty(STDIN_FILENO) != 0) {
      std::cerr << "h holds, r resumes, q or Ctrl-C ramps down, once more stops at once\n";
    }
    RunView view(loop.status(), loaded.test.duration, options.quiet || options.experiment.json);
    while (stage.load() != 4) {
      usleep(20'000);
      watch_keys(view);
      view.show();
    }
    view.show(true);
  } else {
    stage.store(3);
    stage.notify_all();
  }
  thread.join();
  const LoopResult& result = loop.finish();
  link->close();
  process.reset();

  // What is left of it.
  Closing closing;
  closing.texts.emplace_back("arming", arming.to_json());
  closing.summary = {
      {"realtime.missed", static_cast<double>(result.missed)},
      {"realtime.late_answers", static_cast<double>(result.late_answers)},
      {"realtime.page_faults", static_cast<double>(result.page_faults.minor + result.page_faults.major)}};
  closing.histograms = {to_run(result.wake_up, "wake_up"), to_run(result.compute, "compute"),
                        to_run(result.round_trip, "round_trip")};
  const std::string trouble = recorder.trouble();
  std::vector<std::pair<std::string, double>> summary;
  std::optional<InputError> unfinished;  // the raw recording is there, the run file is not
  if (arming.granted()) {
    try {
      recorder.finish(closing, [&](Run& run) {
        complete(loaded.test, loaded.realtime, run);
        summary = run.summary;
      });
    } catch (const InputError& error) {
      unfinished.emplace(error);
    }
  } else {
    recorder.discard();
  }

  const bool kept = arming.granted() && !unfinished;
  const bool success = kept && result.completed && result.first_out == Cause::none && trouble.empty();
  if (options.experiment.json) {
    Json numbers = Json::object();
    for (const auto& [name, value] : summary) numbers[name] = number(value);
    print({{"title", experiment.title()},
           {"rig", url.text},
           {"armed", arming.granted()},
           {"completed", result.completed},
           {"state", name_of(result.state)},
           {"cause", name_of(result.first_out)},
           {"action", name_of(result.action)},
           {"rig_cause", name_of(result.rig_cause)},
           {"passed", passed_json(result.finding, experiment)},
           {"time", result.time},
           {"commands", result.commands},
           {"missed", result.missed},
           {"late_answers", result.late_answers},
           {"page_faults", result.page_faults.minor + result.page_faults.major},
           {"wake_up", histogram_json(result.wake_up)},
           {"compute", histogram_json(result.compute)},
           {"round_trip", histogram_json(result.round_trip)},
           {"arming", Json::parse(arming.to_json())},
           {"out", kept ? Json(options.out) : Json(nullptr)},
           {"summary", numbers}});
  } else if (arming.granted()) {
    std::cout << experiment.title() << "\n\n"
              << result.commands << " commands in " << readable(result.time, "s") << " of test; "
              << result.missed << " deadlines missed, " << result.late_answers << " answers late, "
              << result.page_faults.minor + result.page_faults.major << " page faults\n\ntiming\n";
    if (!options.lockstep) {
      std::fflush(stdout);
      print_histogram("wake-up", result.wake_up);
      print_histogram("compute", result.compute);
      print_histogram("round trip", result.round_trip);
    }
    std::puts("\ntracking");
    for (const auto& [name, value] : summary) {
      if (!name.starts_with("tracking.")) continue;
      const bool share = name.ends_with(".nrmse") || name.ends_with(".peak");
      if (!share && !name.ends_with("delay")) continue;
      std::printf("   %-42s %s\n", name.c_str(),
                  share ? (brief(100 * value) + " %").c_str() : readable(value, "s").c_str());
    }
    if (kept) std::printf("\nresults in %s\n", options.out.c_str());
    std::fflush(stdout);
  }
  if (!arming.granted()) {
    std::cerr << "gusset: not armed, nothing has moved: see above\n";
  } else if (result.first_out != Cause::none || !result.completed) {
    std::cerr << "gusset: the test ended early at t = " << brief(result.time)
              << " s: " << explain(result.first_out);
    if (result.first_out == Cause::rig) std::cerr << " (" << explain(result.rig_cause) << ")";
    if (result.finding && result.finding->cause == result.first_out) {
      std::cerr << " (" << passed_text(*result.finding, experiment) << ")";
    }
    if (!trouble.empty()) std::cerr << "; " << trouble;
    std::cerr << '\n';
    if (kept) std::cerr << "  what was recorded until then is in " << options.out << '\n';
  } else if (!trouble.empty()) {
    std::cerr << "gusset: the test is over, but not all of it is recorded: " << trouble << '\n';
  }
  if (unfinished) std::cerr << "gusset: " << unfinished->what() << '\n';
  return success ? good : bad;
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->experiment.add_to(command);
  command
      .add_option("--rig", options->rig,
                  "where the rig is: local: (in this process), shm:NAME, udp://HOST:PORT, "
                  "tcp://HOST:PORT, plugin:LIBRARY or memory:PATH")
      ->type_name("URL")
      ->capture_default_str();
  command.add_option("--out", options->out, "record into this HDF5 file")->type_name("RUN.h5");
  command.add_flag("--force", options->force, "overwrite an existing file");
  command.add_flag("--lockstep", options->lockstep, "without a clock: as fast as the rig answers");
  command.add_option("--span", options->span, "share of the excitation [%]")->check(CLI::Range(0.0, 100.0));
  command
      .add_option("--fault", options->faults,
                  "make the link misbehave, e.g. \"loss 0.2 from 1 to 2\" (times in s)")
      ->allow_extra_args(false);
  command.add_option("--key", options->key, "file with the secret shared with the rig")->type_name("FILE");
  command.add_flag("--durable", options->durable, "survive a power cut, not only a crash");
  command.add_flag("--allow-degraded", options->allow_degraded,
                   "arm with hardware on a machine that is not fit for real time");
  command.add_flag("--arm", options->arm, "arm a real rig without asking on the terminal");
  command.add_flag("--force-unstable", options->force_unstable, "arm although the loop is unstable");
  command.add_flag("--quiet", options->quiet, "show nothing while the test runs");
  return [options] { return act(*options); };
}

}  // namespace run_private

const Verb run_verb{
    "run", "the test in real time, against a rig that is elsewhere",
    "Checks stability, limits, recorder and machine, then approaches, runs and comes back. Ctrl-C ramps "
    "down, a second one stops at once; h holds and r resumes (or SIGUSR1 and SIGUSR2).\n"
    "Exit status 1 if the test was not armed or ended early.\n"
    "Example: gusset rig quickstart --listen shm:lab &\n"
    "         gusset run quickstart --rig shm:lab --out run.h5",
    run_private::add};

}  // namespace gusset::app
