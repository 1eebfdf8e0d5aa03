#include "loading/method.hpp"

#include "base/linear_system.hpp"

namespace gusset {

LinearStart Method::specimen_start(const LinearStart& whole) const { return whole; }

}  // namespace gusset
