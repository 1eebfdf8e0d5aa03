#include "excitation/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "excitation/noise.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

struct Band {
  double from, to;  ///< [Hz]
};

Band read_band(const Section& section, double dt) {
  // rad/s inside the file reader; cycles here.
  const double from = section.non_negative("from", dim::frequency, 0);
  const double to = section.positive("to", dim::frequency);
  if (!(to > from)) {
    section.fail("to", "the band is empty: `to` is not above `from`", "write the lower frequency first");
  }
  if (!(to < pi / dt)) {
    section.fail("to", "the band reaches beyond half the rig's rate", "shorten rig.dt");
  }
  return {from / (2 * pi), to / (2 * pi)};
}

double read_length(const Section& section, double fallback) {
  return section.positive("duration", dim::time, fallback);
}

std::vector<double> sweep(const Section& section, double dt, std::size_t count) {
  const Band band = read_band(section, dt);
  const double amplitude = section.positive("amplitude", dim::length);
  const double length = read_length(section, 0);
  const double taper = section.non_negative("taper", dim::time, 0);
  const bool logarithmic = section.choice("growth", {"linear", "logarithmic"}, "linear") == "logarithmic";
  if (logarithmic && !(band.from > 0)) {
    section.fail("growth", "a logarithmic sweep cannot start at 0 Hz", "write from = \"0.1 Hz\"");
  }
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = std::min(static_cast<double>(i) * dt, length);
    const double rate = logarithmic ? std::log(band.to / band.from) / length : (band.to - band.from) / length;
    const double cycles =
        logarithmic ? band.from * std::expm1(rate * t) / rate : (band.from + 0.5 * rate * t) * t;
    x[i] = amplitude * taper_window(t, length, taper) * std::sin(2 * pi * cycles);
  }
  return x;
}

std::vector<double> steps(const Section& section, double dt, std::size_t count) {
  const std::vector<double> levels = section.list("levels", dim::length);
  const double hold = section.positive("hold", dim::time);
  const double rise = section.non_negative("rise", dim::time, 0);
  if (rise > hold) section.fail("rise", "the rise takes longer than the hold", "shorten rise");
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) * dt;
    const auto k = std::min(static_cast<std::size_t>(t / hold * (1 + 1e-12)), levels.size() - 1);
    const double before = k == 0 ? 0 : levels[k - 1];
    const double s = rise > 0 ? std::min((t - static_cast<double>(k) * hold) / rise, 1.0) : 1.0;
    const double share = s * s * s * (10 - s * (15 - 6 * s));
    x[i] = before + (levels[k] - before) * share;
  }
  return x;
}

std::vector<double> noise(const Section& section, double dt, std::size_t count) {
  const Band band = read_band(section, dt);
  NoiseBand noise{band.from,
                  band.to,
                  section.positive("rms", dim::length),
                  read_length(section, 0),
                  section.non_negative("taper", dim::time, 0),
                  static_cast<std::uint64_t>(section.integer("seed", 1, 0, 2147483647))};
  if (noise.lines() == 0) {
    section.fail("duration", "no line of the spectrum fits into the band", "lengthen the duration");
  }
  return band_noise(noise, dt, count);
}

std::shared_ptr<const Record> load(const Section& section, const RecordLoader& loader) {
  const std::string name = section.text("record");
  const Where where = section.find("record")->where;
  if (!loader) throw InputError(where, "no way to load records was given", "pass a loader");
  return loader(name, where);
}

std::vector<double> from_record(const Section& section, const RecordLoader& loader, double dt,
                                std::size_t count) {
  const std::shared_ptr<const Record> record = load(section, loader);
  const double amplitude = section.positive("amplitude", dim::length);
  const double peak = record->peak();
  if (!(peak > 0)) section.fail("record", "the record is zero throughout", "use another record");
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = amplitude / peak * record->at(static_cast<double>(i) * dt);
  }
  return x;
}

std::string kind_of(const Section& section) {
  return section.choice("kind", {"sweep", "steps", "noise", "record"});
}

}  // namespace

double trajectory_duration(const Section& section, const RecordLoader& loader) {
  const std::string kind = kind_of(section);
  if (kind == "steps") {
    return section.positive("hold", dim::time) *
           static_cast<double>(section.list("levels", dim::length).size());
  }
  if (kind == "record") {
    const std::shared_ptr<const Record> record = load(section, loader);
    return record->dt * static_cast<double>(record->acceleration.size() - 1);
  }
  return section.positive("duration", dim::time);
}

Trajectory read_trajectory(const Section& section, const RecordLoader& loader, double dt,
                           std::int64_t steps_) {
  const auto count = static_cast<std::size_t>(steps_) + 2;
  const std::string kind = kind_of(section);
  if (kind == "sweep") return {sweep(section, dt, count)};
  if (kind == "steps") return {steps(section, dt, count)};
  if (kind == "noise") return {noise(section, dt, count)};
  return {from_record(section, loader, dt, count)};
}

}  // namespace gusset
