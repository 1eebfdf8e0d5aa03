#pragma once

#include <cstddef>
#include <vector>

namespace gusset::plot {

/// Lines of up to so many points are drawn as they are.
inline constexpr std::size_t few_points = 4000;

struct Pixel {
  double x, y;
};

/// The same line to the eye with far fewer points: of the points that follow each other within one
/// column of pixels the first, the highest, the lowest and the last stay, in their order. Peaks
/// survive, and lines that run to and fro (hysteresis loops) keep their shape.
std::vector<Pixel> decimate(const std::vector<Pixel>& line);

}  // namespace gusset::plot
