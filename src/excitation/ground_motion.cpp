#include "excitation/ground_motion.hpp"

#include <numbers>

#include "excitation/noise.hpp"

namespace gusset {

GroundMotion::GroundMotion(const Record& record, double scale, double dt, std::int64_t steps) {
  acceleration_.reserve(static_cast<std::size_t>(steps) + 1);
  displacement_.reserve(static_cast<std::size_t>(steps) + 2);
  double increment = 0;
  double displacement = 0;
  for (std::int64_t i = 0; i <= steps; ++i) {
    const double a = scale * record.at(static_cast<double>(i) * dt);
    if (i == 0) increment = -0.5 * dt * dt * a;
    acceleration_.push_back(a);
    displacement_.push_back(displacement);
    increment += dt * dt * a;
    displacement += increment;
  }
  displacement_.push_back(displacement);
}

GroundMotion::GroundMotion(std::vector<double> displacement) : displacement_(std::move(displacement)) {}

Input GroundMotion::trajectory_at(std::int64_t step) const noexcept {
  const auto last = static_cast<std::int64_t>(displacement_.size()) - 1;
  const auto value = [&](std::int64_t i) {
    return displacement_[static_cast<std::size_t>(i < 0 ? 0 : (i > last ? last : i))];
  };
  Input input;
  input.displacement = value(step);
  input.increment = value(step) - value(step - 1);
  input.next_increment = value(step + 1) - value(step);
  return input;
}

Input GroundMotion::at(std::int64_t step) const noexcept {
  if (displacement_.empty() || step < 0) return {};
  if (acceleration_.empty()) return trajectory_at(step);
  const auto last = static_cast<std::int64_t>(acceleration_.size()) - 1;
  Input input;
  if (step > last) {
    // No acceleration any more: the ground keeps the velocity it has.
    const double increment = displacement_.back() - displacement_[displacement_.size() - 2];
    input.displacement = displacement_.back() + static_cast<double>(step - last - 1) * increment;
    input.increment = input.next_increment = increment;
    return input;
  }
  const auto i = static_cast<std::size_t>(step);
  input.acceleration = acceleration_[i];
  if (step < last) input.next_acceleration = acceleration_[i + 1];
  input.displacement = displacement_[i];
  input.next_increment = displacement_[i + 1] - displacement_[i];
  input.increment = i > 0 ? displacement_[i] - displacement_[i - 1] : -input.next_increment;
  return input;
}

namespace {

std::shared_ptr<const Record> read_noise(const Section& section) {
  constexpr double turn = 2 * std::numbers::pi;
  NoiseBand noise;
  noise.from = section.non_negative("from", dim::frequency, 0) / turn;
  noise.to = section.positive("to", dim::frequency) / turn;
  noise.length = section.positive("duration", dim::time);
  noise.taper = section.non_negative("taper", dim::time, 0);
  noise.seed = static_cast<std::uint64_t>(section.integer("seed", 1, 0, 2147483647));
  noise.rms = section.has("peak") ? 1.0 : section.positive("rms", dim::acceleration);
  const double dt = section.positive("dt", dim::time, 1.0 / 1024);
  if (noise.lines() == 0) {
    section.fail("to", "no line of the spectrum fits into the band",
                 "widen the band or lengthen the duration");
  }
  if (!(noise.to < 0.5 / dt)) {
    section.fail("to", "the band reaches beyond half the sampling rate", "shorten dt");
  }
  if (noise.length / dt > 1e7) {
    section.fail("duration", "the noise would have more than 1e7 samples", "shorten the duration");
  }
  auto record = std::make_shared<Record>();
  record->dt = dt;
  record->acceleration = band_noise(noise, dt, static_cast<std::size_t>(noise.length / dt + 1e-9) + 1);
  return record;
}

}  // namespace

ExcitationReading read_excitation(const Section& section, const RecordLoader& loader) {
  ExcitationReading reading;
  if (section.has("kind") && section.choice("kind", {"record", "noise"}) == "noise") {
    reading.record = read_noise(section);
    if (const auto peak = section.maybe("peak", dim::acceleration)) {
      if (!(*peak > 0)) section.fail("peak", "peak must be greater than zero", "write peak = \"0.3 g\"");
      reading.scale = *peak / reading.record->peak();
    }
    return reading;
  }
  if (!section.has("record")) {
    if (!section.entries.empty()) {
      section.fail("record", "[excitation] names no record",
                   "write record = \"el-centro-1940-ns\", or leave [excitation] out");
    }
    return reading;
  }
  const Entry& entry = *section.find("record");
  const std::string name = section.text("record");
  if (section.has("peak") && section.has("scale")) {
    section.fail("scale", "both peak and scale are given", "keep one of them");
  }
  reading.scale = section.number("scale", dim::none, 1.0);
  const auto peak = section.maybe("peak", dim::acceleration);
  if (peak && !(*peak > 0)) section.fail("peak", "peak must be greater than zero", "write peak = \"0.3 g\"");
  if (!loader) throw InputError(entry.where, "no way to load records was given", "pass a loader");
  reading.record = loader(name, entry.where);
  if (peak) {
    if (!(reading.record->peak() > 0)) {
      section.fail("peak", "the record is zero throughout and cannot be scaled to a peak",
                   "use another record");
    }
    reading.scale = *peak / reading.record->peak();
  }
  return reading;
}

}  // namespace gusset
