#pragma once

#include "loop/blocks.hpp"

// What stands behind the cut in the small test, and two stages that know no structure: a feedback that stands,
// a delay.
namespace gusset::test::loop {

/// One plant: the actuators reach `gain` of the command, the specimen couples them, F = K·y.
struct Plant final : Stage {
  double gain;
  Matrix k;
  Commands command;
  Ports measured, force;
  Port energy;
  Plant(Site& s, double reached, const Matrix& stiffness) : gain(reached), k(stiffness) {
    command = bind_commands(s, channels, ".command");
    energy = s.claim("specimen.stored", "J");  // in this order on purpose: the listing goes by name
    force = claim_both(s, ".force_true", "N");
    measured = claim_both(s, ".measured", "m");
  }
  void run(Frame& f) const noexcept override {
    const Vector u(f[command[0].value()], f[command[1].value()]), y = gain * u;
    put(f, measured, y), put(f, force, k * y), f[energy] = 0.5 * y.dot(k * y);
  }
};

/// What is read of a true quantity: Q = Q_true + bias.
struct Sensor final : Stage {
  double bias;
  Port from, to;
  Sensor(Site& s, const std::string& quantity, const std::string& unit, double b) : bias(b) {
    from = s.bind(quantity + "_true", unit), to = s.claim(quantity, unit);
  }
  void run(Frame& f) const noexcept override { f[to] = f[from] + bias; }
};

/// A rig of one channel, a spring on an actuator that is late: y ← y + 0.8·(u − y), F = k·y.
struct Spring final : Stage {
  double k;
  CommandPort command;
  Port force;
  Segment position;
  Spring(Site& s, const Memory& memory, const std::string& name, double stiffness) : k(stiffness) {
    command = s.bind_command(name + ".command", "m"), force = s.claim(name + ".force", "N");
    position = memory.keep(s, "position", "m", 1, 1e-3);
  }
  void run(Frame& f) const noexcept override {
    double& y = *f.at(position);
    y += 0.8 * (f[command.value()] - y);
    f[force] = k * y;
  }
  void start(Frame& f, const LinearStart&) const override {
    f[force] = k * (*f.at(position) = f[command.value()]);
  }
};

/// The feedback of a rig that rests in most sub-steps stands, and its age is published [sub-steps].
struct Hold final : Stage {
  int every;
  Port value, age;
  Segment last;
  Hold(Site& s, const Memory& memory, const std::string& signal, const std::string& unit, int n) : every(n) {
    value = s.amend(signal, unit), age = s.claim(signal + "_age", "-");
    last = memory.keep(s, "last", "N", 1, 1);
  }
  void run(Frame& f) const noexcept override {
    const std::int64_t passed = f.tick % every;
    f[age] = static_cast<double>(passed);
    if (passed == 0) {
      *f.at(last) = f[value];
    } else {
      f[value] = *f.at(last);
    }
  }
};

/// A command late by n sub-steps, all four numbers: a shift register in age order, put in at the cut.
struct Delay final : Stage {
  int n;
  CommandPort from, to;
  Segment line;
  Delay(Site& s, const Memory& memory, const std::string& command, const std::string& unit, int substeps)
      : n(substeps),
        from(s.bind_command(command, unit)),
        to(s.claim_command(command + ".late", unit, false)) {
    line = memory.keep(s, "line", "m", 4 * n, 1e-3);
  }
  void run(Frame& f) const noexcept override {
    double* x = f.at(line);
    const double* oldest = x + 4 * (n - 1);
    f.row.put(to, {oldest[0], oldest[1], oldest[2], oldest[3]});
    std::copy_backward(x, x + 4 * (n - 1), x + 4 * n);
    std::copy_n(f.at(from.value()), 4, x);
  }
  void start(Frame& f, const LinearStart&) const override {
    f.row.put(to, f.row.command(from));
    for (int i = 0; i < n; ++i) std::copy_n(f.at(from.value()), 4, f.at(line) + 4 * i);
  }
};

inline const Matrix straight = Matrix::Identity(), skew{{1.2, -0.4}, {0.3, 0.9}},
                    specimen{{8e5, -3e5}, {-3e5, 5e5}};

/// What differs between the small tests.
struct Arrangement {
  Matrix geometry = straight;
  Numerical::Target target = Numerical::next;
  int substeps = 1;
  double reached = 1;  ///< share of the command that the actuators reach
  bool dual = false;
  int delay = 0;  ///< put in at the cut [sub-steps]
  int every = 0;  ///< 0: one rig with two channels; n: two rigs, of which the second moves every n sub-steps
};

/// A loop that can be stepped, as a builder puts it together. Poisoned: what a stage forgets is seen.
struct TwoStoreys {
  Layout layout;
  Loop loop;
  Segment displacement, force;  ///< of the structure; the force it feels
  State state;
  Wires row;
  Frame frame{state, row};

