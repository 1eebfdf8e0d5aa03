#include "run_attach.hpp"

#include <iostream>

#include "common.hpp"
#include "session/socket_client.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace run_attach_private {

void print_status(const std::string& title, const Json& status) {
  std::cout << title << "\n\n"
            << "state       " << status.value("state", "") << '\n'
            << "time        " << readable(status.value("time", 0.0), "s") << " of "
            << readable(status.value("duration", 0.0), "s") << '\n'
            << "cause       " << status.value("cause", "") << '\n'
            << "missed      " << status.value("missed", 0) << " deadlines\n";
  if (status.contains("margin") && status["margin"].is_number()) {
    std::cout << "tightest    " << status.value("tightest", "") << ", "
              << brief(100 * status["margin"].get<double>()) << " % of its limit\n";
  }
}

}  // namespace run_attach_private

void AttachOptions::add_to(CLI::App& command) {
  auto* attach = command.add_option("--attach", run, "attach to the test that records into this file")
                     ->type_name("RUN.h5")
                     ->excludes("FILE");
  const auto flag = [&](const char* name, bool& value, const char* what) {
    return command.add_flag(name, value, what)->needs(attach);
  };
  flag("--status", status, "with --attach: say how it stands (the default)");
  flag("--hold", hold, "with --attach: hold");
  auto* resume_flag = flag("--resume", resume, "with --attach: go on")->excludes("--hold");
  auto* stop_flag = flag("--stop", stop, "with --attach: ramp down and end");
  stop_flag->excludes("--hold")->excludes(resume_flag);
  flag("--now", at_once, "with --stop: stop at once")->needs(stop_flag);
}

int attach(const AttachOptions& options, bool json) {
  SocketClient client(socket_of(options.run), "gusset run --attach");
  Json answer = options.hold     ? client.hold()
                : options.resume ? client.resume()
                : options.stop   ? client.stop(options.at_once)
                                 : client.status();
  const bool command = options.hold || options.resume || options.stop;
  const bool taken = answer.value("ok", false);
  if (json) {
    print(answer);
  } else if (!taken) {
    std::cerr << "gusset: the run refuses: " << answer.value("error", "") << '\n';
  } else if (command) {
    std::cout << "told the run of \"" << client.hello().value("title", "") << "\" to "
              << answer.value("do", "") << (options.at_once ? " at once" : "") << '\n';
  } else {
    run_attach_private::print_status(client.hello().value("title", ""), answer);
  }
  return taken ? good : bad;
}

}  // namespace gusset::app
