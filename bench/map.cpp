// How fast a 200 x 200 map of the dynamic-specimen case is, on one and on two threads, and how much
// of it goes into eigenvalues.

#include <cstdio>
#include <numbers>

#include "analysis/linearize.hpp"
#include "analysis/parameter_map.hpp"
#include "analysis/spectrum.hpp"
#include "interleaved.hpp"

int main() {
  using namespace gusset;
  const Document document = Document::parse(
      "duration = \"1 s\"\n[structure]\nmass = \"500 kg\"\nfrequency = \"1 Hz\"\ndamping_ratio = 0.05\n"
      "[integrator]\ndt = \"10 ms\"\n[specimen]\nkind = \"oscillator\"\nmass_ratio = 1.0\n"
      "frequency_ratio = 1.0\ndamping_ratio = 0.05\n",
      "dynamic");
  const MapAxis x = parse_map_axis("specimen.mass_ratio=0.01:2:200");
  const MapAxis y = parse_map_axis("integrator.dt=1 ms:200 ms:200");
  constexpr int rounds = 5;
  const auto pair = bench::interleave([&] { (void)parameter_map(document, x, y, 1); },
                                      [&] { (void)parameter_map(document, x, y, 2); }, rounds);

  // The eigenvalues alone: the same matrices, already there.
  Document own = document;
  own.stop_tracking();
  Linearizer linearizer;
  std::vector<Eigen::MatrixXd> matrices;
  for (int row = 0; row < y.count; row += 10) {
    for (int column = 0; column < x.count; column += 10) {
      own.set_number(y.key, y.at(row), y.dimension);
      own.set_number(x.key, x.at(column), x.dimension);
      matrices.push_back(linearizer.matrix(Experiment::build(own, {.any_step = true})));
    }
  }
  double eigenvalues = 1e9;
  for (int round = 0; round < rounds; ++round) {
    eigenvalues = std::min(eigenvalues, bench::seconds_of([&] {
                             for (int k = 0; k < 100; ++k) {
                               for (const Eigen::MatrixXd& matrix : matrices) (void)spectrum(matrix);
                             }
                           }));
  }
  std::printf("one thread   %.3f s a map, %.1f maps a second\n", pair.first, 1 / pair.first);
  std::printf("two threads  %.3f s a map, %.1f maps a second, %.2f times one thread\n", pair.second,
              1 / pair.second, pair.first / pair.second);
  std::printf("eigenvalues  %.0f %% of the time on one thread (%.2f us a matrix)\n",
              100 * eigenvalues / pair.first, 1e6 * eigenvalues / 40000);
  return 0;
}
