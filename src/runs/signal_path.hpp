#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gusset {

/// The nearest name that MATLAB takes for a variable or a field: letters, digits and underscores,
/// a letter first, at most 63 of them, no keyword. Names that are good stay as they are.
std::string matlab_name(std::string_view name);

/// Gives signals their places in the groups of a file: "storey1.displacement" becomes
/// {"storey1", "displacement"}. Each part is a MATLAB name; signals of one object share its group;
/// where two different names would meet, the later one gets a number.
class SignalPaths {
 public:
  /// Names that are in use at the top already.
  explicit SignalPaths(std::set<std::string> taken = {});

  std::vector<std::string> place(const std::string& name);

 private:
  std::string unique(const std::string& folder, std::string_view part);

  std::set<std::string> taken_;                                        // "/folder/name"
  std::map<std::pair<std::string, std::string>, std::string> groups_;  // (folder, part): name
};

}  // namespace gusset
