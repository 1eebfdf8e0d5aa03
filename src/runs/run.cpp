#include "runs/run.hpp"

namespace gusset {

const Trace* Run::find(const std::string& name) const {
  for (const Table& table : tables) {
    for (const Trace& channel : table.channels) {
      if (channel.name == name) return &channel;
    }
  }
  for (const Table& table : tables) {
    if (!name.starts_with(table.name + ".")) continue;
    for (const Trace& channel : table.channels) {
      if (name.compare(table.name.size() + 1, std::string::npos, channel.name) == 0) {
        return &channel;
      }
    }
  }
  return nullptr;
}

}  // namespace gusset
