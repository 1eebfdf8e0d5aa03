// What the one general `step` costs against a loop written by hand for one case, doing the same
// arithmetic and leaving the same signals behind. Prints ratios; both are timed in turns in this run.

#include <cstdio>
#include <string>
#include <vector>

#include "build/experiment.hpp"
#include "interleaved.hpp"

namespace {

using gusset::Document;
using gusset::Experiment;
using gusset::Input;

/// Central differences, b-spline command and rigid mass on one degree of freedom, as one would write
/// them for this test alone.
struct HandWritten {
  double k, m, keep, gain, dt, rate, mass;
  double d = 0.01, p = 0, force = 0;
  // What a step leaves for the record.
  double d_now = 0, v_now = 0, a_now = 0, target = 0, command = 0, measured = 0;

  void step(double ground) {
    const double x = d;
    const double p_old = p;
    const double r = k * d + force;
    const double next = keep * p - gain * (r + m * ground);
    v_now = (next + p) * (0.5 * rate);
    a_now = (next - p) * (rate * rate);
    d_now = d;
    p = next;
    d += next;
    const double c0 = x - 0.5 * p_old;
    const double c1 = p_old * rate;
    const double c2 = (next - p_old) * (rate * rate);
    target = command = measured = c0 + dt * (c1 + 0.5 * dt * c2);
    force = mass * c2;
  }
};

/// The same for a shear building with dashpots on its floors; the specimen stands on the roof.
struct HandWrittenShear {
  std::size_t n;
  std::vector<double> main, side, m, keep, gain, d, p, r, d_now, v_now, a_now;
  double dt, rate, mass, force = 0, target = 0, command = 0, measured = 0;

  void step(double ground) {
    const std::size_t last = n - 1;
    const double x = d[last];
    const double p_old = p[last];
    const double* __restrict dd = d.data();
    double* __restrict rr = r.data();
    rr[0] = main[0] * dd[0] + side[0] * dd[1];
    for (std::size_t i = 1; i < last; ++i) {
      rr[i] = side[i - 1] * dd[i - 1] + main[i] * dd[i] + side[i] * dd[i + 1];
    }
    rr[last] = side[last - 1] * dd[last - 1] + main[last] * dd[last] + force;
    const double per_2dt = 0.5 * rate;
    const double per_dt2 = rate * rate;
    double* __restrict dw = d.data();
    double* __restrict pw = p.data();
    double* __restrict dn = d_now.data();
    double* __restrict vn = v_now.data();
    double* __restrict an = a_now.data();
    for (std::size_t i = 0; i < n; ++i) {
      const double next = keep[i] * pw[i] - gain[i] * (rr[i] + m[i] * ground);
      vn[i] = (next + pw[i]) * per_2dt;
      an[i] = (next - pw[i]) * per_dt2;
      dn[i] = dw[i];
      pw[i] = next;
      dw[i] += next;
    }
    const double c0 = x - 0.5 * p_old;
    const double c1 = p_old * rate;
    const double c2 = (p[last] - p_old) * (rate * rate);
    target = command = measured = c0 + dt * (c1 + 0.5 * dt * c2);
    force = mass * c2;
  }
};

std::string shear_file(int storeys) {
  std::string masses, stiffness;
  for (int i = 0; i < storeys; ++i) {
    masses += (i > 0 ? ", 1" : "1");
    stiffness += (i > 0 ? ", 1e4" : "1e4");
  }
  return "duration = \"1 s\"\n[structure]\nmass = { values = [" + masses +
         "], unit = \"t\" }\nstiffness = { values = [" + stiffness +
         "], unit = \"kN/m\" }\n[integrator]\ndt = \"1 ms\"\n[specimen]\nkind = \"mass\"\nstorey = " +
         std::to_string(storeys) + "\nmass_ratio = 0.1\n";
}

constexpr char single_file[] =
    "duration = \"1 s\"\n[structure]\nmass = \"300 kg\"\nfrequency = \"1 Hz\"\ndamping_ratio = 0.02\n"
    "[initial]\ndisplacement = \"1 cm\"\n[integrator]\ndt = \"10 ms\"\n[specimen]\nkind = \"mass\"\n"
    "mass_ratio = 0.5\n";

constexpr int rounds = 400;

void report(const char* name, double ours, double theirs, int steps, double target) {
  std::printf("%-22s step %7.1f ns   by hand %7.1f ns   ratio %.2f  (at most %.1f wanted)\n", name,
              1e9 * ours / steps, 1e9 * theirs / steps, ours / theirs, target);
}

/// Ground motion both sides read; not zero, so that nothing is folded away.
std::vector<Input> ground_motion(int steps) {
  std::vector<Input> inputs(static_cast<std::size_t>(steps));
  for (int i = 0; i < steps; ++i) inputs[static_cast<std::size_t>(i)].acceleration = 1e-3 * (i % 7 - 3);
  return inputs;
}

template <class Hand>
void compare(const char* name, const Experiment& experiment, Hand hand, int steps, double target) {
  const std::vector<Input> inputs = ground_motion(steps);
  gusset::State state = experiment.start().state;
  gusset::Wires wires = experiment.wires();
  const gusset::Port shown = experiment.response().displacement[0];
  double sink = 0;
  const auto pair = gusset::bench::interleave(
      [&] {
        for (const Input& input : inputs) {
          experiment.step(state, input, wires);
          sink += wires[shown];
        }
      },
      [&] {
        for (const Input& input : inputs) {
          hand.step(input.acceleration);
          // As opaque to the compiler as the other side's results are.
          asm volatile("" : : "r"(&hand) : "memory");
          sink += hand.target;
        }
      },
      rounds);
  report(name, pair.first, pair.second, steps, target);
  if (sink == 42) std::puts("");
}

}  // namespace

int main() {
  {
    const Experiment experiment = Experiment::build(Document::parse(single_file, "single"));
    const gusset::Structure& s = experiment.structure();
    const double dt = experiment.dt();
    const double m = s.mass(0, 0) / (dt * dt);
    const double c = s.damping(0, 0) / (2 * dt);
    HandWritten hand{s.stiffness(0, 0), s.mass(0, 0), (m - c) / (m + c), 1 / (m + c), dt, 1 / dt, 150};
    compare("one degree of freedom", experiment, hand, 10000, 2.5);
  }
  {
    const int n = 100;
    const Experiment experiment = Experiment::build(Document::parse(shear_file(n), "shear"));
    const gusset::Structure& s = experiment.structure();
    const double dt = experiment.dt();
    const auto size = static_cast<std::size_t>(n);
    HandWrittenShear hand{};
    hand.n = size;
    hand.main = s.stiffness.band(0);
    hand.side = s.stiffness.band(1);
    hand.m = s.mass.band(0);
    hand.keep.assign(size, 1.0);
    for (const double mass : hand.m) hand.gain.push_back(dt * dt / mass);
    for (std::vector<double>* v : {&hand.d, &hand.p, &hand.r, &hand.d_now, &hand.v_now, &hand.a_now}) {
      v->assign(size, 0.0);
    }
    hand.dt = dt;
    hand.rate = 1 / dt;
    hand.mass = 100;
    compare("100-storey shear", experiment, hand, 1000, 1.2);
  }
  return 0;
}
