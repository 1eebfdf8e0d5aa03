#include "link/plugin.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "link/futex.hpp"
#include "link/gusset_rig.h"

namespace gusset {
namespace {

class PluginLink final : public Link {
 public:
  PluginLink(const Url& url, const Hello& mine) : peer_(mine) {
    const std::size_t mark = url.name.find('?');
    const std::string path = url.name.substr(0, mark);
    const std::string options = mark == std::string::npos ? "" : url.name.substr(mark + 1);
    const auto fail = [&](const std::string& cause, const std::string& fix) {
      throw InputError({"--rig", 0, 0}, url.text + ": " + cause, fix);
    };
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
      const char* reason = dlerror();
      fail(std::string("the library cannot be loaded: ") + (reason != nullptr ? reason : "?"),
           "give the path of a shared library, e.g. plugin:./driver.so");
    }
    const auto entry = reinterpret_cast<const gusset_rig_driver* (*)()>(dlsym(library_, "gusset_rig"));
    driver_ = entry != nullptr ? entry() : nullptr;
    if (driver_ == nullptr) fail("it does not export gusset_rig()", "see gusset_rig.h");
    if (driver_->abi != GUSSET_RIG_ABI) {
      fail("it was made for version " + std::to_string(driver_->abi) + " of gusset_rig.h, this is version " +
               std::to_string(GUSSET_RIG_ABI),
           "compile it again with the header of this Gusset");
    }
    std::vector<gusset_rig_signal> commands, feedback;
    for (const auto& [name, unit] : mine.commands) commands.push_back({name.c_str(), unit.c_str()});
    for (const auto& [name, unit] : mine.feedback) feedback.push_back({name.c_str(), unit.c_str()});
    char error[256] = "";
    const gusset_rig_setup setup{GUSSET_RIG_ABI,
                                 static_cast<std::uint32_t>(commands.size()),
                                 static_cast<std::uint32_t>(feedback.size()),
                                 sizeof error,
                                 commands.data(),
                                 feedback.data(),
                                 1e-9 * static_cast<double>(mine.period),
                                 options.c_str(),
                                 error};
    rig_ = driver_->open(&setup);
    error[sizeof error - 1] = '\0';
    if (rig_ == nullptr) fail(std::string("the driver refuses: ") + error, "put that right");
    peer_.rig = driver_->virtual_rig != 0 ? "virtual" : "hardware";
  }
  ~PluginLink() override {
    if (rig_ != nullptr) driver_->close(rig_);
    if (library_ != nullptr) dlclose(library_);
  }

  bool send(const Message& message, const double* values) noexcept override {
    const gusset_rig_message out{message.sequence,
                                 message.time,
                                 message.step,
                                 message.substep,
                                 static_cast<std::uint32_t>(message.phase),
                                 message.cause,
                                 0};
    const bool sent = driver_->send(rig_, &out, values) == 0;
    lost_ = lost_ || !sent;
    return sent;
  }
  bool receive(Message& message, double* values) noexcept override {
    gusset_rig_message in{};
    const int got = driver_->receive(rig_, &in, values);
    if (got < 0) lost_ = true;
    if (got <= 0) return false;
    message = {in.sequence, in.time, in.step, in.substep, static_cast<LinkPhase>(in.phase), in.cause};
    return true;
  }
  void wait(std::int64_t until) noexcept override {
    // The driver is asked, it does not call: look again in a moment.
    const timespec next = to_timespec(std::min(until, monotonic_now() + 50'000));
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
  }
  bool lost() const noexcept override { return lost_; }
  const Hello& peer() const override { return peer_; }

 private:
  Hello peer_;
  void* library_ = nullptr;
  const gusset_rig_driver* driver_ = nullptr;
  void* rig_ = nullptr;
  bool lost_ = false;
};

}  // namespace

std::unique_ptr<Link> connect_plugin(const Url& url, const Hello& mine, const LinkOptions&) {
  return std::make_unique<PluginLink>(url, mine);
}

}  // namespace gusset
