#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gusset {

/// The last bytes of a run file, after the HDF5 data:
///   "GUSSETCRC32 " + 8 hexadecimal digits + newline
/// where the digits are the CRC-32 of every byte before the seal.
///
/// Why? HDF5's 1.8 format has no checksum of its own over groups and indices. In a trial with a
/// small file and HDF5 1.10.8, of 10 302 single damaged bytes 61 crashed the library or hung it and
/// 9 162 went unnoticed. With the seal, damage is found before HDF5 sees it. HDF5 ignores what
/// follows the end it knows of, and drops it when another program changes the file: a file with no
/// seal is then read as it is.
std::string seal_of(std::string_view bytes);

inline constexpr std::size_t seal_size = 21;

enum class Seal {
  absent,  ///< the file does not end in a seal
  intact,
  broken,  ///< it ends in a seal that does not fit the bytes before
};

/// Reads the file in pieces. Throws InputError if it cannot be read.
Seal check_seal(const std::string& path);

/// CRC-32 (IEEE 802.3, as in zip and PNG) of `bytes`, going on from that of the bytes before them.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace gusset
