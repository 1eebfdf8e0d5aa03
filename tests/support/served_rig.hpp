#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "link/link.hpp"
#include "realtime/rig_server.hpp"
#include "support/documents.hpp"

namespace gusset::test {

inline Document quickstart(std::vector<std::string> assignments = {}) {
  assignments.emplace_back("duration=1 s");
  return shipped("quickstart", assignments);
}

/// A virtual rig in lockstep that serves until the end of the test.
class ServedRig {
 public:
  explicit ServedRig(const std::string& address, const LinkOptions& options = {})
      : document(quickstart()),
        tested(make_test(document, shipped_records())),
        hello(hello_of(document, *tested.experiment, true)),
        core_(tested) {
    link_ = listen_link(parse_url(address, "--listen"), hello, options);
    RigServerOptions how;
    how.lockstep = true;
    how.log = [this](const std::string& text) { log += text; };
    server_ = std::make_unique<RigServer>(*link_, core_, how);
    thread_ = std::thread([this] { server_->serve(stop_); });
  }
  ~ServedRig() { finish(); }
  void finish() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Url url() const { return parse_url(link_->address(), "--rig"); }
  std::uint64_t refused() const { return link_->refused(); }

  Document document;
  Test tested;
  Hello hello;
  std::string log;  ///< read after finish()

 private:
  RigCore core_;
  std::unique_ptr<ServerLink> link_;
  std::unique_ptr<RigServer> server_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace gusset::test
