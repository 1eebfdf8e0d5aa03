#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// A load cell that shows much at rest holds a specimen that is loaded already: to call that nothing would hide
/// it from everybody.
class TareLimit final : public Limit {
 public:
  explicit TareLimit(const LimitContext& context)
      : Limit(Cause::tare, context.action), guards_(context.guards) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (guards_[c].tare) take_larger(reading, snapshot.tares[c], *guards_[c].tare, static_cast<int>(c));
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (guards_[c].tare) snapshot.tares[c] = 1.01 * *guards_[c].tare;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind tare_limit{"tare",
                           Cause::tare,
                           Action::interlock,
                           Action::ramp_down,
                           "a load cell shows more at rest than limits.tare; without it 5 % of limits.force",
                           [](const LimitContext& context) -> std::unique_ptr<Limit> {
                             if (!any_limit(context.guards, &Guard::tare)) return nullptr;
                             return std::make_unique<TareLimit>(context);
                           }};

}  // namespace gusset
