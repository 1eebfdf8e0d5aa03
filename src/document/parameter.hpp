#pragma once

namespace gusset {

/// One key of a block's section, as the reference documentation and --help show it.
struct Parameter {
  const char* name;
  const char* unit;      ///< "kg"; "-" for a bare number; "word" for one of a set of words
  const char* fallback;  ///< default as written in a file; "" if the key must be given
  const char* meaning;
};

}  // namespace gusset
