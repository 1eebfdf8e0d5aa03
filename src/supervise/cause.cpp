#include "supervise/cause.hpp"

namespace gusset {
namespace {

struct Line {
  const char* name;
  const char* text;
};

constexpr Line lines[cause_count] = {
    {"none", "nothing"},
    {"stroke", "a displacement passed its limit"},
    {"velocity", "a velocity passed its limit"},
    {"acceleration", "an acceleration passed its limit"},
    {"force", "a force passed its limit"},
    {"tracking", "the rig is too far from its target"},
    {"energy", "the tracking error feeds energy into the test"},
    {"stale feedback", "the rig's answers do not come any more"},
    {"deadline", "the loop missed its deadline"},
    {"non-finite", "a number is not finite"},
    {"lost link", "the other end of the link is gone"},
    {"recorder", "the recorder cannot keep the data"},
    {"rig", "the rig stopped by itself"},
    {"operator", "the operator ended the test"},
    {"emergency stop", "the operator stopped the test at once"},
    {"birth", "not reset yet"},
    {"hold expired", "the test was held and nobody resumed it"},
    {"frozen feedback", "the rig's answers bring nothing new"},
    {"no motion", "commands move and the rig does not"},
    {"sensor", "a sensor shows something else than the rehearsal"},
    {"tare", "a load cell shows more at rest than may be tared away"},
};

const Line& line_of(Cause cause) {
  const auto index = static_cast<std::uint32_t>(cause);
  return lines[index < cause_count ? index : static_cast<std::uint32_t>(Cause::rig)];
}

}  // namespace

const char* name_of(Cause cause) { return line_of(cause).name; }
const char* explain(Cause cause) { return line_of(cause).text; }

}  // namespace gusset
