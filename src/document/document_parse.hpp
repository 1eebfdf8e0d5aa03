#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "document/document.hpp"

namespace gusset::detail {

/// TOML taken apart into sections in file order; the first is the top. Throws InputError.
std::deque<Section> flatten_toml(std::string_view text, const std::string& name);

/// The same for one assignment: `path` is dotted, `value` is TOML or else a plain string. `option`
/// is what messages name.
std::deque<Section> flatten_assignment(std::string_view path, std::string_view value,
                                       const std::string& option);

/// toml++ 3.3 has holes that bytes from outside must not reach: it makes a table of every dot of a
/// key and frees them recursively without a bound; it asserts (or, in release builds, assumes) that
/// a section heading starts like a key and that brackets match; and it declares unreachable what
/// some non-ASCII characters outside strings do reach. Throws InputError for each; none is valid
/// TOML, but for the many dots.
void refuse_what_breaks_the_parser(std::string_view text, const std::string& name);

/// The shortest text that reads back as the same number.
std::string spell_number(double value);

/// Letters, digits, '_' and '-'. A dot would make a dotted path ambiguous.
bool is_key(std::string_view key);

}  // namespace gusset::detail
