#pragma once

#include "link/link.hpp"

namespace gusset {

/// A rig behind a shared library of the laboratory; the interface is link/gusset_rig.h.
std::unique_ptr<Link> connect_plugin(const Url& url, const Hello& mine, const LinkOptions& options);

}  // namespace gusset
