// Any bytes are a quantity or a UnitError, never a crash and never a number that is not finite.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/units.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

template <typename Parse>
void check(Parse parse, std::string_view text) {
  try {
    const gusset::Quantity quantity = parse(text);
    require(std::isfinite(quantity.value));
    const gusset::Quantity back = gusset::parse_unit(gusset::si_unit(quantity.dimension));
    require(back.dimension == quantity.dimension && back.value == 1);
  } catch (const gusset::UnitError& error) {
    require(error.position() <= text.size());
    require(!error.fix().empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(gusset::parse_quantity, text);
  check(gusset::parse_unit, text);
  return 0;
}
