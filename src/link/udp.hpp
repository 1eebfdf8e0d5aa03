#pragma once

#include "link/link.hpp"

namespace gusset {

/// Frames (link/frame.hpp) as UDP datagrams. Datagrams may be lost, doubled or overtaken: the caller
/// repeats a hello until it is answered, the loop repeats a command until it is answered, and the rig
/// does not move twice for one command.
std::unique_ptr<ServerLink> listen_udp(const Url& url, const Hello& mine, const LinkOptions& options);
std::unique_ptr<Link> connect_udp(const Url& url, const Hello& mine, const LinkOptions& options);

}  // namespace gusset
