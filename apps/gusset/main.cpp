#include <csignal>
#include <iostream>

#include "base/error.hpp"
#include "base/version.hpp"
#include "help.hpp"
#include "verb.hpp"

namespace {

using gusset::app::Verb;

const Verb* const verbs[] = {
    &gusset::app::list_verb,    &gusset::app::check_verb,     &gusset::app::analyze_verb,
    &gusset::app::map_verb,     &gusset::app::bode_verb,      &gusset::app::simulate_verb,
    &gusset::app::export_verb,  &gusset::app::reference_verb, &gusset::app::identify_verb,
    &gusset::app::run_verb,     &gusset::app::rig_verb,       &gusset::app::replay_verb,
    &gusset::app::record_verb,  &gusset::app::response_verb,  &gusset::app::split_verb,
    &gusset::app::recover_verb, &gusset::app::doctor_verb,    &gusset::app::report_verb,
    &gusset::app::compare_verb, &gusset::app::reproduce_verb, &gusset::app::completion_verb,
};

/// A verb nobody knows is named, with the nearest one; CLI11 would only say that one is missing.
void require_known_verb(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string_view> names;
  for (const Verb* verb : verbs) {
    if (std::string_view(argv[1]) == verb->name) return;
    names.emplace_back(verb->name);
  }
  const std::string_view close = gusset::nearest(argv[1], names);
  throw gusset::InputError({}, "there is no verb \"" + std::string(argv[1]) + "\"",
                           (close.empty() ? std::string() : "did you mean " + std::string(close) + "? ") +
                               "The verbs are " + gusset::alternatives(names));
}

int run(int argc, char** argv) {
  require_known_verb(argc, argv);
  CLI::App app{
      "real-time hybrid simulation. One file describes a test; the same file is checked, "
      "rehearsed, run and reported",
      "gusset"};
  app.set_version_flag("--version", std::string("gusset ") + gusset::version);
  app.require_subcommand(1);
  app.formatter(std::make_shared<gusset::app::HelpFormatter>());  // verbs take it over
  app.footer(
      "Most verbs take an experiment file, or the name of a shipped one, and --set key=value to change "
      "any key of it. With --json a verb prints one JSON object on standard output and nothing else; "
      "messages go to standard error.\n"
      "Examples: gusset list\n"
      "          gusset check quickstart\n"
      "          gusset analyze quickstart --set \"rig.delay=5 ms\"\n"
      "          gusset simulate quickstart --out run.h5\n"
      "          gusset report run.h5");
  int status = gusset::app::good;
  for (const Verb* verb : verbs) {
    CLI::App* command = app.add_subcommand(verb->name, verb->summary);
    command->footer(verb->details);
    command->final_callback([&status, act = verb->add(*command)] { status = act(); });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? gusset::app::good : gusset::app::bad_input;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  // A file-size limit must come back as a failed write with a message, not as a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const gusset::InputError& error) {
    std::cerr << "gusset: " << error.what() << '\n';
  } catch (const std::bad_alloc&) {
    std::cerr << "gusset: not enough memory\n  fix: shorten the test or lengthen its step\n";
  } catch (const std::exception& error) {
    std::cerr << "gusset: " << error.what() << '\n';
  }
  return gusset::app::bad_input;
}
