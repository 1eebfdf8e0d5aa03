#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.hpp"

namespace gusset {

/// A square matrix, row after row.
struct SquareMatrix {
  int size = 0;
  std::vector<double> values;
};

/// Reads a matrix in Matrix Market format (coordinate or array, real or integer, general or
/// symmetric; National Institute of Standards and Technology 1996) or as CSV, one row a line.
/// `name` appears in messages; throws InputError.
SquareMatrix parse_matrix(std::string_view text, const std::string& name);

/// Finds a text file by the name or path an experiment file gives; throws InputError.
using TextLoader = std::function<std::string(const std::string& name, const Where& where)>;

/// Replaces each structure.mass_matrix, stiffness_matrix and damping_matrix that names a file by what
/// the file holds, in the unit of mass_unit, stiffness_unit or damping_unit (SI if absent). The
/// document then stands by itself: a run made with it can be repeated without the files.
void embed_matrices(Document& document, const TextLoader& loader);

}  // namespace gusset
