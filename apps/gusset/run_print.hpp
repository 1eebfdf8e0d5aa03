#pragma once

#include "session/session.hpp"

namespace gusset::app {

/// What came of a test, for people.
void print_result(const SessionResult& result, bool lockstep);
/// What went wrong, on standard error.
void print_trouble(const SessionResult& result, const Experiment& experiment);

}  // namespace gusset::app