  explicit TwoStoreys(const Arrangement& x) : loop(x.substeps) {
    constexpr double dt = 0.005;
    for (const auto& name : channels) loop.row().declare_channel(name);
    loop.input("ground.acceleration", "m/s^2");
    if (x.delay > 0) insert_delay(x.delay);
    const bool now = x.target == Numerical::now;
    const Matrix inverse = x.geometry.inverse(), seen = inverse.transpose() * specimen * inverse;

    const auto& numerical = loop.add<Numerical>(Phase::begin, "numerical", memory("numerical"), dt, x.target);
    displacement = numerical.d, force = numerical.force;
    loop.add<Draw>(Phase::draw, now ? "hold" : "ramp", x.substeps, dt, now);
    loop.add<ToActuators>(Phase::command, "geometry", x.geometry, x.dual);
    const DualCommand* half = nullptr;
    if (x.dual) half = &loop.add<DualCommand>(Phase::command, "dual", memory("dual"), Dual{0.5, seen});
    if (x.every == 0) {
      loop.add<Plant>(Phase::rig, "plant", x.reached, seen);
      for (const auto& name : channels) {
        loop.add<Sensor>(Phase::rig, name + ".cell", name + ".force", "N", 0);
      }
    } else {
      loop.add_rig("east");
      loop.add<Spring>(Phase::rig, "lower.spring", memory("lower"), "lower", 8e5);
      loop.add_rig("west", x.every);
      loop.add<Spring>(Phase::rig, "upper.spring", memory("upper"), "upper", 5e5);
      loop.add<Hold>(Phase::observe, "upper.hold", memory("upper.hold"), "upper.force", "N", x.every);
    }
    if (x.dual) loop.add<DualObserve>(Phase::observe, "dual", *half);
    const char* fed = x.dual ? ".compensator.feedback" : ".force";
    loop.add<Feed>(Phase::feed, "geometry back", x.geometry, fed, force);
    loop.seal();

    state = layout.zero(), row = loop.row().wires();
    frame.row = row;  // it has its size now
    frame.poison = true;
    ground(0);
  }
  TwoStoreys(const TwoStoreys&) = delete;

  double& at(const std::string& name) { return row[loop.row().find(name).port]; }
  void ground(double acceleration) { at("ground.acceleration") = acceleration; }
  bool substep() {
    loop.to_rig(frame);
    loop.through_rig(frame);
    return loop.from_rig(frame);
  }

 private:
  Memory memory(std::string owner) { return {layout, std::move(owner)}; }
  void insert_delay(int n) {
    loop.insert_at_cut("delay", [this, n](Site& s, const std::string& command, const std::string& unit) {
      auto stage = std::make_unique<Delay>(s, memory(command + ".delay"), command, unit, n);
      const CommandPort late = stage->to;
      return Loop::Inserted{std::move(stage), late};
    });
  }
};

/// What a stage is refused with.
inline std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const WiringError& error) {
    return error.what();
  }
  return "(not refused)";
}

using Words = std::vector<std::string>;
inline Words names_of(const std::vector<Row::Entry>& entries) {
  Words names;
  for (const Row::Entry& entry : entries) names.push_back(entry.name());
  return names;
}

}  // namespace gusset::test::loop
