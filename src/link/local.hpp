#pragma once

#include "link/link.hpp"
#include "link/rig_core.hpp"

namespace gusset {

/// The virtual rig in this process and thread: it answers while the command is sent.
class LocalLink final : public Link {
 public:
  LocalLink(const Test& test, Hello hello);

  bool send(const Message& message, const double* values) noexcept override;
  bool receive(Message& message, double* values) noexcept override;
  void wait(std::int64_t) noexcept override {}
  const Hello& peer() const override { return hello_; }
  const RigCore& core() const { return core_; }

 private:
  RigCore core_;
  Hello hello_;
  Message reply_;
  std::vector<double> feedback_;
  bool fresh_ = false;
};

}  // namespace gusset
