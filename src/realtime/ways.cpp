#include "realtime/ways.hpp"

#include <algorithm>
#include <cmath>

#include "base/quantity_text.hpp"

namespace gusset {
namespace {

const Need* need_of(const Review& review, const std::string& channel, const std::string& quantity) {
  for (const ChannelReview& reviewed : review.channels) {
    if (reviewed.name != channel) continue;
    for (const Need& need : reviewed.needs) {
      if (need.quantity == quantity) return &need;
    }
  }
  return nullptr;
}

TravelReview way_of(const Channel& channel, const Guard& guard, double distance, double asked, bool back) {
  TravelReview way;
  way.channel = channel.name();
  way.unit = channel.unit();
  way.back = back;
  way.distance = std::abs(distance);
  way.asked = asked;
  const Travel::Pace pace = travel_pace(guard);
  way.takes = Path::duration_for(distance, asked, pace.velocity, pace.acceleration);
  way.velocity = 1.875 * way.distance / way.takes;
  way.acceleration = 5.7735026918962584 * way.distance / (way.takes * way.takes);
  return way;
}

}  // namespace

std::vector<TravelReview> review_travel(const Test& test, const Review& review,
                                        const RealtimeSettings& settings) {
  const Experiment& experiment = *test.experiment;
  const Experiment::Start start = test.start();
  const std::vector<Guard> guards = experiment.guards();
  std::vector<TravelReview> ways;
  for (std::size_t c = 0; c < experiment.channels().size(); ++c) {
    const Channel& channel = experiment.channels()[c];
    const int target = experiment.row().index(channel.name() + ".target");
    if (target >= 0) {
      const double begins = start.row[experiment.row().ports[static_cast<std::size_t>(target)]];
      if (std::abs(begins) > Travel::close_enough) {
        ways.push_back(way_of(channel, guards[c], begins, settings.ramp, false));
      }
    }
    const Need* furthest = need_of(review, channel.name(), name_of(channel.control));
    if (furthest != nullptr && furthest->needed > Travel::close_enough) {
      ways.push_back(way_of(channel, guards[c], furthest->needed, settings.fade_out, true));
    }
  }
  return ways;
}

std::vector<std::string> travel_warnings(const std::vector<TravelReview>& ways, const Review& review) {
  std::vector<std::string> warnings;
  for (const TravelReview& way : ways) {
    const Need* velocity = need_of(review, way.channel, "velocity");
    if (way.unit != "m" || velocity == nullptr || way.velocity <= velocity->needed) continue;
    const char* const key = way.back ? "realtime.fade_out" : "realtime.ramp";
    warnings.push_back(way.channel + (way.back ? ": the way back from " : ": the approach to ") +
                       readable(way.distance, "m") + " in " + readable(way.takes, "s") + " goes at " +
                       readable(way.velocity, "m/s") + ", faster than the test itself (" +
                       readable(velocity->needed, "m/s") + "): lengthen " + key + " or set limits.velocity");
  }
  return warnings;
}

}  // namespace gusset
