#include <Eigen/LU>
#include <cmath>

#include "rig/ideal.hpp"
#include "rig/plant_kinds.hpp"
#include "rig/propagator.hpp"
#include "rig/servo_parameters.hpp"
#include "rig/signal_delay.hpp"

namespace gusset {
namespace {

/// A rig given by its transfer function, followed exactly by the specimen:
///
///   x(s) = e^{−τs}·(n_0·s^m + … + n_m)/(d_0·s^n + … + d_n)·u(s),   m ≤ n
///
/// u moves linearly between samples; solved exactly (matrix exponential). The controllable canonical
/// form in the time ω·t, ω = (d_n/d_0)^{1/n}, keeps all states of the order of u. With z' = A·z + b·u:
///
///   x = C·z + D·u,   x' = C·A·z + C·b·u + D·u',   x'' = C·A²·z + C·A·b·u + C·b·u'
///
/// State: z; the commands on their way. The specimen does not act back on the rig: what it does to it
/// is in the transfer function, as it was identified.
class TransferRig final : public SpecimenRig {
 public:
  TransferRig(const RigContext& context, std::vector<double> numerator, std::vector<double> denominator,
              double delay, double force_delay);

  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  const Specimen& specimen() const override { return *specimen_; }

 private:
  /// A quantity of the plant: row·z + direct·u + rate·u'.
  struct Tap {
    Eigen::RowVectorXd row;
    double direct = 0, rate = 0;

    double of(const double* z, double u, double slope) const noexcept {
      double sum = direct * u + rate * slope;
      for (Eigen::Index i = 0; i < row.size(); ++i) sum += row(i) * z[i];
      return sum;
    }
  };

  std::vector<double> durations_;
  Propagator plant_;
  Tap position_, velocity_, acceleration_;
  Eigen::VectorXd rest_;  ///< z under u = 1
  bool end_acceleration_ = false;
  Segment z_;
  LinearCommand command_;
  SignalDelay force_delay_;
  std::unique_ptr<Specimen> specimen_;
};

TransferRig::TransferRig(const RigContext& context, std::vector<double> numerator,
                         std::vector<double> denominator, double delay, double force_delay)
    : SpecimenRig(context) {
  const auto n = static_cast<Eigen::Index>(denominator.size()) - 1;
  numerator.insert(numerator.begin(), denominator.size() - numerator.size(), 0.0);
  const double lead = denominator.front();
  const double omega =
      n > 0 ? std::pow(std::abs(denominator.back() / lead), 1.0 / static_cast<double>(n)) : 1;
  double power = lead;
  for (std::size_t i = 0; i < denominator.size(); ++i, power *= omega) {
    numerator[i] /= power;
    denominator[i] /= power;
  }
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(n, 1);
  Eigen::RowVectorXd c(n);
  const double d = numerator.front();
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i) + 1;
    a(0, i) = -omega * denominator[at];
    c(i) = numerator[at] - denominator[at] * d;
    if (i > 0) a(i, i - 1) = omega;
  }
  if (n > 0) b(0, 0) = omega;
  position_ = {c, d, 0};
  velocity_ = {c * a, n > 0 ? (c * b)(0) : 0.0, d};
  acceleration_ = {c * a * a, n > 0 ? (c * a * b)(0) : 0.0, n > 0 ? (c * b)(0) : 0.0};
  rest_ = n > 0 ? Eigen::VectorXd(-a.partialPivLu().solve(b)) : Eigen::VectorXd();

  const SpecimenKind& kind = specimen_kind(context.specimen);
  end_acceleration_ = kind.traits(context.document, context.specimen, context.numerical_mass).acceleration;
  if (end_acceleration_ && d != 0) {
    context.section.fail("numerator",
                         "as many zeros as poles: the motion would follow the corners of the "
                         "command, and a mass cannot",
                         "give a denominator of higher degree");
  }
  z_ = context.layout.add(context.name(), "plant", "m", static_cast<int>(n), 1e-3);
  command_ = LinearCommand(context, delay);
  durations_ = command_.durations();
  plant_ = Propagator(a, b, durations_);
  force_delay_ = SignalDelay(context.layout, context.name(), "late_force", "N",
                             delay_steps(context.section, "force_delay", force_delay, context.dt), 1.0);
  specimen_ = kind.make(context.specimen_context(durations_));
}

void TransferRig::advance(State& state, RigRow row, bool) const noexcept {
  const Command& command = row.command(0);
  double* measured = row.signals(0);
  double* z = state.at(z_);
  const LinearCommand::Parts parts = command_.step(state, command.value);
  double force = 0;
  for (int i = 0; i < parts.count; ++i) {
    const LinearCommand::Part& part = parts.part[i];
    const double duration = durations_[static_cast<std::size_t>(part.slot)];
    const double change = part.to - part.from;
    const double slope = change / duration;
    const double before = velocity_.of(z, part.from, slope);
    plant_.ramp(z, &part.from, &change, part.slot);
    measured[0] = position_.of(z, part.to, slope);
    const double after = velocity_.of(z, part.to, slope);
    const double acceleration =
        end_acceleration_ ? acceleration_.of(z, part.to, slope) : (after - before) / duration;
    force = specimen_->advance(state, {measured[0], after, acceleration, before, part.slot});
  }
  measured[1] = force_delay_.step(state, force);
}

