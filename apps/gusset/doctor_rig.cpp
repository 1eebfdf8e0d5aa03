#include "doctor_rig.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "base/error.hpp"
#include "base/units.hpp"
#include "base/version.hpp"
#include "common.hpp"
#include "link/key.hpp"
#include "realtime/rig_examination.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace doctor_rig_private {

std::atomic<bool> doctor_stopped{false};

void on_doctor_stop(int) { doctor_stopped.store(true); }

const char* word(RigFinding::Verdict verdict) {
  switch (verdict) {
    case RigFinding::Verdict::right: return "ok";
    case RigFinding::Verdict::wrong: return "FAILED";
    case RigFinding::Verdict::untried: return "untried";
  }
  return "";
}

void print_finding(const RigFinding& finding) {
  std::printf("%-8s %-52s %s\n", word(finding.verdict), finding.duty.c_str(), finding.found.c_str());
  std::fflush(stdout);
}

/// A positive quantity of an option in one of these units. Throws InputError.
std::pair<std::string, double> quantity_of(const char* option, const std::string& text,
                                           std::initializer_list<const char*> units, const char* example) {
  const std::string fix = std::string("write e.g. ") + option + " \"" + example + "\"";
  Quantity quantity;
  try {
    quantity = parse_quantity(text);
  } catch (const UnitError& error) {
    throw InputError({option, 0, 0}, error.what(), fix);
  }
  if (!(quantity.value > 0)) throw InputError({option, 0, 0}, "\"" + text + "\" is not positive", fix);
  const std::string unit = si_unit(quantity.dimension);
  for (const char* allowed : units) {
    if (unit == allowed) return {unit, quantity.value};
  }
  throw InputError({option, 0, 0}, "\"" + text + "\" is given in a unit that makes no sense here", fix);
}

/// What the rig is told of the run: the file's channels, or the question which there are.
Hello hello_for(const RigDoctorOptions& options) {
  if (options.file.empty()) {
    Hello hello;
    hello.version = version;
    return hello;
  }
  ExperimentOptions experiment;
  experiment.file = options.file;
  experiment.assignments = options.assignments;
  const Loaded loaded = load(experiment);
  return hello_of(loaded.document, loaded.experiment(), false);
}

void ask_operator(const Hello& peer, const RigDoctorOptions& options, const RigExaminationOptions& how) {
  if (peer.rig == "virtual" || options.arm) return;
  if (isatty(STDIN_FILENO) == 0) {
    throw InputError({"--rig", 0, 0}, "the rig is real, and nobody has said that it may move",
                     "add --arm once it stands on blocks, without a specimen, and the laboratory is clear");
  }
  std::cerr << "The rig is real. Its channels will be moved one by one, by at most";
  for (const auto& [unit, amount] : how.amounts) std::cerr << ' ' << readable(amount, unit);
  std::cerr
      << " from where they stand; then commands cease in mid-motion. Is it on blocks, without a specimen?\n"
      << "Type arm and press Enter to go on; anything else ends it: " << std::flush;
  std::string line;
  std::getline(std::cin, line);
  if (line != "arm")
    throw InputError({"--rig", 0, 0}, "nobody has armed the examination", "nothing has moved");
}

}  // namespace doctor_rig_private

void RigDoctorOptions::add_to(CLI::App& command) {
  command.add_option("FILE", file, "with --rig: experiment whose channels the rig has")->type_name("FILE");
  command.add_option("--set", assignments, "with FILE: a key's value")->type_name("KEY=VALUE");
  command.add_option("--rig", url, "examine the rig that answers there")->type_name("URL");
  command.add_option("--key", key, "file with the secret shared with the rig")->type_name("FILE");
  command
      .add_option("--amount", amounts,
                  "how far a channel is moved at most, from where it stands (default 0.5 mm)")
      ->type_name("QUANTITY");
  command.add_option("--silence", silence, "how long commands cease in mid-motion")
      ->type_name("TIME")
      ->capture_default_str();
  command.add_flag("--try-nan", try_nan, "also send NaN, once: only with the oil off");
  command.add_flag("--arm", arm, "a rig that is real may move");
  for (const char* option : {"FILE", "--set", "--key", "--amount", "--silence", "--try-nan", "--arm"}) {
    command.get_option(option)->needs("--rig");
  }
}

int examine_rig_for(const RigDoctorOptions& options, bool json) {
  using namespace doctor_rig_private;
  const Url url = parse_url(options.url, "--rig");
  RigExaminationOptions how;
  if (!options.amounts.empty()) how.amounts.clear();
  for (const std::string& amount : options.amounts) {
    how.amounts.push_back(quantity_of("--amount", amount, {"m", "N", "m/s^2", "rad"}, "0.2 mm"));
  }
  how.silence = quantity_of("--silence", options.silence, {"s"}, "1.5 s").second;
  if (!options.key.empty()) {
    const SharedKey key = read_key(options.key, url);
    for (const std::string& remark : key.remarks) std::cerr << "note: " << remark << '\n';
    how.link.key = key.bytes;
  }
  Hello mine = hello_for(options);
  ask_operator(greet_rig(url, mine, how.link), options, how);
  if (!json) how.tell = print_finding;
  how.try_nan = options.try_nan;
  how.stop = &doctor_stopped;
  std::signal(SIGINT, on_doctor_stop);
  std::signal(SIGTERM, on_doctor_stop);
  std::signal(SIGHUP, on_doctor_stop);
  const RigExamination examination = examine_rig(url, mine, how);
  if (json) {
    Json findings = Json::array();
    for (const RigFinding& finding : examination.findings) {
      findings.push_back(
          {{"duty", finding.duty}, {"verdict", word(finding.verdict)}, {"found", finding.found}});
    }
    print({{"rig", url.text},
           {"says", examination.peer.rig},
           {"conforms", examination.conforms()},
           {"stopped", examination.stopped},
           {"findings", findings}});
  } else {
    if (examination.stopped) std::puts("\nstopped: the rig was told to stop, and not everything was tried");
    std::printf("\nThis rig %s.\n", examination.conforms() ? "did what it has to, as far as it was tried"
                                                           : "is not ready for a test; see FAILED above, and "
                                                             "docs/your-controller.md for what it has to do");
  }
  return examination.conforms() ? good : bad;
}

}  // namespace gusset::app
