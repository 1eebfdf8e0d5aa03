#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/linear_system.hpp"
#include "loop/loop.hpp"

// Blocks of a small test, each with its equations: two storeys, the specimen a coupled spring at both, two
// actuators. They stand in for the blocks of Gusset, so that the loop is tested without them.
namespace gusset::test::loop {

using Matrix = Eigen::Matrix2d;
using Vector = Eigen::Vector2d;
using Ports = std::array<Port, 2>;
using Commands = std::array<CommandPort, 2>;
using Names = std::array<std::string, 2>;

inline const Names storeys = {"storey1", "storey2"}, channels = {"lower", "upper"};

inline Eigen::Map<Vector> vector(double* values) { return Eigen::Map<Vector>(values); }
inline Vector get(const Frame& f, const Ports& ports) { return {f[ports[0]], f[ports[1]]}; }
inline void put(const Frame& f, const Ports& ports, const Vector& x) {
  for (int i = 0; i < 2; ++i) f[ports[static_cast<std::size_t>(i)]] = x[i];
}
inline Command sum(double p, const Command& a, double q, const Command& b) {
  return {p * a.value + q * b.value, p * a.rate + q * b.rate, p * a.curvature + q * b.curvature,
          p * a.start_rate + q * b.start_rate};
}

inline Ports bind_both(Site& site, const std::string& what, const std::string& unit) {
  return {site.bind(channels[0] + what, unit), site.bind(channels[1] + what, unit)};
}
inline Ports claim_both(Site& site, const std::string& what, const std::string& unit) {
  return {site.claim(channels[0] + what, unit), site.claim(channels[1] + what, unit)};
}
inline Commands bind_commands(Site& site, const Names& names, const std::string& what) {
  return {site.bind_command(names[0] + what, "m"), site.bind_command(names[1] + what, "m")};
}
inline Commands claim_commands(Site& site, const Names& names, const std::string& what) {
  return {site.claim_command(names[0] + what, "m"), site.claim_command(names[1] + what, "m")};
}

/// What a block keeps: claimed in the Layout, announced at its site.
struct Memory {
  Layout& layout;
  std::string owner;

  Segment keep(Site& site, const char* name, const char* unit, int size, double scale) const {
    const LayoutMark mark = layout.mark();
    const Segment segment = layout.add(owner, name, unit, size, scale);
    site.keep(layout.since(mark));
    return segment;
  }
};

/// The numerical part by central differences, w the velocity half a step after d, f the force held:
///
///   a = (M + Δt/2·C)⁻¹·(−K·d − C·w − f − M·1·a_g)     w ← w + Δt·a     d ← d + Δt·w
///
/// `next`: in this order, so that f_k belongs to d_k, and d_{k+1} is the goal of t_{k+1}.
/// `now`: d first, so that f_k stands at the end of the step, and d_k is commanded at t_k.
struct Numerical final : Stage {
  enum Target { next, now };
  Target target;
  double dt;
  Matrix m{{2000, 0}, {0, 1500}}, k{{3.3e6, -1.5e6}, {-1.5e6, 1.5e6}}, c = 1e-3 * k, inverse;
  Segment d, w, force;
  Port ground, goal, increment;

