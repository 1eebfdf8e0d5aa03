#include <cmath>
#include <cstdio>

extern "C" double period_in_test(double dt);

int main() {
  // The average acceleration method: tan(w' dt/2) = w dt/2.
  const double pi = std::acos(-1.0), dt = 0.01;
  const double expected = pi * dt / std::atan(pi * dt);
  const double found = period_in_test(dt);
  std::printf("period %.12f s, by the closed form %.12f s\n", found, expected);
  return std::abs(found - expected) < 1e-9 ? 0 : 1;
}
