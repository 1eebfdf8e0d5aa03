#include "realtime/readiness.hpp"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <thread>

#include "realtime/pace.hpp"

namespace gusset {
namespace {

namespace fs = std::filesystem;

/// First line of a file of /sys or /proc; empty if it cannot be read.
std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string words(int error) { return std::generic_category().message(error); }

constexpr const char* rights_fix =
    "sudo setcap cap_sys_nice,cap_ipc_lock+ep \"$(readlink -f \"$(command -v gusset)\")\"";

ReadinessCheck kernel() {
  utsname system{};
  uname(&system);
  const std::string version = system.version;
  const bool rt = line_of("/sys/kernel/realtime") == "1" || version.find("PREEMPT_RT") != std::string::npos;
  const bool preemptible = rt || version.find("PREEMPT") != std::string::npos;
  ReadinessCheck check;
  check.name = "kernel";
  check.ok = rt;
  // An ordinary kernel keeps most deadlines; one that is not preemptible at all does not.
  check.required = !preemptible;
  check.found = std::string("Linux ") + system.release +
                (rt            ? ", PREEMPT_RT"
                 : preemptible ? ", preemptible but not PREEMPT_RT"
                               : ", not preemptible");
  check.consequence = "the kernel's own work can hold the loop up for milliseconds";
  check.fix = "sudo apt-get install linux-image-rt-amd64 && sudo reboot";
  return check;
}

ReadinessCheck scheduling() {
  ReadinessCheck check{"scheduling", false, true, "", "other programs can hold the loop up", ""};
  int error = 0;
  // On a thread of its own, so that nothing stays changed.
  std::thread([&] {
    const sched_param wanted{80};
    error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted);
  }).join();
  check.ok = error == 0;
  check.found = error == 0 ? "SCHED_FIFO at priority 80 is granted"
                           : "SCHED_FIFO at priority 80 is refused: " + words(error);
  check.fix = rights_fix;
  return check;
}

ReadinessCheck throttling() {
  const std::string runtime = line_of("/proc/sys/kernel/sched_rt_runtime_us");
  ReadinessCheck check{"throttling", true, false, "", "", ""};
  check.ok = runtime.empty() || runtime == "-1";
  check.found = runtime.empty() ? "not known"
                : check.ok      ? "off"
                                : "real-time threads get " + runtime + " us of " +
                                 line_of("/proc/sys/kernel/sched_rt_period_us");
  check.consequence = "a loop that uses all of its core is stopped for the rest of the period";
  check.fix = "sudo sysctl kernel.sched_rt_runtime_us=-1";
  return check;
}

ReadinessCheck locked_memory() {
  ReadinessCheck check{
      "locked memory", false, true, "", "memory can be paged out, and the loop waits for the disk",
      rights_fix};
  // Really tried, since rights do not tell inside containers.
  std::size_t bytes = 0;
  const int error = try_locking_memory(bytes);
  const std::string size = std::to_string(bytes >> 20) + " MB";
  check.ok = error == 0;
  check.found = error == 0 ? size + " can be locked" : size + " cannot be locked: " + words(error);
  return check;
}

ReadinessCheck governor() {
  ReadinessCheck check{"frequency governor", true, false, "", "", ""};
  std::set<std::string> governors;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/sys/devices/system/cpu", ignored)) {
    const std::string name = line_of((entry.path() / "cpufreq/scaling_governor").string());
    if (!name.empty()) governors.insert(name);
  }
  for (const std::string& name : governors) {
    check.found += (check.found.empty() ? "" : ", ") + name;
    check.ok = check.ok && name == "performance";
  }
  if (governors.empty()) check.found = "no scaling to be seen here";
  check.consequence = "the core slows down between steps, and steps take longer";
  check.fix = "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";
  return check;
}

ReadinessCheck cores() {
  const auto count = static_cast<int>(std::thread::hardware_concurrency());
  ReadinessCheck check{"cores",
                       count >= 2,
                       true,
                       std::to_string(count),
                       "recorder and loop share a core",
                       "use a machine with two cores or more"};
  return check;
}

