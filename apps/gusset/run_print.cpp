#include "run_print.hpp"

#include <cstdio>
#include <iostream>

#include "common.hpp"

namespace gusset::app {
namespace run_print_private {

void print_histogram(const char* name, const Histogram& histogram) {
  const auto micro = [](std::int64_t nanoseconds) { return 1e-3 * static_cast<double>(nanoseconds); };
  std::printf("   %-12s median %8.1f us   99 %% %8.1f us   99.9 %% %8.1f us   worst %8.1f us\n", name,
              micro(histogram.percentile(0.5)), micro(histogram.percentile(0.99)),
              micro(histogram.percentile(0.999)), micro(histogram.maximum()));
}

}  // namespace run_print_private

void print_result(const SessionResult& result, bool lockstep) {
  const LoopResult& loop = result.loop;
  std::cout << result.title << "\n\n"
            << loop.commands << " commands in " << readable(loop.time, "s") << " of test; " << loop.missed
            << " deadlines missed, " << loop.late_answers << " answers late, "
            << loop.page_faults.minor + loop.page_faults.major << " page faults\n\ntiming\n";
  if (!lockstep) {
    std::fflush(stdout);
    run_print_private::print_histogram("wake-up", loop.wake_up);
    run_print_private::print_histogram("compute", loop.compute);
    run_print_private::print_histogram("round trip", loop.round_trip);
  }
  std::puts("\ntracking");
  for (const auto& [name, value] : result.summary) {
    if (!name.starts_with("tracking.")) continue;
    const bool share = name.ends_with(".nrmse") || name.ends_with(".peak");
    if (!share && !name.ends_with("delay")) continue;
    std::printf("   %-42s %s\n", name.c_str(),
                share ? (brief(100 * value) + " %").c_str() : readable(value, "s").c_str());
  }
  if (result.kept) std::printf("\nresults in %s\n", result.out.c_str());
  std::fflush(stdout);
}

void print_trouble(const SessionResult& result, const Experiment& experiment) {
  const LoopResult& loop = result.loop;
  if (!result.arming.granted()) {
    std::cerr << "gusset: not armed, nothing has moved: see above\n";
  } else if (loop.first_out != Cause::none || !loop.completed) {
    std::cerr << "gusset: the test ended early at t = " << brief(loop.time)
              << " s: " << explain(loop.first_out);
    if (loop.first_out == Cause::rig) std::cerr << " (" << explain(loop.rig_cause) << ")";
    if (loop.finding && loop.finding->cause == loop.first_out) {
      std::cerr << " (" << passed_text(*loop.finding, experiment) << ")";
    }
    if (!result.trouble.empty()) std::cerr << "; " << result.trouble;
    std::cerr << '\n';
    if (result.kept) std::cerr << "  what was recorded until then is in " << result.out << '\n';
  } else if (!result.trouble.empty()) {
    std::cerr << "gusset: the test is over, but not all of it is recorded: " << result.trouble << '\n';
  }
  if (result.unfinished) std::cerr << "gusset: " << result.unfinished->what() << '\n';
}

}  // namespace gusset::app
