// Any bytes are a square matrix of finite numbers or an InputError.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "structure/matrix_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const gusset::SquareMatrix matrix =
        gusset::parse_matrix({reinterpret_cast<const char*>(data), size}, "fuzz");
    const auto n = static_cast<std::size_t>(matrix.size);
    if (n < 1 || matrix.values.size() != n * n) std::abort();
    for (const double value : matrix.values) {
      if (!std::isfinite(value)) std::abort();
    }
  } catch (const gusset::InputError& error) {
    if (error.fix().empty()) std::abort();
  }
  return 0;
}
