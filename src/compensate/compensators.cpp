#include "compensate/kinds.hpp"

namespace gusset {

const CompensatorKind none_kind{"none",
                                "the command is the target; keys of other kinds are ignored",
                                "u = x",
                                {},
                                [](const CompensatorContext& context) -> std::unique_ptr<Compensator> {
                                  // Switched off with --set compensator.kind=none: the keys of the other kind may stay.
                                  for (const Entry& entry : context.section.entries)
                                    context.section.find(entry.key);
                                  return nullptr;
                                }};

namespace {

std::vector<const CompensatorKind*>& table() {
#define GUSSET_LINE(name) &name##_kind,
  static std::vector<const CompensatorKind*> kinds{GUSSET_COMPENSATORS(GUSSET_LINE)};
#undef GUSSET_LINE
  return kinds;
}

}  // namespace

const std::vector<const CompensatorKind*>& compensator_kinds() { return table(); }
void add_kind(const CompensatorKind& kind) { add_to(table(), kind); }
void remove_kind(const CompensatorKind& kind) { remove_from(table(), kind); }

std::unique_ptr<Compensator> make_compensator(const CompensatorContext& context) {
  return find_kind(compensator_kinds(), context.section, "none").make(context);
}

}  // namespace gusset
