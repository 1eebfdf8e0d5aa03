#include <unistd.h>

#include <csignal>
#include <iostream>
#include <thread>

#include "common.hpp"
#include "link/key.hpp"
#include "run_arm.hpp"
#include "run_attach.hpp"
#include "run_print.hpp"
#include "run_view.hpp"
#include "runs/atomic_file.hpp"
#include "session/answers.hpp"
#include "session/session.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace run_private {

struct Options {
  ExperimentOptions experiment;
  AttachOptions attach;
  SessionOptions session;
  std::string key;
  bool quiet = false, arm = false;
  double span = -1;
};

// What signal handlers may touch; null when there is no test any more.
std::atomic<Operator*> operators{nullptr};
void on_stop(int) {
  if (Operator* const own = operators.load()) own->press_stop();
}
void on_hold(int) {
  if (Operator* const own = operators.load()) own->press_hold();
}
void on_resume(int) {
  if (Operator* const own = operators.load()) own->press_resume();
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

void watch(const Session& session, bool quiet) {
  if (!quiet && isatty(STDIN_FILENO) != 0) {
    std::cerr << "h holds, r resumes, q or Ctrl-C ramps down, once more stops at once\n";
  }
  RunView view(session.status(), session.test().duration, quiet);
  while (session.running()) {
    usleep(20'000);
    watch_keys(view);
    view.show();
  }
  view.show(true);
}

int act(Options& options) {
  if (options.attach.wanted()) return attach(options.attach, options.experiment.json);
  if (options.experiment.file.empty()) throw CLI::RequiredError("FILE");
  Loaded loaded = load(options.experiment);
  if (options.span >= 0) loaded.realtime.span = options.span / 100;
  if (!options.key.empty()) {
    const SharedKey key = read_key(options.key, parse_url(options.session.rig, "--rig"));
    for (const std::string& remark : key.remarks) std::cerr << "note: " << remark << '\n';
    options.session.key = key.bytes;
  }
  const bool json = options.experiment.json, quiet = options.quiet || json;
  const bool lockstep = options.session.lockstep;

  options.session.operator_arms = [arm = options.arm](const Test& test, const std::string& checklist) {
    return operator_arms(test, checklist, arm);
  };
  Session session(std::move(loaded), std::move(options.session));
  operators = &session.operators();
  install_signals();
  const Arming& arming = session.arm();
  if (!quiet) {
    for (const ArmingItem& item : arming.items) {
      if (!item.ok) {
        std::cerr << (item.refuses ? "refused: " : "note: ") << item.name << ": " << item.detail << '\n';
      }
    }
    if (!session.socket_trouble().empty()) std::cerr << "note: socket: " << session.socket_trouble() << '\n';
  }
  if (arming.granted()) {
    session.start();
    watch(session, quiet);
  }
  const SessionResult result = session.finish();
  if (json) {
    print(to_json(result));
  } else if (result.arming.granted()) {
    print_result(result, lockstep);
  }
  print_trouble(result, *session.test().experiment);
  operators = nullptr;  // the session ends here
  return result.success() ? good : bad;
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->experiment.add_to(command);
  command.get_option("FILE")->required(false);  // --attach needs none
  SessionOptions& session = options->session;
  command
      .add_option("--rig", session.rig,
                  "where the rig is: local: (in this process), shm:NAME, udp://HOST:PORT, "
                  "tcp://HOST:PORT, plugin:LIBRARY or memory:PATH")
      ->type_name("URL")
      ->capture_default_str();
  command.add_option("--out", session.out, "record into this HDF5 file")->type_name("RUN.h5");
  command.add_flag("--force", session.force, "overwrite an existing file");
  command.add_flag("--lockstep", session.lockstep, "without a clock: as fast as the rig answers");
  command.add_option("--span", options->span, "share of the excitation [%]")->check(CLI::Range(0.0, 100.0));
  command
      .add_option("--fault", session.faults,
                  "make the link misbehave, e.g. \"loss 0.2 from 1 to 2\" (times in s)")
      ->allow_extra_args(false);
  command.add_option("--key", options->key, "file with the secret shared with the rig")->type_name("FILE");
  command.add_flag("--durable", session.durable, "survive a power cut, not only a crash");
  command.add_flag("--allow-degraded", session.allow_degraded,
                   "arm with hardware on a machine that is not fit for real time");
  command.add_flag("--arm", options->arm, "arm a real rig without asking on the terminal");
  command.add_flag("--force-unstable", session.force_unstable, "arm although the loop is unstable");
  command.add_flag("--quiet", options->quiet, "show nothing while the test runs");
  command.add_option("--socket", session.socket, "where others may attach; RUN.h5.socket unless given")
      ->type_name("PATH");
  options->attach.add_to(command);
  return [options] { return act(*options); };
}

}  // namespace run_private

const Verb run_verb{
    "run", "the test in real time, against a rig that is elsewhere",
    "Checks stability, limits, recorder and machine, then approaches, runs and comes back. Ctrl-C ramps "
    "down, a second one stops at once; h holds and r resumes (or SIGUSR1 and SIGUSR2). From "
    "another terminal --attach asks the running test how it stands, or holds, resumes and stops it.\n"
    "Exit status 1 if the test was not armed or ended early.\n"
    "Example: gusset rig quickstart --listen shm:lab &\n"
    "         gusset run quickstart --rig shm:lab --out run.h5\n"
    "         gusset run --attach run.h5 --hold",
    run_private::add};

}  // namespace gusset::app
