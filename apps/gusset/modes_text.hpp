#pragma once

#include "analysis/mode_table.hpp"
#include "common.hpp"

namespace gusset::app {

/// One table of modes for `check` and `analyze`.
void print_modes(const ModeTable& table, bool large);

/// The rows: `frequency`, `damping` of the test, `exact_frequency`, `exact_damping`, `period_elongation`,
/// `period_error` (deprecated), `shape`.
Json modes_json(const ModeTable& table);

}  // namespace gusset::app
