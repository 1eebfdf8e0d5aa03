// Restoring forces against closed-form loops.

#include "structure/restoring.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "support/allocation_counter.hpp"

namespace gusset::test {
namespace {

using std::numbers::pi;

/// An element by itself, led along x(t).
class Bench {
 public:
  explicit Bench(const std::string& settings, double h = 1e-3)
      : document_(Document::parse("[element]\n" + settings, "element")), h_(h) {
    restoring_ = make_restoring({document_.section("element"), "element", layout_, {&h_, 1}});
    state_ = layout_.zero();
  }
  double to(double x, double v = 0) { return restoring_->advance(state_, {x, v, 0}); }
  double dissipated() const { return *state_.at(restoring_->dissipated()); }
  const Restoring& element() const { return *restoring_; }
  State& state() { return state_; }
  const Layout& layout() const { return layout_; }
  double h() const { return h_; }

  /// Sine of amplitude a at circular frequency w for some cycles, `n` steps each; calls with each
  /// (x, f) of the last cycle.
  void sine(double a, int cycles, int n, const std::function<void(double, double)>& see = {}) {
    const double w = 2 * pi / (n * h_);
    for (int i = 1; i <= cycles * n; ++i) {
      const double phase = 2 * pi * i / n;
      const double x = a * std::sin(phase);
      const double f = to(x, a * w * std::cos(phase));
      if (see && i > (cycles - 1) * n) see(x, f);
    }
  }

