#include "support/documents.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numbers>

#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"
#include "runs/atomic_file.hpp"

namespace gusset::test {
namespace {

/// A path in the source tree.
std::string in_source(const std::string& folder, const std::string& name, const char* extension) {
  return (std::filesystem::path(GUSSET_SOURCE_DIR) / folder / name).concat(extension).string();
}

}  // namespace

Document document(std::string_view text, const std::vector<std::string>& assignments) {
  Document document = Document::parse(text, "test.toml");
  for (const std::string& assignment : assignments) document.set(assignment);
  return document;
}

std::string assign(std::string_view key, double value, std::string_view unit) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return std::string(key) + "=" + digits + (unit.empty() ? "" : " ") + std::string(unit);
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(in_source("experiments", "", ""))) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Document shipped(const std::string& name, const std::vector<std::string>& assignments) {
  const std::string path = in_source("experiments", name, ".toml");
  Document document = Document::parse(read_file(path), path);
  for (const std::string& assignment : assignments) document.set(assignment);
  return document;
}

RecordLoader shipped_records() {
  return [](const std::string& name, const Where&) {
    const std::string path = in_source("records", name, ".csv");
    return std::make_shared<const Record>(parse_csv_record(read_file(path), path));
  };
}

RecordLoader only(Record record) {
  const auto shared = std::make_shared<const Record>(std::move(record));
  return [shared](const std::string&, const Where&) { return shared; };
}

Document wu_pure_inertia(double mass_ratio, double damping_ratio, double omega) {
  return shipped("wu-pure-inertia",
                 {assign("specimen.mass_ratio", mass_ratio), assign("structure.damping_ratio", damping_ratio),
                  assign("integrator.dt", omega / (2 * std::numbers::pi), "s")});
}

Document wu_dynamic_specimen(const DynamicSpecimen& specimen, double omega) {
  return shipped("wu-dynamic-specimen", {assign("specimen.mass_ratio", specimen.mass_ratio),
                                         assign("specimen.frequency_ratio", specimen.frequency_ratio),
                                         assign("specimen.damping_ratio", specimen.specimen_damping),
                                         assign("structure.damping_ratio", specimen.numerical_damping),
                                         "method.profile=" + std::string(specimen.profile),
                                         assign("integrator.dt", omega / (2 * std::numbers::pi), "s")});
}

Experiment build_for_analysis(const Document& document) {
  return Experiment::build(document, {.any_step = true});
}

double spectral_radius(const Document& document) {
  Linearizer linearizer;
  return spectrum(linearizer.matrix(build_for_analysis(document))).radius;
}

}  // namespace gusset::test
