#pragma once

#include <string>
#include <string_view>

namespace gusset {

/// Throws InputError if `path` exists and `force` is off, is a directory, or its folder is missing:
/// for asking before hours of work, not after.
void require_writable(const std::string& path, bool force);

/// Writes the bytes beside `path`, syncs, and renames into place. On any failure (full disk, no
/// permission, the destination exists and `force` is off) the temporary is removed, the old file is
/// untouched, and InputError says what happened and what to do. A symbolic link is followed, and
/// what is no regular file (/dev/stdout, a pipe) is written straight. SIGXFSZ and SIGPIPE are held
/// meanwhile, so that a file-size limit or a closed pipe is an error here and not the end of the
/// process.
void write_atomically(const std::string& path, std::string_view bytes, bool force);

/// Reads a whole file. Throws InputError for a missing file, a directory, an unreadable one, or one
/// of more than 1 GiB.
std::string read_file(const std::string& path);

}  // namespace gusset
