#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// A test whose data cannot be kept is of no use: the disk is full, or the recorder does not follow.
class RecorderLimit final : public Limit {
 public:
  explicit RecorderLimit(Action action) : Limit(Cause::recorder, action) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    return {snapshot.recording ? 0.0 : 2.0, 0, -1};
  }
  void provoke(Snapshot& snapshot) const override { snapshot.recording = false; }
};

}  // namespace

const LimitKind recorder_limit{"recorder",
                               Cause::recorder,
                               Action::ramp_down,
                               Action::ramp_down,
                               "the recorder cannot keep the data",
                               [](const LimitContext& context) -> std::unique_ptr<Limit> {
                                 return std::make_unique<RecorderLimit>(context.action);
                               }};

}  // namespace gusset
