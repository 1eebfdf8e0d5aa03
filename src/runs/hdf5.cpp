#include "runs/hdf5.hpp"

#include <utility>

namespace gusset::hdf5 {
namespace {

std::mutex& session_mutex() {
  static std::mutex mutex;  // guards state that is HDF5's, and global there
  return mutex;
}

herr_t take_first_description(unsigned, const H5E_error2_t* error, void* text) {
  auto& into = *static_cast<std::string*>(text);
  if (into.empty() && error->desc) into = error->desc;
  return 0;
}

/// Walking upwards HDF5 starts at the function in which the trouble began.
std::string innermost_message() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first_description, &text);
  H5Eclear2(H5E_DEFAULT);
  return text;
}

}  // namespace

Session::Session() : lock_(session_mutex()) {
  H5open();
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

Handle::Handle(hid_t id, Close close, std::string_view doing) : id_(id), close_(close) { check(id, doing); }

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

Handle::Handle(Handle&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}

long long check(long long status, std::string_view doing) {
  if (status >= 0) return status;
  const std::string reason = innermost_message();
  throw Error("cannot " + std::string(doing) + (reason.empty() ? "" : " (" + reason + ")"));
}

}  // namespace gusset::hdf5
