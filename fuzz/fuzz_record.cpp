// Any bytes are a record of finite samples or an InputError.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "excitation/record.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const gusset::Record record =
        gusset::parse_csv_record({reinterpret_cast<const char*>(data), size}, "fuzz");
    const bool good = std::isfinite(record.dt) && record.dt > 0 &&
                      record.acceleration.size() >= 2 && std::isfinite(record.peak()) &&
                      std::isfinite(record.at(1.5 * record.dt));
    if (!good) std::abort();
  } catch (const gusset::InputError& error) {
    if (error.fix().empty()) std::abort();
  }
  return 0;
}
