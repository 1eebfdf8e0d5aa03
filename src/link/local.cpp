#include "link/local.hpp"

#include <algorithm>

namespace gusset {

LocalLink::LocalLink(const Test& test, Hello hello)
    : core_(test), hello_(std::move(hello)), feedback_(hello_.feedback.size()) {
  hello_.rig = "virtual";
}

bool LocalLink::send(const Message& message, const double* values) noexcept {
  core_.answer(message, values, reply_, feedback_.data());
  fresh_ = true;
  return true;
}

bool LocalLink::receive(Message& message, double* values) noexcept {
  if (!fresh_) return false;
  fresh_ = false;
  message = reply_;
  std::copy(feedback_.begin(), feedback_.end(), values);
  return true;
}

}  // namespace gusset
