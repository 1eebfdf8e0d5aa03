#pragma once

// Kinds as one would add them: a file each, and a line in a table. In the source tree the line is one of
// kinds.hpp; a program that links the library brings its own with AddedKind.

namespace gusset {
struct CompensatorKind;
struct IntegratorKind;
struct RestoringKind;
struct SpecimenKind;
}  // namespace gusset

namespace gusset::examples {

extern const CompensatorKind lead_kind;
extern const IntegratorKind symplectic_euler_kind;
extern const RestoringKind cubic_kind;
extern const SpecimenKind inerter_kind;

}  // namespace gusset::examples
