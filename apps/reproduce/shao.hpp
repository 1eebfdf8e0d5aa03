#pragma once

#include <array>
#include <string_view>

#include "reproduce/reproduce.hpp"

/// What the two halves of Shao 2011 share: numerical simulation (shao_2011.cpp) and the tests on the
/// rig (shao_rig.cpp).
namespace gusset::reproduce {

/// A line of Table 3.
struct Loading {
  const char* name;
  const char* experiment;
  double alpha_m, alpha_l, alpha_p;
};

// Table 3, as simulated (N) and tested (E).
inline constexpr std::array<Loading, 6> table_3_cases{{{"1", "shao-case-1", 0.77, 0, 0},
                                                       {"2N", "shao-case-2n", 1, 0, 0},
                                                       {"2E", "shao-case-2e", 0, 0.5, 0.5},
                                                       {"3", "shao-case-3", 0, 0, 0},
                                                       {"4", "shao-case-4", 0, 1, 1},
                                                       {"5", "shao-case-5", 0, 1, 0}}};

inline constexpr std::string_view other_record =
    "El Centro at 0.3 g in place of the paper's record (Santa Monica City Hall, Northridge 1994), which is "
    "not shipped: "
    "amplitudes are others, the agreement between the cases is the same.";

/// Figs. 10 to 13.
void add_shao_rig_cases(std::vector<CaseEntry>& cases);

}  // namespace gusset::reproduce