void TransferRig::start(State& state, const LinearStart& specimen, RigRow row) const {
  const Motion motion = motion_of(row.command(0));
  double* measured = row.signals(0);
  const double u = motion.displacement;
  for (Eigen::Index i = 0; i < rest_.size(); ++i) state.at(z_)[i] = rest_(i) * u;
  command_.rest(state, u);
  measured[0] = position_.of(state.at(z_), u, 0);
  measured[1] =
      specimen_->start(state, {measured[0], 0, 0, 0, 0}, specimen.displacement(0), specimen.velocity(0));
  force_delay_.rest(state, measured[1]);
}

/// Closed loops of small actuators as they were identified.
struct NamedLoop {
  const char* name;
  std::vector<double> numerator, denominator;
};

std::vector<double> third_order(double pole, double b, double c) {
  return {1, pole + b, pole * b + c, pole * c};
}

std::unique_ptr<Rig> make(const RigContext& context) {
  const Section& section = context.section;
  static const NamedLoop loops[] = {{"third-order-a", {1.730e7}, third_order(182.7, 225.3, 9.499e4)},
                                    {"third-order-b", {1.600e7}, third_order(151.7, 250.4, 1.061e5)}};
  std::vector<double> numerator;
  std::vector<double> denominator;
  if (section.has("parameters")) {
    const std::string name = section.choice("parameters", {loops[0].name, loops[1].name});
    const NamedLoop& loop = name == loops[0].name ? loops[0] : loops[1];
    numerator = loop.numerator;
    denominator = loop.denominator;
  } else {
    numerator = section.list("numerator", dim::none);
    denominator = section.list("denominator", dim::none);
  }
  while (denominator.size() > 1 && denominator.front() == 0) denominator.erase(denominator.begin());
  while (numerator.size() > 1 && numerator.front() == 0) numerator.erase(numerator.begin());
  if (denominator.empty() || denominator.back() == 0) {
    section.fail("denominator",
                 "the denominator's last coefficient is zero: the rig would integrate its command "
                 "and rest nowhere",
                 "give the closed loop, e.g. numerator = [1e4], denominator = [1, 140, 1e4]");
  }
  if (numerator.empty() || numerator.size() > denominator.size()) {
    section.fail("numerator", "the numerator's degree is above the denominator's",
                 "give coefficients from the highest power of s down");
  }
  if (denominator.size() > 21) {
    section.fail("denominator", "the transfer function has more than 20 poles", "reduce its order");
  }
  const double delay = section.non_negative("delay", dim::time, 0);
  return std::make_unique<TransferRig>(context, numerator, denominator, delay,
                                       read_force_delay(section, context.dt));
}

}  // namespace

const RigKind transfer_rig_kind{
    "transfer-function",
    "a rig given by its transfer function from command to displacement, after an optional delay",
    "x(s) = e^(-delay s) (n_0 s^m + ... + n_m)/(d_0 s^n + ... + d_n) u(s), u linear between samples",
    {Control::displacement},
    {{"parameters", "word", "",
      "\"third-order-a\", \"third-order-b\": identified loops of Carrion & Spencer"},
     {"numerator", "-", "", "n, from the highest power of s [rad/s] down"},
     {"denominator", "-", "", "d, from the highest power of s [rad/s] down"},
     {"delay", "s", "0 s", "pure delay in front; need not be a multiple of rig.dt"},
     {"force_delay", "s", "0", "of the measured force; a bare number counts samples"}},
    make};

/// x'' + 2ζω·x' + ω²·x = ω²·u(t − τ): lag at low frequency τ + 2ζ/ω.
const RigKind second_order_rig_kind{
    "second-order",
    "an actuator and its controller as a second-order system, after an optional delay",
    "x'' + 2 zeta w x' + w^2 x = w^2 u(t - delay), u linear between samples",
    {Control::displacement},
    {{"frequency", "Hz", "", "w/2pi"},
     {"damping_ratio", "-", "", "zeta; the lag at low frequency is delay + 2 zeta/w"},
     {"delay", "s", "0", "pure delay in front; need not be a multiple of rig.dt"}},
    [](const RigContext& context) -> std::unique_ptr<Rig> {
      const Section& section = context.section;
      const double omega = section.positive("frequency", dim::frequency);
      const double zeta = section.non_negative("damping_ratio", dim::none);
      return std::make_unique<TransferRig>(context, std::vector<double>{omega * omega},
                                           std::vector<double>{1, 2 * zeta * omega, omega * omega},
                                           section.non_negative("delay", dim::time, 0), 0.0);
    }};

}  // namespace gusset
