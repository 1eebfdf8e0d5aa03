#include <cstdio>
#include <gusset/base/units.hpp>
#include <gusset/base/version.hpp>

int main() {
  const gusset::Quantity mass = gusset::parse_quantity("0.3 t");
  std::printf("Gusset %s: 0.3 t is %g %s\n", gusset::version, mass.value,
              gusset::si_unit(mass.dimension).c_str());
  return mass.dimension == gusset::dim::mass && mass.value > 299 && mass.value < 301 ? 0 : 1;
}
