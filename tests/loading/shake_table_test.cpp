#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>

#include "analysis/analysis.hpp"
#include "analysis/identify.hpp"
#include "analysis/loop_response.hpp"
#include "analysis/simulation.hpp"
#include "base/linear_system.hpp"
#include "loading/split.hpp"
#include "support/recorded.hpp"
#include "support/simulations.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

using test::assign;
using test::simulated;
using test::split;

/// Greatest deviation of any floor from the exact response of the whole structure, over the peak.
double error_of(const Simulation& run) {
  double largest = 0;
  int found = 0;
  for (const auto& [name, value] : run.summary) {
    if (!name.starts_with("error.") || !name.ends_with(".displacement.peak")) continue;
    largest = std::max(largest, value);
    ++found;
  }
  EXPECT_GT(found, 0);
  return largest;
}

TEST(ShakeTable, NaturalFrequenciesOfTable2) {
  const Experiment experiment = test::build_for_analysis(test::shipped("shao-three-storey"));
  const std::vector<double> omega = natural_frequencies(experiment.whole());
  const double expected[] = {1.553, 2.920, 4.868};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(omega[i] / (2 * M_PI), expected[i], 0.0005);
}

TEST(ShakeTable, AnySplitGivesTheSameResponseWithIdealFeedback) {
  for (const char* name : {"shao-case-1", "shao-case-2n", "shao-case-2e", "shao-case-3", "shao-case-4",
                           "shao-case-5", "shao-table1-1", "shao-table1-2", "shao-table1-3", "shao-table1-4",
                           "shao-table1-5", "shao-table1-6", "shao-table1-7", "shao-five-storey"}) {
    EXPECT_LT(error_of(simulated(test::shipped(name))), 1e-9) << name;
  }
  EXPECT_LT(error_of(simulated(split("shao-three-storey", 0.3131, 0.4177, 0.2293))), 1e-9);
  EXPECT_LT(error_of(simulated(test::shipped("shao-noise", {"excitation.duration=10 s"}))), 1e-9);
}

TEST(ShakeTable, SplitSumsUpToTheSpecimensEquation) {
  // Commands put into the specimen's equation leave M_2·(ẍ_E + ü_b) + C_2·ẋ_E + K_2·x_E − P_2 = 0, for any motion.
  const Experiment experiment = test::build_for_analysis(test::shipped("shao-five-storey"));
  const Document document = test::shipped("shao-five-storey");
  const Partition p = read_partition(document.section("partition"), experiment.structure().linear_system());
  const Split s{0.37, 0, Eigen::Vector3d(0.2, 0.9, 0.45), false};
  const CommandMap map = command_map(p, s);
  const Eigen::VectorXd xn = Eigen::VectorXd::Random(2), vn = Eigen::VectorXd::Random(2);
  const Eigen::VectorXd x = Eigen::VectorXd::Random(3), v = Eigen::VectorXd::Random(3),
                        a = Eigen::VectorXd::Random(3);
  const double ground = 0.7;
  const Eigen::VectorXd u = map.numerical_x * xn + map.numerical_v * vn + map.specimen_x * x +
                            map.specimen_v * v + map.specimen_a * a + map.ground * ground;
  const Eigen::VectorXd an =
      p.mass.inverse() * (p.load_x * x + p.load_v * v - p.stiffness * xn - p.damping * vn) -
      p.influence * ground;
  const Eigen::VectorXd above =
      p.from_numerical_x * xn + p.from_numerical_v * vn + p.from_specimen_x * x + p.from_specimen_v * v;
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(3);
  const Eigen::MatrixXd physical = physical_mass(p, s);
  const Eigen::VectorXd tested = physical * (a + ones * u(0)) - u.tail(3);
  const Eigen::VectorXd wanted = p.specimen_mass * (a + ones * (an(p.base) + ground)) - above;
  EXPECT_LT((tested - wanted).norm(), 1e-9 * wanted.norm());
}

