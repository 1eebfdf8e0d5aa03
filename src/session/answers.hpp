#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>

#include "analysis/stability.hpp"
#include "base/channel.hpp"
#include "realtime/arming.hpp"
#include "realtime/histogram.hpp"
#include "supervise/judge.hpp"

// Answers of a session as JSON, one function each: what the command line prints, a socket sends and a language
// binding returns.

namespace gusset {

struct SessionResult;

/// Numbers that are not finite become null.
nlohmann::ordered_json json_number(double value);

/// A limit that was passed: cause, signal, unit, value, limit and instant; null if none was.
nlohmann::ordered_json to_json(const std::optional<Finding>& passed, std::span<const Channel> channels);
/// The verdict on stability, its sentence, and the four answers that it comes from.
nlohmann::ordered_json to_json(const StabilityReport& stability);
/// Count, percentiles and maximum in seconds.
nlohmann::ordered_json to_json(const Histogram& histogram);
nlohmann::ordered_json to_json(const Arming& arming);
nlohmann::ordered_json to_json(const SessionResult& result);

}  // namespace gusset
