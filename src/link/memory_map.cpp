#include "link/memory_map.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "link/futex.hpp"
#include "link/guarded_map.hpp"

namespace gusset {
namespace {

constexpr std::size_t command_values = 4;  // of a channel: value, rate, curvature, rate at the start

std::size_t width(MemoryRegion::Type type) { return type == MemoryRegion::Type::f64 ? 8 : 4; }

/// A region with the place of its number among the values.
struct Place {
  MemoryRegion region;
  std::size_t index;
};

class MemoryLink final : public Link {
 public:
  MemoryLink(const Url& url, const Hello& mine, const MemoryMap& map) : peer_(mine), size_(map.size) {
    const bool path = url.name.find('/') != std::string::npos;
    file_ = path ? ::open(url.name.c_str(), O_RDWR | O_CLOEXEC)
                 : shm_open(("/" + url.name).c_str(), O_RDWR, 0600);
    struct stat status {};
    if (file_ < 0 || fstat(file_, &status) != 0) fail(url, std::strerror(errno));
    if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) < map.size) {
      fail(url, "it has only " + std::to_string(status.st_size) + " bytes, link.size is " +
                    std::to_string(map.size));
    }
    void* memory = mmap(nullptr, map.size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory == MAP_FAILED) fail(url, std::strerror(errno));
    memory_ = static_cast<char*>(memory);
    guard_.guard(memory, map.size);
    peer_.rig = map.is_virtual ? "virtual" : "hardware";
    for (const MemoryRegion& region : map.regions) place(url, region, mine);
    for (std::size_t i = 0; i < mine.feedback.size(); ++i) {
      const bool known = std::any_of(in_.begin(), in_.end(), [&](const Place& p) { return p.index == i; });
      if (!known && !mine.feedback[i].first.ends_with(".dissipated")) {
        fail(url, "no [[link.region]] carries " + mine.feedback[i].first + " from the rig");
      }
    }
    for (std::size_t i = 0; i < mine.commands.size(); i += command_values) {
      const bool known = std::any_of(out_.begin(), out_.end(), [&](const Place& p) { return p.index == i; });
      if (!known) fail(url, "no [[link.region]] carries " + mine.commands[i].first + " to the rig");
    }
    if (in_beat_ == nullptr || out_beat_ == nullptr) {
      fail(url, "a heartbeat is needed in both directions");
    }
    if (!map.is_virtual && !out_phase_) {
      fail(url,
           "no [[link.region]] carries phase to the rig, which could not tell idle and stop from motion");
    }
    seen_ = load(*in_beat_);
    beat_ = load(*out_beat_);
  }
  ~MemoryLink() override {
    if (memory_ != nullptr) munmap(memory_, size_);
    if (file_ >= 0) ::close(file_);
  }

