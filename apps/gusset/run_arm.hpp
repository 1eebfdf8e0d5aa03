#pragma once

#include <string>

#include "build/test.hpp"

namespace gusset::app {

/// Nothing that can hurt somebody moves because a script was started. Prints the checklist, says what the test will do and
/// waits for the operator's key; `arm` is the same said on the command line. Throws InputError where there is neither the
/// flag nor a terminal. False: the operator does not want to.
bool operator_arms(const Test& test, const std::string& checklist, bool arm);

}  // namespace gusset::app