 private:
  Document document_;
  double h_;
  Layout layout_;
  std::unique_ptr<Restoring> restoring_;
  State state_;
};

const char* const every[] = {
    "kind = \"bilinear\"\nstiffness = \"1000 N/m\"\nyield_force = \"10 N\"\nhardening = 0.1",
    "kind = \"elastic-plastic\"\nstiffness = \"1000 N/m\"\nyield_force = \"10 N\"",
    "kind = \"bouc-wen\"\nstiffness = \"1000 N/m\"\nyield_displacement = \"10 mm\"",
    "kind = \"friction\"\nforce = \"10 N\"",
    "kind = \"lugre\"\nforce = \"10 N\"\nstiffness = \"1e5 N/m\"\nbristle_damping = \"10 N*s/m\"",
    "kind = \"viscous\"\ndamping = \"10 N*(s/m)^0.5\"\nexponent = 0.5",
    "kind = \"maxwell\"\nstiffness = \"1000 N/m\"\ndamping = \"50 N*s/m\"",
    "kind = \"friction-pendulum\"\nweight = \"100 N\"\nradius = \"1 m\"\nfriction = 0.1",
    "kind = \"gap\"\nstiffness = \"1000 N/m\"\ngap = \"10 mm\""};

TEST(Bilinear, FollowsItsCorners) {
  Bench b(every[0]);  // x_y = 10 mm, k = 1000, αk = 100 N/m
  EXPECT_DOUBLE_EQ(b.to(0.01), 10);
  EXPECT_DOUBLE_EQ(b.to(0.03), 12);
  EXPECT_DOUBLE_EQ(b.to(0.01), -8);  // elastic range 2·f_y wide
  EXPECT_NEAR(b.to(-0.03), -8 - 0.04 * 100, 1e-12);
  EXPECT_NEAR(b.to(-0.01), 8, 1e-12);
  EXPECT_NEAR(b.to(0.03), 12, 1e-12);  // the loop closes
}

TEST(Bilinear, DissipatesItsParallelogram) {
  // Area of a full cycle of amplitude X: 4·(1 − α)·f_y·(X − x_y).
  for (const int n : {4, 40, 4000}) {
    Bench b(every[0]);
    b.sine(0.03, 1, n);
    const double first = b.dissipated();
    b.sine(0.03, 1, n);
    EXPECT_NEAR(b.dissipated() - first, 4 * 0.9 * 10 * 0.02, 1e-12) << n;
  }
  Bench plastic(every[1]);
  plastic.sine(0.03, 1, 400);
  const double first = plastic.dissipated();
  plastic.sine(0.03, 1, 400);
  EXPECT_NEAR(plastic.dissipated() - first, 4 * 10 * 0.02, 1e-12);
}

TEST(Bilinear, CountsItsTransitions) {
  Bench b(every[1]);
  b.to(0.02);
  b.to(0.019);
  b.to(-0.02);
  EXPECT_EQ(b.state().branches[0].value, -1);
  EXPECT_EQ(b.state().branches[0].transitions, 3U);
}

TEST(BoucWen, ReachesItsStrengthAndFollowsTheTanh) {
  // n = 1, β = γ = ½, loading from rest: z = 1 − e^(−u); n = 2: z = tanh u.
  Bench one(std::string(every[2]) + "\nhardening = 0\nexponent = 1");
  Bench two(std::string(every[2]) + "\nhardening = 0");
  for (double u = 0.1; u < 4; u += 0.1) {
    EXPECT_NEAR(one.to(0.01 * u), 10 * (1 - std::exp(-u)), 1e-6);
    EXPECT_NEAR(two.to(0.01 * u), 10 * std::tanh(u), 1e-6);
  }
  // With β = γ unloading is elastic: slope k.
  const double f = two.to(0.0390);
  EXPECT_NEAR(two.to(0.0380), f - 1, 1e-6);
}

TEST(BoucWen, Degrades) {
  const auto peak = [](const char* more, int cycles) {
    Bench b(std::string(every[2]) + more);
    double largest = 0;
    b.sine(0.05, cycles, 400, [&](double, double f) { largest = std::max(largest, f); });
    return largest;
  };
  EXPECT_NEAR(peak("", 2), peak("", 6), 1e-5);
  EXPECT_LT(peak("\nstrength_degradation = 0.02", 6), 0.8 * peak("\nstrength_degradation = 0.02", 1));
  // Unloading, where β = γ: slope k·(α + (1 − α)/η).
  Bench b(std::string(every[2]) + "\nstiffness_degradation = 0.1");
  b.sine(0.05, 4, 400);
  const double f = b.to(0.0);
  const double eta = 1 + 0.1 * b.state().values.back();
  EXPECT_GT(eta, 1.5);
  EXPECT_NEAR((f - b.to(-1e-5)) / 1e-5, 1000 * (0.05 + 0.95 / eta), 1);
}

TEST(Friction, LoopIsARectangle) {
  Bench b(every[3]);
  const int n = 4000;
  b.sine(0.05, 1, n);
  const double first = b.dissipated();
  b.sine(0.05, 1, n);
  // 4·F·X less what the regularisation takes near the turning points, where v < 3 v_r.
  EXPECT_NEAR(b.dissipated() - first, 4 * 10 * 0.05, 4 * 10 * 0.05 * 2e-3);
  EXPECT_NEAR(b.to(0, 1.0), 10, 1e-9);
  EXPECT_NEAR(b.to(0, -1.0), -10, 1e-9);
}

TEST(Lugre, SticksWithoutDriftAndSlidesAtCoulomb) {
  Bench b("kind = \"lugre\"\nforce = \"10 N\"\nstatic_force = \"15 N\"\nstiffness = \"1e5 N/m\"");
  // Presliding: a spring.
  EXPECT_NEAR(b.to(1e-6, 0), 0.1, 1e-3);
  EXPECT_NEAR(b.to(0, 0), 0, 2e-3);
  // Sliding fast: F_c; slowly: F_s.
  double f = 0;
  for (int i = 1; i <= 200; ++i) f = b.to(1e-3 * i, 1.0);
  EXPECT_NEAR(f, 10, 1e-9);
  for (int i = 1; i <= 50000; ++i) f = b.to(0.2 + 1e-7 * i, 1e-4);
  EXPECT_NEAR(f, 10 + 5 * std::exp(-0.01), 1e-9);
  // Held still, nothing moves.
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(b.to(0.205, 0), b.to(0.205, 0));
}

TEST(Viscous, FollowsItsPowerOfTheVelocity) {
  for (const double v : {0.01, 0.1, 1.0}) {
    Bench b(every[5]);
    EXPECT_NEAR(b.to(0, v), 10 * std::sqrt(v), 1e-3 * 10 * std::sqrt(v));
    Bench linear("kind = \"viscous\"\ndamping = \"10 N*s/m\"");
    EXPECT_DOUBLE_EQ(linear.to(0, v), 10 * v);
  }
  // A linear damper's ellipse: π·C·ω·X² a cycle.
  Bench b("kind = \"viscous\"\ndamping = \"10 N*s/m\"");
  const int n = 2000;
  b.sine(0.05, 1, n);
  const double first = b.dissipated();
  b.sine(0.05, 1, n);
  const double w = 2 * pi / (n * b.h());
  EXPECT_NEAR(b.dissipated() - first, pi * 10 * w * 0.05 * 0.05, 1e-5 * pi * 10 * w * 0.05 * 0.05);
}

TEST(Maxwell, StorageLossAndRelaxation) {
  const double k = 1000, c = 50, x = 0.05;
  const int n = 2000;
  for (const double h : {1e-4, 1e-3}) {
    Bench b(every[6], h);
    const double w = 2 * pi / (n * h);
    const double t = w * c / k;
    double at_peak = 0;
    b.sine(x, 20, n);
    const double first = b.dissipated();
    b.sine(x, 1, n, [&](double where, double f) {
      if (where > x * (1 - 1e-9)) at_peak = f;
    });
    EXPECT_NEAR(at_peak, k * x * t * t / (1 + t * t), 2e-3 * k * x * t);   // storage modulus
    EXPECT_NEAR(b.dissipated() - first, pi * k * x * x * t / (1 + t * t),  // loss modulus
                1e-5 * pi * k * x * x * t);
  }
  Bench b(every[6]);
  const double f = b.to(0.01);
  for (int i = 0; i < 50; ++i) b.to(0.01);
  EXPECT_NEAR(b.to(0.01), f * std::exp(-51e-3 / 0.05), 1e-12);  // relaxes with τ = c/k
}

TEST(FrictionPendulum, LoopAndRate) {
  Bench b(every[7]);
  EXPECT_NEAR(b.to(0.05, 0.1), 100 * 0.05 + 10, 1e-12);
  EXPECT_NEAR(b.to(-0.05, -0.1), -15, 1e-12);
  b.sine(0.05, 1, 400);
  const double first = b.dissipated();
  b.sine(0.05, 1, 400);
  EXPECT_NEAR(b.dissipated() - first, 4 * 10 * (0.05 - 5e-4), 1e-12);
  Bench slow(std::string(every[7]) + "\nfriction_slow = 0.05\nrate = \"20 s/m\"");
  EXPECT_NEAR(slow.to(0.05, 0), 5 + 5, 1e-12);
  EXPECT_NEAR(slow.to(0.1, 0.05), 10 + 10 - 5 * std::exp(-1.0), 1e-12);
}

TEST(Gap, ClosesAndHooks) {
  Bench b(every[8]);
  EXPECT_EQ(b.to(0.009), 0);
  EXPECT_NEAR(b.to(0.012), 2, 1e-12);
  EXPECT_NEAR(b.to(-0.013), -3, 1e-12);
  EXPECT_EQ(b.dissipated(), 0);
  Bench one(std::string(every[8]) + "\nside = \"positive\"");
  EXPECT_EQ(one.to(-1), 0);
}

TEST(Restoring, SymmetricInputGivesSymmetricLoops) {
  for (const char* settings : every) {
    Bench a(settings), b(settings);
    for (int i = 1; i <= 500; ++i) {
      const double x = 0.03 * std::sin(0.05 * i) + 0.02 * std::sin(0.013 * i);
      const double v = std::cos(0.05 * i);
      EXPECT_EQ(a.to(x, v), -b.to(-x, -v)) << settings;
    }
    EXPECT_EQ(a.dissipated(), b.dissipated()) << settings;
  }
}

TEST(Restoring, LoopsDoNotDriftAndEnergyNeverComesBack) {
  for (const char* settings : every) {
    Bench b(settings);
    b.sine(0.03, 3, 400);
    std::vector<double> once, later;
    b.sine(0.03, 1, 400, [&](double, double f) { once.push_back(f); });
    b.sine(0.03, 50, 400, [&](double, double f) { later.push_back(f); });
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(once[i], later[i], 1e-6) << settings;
    double last = b.dissipated();
    const double scale = std::max(last, 1.0);
    for (int i = 0; i < 4; ++i) {
      b.sine(0.03, 1, 400);
      EXPECT_GE(b.dissipated(), last - 1e-12 * scale) << settings;
      last = b.dissipated();
    }
  }
}

TEST(Restoring, TrialLeavesTheStateAlone) {
  for (const char* settings : every) {
    Bench b(settings);
    b.to(0.02, 0.1);
    const State before = b.state();
    const double tried = b.element().trial(b.state(), {0.05, 0.3, 0});
    EXPECT_EQ(before.values, b.state().values);
    EXPECT_EQ(before.branches, b.state().branches);
    EXPECT_EQ(tried, b.to(0.05, 0.3));
    const AllocationCounter counter;
    b.element().trial(b.state(), {0.01, -0.3, 0});
    b.to(0.0, 0.3);
    EXPECT_EQ(counter.count(), 0U);
  }
}

}  // namespace
}  // namespace gusset::test
