#include "runs/seal.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/error.hpp"

namespace gusset {
namespace {

constexpr std::string_view magic = "GUSSETCRC32 ";

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1) ? 0xEDB88320u : 0u);
    }
    table[byte] = remainder;
  }
  return table;
}();

std::string seal_text(std::uint32_t crc) {
  std::string text(magic);
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(crc >> shift) & 15];
  return text + "\n";
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  for (const char c : bytes) crc = (crc >> 8) ^ crc_table[(crc ^ static_cast<unsigned char>(c)) & 255];
  return ~crc;
}

std::string seal_of(std::string_view bytes) { return seal_text(crc32(bytes)); }

Seal check_seal(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (size < 0) throw InputError({path, 0, 0}, "cannot read it", "check the file's permissions");
  const auto left_of_seal = size - static_cast<std::streamoff>(seal_size);
  if (left_of_seal < 0) return Seal::absent;

  std::string seal(seal_size, '\0');
  file.seekg(left_of_seal);
  file.read(seal.data(), static_cast<std::streamsize>(seal_size));
  if (!seal.starts_with(magic)) return Seal::absent;

  file.seekg(0);
  std::vector<char> piece(std::size_t{1} << 20);
  std::uint32_t crc = 0;
  for (std::streamoff left = left_of_seal; left > 0 && file;) {
    file.read(piece.data(), std::min<std::streamoff>(left, std::ssize(piece)));
    crc = crc32({piece.data(), static_cast<std::size_t>(file.gcount())}, crc);
    left -= file.gcount();
  }
  if (!file) {
    throw InputError({path, 0, 0}, "reading stopped before the end of the file", "check the disk (dmesg)");
  }
  return seal == seal_text(crc) ? Seal::intact : Seal::broken;
}

}  // namespace gusset
