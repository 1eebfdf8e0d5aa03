#include "open_run.hpp"

#include <iostream>

#include "runs/run_file.hpp"

namespace gusset::app {

Run open_run(const std::string& path) {
  Run run = read_run(path);
  if (!is_sealed(path)) {
    std::cerr
        << "note: " << path
        << " is not sealed: it was changed after it was recorded, or its end is cut off; nothing vouches for "
           "its numbers\n";
  }
  return run;
}

}  // namespace gusset::app
