#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "document/document.hpp"

namespace gusset {

/// Something that goes wrong on a link between two instants of the test, on purpose.
struct Fault {
  enum class Kind {
    delay,       ///< answers come `value` seconds late
    jitter,      ///< the same, by a random time between 0 and `value`
    loss,        ///< a share `value` of the messages vanishes, both ways
    duplicate,   ///< a share `value` of the answers comes twice
    reorder,     ///< a share `value` of the answers changes places with the next
    freeze,      ///< answers carry new numbers on the envelope and old ones inside
    nan,         ///< the first measured signal is not a number
    disconnect,  ///< nothing passes any more, even after the end
  };
  Kind kind = Kind::delay;
  double from = 0, to = 0;  ///< [s]
  double value = 0;
};

/// [[faults]]: kind, from, to, and time or share.
std::vector<Fault> read_faults(const Document& document);
/// "loss 0.2 from 1 to 2": the same on the command line, times in seconds. Throws InputError.
Fault parse_fault(const std::string& text);
const char* name_of(Fault::Kind kind);

}  // namespace gusset
