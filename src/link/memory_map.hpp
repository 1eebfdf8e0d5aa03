#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "document/document.hpp"
#include "link/link.hpp"

namespace gusset {

/// One number in memory that somebody else defined.
struct MemoryRegion {
  enum class Type { u32, i32, f32, f64 };
  std::size_t offset = 0;  ///< [bytes]
  Type type = Type::f64;
  bool out = true;      ///< from the loop to the rig
  std::string carries;  ///< a signal's name; or heartbeat, sequence, phase
  double scale = 1;     ///< number in memory = scale · SI
};

/// Reflective memory and its like, as [link] describes it: no handshake, no lock, only numbers at places.
/// Whoever writes raises its heartbeat word last; whoever reads looks at that word first. Where no region
/// carries `sequence`, a heartbeat that rose since the last command means that it is answered.
struct MemoryMap {
  std::size_t size = 0;     ///< [bytes]; 0: there is no map
  bool is_virtual = false;  ///< nothing real moves
  std::vector<MemoryRegion> regions;
};

/// [link] and [[link.region]]. Throws InputError.
MemoryMap read_memory_map(const Document& document);

/// `url` names POSIX shared memory, or a path that can be mapped (a device, a file). Throws InputError.
std::unique_ptr<Link> connect_memory(const Url& url, const Hello& mine, const MemoryMap& map);

}  // namespace gusset
