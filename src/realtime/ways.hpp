#pragma once

#include <string>
#include <vector>

#include "analysis/needs.hpp"
#include "realtime/settings.hpp"
#include "realtime/travel.hpp"

namespace gusset {

/// How a channel may travel to the start of a test and back: half of what its limits allow, the other half of the
/// acceleration is the brake's; 0: no limit. @rt-safe
inline Travel::Pace travel_pace(const Guard& guard) noexcept {
  if (guard.force_control) return {};
  return {0.5 * guard.velocity.value_or(0), 0.5 * guard.acceleration.value_or(0)};
}

/// What `realtime.ramp` or `realtime.fade_out` comes to: the way of one channel between rest and a point of the test,
/// x = a + (b − a)·(10s³ − 15s⁴ + 6s⁵), s = t/T. Fastest 1.875·|b − a|/T, strongest 5.774·|b − a|/T².
struct TravelReview {
  std::string channel, unit;
  bool back = false;        ///< from the furthest point of the test; else to where it starts
  double distance = 0;      ///< of the channel's quantity
  double asked = 0;         ///< time that the file asks for [s]
  double takes = 0;         ///< time it takes to keep half of the limits [s]
  double velocity = 0;      ///< largest, a second
  double acceleration = 0;  ///< largest, a second squared

  bool slowed() const { return takes > asked * (1 + 1e-9); }
};

/// The ways of every channel that has any way to go, and what a careful engineer would remark on them.
std::vector<TravelReview> review_travel(const Test& test, const Review& review,
                                        const RealtimeSettings& settings);
std::vector<std::string> travel_warnings(const std::vector<TravelReview>& ways, const Review& review);

}  // namespace gusset
