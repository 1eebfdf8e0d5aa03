#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Energy that the tracking error has fed into the test, ∫f dy − ∫f dx a channel (Mosqueda 2007): what
/// the specimen took up beyond what the numerical part gave away. Losing energy is no danger.
class EnergyLimit final : public Limit {
 public:
  EnergyLimit(const LimitContext& context, double limit)
      : Limit(Cause::energy, context.action), limit_(limit) {}

  Reading read(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < snapshot.positions.size(); ++c) {
      const double fed = snapshot.energies[c] > 0 ? snapshot.energies[c] : 0;
      const double safe = snapshot.energies[c] == snapshot.energies[c] ? fed : snapshot.energies[c];
      take_larger(reading, safe, limit_, static_cast<int>(c));
    }
    return reading;
  }
  void provoke(Snapshot& snapshot) const override { snapshot.energies[0] = 1.01 * limit_; }

 private:
  double limit_;
};

}  // namespace

const LimitKind energy_limit{
    "energy", Cause::energy, Action::ramp_down, Action::indicate, "energy the tracking error has fed into the test beyond limits.energy",
    [](const LimitContext& context) -> std::unique_ptr<Limit> {
      const auto& limit = context.settings.energy;
      if (!limit || context.guards.empty()) return nullptr;
      return std::make_unique<EnergyLimit>(context, *limit);
    }};

}  // namespace gusset
