#include <cstring>

#include "runs/hdf5.hpp"

namespace gusset::hdf5 {
namespace {

constexpr hssize_t most_texts = 50'000'000;  // events of hours, each a line
/// Deflate makes at most 1032 bytes of one.
constexpr unsigned long long most_inflation = 1032;

Handle open_attribute(hid_t object, const std::string& name) {
  if (!has_attribute(object, name)) throw Error("there is no attribute " + name);
  return {H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "open attribute " + name};
}

/// Values that are elsewhere are none of this file: a run file could show any file of its reader's.
void require_own_storage(hid_t dataset) {
  const Handle made(H5Dget_create_plist(dataset), H5Pclose, "read how it is stored");
  const H5D_layout_t layout = H5Pget_layout(made);
  if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) {
    throw Error("its values are not in this file");
  }
  if (layout == H5D_CONTIGUOUS && check(H5Pget_external_count(made), "read how it is stored") > 0) {
    throw Error("its values are in another file");
  }
}

/// Gives the memory that HDF5 took for texts of variable length back to it.
class Texts {
 public:
  Texts(hid_t type, hid_t space, std::size_t count) : type_(type), space_(space), pointers(count, nullptr) {}
  ~Texts() { H5Dvlen_reclaim(type_, space_, H5P_DEFAULT, pointers.data()); }
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;

 private:
  hid_t type_, space_;

 public:
  std::vector<char*> pointers;
};

/// `read(type, buffer)` is H5Aread or H5Dread of the object whose type and space are given.
template <typename Read>
std::vector<std::string> texts_of(hid_t type, hid_t space, const std::string& what, Read read) {
  if (H5Tget_class(type) != H5T_STRING) throw Error(what + " is not a text");
  const auto count = check(H5Sget_simple_extent_npoints(space), "read " + what);
  if (count > most_texts) throw Error(what + " says it has " + std::to_string(count) + " texts");
  std::vector<std::string> texts;
  if (count == 0) return texts;
  const auto n = static_cast<std::size_t>(count);
  if (check(H5Tis_variable_str(type), "read " + what)) {
    Texts got(type, space, n);
    check(read(type, got.pointers.data()), "read " + what);
    for (const char* text : got.pointers) texts.emplace_back(text ? text : "");
  } else {
    // Not what Gusset writes, but what other programs make of it when they rewrite an attribute.
    const std::size_t size = H5Tget_size(type);
    if (size > (std::size_t{1} << 26) / n) throw Error(what + " is too long");
    std::string buffer(size * n, '\0');
    check(read(type, buffer.data()), "read " + what);
    for (std::size_t i = 0; i < n; ++i) {
      const char* text = buffer.data() + i * size;
      texts.emplace_back(text, ::strnlen(text, size));
    }
  }
  return texts;
}

/// A scalar attribute of the given class, converted to `memory_type`.
void read_scalar(hid_t object, const std::string& name, H5T_class_t wanted, hid_t memory_type,
                 const char* wanted_in_words, void* value) {
  const Handle attribute = open_attribute(object, name);
  const Handle type(H5Aget_type(attribute), H5Tclose, "read attribute " + name);
  const Handle space(H5Aget_space(attribute), H5Sclose, "read attribute " + name);
  if (H5Tget_class(type) != wanted || H5Sget_simple_extent_npoints(space) != 1) {
    throw Error("attribute " + name + " is not " + wanted_in_words);
  }
  check(H5Aread(attribute, memory_type, value), "read attribute " + name);
}

}  // namespace

Handle open_file(const std::string& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make properties");
#if H5_VERSION_GE(1, 10, 7)
  // Run files are replaced whole, never changed: no lock is needed, and network file systems that
  // have none would refuse to open.
  check(H5Pset_file_locking(access, false, true), "leave out locking");
#endif
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "open it"};
}

bool has_attribute(hid_t object, const std::string& name) {
  return check(H5Aexists(object, name.c_str()), "look for attribute " + name) > 0;
}

bool has_object(hid_t parent, const std::string& name) {
  return check(H5Lexists(parent, name.c_str(), H5P_DEFAULT), "look for " + name) > 0;
}

