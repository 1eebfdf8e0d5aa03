#include "supervise/limits/kinds.hpp"
#include "supervise/settings.hpp"

namespace gusset {
namespace {

/// Energy that the tracking error has fed into the test, ∫f dy − ∫f dx a channel (Mosqueda 2007): what
/// the specimen took up beyond what the numerical part gave away. Losing energy is no danger.
class EnergyLimit final : public Limit {
 public:
  explicit EnergyLimit(const LimitContext& context)
      : Limit(Cause::energy, context.action), guards_(context.guards) {}

  Reading measured(const Snapshot& snapshot) const noexcept override {
    Reading reading;
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (!guards_[c].energy) continue;
      const double fed = snapshot.energies[c] > 0 ? snapshot.energies[c] : 0;
      const double safe = snapshot.energies[c] == snapshot.energies[c] ? fed : snapshot.energies[c];
      take_larger(reading, safe, *guards_[c].energy, static_cast<int>(c));
    }
    return reading;
  }
  bool of_the_loop() const override { return true; }
  void provoke(Snapshot& snapshot) const override {
    for (std::size_t c = 0; c < guards_.size(); ++c) {
      if (guards_[c].energy) snapshot.energies[c] = 1.01 * *guards_[c].energy;
    }
  }

 private:
  std::vector<Guard> guards_;
};

}  // namespace

const LimitKind energy_limit{"energy",
                             Cause::energy,
                             Action::ramp_down,
                             Action::indicate,
                             "energy the tracking error has fed into the test beyond limits.energy",
                             [](const LimitContext& context) -> std::unique_ptr<Limit> {
                               if (!any_limit(context.guards, &Guard::energy)) return nullptr;
                               return std::make_unique<EnergyLimit>(context);
                             }};

}  // namespace gusset
