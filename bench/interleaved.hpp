#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace gusset::bench {

/// Times two pieces of work in turns, so that both see the same machine, and keeps the best of each:
/// noise only ever adds time.
struct Pair {
  double first = std::numeric_limits<double>::infinity();   ///< [s]
  double second = std::numeric_limits<double>::infinity();  ///< [s]
};

template <class Work>
double seconds_of(Work&& work) {
  const auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

template <class First, class Second>
Pair interleave(First&& first, Second&& second, int rounds) {
  Pair best;
  for (int round = 0; round < rounds; ++round) {
    best.first = std::min(best.first, seconds_of(first));
    best.second = std::min(best.second, seconds_of(second));
  }
  return best;
}

}  // namespace gusset::bench
