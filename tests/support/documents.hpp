#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "build/test.hpp"
#include "document/document.hpp"
#include "excitation/ground_motion.hpp"

namespace gusset::test {

/// Parses the text and then applies assignments as --set does.
Document document(std::string_view text, const std::vector<std::string>& assignments = {});

/// "key=value" with all digits of the number.
std::string assign(std::string_view key, double value, std::string_view unit = {});

/// Names of the files in experiments/, without extension, sorted.
std::vector<std::string> shipped_names();
Document shipped(const std::string& name, const std::vector<std::string>& assignments = {});

/// Finds records in records/.
RecordLoader shipped_records();
/// Gives the same record whatever the name.
RecordLoader only(Record record);

/// Wu's pure inertia specimen at Ω = ω·Δt, ω = 2π of the whole structure.
Document wu_pure_inertia(double mass_ratio, double damping_ratio, double omega);

struct DynamicSpecimen {
  double mass_ratio = 1, frequency_ratio = 1;
  double numerical_damping = 0.05, specimen_damping = 0.05;
  const char* profile = "b-spline";
};
/// Wu's dynamic specimen at Ω = ω_N·Δt, ω_N = 2π.
Document wu_dynamic_specimen(const DynamicSpecimen& specimen, double omega);

/// Builds as searches over the step do: any Δt goes.
Experiment build_for_analysis(const Document& document);
/// ρ of the one-step matrix.
double spectral_radius(const Document& document);

}  // namespace gusset::test