TEST(ShakeTable, SampledFeedbackBearsHalfOfTheMass) {
  const auto radius = [](double m) {
    return test::spectral_radius(split("shao-three-storey", 0, m, 0, {"method.feedback=sampled"}));
  };
  EXPECT_LT(radius(0.49), 1);
  EXPECT_LT(radius(0.4996), 1);
  EXPECT_GT(radius(0.4998), 1);
  EXPECT_GT(radius(0.51), 1);
  const auto end = [](double m) {
    const Simulation run = simulated(
        split("shao-three-storey", 0, m, 0, {"method.feedback=sampled", "limits.displacement=10 m"}));
    return run.stop.has_value();
  };
  EXPECT_FALSE(end(0.49));
  EXPECT_TRUE(end(0.51));
}

TEST(ShakeTable, IterationsBearNearlyAllOfIt) {
  for (const double m : {0.77, 0.95}) {
    EXPECT_LT(error_of(simulated(
                  split("shao-three-storey", 0, m, 0, {"method.feedback=iterations", "duration=12 s"}))),
              1e-3)
        << m;
  }
  EXPECT_LT(error_of(simulated(split("shao-three-storey", 0.3, 0.6, 0.4,
                                     {"method.feedback=iterations", "method.substeps=4", "duration=12 s"}))),
            1e-3);
  // Held for a sample the force comes half a sample early: an error that shrinks with the rate.
  const auto held = [](const char* dt) {
    return error_of(simulated(split("shao-three-storey", 0, 0.77, 0,
                                    {"method.feedback=iterations", "method.between=hold", "method.substeps=2",
                                     "duration=12 s", std::string("integrator.dt=") + dt})));
  };
  const double slow = held("0.9765625 ms"), fast = held("0.1 ms");
  EXPECT_GT(slow, 0.02);
  EXPECT_LT(slow, 0.06);
  EXPECT_NEAR(slow / fast, 0.9765625 / 0.1, 1);
}

