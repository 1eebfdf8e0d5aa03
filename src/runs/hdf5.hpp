#pragma once

#include <hdf5.h>

#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// The little of HDF5's C interface that run files need, with handles that close themselves and
/// errors that say what went wrong inside.
namespace gusset::hdf5 {

/// A call failed; the text says which, and the innermost reason HDF5 gives.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Open for as long as HDF5 is used. HDF5 keeps its state in the process and is not safe for
/// threads as commonly built, hence one session at a time; and it prints its errors on stderr unless
/// told otherwise, hence told otherwise until the session ends.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

/// Owns an HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws Error if `id` is the failure of a call, described by `doing`.
  Handle(hid_t id, Close close, std::string_view doing);
  ~Handle();
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// Throws Error if `status` is negative; gives it back otherwise.
long long check(long long status, std::string_view doing);

// Writing. Objects carry no time stamps, so that the same content makes the same bytes.

/// A file that lives in memory only, readable by HDF5 1.8 and later.
Handle create_in_memory();
/// The bytes of the file.
std::string image(hid_t file);
Handle create_group(hid_t parent, const std::string& name);
/// Compressed, in chunks (zero values: contiguous).
Handle write_dataset(hid_t parent, const std::string& name, const std::vector<double>& values);
Handle write_dataset(hid_t parent, const std::string& name, const std::string& text);
Handle write_dataset(hid_t parent, const std::string& name, const std::vector<std::string>& texts);
void write_attribute(hid_t object, const std::string& name, const std::string& text);
void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, long long value);

// Reading. Sizes are checked against what the file can hold before memory is taken for them.

Handle open_file(const std::string& path);
bool has_attribute(hid_t object, const std::string& name);
bool has_object(hid_t parent, const std::string& name);
Handle open_object(hid_t parent, const std::string& name);
/// Names of the links in a group, in order.
std::vector<std::string> links(hid_t group);
/// Names of the attributes in the order of their creation.
std::vector<std::string> attributes(hid_t object);
std::string read_text(hid_t attribute_owner, const std::string& name);
std::vector<std::string> read_texts(hid_t attribute_owner, const std::string& name);
double read_number(hid_t attribute_owner, const std::string& name);
long long read_integer(hid_t attribute_owner, const std::string& name);
/// The text of a scalar string dataset.
std::string read_text_dataset(hid_t dataset);
/// The texts of a one-dimensional string dataset.
std::vector<std::string> read_texts_dataset(hid_t dataset);
/// Number of values of a one-dimensional dataset of doubles; Error if it is anything else, or says
/// it has more values than its bytes in the file (`file_size` all in all) can make.
std::size_t length(hid_t dataset, unsigned long long file_size);
std::vector<double> read_values(hid_t dataset, unsigned long long file_size);

}  // namespace gusset::hdf5
