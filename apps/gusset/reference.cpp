#include <iostream>
#include <memory>

#include "build/loadings.hpp"
#include "compensate/compensator.hpp"
#include "integrate/integrator.hpp"
#include "rig/rig.hpp"
#include "rig/sensor.hpp"
#include "rig/specimen.hpp"
#include "structure/restoring.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace reference_private {

/// A cell of a Markdown table: bars would end it.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, "\\");
  }
  return text;
}

void keys(const std::vector<Parameter>& parameters) {
  std::cout << "\n| key | unit | default | meaning |\n|---|---|---|---|\n";
  for (const Parameter& p : parameters) {
    std::cout << "| `" << p.name << "` | " << cell(p.unit) << " | "
              << (*p.fallback == '\0' ? "" : "`" + cell(p.fallback) + "`") << " | " << cell(p.meaning)
              << " |\n";
  }
}

template <class Kind>
void section(const char* title, const char* key, const std::vector<const Kind*>& kinds) {
  std::cout << "\n## " << title << "\n\nChosen by `" << key << "`.\n";
  for (const Kind* kind : kinds) {
    std::cout << "\n### `" << kind->name << "`\n\n"
              << kind->summary << ".\n\n```text\n"
              << kind->equations << "\n```\n";
    if constexpr (requires { kind->controls; }) {
      std::string told;
      for (const Control control : kind->controls)
        told += (told.empty() ? "" : ", ") + std::string(name_of(control));
      std::cout << "\nCommands: " << told << ".\n";
    }
    if (!kind->parameters.empty()) keys(kind->parameters);
  }
}

/// The command line: what --help says of each verb.
int verbs(const CLI::App& program) {
  std::cout << "# Verbs\n\nWhat `gusset VERB --help` prints, one after the other. This page is what `gusset "
               "reference "
               "--verbs` prints; a\ntest compares the two, and another runs every example.\n";
  for (const CLI::App* verb : program.get_subcommands({})) {
    std::cout << "\n## " << verb->get_name() << "\n\n```text\n";
    const std::string help = verb->help();
    std::cout << help.substr(0, help.find_last_not_of('\n') + 1) << "\n```\n";
  }
  return good;
}

std::function<int()> add(CLI::App& command) {
  auto of_verbs = std::make_shared<bool>(false);
  command.add_flag("--verbs", *of_verbs, "the verbs of the command line instead: every --help");
  return [of_verbs, &command] {
    if (*of_verbs) return verbs(*command.get_parent());
    std::cout
        << "# Reference\n\n"
           "Every loading, integrator, specimen, restoring force, rig and compensator, as the program knows "
           "them. This\npage is what `gusset reference` prints; a test compares the two. In equations a "
           "prime marks the next step, or\na rate where that is plain; units are examples, any of the same "
           "dimension will do.\n";
    section("Loadings", "method.kind", loading_kinds());
    section("Integrators", "integrator.kind", integrator_kinds());
    section("Restoring forces",
            "kind` of a `[[structure.restoring]]`, in a numerical storey, or `specimen.kind",
            restoring_kinds());
    std::vector<const SpecimenKind*> others;
    for (const SpecimenKind* kind : specimen_kinds()) {
      bool restoring = false;
      for (const RestoringKind* other : restoring_kinds()) {
        restoring = restoring || std::string_view(other->name) == kind->name;
      }
      if (!restoring) others.push_back(kind);
    }
    section("Specimens", "specimen.kind", others);
    section("Rigs", "rig.kind", rig_kinds());
    std::cout << "\n### What a rig can do\n\nKeys of `[rig]` that every kind takes; `gusset check` compares "
                 "them with what the test needs.\n";
    keys(capacity_keys());
    std::cout << "\n## Sensors\n\n`[sensor]`, or one `[[sensor]]` a specimen: what is measured of the "
                 "rig's displacement and force.\n";
    keys(sensor_keys());
    section("Compensators", "compensator.kind", compensator_kinds());
    return good;
  };
}

}  // namespace reference_private

const Verb reference_verb{
    "reference", "every loading, integrator, specimen, restoring force and rig with its parameters",
    "Prints Markdown made from the program's own tables; with --verbs, from its own help.\n"
    "Examples: gusset reference > reference.md\n"
    "          gusset reference --verbs > verbs.md",
    reference_private::add};

}  // namespace gusset::app
