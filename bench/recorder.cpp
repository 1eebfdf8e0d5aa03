// What `--durable` costs: the time to write a segment of 50 ms with and without fdatasync, on the
// file system of the folder given (default: the current one), at 4096 Hz with 20 signals.
//
// usage: bench_recorder [FOLDER [SECONDS]]

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "realtime/histogram.hpp"
#include "realtime/pace.hpp"
#include "realtime/recorder.hpp"
#include "runs/recover.hpp"

namespace {

using namespace gusset;

/// A file that takes the time of what is done with it.
struct TimedFile : RawSink {
  explicit TimedFile(const std::string& path) : file(path) {}
  RawFile file;
  Histogram write_time, sync_time, push_time;
  std::uint64_t bytes = 0;
  int write(std::uint64_t offset, const void* data, std::size_t size) noexcept override {
    const std::int64_t begun = now_ns();
    const int error = file.write(offset, data, size);
    write_time.add(now_ns() - begun);
    bytes += size;
    return error;
  }
  int sync() noexcept override {
    const std::int64_t begun = now_ns();
    const int error = file.sync();
    sync_time.add(now_ns() - begun);
    return error;
  }
};

void measure(const std::string& folder, double seconds, bool durable) {
  constexpr double rate = 4096;
  constexpr std::size_t width = 20;
  const std::string path = folder + "/bench-recorder.h5";
  RecordingPlan plan;
  plan.streams = {{"rig", 0, 1 / rate, {}, 0}};
  for (std::size_t i = 0; i < width; ++i) {
    plan.streams[0].signals.push_back({"signal" + std::to_string(i), "m"});
  }
  const auto sink = std::make_shared<TimedFile>(raw_path_of(path));
  Histogram push;
  {
    Recorder recorder({.path = path, .durable = durable, .sink = sink}, plan);
    std::vector<double> row(width, 1.5);
    const Beat beat(now_ns(), 1 / rate);
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(seconds * rate); ++k) {
      row[0] = static_cast<double>(k);
      const std::int64_t begun = now_ns();
      recorder.push(0, k, row.data(), row.size());
      push.add(now_ns() - begun);
      sleep_until(beat.deadline(k + 1));
    }
    recorder.finish();
    if (!recorder.healthy()) std::printf("   NOT healthy: %s\n", recorder.trouble().c_str());
  }
  const auto line = [](const char* name, const Histogram& h, double unit, const char* text) {
    if (h.count() == 0) return;
    std::printf("   %-10s p50 %8.3f %s, p99 %8.3f %s, max %8.3f %s\n", name,
                static_cast<double>(h.percentile(0.5)) / unit, text,
                static_cast<double>(h.percentile(0.99)) / unit, text, static_cast<double>(h.maximum()) / unit,
                text);
  };
  std::printf("%s: %llu segments, %.2f MB/s\n", durable ? "durable (fdatasync)" : "ordinary",
              static_cast<unsigned long long>(sink->write_time.count()),
              1e-6 * static_cast<double>(sink->bytes) / seconds);
  line("push", push, 1e3, "us");
  line("write", sink->write_time, 1e6, "ms");
  line("fdatasync", sink->sync_time, 1e6, "ms");
  std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const double seconds = argc > 2 ? std::atof(argv[2]) : 5;
  measure(folder, seconds, false);
  measure(folder, seconds, true);
  return 0;
}