  bool send(const Message& message, const double* values) noexcept override {
    // A controller may beat on its own clock: what it said before it saw this command is no answer to it.
    if (message.sequence != sent_.sequence) seen_ = load(*in_beat_);
    for (const Place& place : out_) write(place.region, values[place.index]);
    if (out_phase_) write(*out_phase_, static_cast<double>(message.phase));
    if (out_sequence_) write(*out_sequence_, static_cast<double>(message.sequence));
    sent_ = message;
    // Release: whoever sees the heartbeat sees the numbers. A store, not an atomic addition: nobody else
    // writes it, and memory behind a bus need not be able to add.
    std::atomic_ref(*out_beat_).store(++beat_, std::memory_order_release);
    return true;
  }
  bool receive(Message& message, double* values) noexcept override {
    const std::uint32_t beat = load(*in_beat_);
    if (beat == seen_) return false;
    seen_ = beat;
    message = sent_;
    if (in_sequence_) message.sequence = static_cast<std::uint64_t>(read(*in_sequence_));
    std::fill_n(values, peer_.feedback.size(), std::numeric_limits<double>::quiet_NaN());
    for (const Place& place : in_) values[place.index] = read(place.region);
    return true;
  }
  void wait(std::int64_t until) noexcept override {
    // Nobody rings a bell here.
    const timespec next = to_timespec(std::min(until, monotonic_now() + 50'000));
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
  }
  const Hello& peer() const override { return peer_; }

 private:
  [[noreturn]] static void fail(const Url& url, const std::string& cause) {
    throw InputError(
        {"--rig", 0, 0}, url.text + ": " + cause,
        "describe the memory in [link] and [[link.region]]; see the manual, a test in real time");
  }
  static std::uint32_t load(std::uint32_t& word) noexcept {
    return std::atomic_ref(word).load(std::memory_order_acquire);
  }
  void place(const Url& url, const MemoryRegion& region, const Hello& mine) {
    const std::string& name = region.carries;
    if (name == "heartbeat") {
      auto*& beat = region.out ? out_beat_ : in_beat_;
      beat = reinterpret_cast<std::uint32_t*>(memory_ + region.offset);
    } else if (name == "sequence") {
      (region.out ? out_sequence_ : in_sequence_) = region;
    } else if (name == "phase" && region.out) {
      out_phase_ = region;
    } else {
      const auto& list = region.out ? mine.commands : mine.feedback;
      const auto found =
          std::find_if(list.begin(), list.end(), [&](const auto& s) { return s.first == name; });
      if (found == list.end()) {
        fail(url, "there is no signal " + name + " that way; there are heartbeat, sequence, phase, " +
                      (list.empty() ? "" : list.front().first) + " …");
      }
      if (region.out && region.type == MemoryRegion::Type::u32) {
        fail(url, "a u32 cannot carry " + name + ", which may be negative");
      }
      (region.out ? out_ : in_).push_back({region, static_cast<std::size_t>(found - list.begin())});
    }
  }
  template <class T>
  void put(std::size_t offset, T value) noexcept {
    std::memcpy(memory_ + offset, &value, sizeof value);
  }
  template <class T>
  double get(std::size_t offset) const noexcept {
    T value;
    std::memcpy(&value, memory_ + offset, sizeof value);
    return static_cast<double>(value);
  }
  void write(const MemoryRegion& region, double value) noexcept {
    const double number = region.scale * value;
    switch (region.type) {
      case MemoryRegion::Type::u32:
        put(region.offset, static_cast<std::uint32_t>(std::llround(number)));
        break;
      case MemoryRegion::Type::i32:  // clamped: wrapped around it would be a command the other way
        put(region.offset,
            static_cast<std::int32_t>(std::llround(std::clamp(number, -2147483648.0, 2147483647.0))));
        break;
      case MemoryRegion::Type::f32: put(region.offset, static_cast<float>(number)); break;
      case MemoryRegion::Type::f64: put(region.offset, number); break;
    }
  }
  double read(const MemoryRegion& region) const noexcept {
    double number = 0;
    switch (region.type) {
      case MemoryRegion::Type::u32: number = get<std::uint32_t>(region.offset); break;
      case MemoryRegion::Type::i32: number = get<std::int32_t>(region.offset); break;
      case MemoryRegion::Type::f32: number = get<float>(region.offset); break;
      case MemoryRegion::Type::f64: number = get<double>(region.offset); break;
    }
    return number / region.scale;
  }

  Hello peer_;
  std::size_t size_;
  int file_ = -1;
  char* memory_ = nullptr;
  GuardedMap guard_;
  std::vector<Place> out_, in_;
  std::optional<MemoryRegion> out_sequence_, in_sequence_, out_phase_;
  std::uint32_t* out_beat_ = nullptr;
  std::uint32_t* in_beat_ = nullptr;
  std::uint32_t seen_ = 0, beat_ = 0;
  Message sent_;
};

}  // namespace

MemoryMap read_memory_map(const Document& document) {
  MemoryMap map;
  const std::vector<const Section*> regions = document.sections("link.region");
  if (!document.has_section("link") && regions.empty()) return map;
  const Section& link = document.section("link");
  map.size = static_cast<std::size_t>(link.integer("size", 4096, 8, 1 << 30));
  map.is_virtual = link.flag("virtual", false);
  for (const Section* section : regions) {
    MemoryRegion region;
    const std::string type = section->choice("type", {"u32", "i32", "f32", "f64"}, "f64");
    region.type = type == "u32"   ? MemoryRegion::Type::u32
                  : type == "i32" ? MemoryRegion::Type::i32
                  : type == "f32" ? MemoryRegion::Type::f32
                                  : MemoryRegion::Type::f64;
    region.offset = static_cast<std::size_t>(section->integer("offset", 0, 0, 1 << 30));
    region.out = section->choice("direction", {"out", "in"}) == "out";
    region.carries = section->text("carries");
    region.scale = section->number("scale", dim::none, 1);
    if (region.offset % width(region.type) != 0 || region.offset + width(region.type) > map.size) {
      section->fail("offset", "the region does not lie within link.size, at a multiple of its own size",
                    "move it, or enlarge link.size");
    }
    if (region.scale == 0) section->fail("scale", "a scale of 0 loses the number", "write another scale");
    if (region.carries == "heartbeat" && region.type != MemoryRegion::Type::u32) {
      section->fail("type", "a heartbeat is a u32", "write type = \"u32\"");
    }
    map.regions.push_back(std::move(region));
  }
  return map;
}

std::unique_ptr<Link> connect_memory(const Url& url, const Hello& mine, const MemoryMap& map) {
  if (map.size == 0) {
    throw InputError({"--rig", 0, 0}, "the experiment file does not describe the memory " + url.text,
                     "add [link] and [[link.region]]; see the manual, a test in real time");
  }
  return std::make_unique<MemoryLink>(url, mine, map);
}

}  // namespace gusset