ReadinessCheck isolated_cores() {
  const std::string list = line_of("/sys/devices/system/cpu/isolated");
  const int last = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
  const std::string core = std::to_string(last);
  return {"isolated cores",
          !list.empty(),
          false,
          list.empty() ? "none" : list,
          "other programs and the kernel's timers share the loop's core",
          "echo 'GRUB_CMDLINE_LINUX_DEFAULT=\"$GRUB_CMDLINE_LINUX_DEFAULT isolcpus=" + core +
              " nohz_full=" + core + " rcu_nocbs=" + core +
              "\"' | sudo tee -a /etc/default/grub && sudo update-grub && sudo reboot"};
}

ReadinessCheck timers() {
  timespec resolution{};
  clock_getres(CLOCK_MONOTONIC, &resolution);
  const bool fine = resolution.tv_sec == 0 && resolution.tv_nsec <= 1000;
  return {"timers",
          fine,
          true,
          "resolution " + std::to_string(resolution.tv_nsec) + " ns",
          "the loop wakes on the kernel's tick only, milliseconds apart",
          "boot without highres=off and nohz=off; the kernel needs CONFIG_HIGH_RES_TIMERS"};
}

ReadinessCheck timer_slack(bool fifo) {
  const int slack = prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL);
  // The kernel gives real-time threads none; a run asks for 1 ns beside.
  ReadinessCheck check{"timer slack", fifo || slack <= 1, false, "", "", ""};
  check.found = std::to_string(slack) + " ns" + (fifo ? ", 0 for SCHED_FIFO" : "");
  check.consequence = "the kernel may wake the loop that much late";
  check.fix = rights_fix;
  return check;
}

ReadinessCheck clock_source() {
  const std::string source = line_of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  const bool slow = source == "hpet" || source == "acpi_pm" || source == "jiffies";
  return {"clock source",
          !slow,
          false,
          source.empty() ? "not known" : source,
          "reading the clock takes microseconds",
          "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"};
}

ReadinessCheck dma_latency() {
  const char* path = "/dev/cpu_dma_latency";
  ReadinessCheck check{"dma latency", false, false, "", "", ""};
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  check.ok = file >= 0;
  check.found = check.ok ? "can be held at 0 us" : std::string(path) + ": " + words(errno);
  if (file >= 0) ::close(file);
  check.consequence = "a core that fell asleep between steps takes up to 100 us to wake";
  check.fix =
      "echo 'KERNEL==\"cpu_dma_latency\", MODE=\"0660\", GROUP=\"realtime\"' | sudo tee "
      "/etc/udev/rules.d/99-gusset.rules && sudo udevadm trigger --name-match=cpu_dma_latency";
  return check;
}

ReadinessCheck virtual_machine() {
  std::ifstream file("/proc/cpuinfo");
  bool guest = false;
  for (std::string line; std::getline(file, line) && !guest;) {
    guest = line.starts_with("flags") && line.find(" hypervisor") != std::string::npos;
  }
  return {"own hardware",
          !guest,
          false,
          guest ? "a virtual machine" : "yes",
          "the host can take the core away, and nothing in here prevents it",
          "run tests on hardware; a virtual machine is good for rehearsals"};
}

}  // namespace

bool Readiness::fit() const {
  return std::all_of(checks.begin(), checks.end(),
                     [](const ReadinessCheck& check) { return check.ok || !check.required; });
}

std::string Readiness::to_json() const {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const ReadinessCheck& check : checks) {
    list.push_back({{"name", check.name},
                    {"ok", check.ok},
                    {"required", check.required},
                    {"found", check.found},
                    {"consequence", check.ok ? "" : check.consequence},
                    {"fix", check.ok ? "" : check.fix}});
  }
  return Json{{"fit", fit()}, {"checks", list}}.dump(2, ' ', false, Json::error_handler_t::replace);
}

Readiness examine() {
  Readiness readiness;
  readiness.checks = {kernel(), scheduling()};
  const bool fifo = readiness.checks.back().ok;
  for (ReadinessCheck check : {locked_memory(), timers(), cores(), throttling(), governor(), isolated_cores(),
                               timer_slack(fifo), clock_source(), dma_latency(), virtual_machine()}) {
    readiness.checks.push_back(std::move(check));
  }
  return readiness;
}

}  // namespace gusset