Handle open_object(hid_t parent, const std::string& name) {
  return {H5Oopen(parent, name.c_str(), H5P_DEFAULT), H5Oclose, "open " + name};
}

std::vector<std::string> links(hid_t group) {
  H5G_info_t info;
  check(H5Gget_info(group, &info), "list a group");
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto name = [&](char* buffer, std::size_t size) {
      return static_cast<std::size_t>(
          check(H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, buffer, size, H5P_DEFAULT),
                "list a group"));
    };
    std::string text(name(nullptr, 0), '\0');
    name(text.data(), text.size() + 1);
    names.push_back(text);
  }
  return names;
}

std::vector<std::string> attributes(hid_t object) {
  std::vector<std::string> names;
  const H5A_operator2_t take = [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  hsize_t from = 0;
  if (H5Aiterate2(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, &from, take, &names) >= 0) return names;
  // Rewritten by a program that does not keep the order: by name, then.
  names.clear();
  from = 0;
  check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &from, take, &names), "list attributes");
  return names;
}

std::vector<std::string> read_texts(hid_t attribute_owner, const std::string& name) {
  const Handle attribute = open_attribute(attribute_owner, name);
  const Handle type(H5Aget_type(attribute), H5Tclose, "read attribute " + name);
  const Handle space(H5Aget_space(attribute), H5Sclose, "read attribute " + name);
  return texts_of(type, space, "attribute " + name,
                  [&](hid_t memory_type, void* buffer) { return H5Aread(attribute, memory_type, buffer); });
}

std::string read_text(hid_t attribute_owner, const std::string& name) {
  const std::vector<std::string> texts = read_texts(attribute_owner, name);
  if (texts.size() != 1) throw Error("attribute " + name + " is not one text");
  return texts.front();
}

std::vector<std::string> read_texts_dataset(hid_t dataset) {
  if (H5Iget_type(dataset) != H5I_DATASET) throw Error("it is not a dataset");
  require_own_storage(dataset);
  const Handle type(H5Dget_type(dataset), H5Tclose, "read a text");
  const Handle space(H5Dget_space(dataset), H5Sclose, "read a text");
  return texts_of(type, space, "the dataset", [&](hid_t memory_type, void* buffer) {
    return H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
  });
}

std::string read_text_dataset(hid_t dataset) {
  const std::vector<std::string> texts = read_texts_dataset(dataset);
  if (texts.size() != 1) throw Error("the dataset is not one text");
  return texts.front();
}

double read_number(hid_t attribute_owner, const std::string& name) {
  double value = 0;
  read_scalar(attribute_owner, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, "a floating-point number", &value);
  return value;
}

long long read_integer(hid_t attribute_owner, const std::string& name) {
  long long value = 0;
  read_scalar(attribute_owner, name, H5T_INTEGER, H5T_NATIVE_LLONG, "an integer", &value);
  return value;
}

std::size_t length(hid_t dataset, unsigned long long file_size) {
  if (H5Iget_type(dataset) != H5I_DATASET) throw Error("it is not a dataset");
  require_own_storage(dataset);
  const Handle type(H5Dget_type(dataset), H5Tclose, "read its type");
  if (H5Tget_class(type) != H5T_FLOAT || H5Tget_size(type) != sizeof(double)) {
    throw Error("its values are not doubles");
  }
  const Handle space(H5Dget_space(dataset), H5Sclose, "read its size");
  if (H5Sget_simple_extent_ndims(space) != 1) throw Error("it is not one-dimensional");
  hsize_t size = 0;
  check(H5Sget_simple_extent_dims(space, &size, nullptr), "read its size");
  const unsigned long long stored = H5Dget_storage_size(dataset);
  if (stored > file_size || size / most_inflation > stored / sizeof(double) + 1) {
    throw Error("it says it has " + std::to_string(size) + " values, which its " + std::to_string(stored) +
                " bytes cannot hold");
  }
  return size;
}

std::vector<double> read_values(hid_t dataset, unsigned long long file_size) {
  std::vector<double> values(length(dataset, file_size));
  if (!values.empty()) {
    check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "read its values");
  }
  return values;
}

}  // namespace gusset::hdf5
