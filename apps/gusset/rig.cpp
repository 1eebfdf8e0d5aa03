#include <csignal>
#include <cstdio>
#include <iostream>

#include "common.hpp"
#include "link/key.hpp"
#include "link/link.hpp"
#include "realtime/pace.hpp"
#include "realtime/rig_server.hpp"
#include "realtime/settings.hpp"
#include "runs/atomic_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace rig_private {

struct Options {
  ExperimentOptions experiment;
  std::string listen;
  std::string key;
  bool lockstep = false;
  bool once = false;
};

std::atomic<bool> stop{false};
void on_signal(int) { stop.store(true); }

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->experiment.add_to(command);
  command.add_option("--listen", options->listen, "shm:NAME, udp://HOST:PORT or tcp://HOST:PORT")
      ->required()
      ->type_name("URL");
  command.add_flag("--lockstep", options->lockstep,
                   "wait for every command, however long it takes: no clock");
  command.add_flag("--once", options->once, "leave after one session");
  command.add_option("--key", options->key, "file with the secret shared with the run")->type_name("FILE");
  return [options] {
    const Loaded loaded = load(options->experiment);
    const Url url = parse_url(options->listen, "--listen");
    Hello hello = hello_of(loaded.document, loaded.experiment(), options->lockstep);
    hello.rig = "virtual";
    LinkOptions link_options;
    if (!options->key.empty()) {
      const SharedKey key = read_key(options->key, url);
      for (const std::string& remark : key.remarks) std::cerr << "note: " << remark << '\n';
      link_options.key = key.bytes;
    }
    RigCore core(loaded.test);
    const std::unique_ptr<ServerLink> link = listen_link(url, hello, link_options);

    RigServerOptions server;
    server.lockstep = options->lockstep;
    server.coasts = loaded.realtime.on_miss.value_or(OnMiss::catch_up) != OnMiss::catch_up;
    server.period = loaded.experiment().rig_dt();
    server.heartbeat = loaded.realtime.heartbeat_of(false);
    server.once = options->once;
    server.log = [](const std::string& text) { std::cerr << text << std::flush; };
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    std::signal(SIGPIPE, SIG_IGN);
    std::cerr << "rig of \"" << loaded.experiment().title() << "\" listens at " << link->address() << '\n';
    std::optional<RealtimeProcess> process;
    if (!options->lockstep) {
      process.emplace();
      make_realtime({loaded.realtime.priority, -1});
    }
    RigServer rig(*link, core, server);
    const int sessions = rig.serve(stop);
    if (options->experiment.json) {
      print({{"listen", link->address()},
             {"sessions", sessions},
             {"commands", rig.last().commands},
             {"cause", name_of(rig.last().cause)},
             {"safe_after", 1e-9 * static_cast<double>(rig.last().safe_after)},
             {"heartbeat", server.heartbeat},
             {"refused", link->refused()}});
    }
    return rig.last().cause == Cause::none ? good : bad;
  };
}

}  // namespace rig_private

const Verb rig_verb{
    "rig", "the virtual rig as a process of its own, for gusset run",
    "Builds transfer systems, specimens and sensors of the same experiment file and answers commands "
    "over a link. It keeps the limits of its own file, which no peer can change, and stands still when "
    "the run falls silent. Ends with Ctrl-C.\n"
    "Exit status 1 if the last session ended by a limit or a lost link.\n"
    "Example: gusset rig quickstart --listen shm:lab",
    rig_private::add};

}  // namespace gusset::app