  Numerical(Site& s, const Memory& memory, double step, Target when)
      : target(when), dt(step), inverse((m + dt / 2 * c).inverse()) {
    ground = s.bind("ground.acceleration", "m/s^2");
    goal = s.claim({{"storey1.goal", "m"}, {"storey2.goal", "m"}});
    increment = s.claim({{"storey1.increment", "m"}, {"storey2.increment", "m"}});
    d = memory.keep(s, "displacement", "m", 2, 1e-3);
    w = memory.keep(s, "velocity", "m/s", 2, 1e-2);
    force = memory.keep(s, "force", "N", 2, 1);
  }
  void run(Frame& f) const noexcept override {
    auto x = vector(f.at(d)), v = vector(f.at(w));
    const Vector before = x;
    if (target == now) x += dt * v;
    v += dt * (inverse * (-k * x - c * v - vector(f.at(force)) - m * Vector::Constant(f[ground])));
    if (target == next) x += dt * v;
    vector(f.at(goal)) = x;
    vector(f.at(increment)) = x - before;
  }
  void start(Frame& f, const LinearStart& at) const override {
    vector(f.at(goal)) = vector(f.at(d)) = at.displacement;
    vector(f.at(w)) = at.velocity - dt / 2 * at.acceleration;
    vector(f.at(increment)).setZero();
  }
};

/// Goal → target of a sub-step. Ramp: there at the end of the step, at one rate. Hold: there at once.
struct Draw final : Stage {
  int substeps;
  double dt;
  bool hold;
  Port goal, increment;
  Commands target;
  Draw(Site& s, int n, double step, bool held) : substeps(n), dt(step), hold(held) {
    goal = s.bind("storey1.goal", "m"), s.bind("storey2.goal", "m");
    increment = s.bind("storey1.increment", "m"), s.bind("storey2.increment", "m");
    target = claim_commands(s, storeys, ".target");
  }
  void run(Frame& f) const noexcept override {
    const double left = hold ? 0 : 1 - (f.substep + 1.0) / substeps;
    for (int i = 0; i < 2; ++i) {
      const double change = f[increment[i]], rate = hold ? 0 : change / dt;
      f.row.put(target[static_cast<std::size_t>(i)], {f[goal[i]] - left * change, rate, 0, rate});
    }
  }
};

/// Interface → actuators: s = T·x, and so its rates.
struct ToActuators final : Stage {
  Matrix t;
  Commands from, to;
  ToActuators(Site& s, const Matrix& geometry, bool compensated) : t(geometry) {
    from = bind_commands(s, storeys, ".target");
    to = claim_commands(s, channels, ".target");
    if (compensated) return;
    for (const auto& name : channels) s.alias_command(name + ".command", name + ".target");
  }
  void run(Frame& f) const noexcept override {
    const Command a = f.row.command(from[0]), b = f.row.command(from[1]);
    f.row.put(to[0], sum(t(0, 0), a, t(0, 1), b));
    f.row.put(to[1], sum(t(1, 0), a, t(1, 1), b));
  }
};

/// A compensator in two halves, e the error it has collected. The block knows neither row nor frame.
///
///   command  u = x + g·e                                  observe  e ← e + x − y,  f̂ = F + K̂·(x − y)
struct Dual {
  double gain;
  Matrix stiffness;
  Vector observe(double* e, const Vector& x, const Vector& y, const Vector& force) const {
    vector(e) += x - y;
    return force + stiffness * (x - y);
  }
};
struct DualCommand final : Stage {
  Dual dual;
  Segment error;
  Commands target, command;
  DualCommand(Site& s, const Memory& memory, const Dual& d)
      : dual(d), error(memory.keep(s, "error", "m", 2, 1e-4)) {
    target = bind_commands(s, channels, ".target");
    command = claim_commands(s, channels, ".command");
  }
  void run(Frame& f) const noexcept override {
    for (std::size_t i = 0; i < 2; ++i) {
      Command u = f.row.command(target[i]);
      u.value += dual.gain * f.at(error)[i];
      f.row.put(command[i], u);
    }
  }
};
struct DualObserve final : Stage {
  Dual dual;
  Segment error;
  Ports target, measured, force, feedback;
  DualObserve(Site& s, const DualCommand& half) : dual(half.dual), error(half.error) {
    s.share("dual");
    target = bind_both(s, ".target", "m"), measured = bind_both(s, ".measured", "m");
    force = bind_both(s, ".force", "N");
    feedback = claim_both(s, ".compensator.feedback", "N");
  }
  void run(Frame& f) const noexcept override {
    put(f, feedback, dual.observe(f.at(error), get(f, target), get(f, measured), get(f, force)));
  }
  void start(Frame& f,
             const LinearStart&) const override {  // at rest until t_0: nothing is collected
    run(f);
    std::fill_n(f.at(error), 2, 0.0);
  }
};

/// Actuators → interface → State: f = Tᵀ·F.
struct Feed final : Stage {
  Matrix t;
  Ports force;
  Segment to;
  Feed(Site& s, const Matrix& geometry, const std::string& what, Segment felt) : t(geometry), to(felt) {
    force = bind_both(s, what, "N");
    s.share("numerical");
  }
  void run(Frame& f) const noexcept override { vector(f.at(to)) = t.transpose() * get(f, force); }
};

}  // namespace gusset::test::loop