TEST(ShakeTable, RefusesWhatHasNoMeaning) {
  const auto refused = [](double l, double m, double p, std::vector<std::string> more = {}) {
    try {
      test::build_for_analysis(split("shao-three-storey", l, m, p, std::move(more)));
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused(0.5, 1, 0));
  EXPECT_TRUE(refused(0, 1, 0.1));
  EXPECT_TRUE(refused(-0.1, 0, 0));
  EXPECT_TRUE(refused(0, 1.01, 0));
  EXPECT_TRUE(refused(0, 1, 0, {"method.feedback=sampled"}));
  EXPECT_TRUE(refused(0, 0, 0, {"rig.kind=delay", "rig.delay=7 ms"}));
  EXPECT_FALSE(refused(0, 1, 0));
  EXPECT_THROW(test::build_for_analysis(test::shipped("shao-five-storey", {"method.alpha_p=0.5"})),
               InputError);
  EXPECT_THROW(test::build_for_analysis(test::shipped("shao-five-storey", {"partition.experimental=[2, 4]"})),
               InputError);
  EXPECT_THROW(
      test::build_for_analysis(test::shipped("shao-five-storey", {"partition.experimental=[4, 5, 6]"})),
      InputError);
}

/// Peaks of x_21/ü_g of the loop.
std::vector<Peak> peaks_of(const Document& document) {
  const Experiment experiment = test::build_for_analysis(document);
  const LoopResponse loop(experiment);
  const ResponseSignal drift = response_signal("storey2.drift", 3);
  std::vector<double> frequency, magnitude;
  for (double f = 0.5; f < 8; f += 0.01) {
    frequency.push_back(f);
    magnitude.push_back(std::abs(drift.of(loop.at(f))));
  }
  return find_peaks(frequency, magnitude, 1.0001);
}

TEST(ShakeTable, LoopResponseIsThatOfTheWholeStructureWithIdealFeedback) {
  const Experiment experiment = test::build_for_analysis(split("shao-three-storey", 0.2, 0.3, 0.4));
  const LoopResponse loop(experiment);
  for (const double f : {0.3, 1.5, 2.9, 4.9, 8.0}) {
    const Eigen::VectorXcd own = loop.at(f), exact = exact_response(experiment.whole(), 3, f);
    // Linear between samples instead of a sine: relative error (ωΔt)²/12.
    EXPECT_LT((own - exact).head(3).norm(), 3e-4 * exact.head(3).norm()) << f;
  }
}

TEST(ShakeTable, PeaksOnTheRigOfThePaper) {
  const std::vector<std::string> rig = {"rig.kind=added-compliance", "rig.stiffness=0.5 kip/in",
                                        "rig.delay=6.8359375 ms"};
  const auto check = [&](double l, double m, double p, const char* feedback) {
    std::vector<std::string> more = rig;
    more.push_back(std::string("method.feedback=") + feedback);
    const Document document = split("shao-three-storey", l, m, p, more);
    EXPECT_LE(test::spectral_radius(document), 1) << feedback << l << ' ' << m << ' ' << p;
    const std::vector<Peak> peaks = peaks_of(document);
    ASSERT_GE(peaks.size(), 2u);
    const auto near = [&](double low, double high) {
      return std::any_of(peaks.begin(), peaks.end(),
                         [&](const Peak& q) { return q.frequency >= low && q.frequency <= high; });
    };
    EXPECT_TRUE(near(1.55 * 0.96, 1.55 * 1.04)) << feedback << ' ' << l << ' ' << m << ' ' << p;
    EXPECT_TRUE(near(2.6, 3.0)) << feedback << ' ' << l << ' ' << m << ' ' << p;
    EXPECT_TRUE(near(4.87 * 0.96, 4.87 * 1.04)) << feedback << ' ' << l << ' ' << m << ' ' << p;
  };
  check(0, 0.77, 0, "open-loop");
  check(0.5, 0, 0.5, "open-loop");
  check(0, 0, 0, "open-loop");
  check(1, 0, 1, "open-loop");
  check(1, 0, 0, "open-loop");
  check(0.5, 0, 0.5, "sampled");
  check(0, 0, 0, "sampled");
  check(1, 0, 1, "sampled");
  check(1, 0, 0, "sampled");
  check(0, 0.45, 0, "sampled");
  // The delay of 7 ms in a closed loop: case 1 cannot be.
  std::vector<std::string> closed = rig;
  closed.push_back("method.feedback=sampled");
  EXPECT_NEAR(test::spectral_radius(split("shao-three-storey", 0, 0.77, 0, closed)), 1.16, 0.02);
}

TEST(ShakeTable, ForceOnlyCasesComeSevenMillisecondsLate) {
  const Simulation run = simulated(test::shipped("shao-rig", {"method.alpha_m=0"}));
  const Trace* own = nullptr;
  const Trace* exact = nullptr;
  for (const Table& table : run.tables) {
    for (const Trace& channel : table.channels) {
      if (channel.name == "storey2.displacement") own = &channel;
      if (channel.name == "reference.storey2.displacement") exact = &channel;
    }
  }
  ASSERT_TRUE(own != nullptr && exact != nullptr);
  // Storey 1 is computed without delay; the specimen's drift lags. Best match of the drift over whole samples.
  const Trace* base = nullptr;
  for (const Trace& channel : run.tables.front().channels) {
    if (channel.name == "storey1.displacement") base = &channel;
  }
  double least = 1e300;
  int best = -1;
  for (int lag = 0; lag < 20; ++lag) {
    double sum = 0;
    for (std::size_t i = 20; i < own->values.size(); ++i) {
      const std::size_t then = i - static_cast<std::size_t>(lag);
      const double drift = own->values[i] - base->values[i],
                   wanted = exact->values[then] - base->values[then];
      sum += (drift - wanted) * (drift - wanted);
    }
    if (sum < least) {
      least = sum;
      best = lag;
    }
  }
  EXPECT_NEAR(best, 7, 1);
}

TEST(ShakeTable, WelchsEstimateIsThatOfTheWholeStructure) {
  const auto estimate = [](const Document& document) {
    const Simulation run = simulated(document);
    std::vector<double> ground, drift;
    for (const Trace& channel : run.tables.front().channels) {
      if (channel.name == "ground.acceleration") ground = channel.values;
      if (channel.name == "storey2.displacement") drift = channel.values;
    }
    for (const Trace& channel : run.tables.front().channels) {
      if (channel.name != "storey1.displacement") continue;
      for (std::size_t i = 0; i < drift.size(); ++i) drift[i] -= channel.values[i];
    }
    return measured_response(ground, drift, run.tables.front().step);
  };
  const MeasuredResponse sampled = estimate(test::shipped("shao-noise", {"method.feedback=sampled"}));
  const MeasuredResponse whole = estimate(test::shipped("shao-noise"));
  for (std::size_t i = 0; i < whole.frequency.size(); ++i) {
    const double f = whole.frequency[i];
    if (f < 1 || f > 8) continue;
    // Segments of 8 s resolve the resonances only just.
    EXPECT_GT(whole.coherence[i], 0.85) << f;
    EXPECT_NEAR(std::abs(sampled.response[i]), std::abs(whole.response[i]),
                0.05 * std::abs(whole.response[i]))
        << f;
  }
}

TEST(ShakeTable, StepIsCleanForEveryFeedback) {
  for (const char* feedback : {"ideal", "sampled", "iterations", "open-loop"}) {
    const auto tested =
        make_test(split("shao-three-storey", 0.4, 0.2, 0.3, {std::string("method.feedback=") + feedback}),
                  test::shipped_records());
    EXPECT_FALSE(test::allocates(test::loop_of(tested), 50)) << feedback;
    EXPECT_FALSE(test::has_hidden_state([&] { return test::loop_of(tested); }, 50)) << feedback;
  }
}

TEST(ShakeTable, TableWithItsOwnDynamics) {
  // All load by the table: x_E/ü_g is the ideal one times the table's transfer function.
  const auto response = [](std::vector<std::string> table, double f) {
    table.push_back("method.feedback=open-loop");
    table.push_back("method.between=ramp");
    table.push_back("integrator.dt=0.2 ms");
    const Experiment experiment = test::build_for_analysis(split("shao-three-storey", 1, 0, 1, table));
    const Eigen::VectorXcd y = LoopResponse(experiment).at(f);
    return y(1) - y(0);
  };
  for (const double f : {1.0, 3.0, 6.0}) {
    const std::complex<double> s(0, 2 * M_PI * f);
    const std::complex<double> ideal = response({}, f);
    const double w = 2 * M_PI * 10, h = 2 * M_PI * 0.5;
    const std::complex<double> loop = w * w / (s * s + 2 * 0.5 * w * s + w * w);
    const std::complex<double> highpass = s * s / (s * s + std::sqrt(2.0) * h * s + h * h);
    EXPECT_LT(std::abs(response({"table.frequency=10 Hz", "table.damping_ratio=0.5"}, f) - ideal * loop),
              2e-3 * std::abs(ideal))
        << f;
    EXPECT_LT(std::abs(response({"table.control=displacement"}, f) - ideal * highpass),
              2e-3 * std::abs(ideal))
        << f;
    EXPECT_LT(
        std::abs(
            response({"table.control=displacement", "table.frequency=10 Hz", "table.damping_ratio=0.5"}, f) -
            ideal * highpass * loop),
        2e-3 * std::abs(ideal))
        << f;
    EXPECT_LT(std::abs(response({"table.delay=3 ms"}, f) - ideal * std::exp(-0.003 * s)),
              2e-3 * std::abs(ideal))
        << f;
  }
}

TEST(ShakeTable, SensorsStandBetweenSpecimenAndLoop) {
  const std::vector<std::string> noisy = {"method.feedback=sampled", "sensor.acceleration_noise=0.01 m/s^2",
                                          "sensor.displacement_bias=1 mm", "sensor.seed=7"};
  const auto tested = make_test(split("shao-three-storey", 0, 0.2, 0, noisy), test::shipped_records());
  const Experiment& experiment = *tested.experiment;
  const std::vector<Signal> row = experiment.row().signals;
  const auto place = [&](const char* name) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].name == name) return i;
    }
    return row.size();
  };
  const std::size_t a = place("actuator.acceleration"), a_true = place("actuator.acceleration_true");
  const std::size_t x = place("actuator.measured"), x_true = place("actuator.measured_true");
  ASSERT_LT(std::max({a, a_true, x, x_true}), row.size());
  State state = tested.start().state;
  test::Recorded output(experiment);
  double sum = 0;
  constexpr int samples = 4000;
  for (int i = 0; i < samples; ++i) {
    output.step(state, tested.input(i));
    EXPECT_NEAR(output.rows[x] - output.rows[x_true], 1e-3, 1e-12);
    sum += std::pow(output.rows[a] - output.rows[a_true], 2);
  }
  EXPECT_NEAR(std::sqrt(sum / samples), 0.01, 0.0005);
  // The loop gets what was measured: the bias pushes the numerical part.
  EXPECT_GT(error_of(simulated(split("shao-three-storey", 0, 0.2, 0, noisy))), 0.01);
}

}  // namespace
}  // namespace gusset
