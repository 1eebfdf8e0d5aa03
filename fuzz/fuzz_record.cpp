// Any bytes are a record of finite samples or an InputError, in whatever format they are taken for.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "excitation/record.hpp"
#include "excitation/record_formats.hpp"

namespace {

template <typename Parse>
void check(Parse parse) {
  try {
    const gusset::Record record = parse();
    const bool good = std::isfinite(record.dt) && record.dt > 0 && record.acceleration.size() >= 2 &&
                      std::isfinite(record.peak()) && std::isfinite(record.at(1.5 * record.dt));
    if (!good) std::abort();
  } catch (const gusset::InputError& error) {
    if (error.fix().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check([&] { return gusset::parse_csv_record(text, "fuzz"); });
  check([&] { return gusset::parse_record(text, "fuzz"); });
  check([&] { return gusset::parse_record(text, "fuzz", {0.01, "g", 2}); });
  return 0;
}
