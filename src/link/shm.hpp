#pragma once

#include "link/link.hpp"

namespace gusset {

/// Shared memory between two processes of one machine, /dev/shm/gusset-NAME. The map, offsets in bytes,
/// all numbers little-endian:
///
///      0  8  "GUSSETSM"
///      8  4  version of the map, 1
///     12  4  size of the block
///     16  4  door: 0 open, 1 taken by a caller, 2 greeting written, 3 answer written, 4 in session,
///            5 the caller left
///     20  4  verdict: 1 welcome, 2 refused
///     24  4  bytes of the greeting
///     28  4  bytes of the answer
///     32  4  bell of the rig: rises with every command (futex)
///     36  4  bell of the loop: rises with every answer (futex)
///     40  8  session number
///     48  4  numbers in a command
///     52  4  numbers in an answer
///     64  …  commands: a seqlock block (lock, then 6 words of Message, then the numbers as f64)
///      …  …  answers: the same, from the next multiple of 64
///      …  …  greeting, 48 KiB; answer, 48 KiB
///
/// The six words of a message: sequence, time, step, sub-step, phase, cause. A heartbeat of its own is
/// not needed: either end writes once a period, and the lock word counts the writes.
///
/// The server holds a lock (flock) on the file while it lives, so that a dead server's block is known.
std::unique_ptr<ServerLink> listen_shm(const Url& url, const Hello& mine, const LinkOptions& options);
std::unique_ptr<Link> connect_shm(const Url& url, const Hello& mine, const LinkOptions& options);

}  // namespace gusset
