#pragma once

#include "link/link.hpp"

namespace gusset {

/// Frames (link/frame.hpp) one after another on a TCP connection, without Nagle's delay. The rig serves
/// one connection; every other is told so and closed. A stream that is not frames is closed too.
std::unique_ptr<ServerLink> listen_tcp(const Url& url, const Hello& mine, const LinkOptions& options);
std::unique_ptr<Link> connect_tcp(const Url& url, const Hello& mine, const LinkOptions& options);

}  // namespace gusset
