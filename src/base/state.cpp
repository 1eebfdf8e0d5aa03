#include "base/state.hpp"

#include <iomanip>
#include <ostream>

namespace gusset {

Segment Layout::add(const std::string& owner, const char* name, const char* unit, int size, double scale,
                    Kind kind) {
  const Segment segment{size_, size};
  fields_.push_back({owner, name, unit, scale, kind, segment});
  size_ += size;
  return segment;
}

int Layout::add_branch(const std::string& owner, const char* name) {
  const int index = static_cast<int>(branches_.size());
  branches_.push_back({owner, name, index});
  return index;
}

const Layout::Field& Layout::field_of(int index) const {
  for (const Field& field : fields_) {
    if (index < field.segment.offset + field.segment.size) return field;
  }
  return fields_.back();
}

std::string Layout::name_of(int index) const {
  const Field& field = field_of(index);
  std::string name = field.owner + "." + field.name;
  if (field.segment.size > 1) {
    name += "[" + std::to_string(index - field.segment.offset + 1) + "]";
  }
  return name;
}

State Layout::zero() const {
  State state;
  state.values.assign(static_cast<std::size_t>(size_), 0.0);
  state.branches.resize(branches_.size());
  return state;
}

std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  out << std::left << std::setw(8) << "offset" << std::setw(6) << "size" << std::setw(34) << "name"
      << std::setw(8) << "unit" << std::setw(10) << "scale"
      << "kind\n";
  for (const Layout::Field& field : layout.fields()) {
    out << std::left << std::setw(8) << field.segment.offset << std::setw(6) << field.segment.size
        << std::setw(34) << (field.owner + "." + field.name) << std::setw(8) << field.unit << std::setw(10)
        << field.scale << (field.kind == Layout::Kind::signal ? "signal" : "parameter") << '\n';
  }
  for (const Layout::BranchField& field : layout.branches()) {
    out << std::left << std::setw(8) << field.index << std::setw(6) << 1 << std::setw(34)
        << (field.owner + "." + field.name) << std::setw(8) << "-" << std::setw(10) << "-"
        << "branch\n";
  }
  return out;
}

}  // namespace gusset
