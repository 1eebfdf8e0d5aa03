#include <algorithm>

#include "runs/hdf5.hpp"

namespace gusset::hdf5 {
namespace {

constexpr hsize_t chunk_values = 16384;  // 128 kB: small enough for HDF5's cache, large to compress
constexpr unsigned deflate_level = 4;
constexpr std::size_t growth = std::size_t{1} << 20;  // of the file in memory, at a time

/// UTF-8 of variable length, which h5py gives as str and MATLAB as string.
Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a string type");
  check(H5Tset_size(type, H5T_VARIABLE), "make a string type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a string type");
  return type;
}

const char* c_string(const std::string& text) {
  if (text.find('\0') != std::string::npos) throw Error("cannot store a text with a NUL byte in it");
  return text.c_str();
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "make a scalar"}; }

Handle line_space(hsize_t size) { return {H5Screate_simple(1, &size, nullptr), H5Sclose, "make an array"}; }

Handle properties(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "make properties"}; }

/// Names in the file are UTF-8.
Handle link_properties() {
  Handle list = properties(H5P_LINK_CREATE);
  check(H5Pset_char_encoding(list, H5T_CSET_UTF8), "set the encoding of names");
  return list;
}

void write_attribute(hid_t object, const std::string& name, hid_t file_type, hid_t memory_type, hid_t space,
                     const void* data) {
  const std::string doing = "write attribute " + name;
  const Handle list = properties(H5P_ATTRIBUTE_CREATE);
  check(H5Pset_char_encoding(list, H5T_CSET_UTF8), doing);
  const Handle attribute(H5Acreate2(object, c_string(name), file_type, space, list, H5P_DEFAULT), H5Aclose,
                         doing);
  check(H5Awrite(attribute, memory_type, data), doing);
}

}  // namespace

Handle create_in_memory() {
  const Handle access = properties(H5P_FILE_ACCESS);
  check(H5Pset_fapl_core(access, growth, false), "keep the file in memory");
  check(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), "choose the 1.8 format");
  const Handle creation = properties(H5P_FILE_CREATE);
  check(H5Pset_obj_track_times(creation, false), "leave out time stamps");
  // Nothing appears under this name: the file is never written by HDF5.
  return {H5Fcreate("gusset-run", H5F_ACC_TRUNC, creation, access), H5Fclose, "make a file"};
}

std::string image(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "finish the file");
  const auto size = check(H5Fget_file_image(file, nullptr, 0), "take the file's size");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  check(H5Fget_file_image(file, bytes.data(), bytes.size()), "take the file's bytes");
  return bytes;
}

Handle create_group(hid_t parent, const std::string& name) {
  const Handle list = properties(H5P_GROUP_CREATE);
  check(H5Pset_obj_track_times(list, false), "leave out time stamps");
  check(H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "keep the order of attributes");
  return {H5Gcreate2(parent, c_string(name), link_properties(), list, H5P_DEFAULT), H5Gclose,
          "write group " + name};
}

Handle write_dataset(hid_t parent, const std::string& name, const std::vector<double>& values) {
  const std::string doing = "write dataset " + name;
  const Handle space = line_space(values.size());
  const Handle list = properties(H5P_DATASET_CREATE);
  check(H5Pset_obj_track_times(list, false), doing);
  if (!values.empty()) {
    const hsize_t chunk = std::min<hsize_t>(values.size(), chunk_values);
    check(H5Pset_chunk(list, 1, &chunk), doing);
    check(H5Pset_shuffle(list), doing);
    check(H5Pset_deflate(list, deflate_level), doing);
  }
  Handle dataset(
      H5Dcreate2(parent, c_string(name), H5T_IEEE_F64LE, space, link_properties(), list, H5P_DEFAULT),
      H5Dclose, doing);
  if (!values.empty()) {
    check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), doing);
  }
  return dataset;
}

Handle write_dataset(hid_t parent, const std::string& name, const std::string& text) {
  const std::string doing = "write dataset " + name;
  const Handle list = properties(H5P_DATASET_CREATE);
  check(H5Pset_obj_track_times(list, false), doing);
  const Handle type = text_type();
  Handle dataset(
      H5Dcreate2(parent, c_string(name), type, scalar_space(), link_properties(), list, H5P_DEFAULT),
      H5Dclose, doing);
  const char* data = c_string(text);
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &data), doing);
  return dataset;
}

Handle write_dataset(hid_t parent, const std::string& name, const std::vector<std::string>& texts) {
  const std::string doing = "write dataset " + name;
  const Handle list = properties(H5P_DATASET_CREATE);
  check(H5Pset_obj_track_times(list, false), doing);
  const Handle type = text_type();
  Handle dataset(H5Dcreate2(parent, c_string(name), type, line_space(texts.size()), link_properties(), list,
                            H5P_DEFAULT),
                 H5Dclose, doing);
  std::vector<const char*> data;
  for (const std::string& text : texts) data.push_back(c_string(text));
  if (!data.empty()) {
    check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), doing);
  }
  return dataset;
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type();
  const char* data = c_string(text);
  write_attribute(object, name, type, type, scalar_space(), &data);
}

void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts) {
  const Handle type = text_type();
  std::vector<const char*> data;
  for (const std::string& text : texts) data.push_back(c_string(text));
  data.reserve(1);  // so that there is an address to give even for no texts
  write_attribute(object, name, type, type, line_space(texts.size()), data.data());
}

void write_attribute(hid_t object, const std::string& name, double value) {
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, scalar_space(), &value);
}

void write_attribute(hid_t object, const std::string& name, long long value) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, scalar_space(), &value);
}

}  // namespace gusset::hdf5
