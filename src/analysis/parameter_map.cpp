#include "analysis/parameter_map.hpp"

#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"

namespace gusset {
namespace {

Where option_of(const std::string& text) { return {"axis " + text, 0, 0}; }

/// A number with or without unit, as in an experiment file.
Quantity end_of_range(const std::string& whole, std::string_view text) {
  try {
    return parse_quantity(text);
  } catch (const UnitError& error) {
    throw InputError(option_of(whole), error.what(), error.fix());
  }
}

std::string_view unit_of(std::string_view text) {
  const std::size_t start = text.find_first_not_of("+-0123456789.eE \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start);
}

}  // namespace

MapAxis parse_map_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t first = text.find(':', equals == std::string::npos ? 0 : equals);
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (equals == std::string::npos || equals == 0 || second == std::string::npos) {
    throw InputError(option_of(text), "not of the form key=lo:hi:n",
                     "write e.g. --x specimen.mass_ratio=0.1:2:200 or --y \"integrator.dt=1 ms:50 "
                     "ms:100\"");
  }
  MapAxis axis;
  axis.key = text.substr(0, equals);
  const std::string low = text.substr(equals + 1, first - equals - 1);
  const std::string high = text.substr(first + 1, second - first - 1);
  const std::string count = text.substr(second + 1);
  Quantity from = end_of_range(text, low);
  const Quantity to = end_of_range(text, high);
  axis.unit = std::string(unit_of(high));
  if (!axis.unit.empty()) axis.unit_factor = parse_unit(axis.unit).value;
  if (!(from.dimension == to.dimension)) {
    if (!(from.dimension == dim::none)) {
      throw InputError(option_of(text), "the two ends of the range differ in dimension",
                       "give both ends the same unit");
    }
    from.value *= axis.unit_factor;  // "1:50 ms"
  }
  axis.low = from.value;
  axis.high = to.value;
  axis.dimension = to.dimension;
  try {
    std::size_t used = 0;
    axis.count = std::stoi(count, &used);
    if (used != count.size()) axis.count = 0;
  } catch (const std::exception&) {
    axis.count = 0;
  }
  if (axis.count < 1 || axis.count > 100000) {
    throw InputError(option_of(text), "the number of points must be a whole number from 1 to 100000",
                     "write e.g. 200");
  }
  if (!(axis.high > axis.low) && axis.count > 1) {
    throw InputError(option_of(text), "the range is empty", "write the lower end first");
  }
  return axis;
}

ParameterMap parameter_map(const Document& document, const MapAxis& x, const MapAxis& y, int threads,
                           const std::function<void(double)>& progress) {
  ParameterMap map{x, y, {}};
  map.radius.assign(static_cast<std::size_t>(x.count) * static_cast<std::size_t>(y.count),
                    std::numeric_limits<double>::quiet_NaN());
  {
    // Whatever is wrong with the keys themselves is said once, before the work starts.
    Document probe = document;
    probe.set_number(x.key, x.low, x.dimension);
    probe.set_number(y.key, y.low, y.dimension);
    (void)Experiment::build(probe, {.any_step = true});
    // A key that nothing reads would give a map of one and the same value. What only a whole test
    // reads is not asked for here.
    (void)probe.top().find("duration");
    for (const Entry& entry : probe.section("excitation").entries) entry.used = true;
    probe.reject_unknown();
  }
  std::atomic<int> next_row{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto work = [&] {
    try {
      Document own = document;
      own.stop_tracking();
      BuildOptions options;
      options.any_step = true;
      Linearizer linearizer;
      // Relaxed: rows are independent, and joining the threads publishes what they wrote.
      for (int row = next_row.fetch_add(1, std::memory_order_relaxed); row < y.count;
           row = next_row.fetch_add(1, std::memory_order_relaxed)) {
        own.set_number(y.key, y.at(row), y.dimension);
        double* line = map.radius.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(x.count);
        for (int column = 0; column < x.count; ++column) {
          own.set_number(x.key, x.at(column), x.dimension);
          try {
            line[column] = spectrum(linearizer.matrix(Experiment::build(own, options))).radius;
          } catch (const InputError&) {
            // No such experiment (a stiffness would be negative, say): the point stays blank.
          }
        }
        if (progress && threads == 1) progress((row + 1.0) / y.count);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> guard(failure_lock);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> pool;
  for (int i = 1; i < threads; ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
  return map;
}

}  // namespace gusset
