// What each integrator's one-step matrix is, against characteristic polynomials derived by hand: put
// x_{i+1} = λ·x_i into the scheme's equations for one mass (ω·Δt = Ω, damping ratio ξ).

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "integrate/oscillators.hpp"

namespace gusset::test {
namespace {

using Complex = std::complex<double>;
using Residual = std::function<Complex(Complex lambda, double omega, double xi)>;

const double omegas[] = {0.01, 0.1, 0.3, 0.7, 1.0, 1.9, 3.0, 6.0, 20.0, 100.0};
const double xis[] = {0, 0.02, 0.2};

/// Generalised-α: ((1−α_m)λ + α_m)·A + ((1−α_f)λ + α_f)·(2ξωV + ω²D) = 0,
/// (λ−1)V = Δt((1−γ) + γλ)A, (λ−1)D = Δt·V + Δt²((½−β) + βλ)A.
Residual generalized(double m, double f, double beta, double gamma) {
  return [=](Complex l, double omega, double xi) {
    const Complex g = 1 - gamma + gamma * l;
    const Complex b = 0.5 - beta + beta * l;
    return ((1 - m) * l + m) * (l - 1.0) * (l - 1.0) +
           ((1 - f) * l + f) * (2 * xi * omega * g * (l - 1.0) + omega * omega * (g + b * (l - 1.0)));
  };
}

/// KR-α: as above with (λ−1)V = Δt·α1·A, (λ−1)D = Δt·V + Δt²·α2·A and weights α3 on A.
Residual kolay_ricles(double m, double f, double beta, double gamma) {
  return [=](Complex l, double omega, double xi) {
    const double n = 1 + 2 * gamma * xi * omega + beta * omega * omega;
    const double a1 = 1 / n;
    const double a2 = (0.5 + gamma) * a1;
    const double a3 = (m + f * (n - 1)) / n;
    return ((1 - a3) * l + a3) * (l - 1.0) * (l - 1.0) +
           ((1 - f) * l + f) * (2 * xi * omega * a1 * (l - 1.0) + omega * omega * (a1 + a2 * (l - 1.0)));
  };
}

/// λ = R(s·Δt) for both s of the oscillator: their product vanishes.
Residual rational(std::function<Complex(Complex)> r) {
  return [=](Complex l, double omega, double xi) {
    const Complex z(-xi * omega, omega * std::sqrt(1 - xi * xi));
    return (l - r(z)) * (l - r(std::conj(z)));
  };
}

/// Beyond twice the stability limit the small root drowns in the rounding of the large one: `most`.
void expect_roots(const Scheme& scheme, int degree, const Residual& residual, double most = 100) {
  for (const double omega : omegas) {
    if (omega > most) break;
    for (const double xi : xis) {
      const auto values = eigenvalues(oscillator(scheme, omega, xi));
      EXPECT_LE(static_cast<int>(values.size()), degree) << name_of(scheme);
      EXPECT_GE(values.size(), 1U);
      for (const Complex& value : values) {
        // Scaled by the largest term the polynomial adds up.
        const double scale =
            std::pow(std::max(1.0, std::abs(value)), degree) * (4 + 4 * xi * omega + omega * omega);
        EXPECT_LT(std::abs(residual(value, omega, xi)), 1e-12 * scale)
            << name_of(scheme) << " at " << omega << ", damping " << xi;
      }
    }
  }
}

struct Alpha {
  double m, f, beta, gamma;
};

Alpha chung_hulbert(double rho) {
  const double m = (2 * rho - 1) / (1 + rho);
  const double f = rho / (1 + rho);
  return {m, f, 0.25 * (1 - m + f) * (1 - m + f), 0.5 - m + f};
}

TEST(IntegratorSpectrum, CentralDifferenceAndNewmarkExplicit) {
  const Residual residual = [](Complex l, double omega, double xi) {
    const double s = 1 + xi * omega;
    return l * l - 2 * (1 - 0.5 * omega * omega) / s * l + (1 - xi * omega) / s;
  };
  expect_roots({"central-difference", ""}, 2, residual);
  expect_roots({"newmark-explicit", ""}, 2, residual);
}

TEST(IntegratorSpectrum, Newmark) {
  for (const auto& [beta, gamma] : {std::pair(0.25, 0.5), {1.0 / 6, 0.5}, {0.3025, 0.6}, {0.0, 0.5}}) {
    char settings[80];
    std::snprintf(settings, sizeof settings, "beta = %.17g\ngamma = %.17g", beta, gamma);
    // Hughes 1987, eq. 9.2.4: λ² − 2A1·λ + A2.
    const Residual hughes = [b = beta, g = gamma](Complex l, double omega, double xi) {
      const double d = 1 + 2 * g * xi * omega + b * omega * omega;
      const double a1 = 1 - (xi * omega + omega * omega * (g + 0.5) / 2) / d;
      const double a2 = 1 - (2 * xi * omega + omega * omega * (g - 0.5)) / d;
      return l * l - 2 * a1 * l + a2;
    };
    expect_roots({"newmark", settings}, 2, hughes, beta < 0.25 ? 6 : 100);
  }
  expect_roots({"newmark-explicit", "gamma = 0.6"}, 2, [](Complex l, double omega, double xi) {
    return generalized(0, 0, 0, 0.6)(l, omega, xi) / l;
  });
}

TEST(IntegratorSpectrum, HhtAlphaAndOperatorSplitting) {
  for (const double alpha : {0.0, -0.1, -0.3}) {
    const std::string settings = "alpha = " + std::to_string(alpha);
    const Residual residual = generalized(0, -alpha, 0.25 * (1 - alpha) * (1 - alpha), 0.5 - alpha);
    expect_roots({"hht-alpha", settings}, 3, residual);
    expect_roots({"alpha-os", settings}, 3, residual);
  }
}

TEST(IntegratorSpectrum, GeneralizedAlpha) {
  for (const double rho : {0.0, 0.5, 0.8, 1.0}) {
    const Alpha p = chung_hulbert(rho);
    expect_roots({"generalized-alpha", "rho_inf = " + std::to_string(rho)}, 3,
                 generalized(p.m, p.f, p.beta, p.gamma));
  }
}

TEST(IntegratorSpectrum, ChenRicles) {
  expect_roots({"cr", ""}, 2, [](Complex l, double omega, double xi) {
    const double alpha = 4 / (4 + 4 * xi * omega + omega * omega);  // Chen & Ricles 2008, eq. 24
    return l * l - (2 - alpha * (omega * omega + 2 * xi * omega)) * l + (1 - 2 * xi * omega * alpha);
  });
}

TEST(IntegratorSpectrum, KrAlphaAndMkrAlpha) {
  for (const double rho : {0.0, 0.5, 0.8, 1.0}) {
    const std::string settings = "rho_inf = " + std::to_string(rho);
    const Alpha p = chung_hulbert(rho);
    expect_roots({"kr-alpha", settings}, 3, kolay_ricles(p.m, p.f, p.beta, p.gamma));
    const double m = (2 * rho * rho * rho + rho * rho - 1) / (rho * rho * rho + rho * rho + rho + 1);
    const double gamma = 0.5 - m + p.f;
    expect_roots({"mkr-alpha", settings}, 3, kolay_ricles(m, p.f, 0.5 * (0.5 + gamma), gamma));
  }
}

TEST(IntegratorSpectrum, Rosenbrock) {
  expect_roots({"rosenbrock", ""}, 2, rational([](Complex z) {
                 const double g = 1 - std::sqrt(0.5);
                 return (1.0 + (1 - 2 * g) * z) / ((1.0 - g * z) * (1.0 - g * z));
               }));
}

TEST(IntegratorSpectrum, ExactAndRungeKutta) {
  expect_roots({"rk4", ""}, 2, rational([](Complex z) {
                 return 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)));
               }));
  // The exponential's own rounding grows with its argument.
  for (const double omega : {0.01, 0.3, 1.0, 3.0, 10.0}) {
    for (const double xi : xis) {
      const Complex wanted = std::exp(Complex(-xi * omega, omega * std::sqrt(1 - xi * xi)));
      for (const Complex& value : eigenvalues(oscillator({"exact", ""}, omega, xi))) {
        const double error = std::min(std::abs(value - wanted), std::abs(value - std::conj(wanted)));
        EXPECT_LT(error, 1e-12 * (1 + omega)) << omega << ' ' << xi;
      }
    }
  }
}

double period_error(const Scheme& scheme, double omega) {
  for (const Complex& value : eigenvalues(oscillator(scheme, omega, 0))) {
    if (value.imag() > 0) return omega / std::arg(value) - 1;
  }
  return 0;
}

TEST(IntegratorSpectrum, PeriodErrorsAsPublished) {
  for (const double omega : {0.1, 0.5, 1.0, 1.5}) {
    // sin(Ω̄/2) = Ω/2 and tan(Ω̄/2) = Ω/2 (Hughes 1987).
    EXPECT_NEAR(period_error({"central-difference", ""}, omega), omega / (2 * std::asin(omega / 2)) - 1,
                1e-12);
    for (const char* kind : {"newmark", "cr"}) {
      EXPECT_NEAR(period_error({kind, ""}, omega), omega / (2 * std::atan(omega / 2)) - 1, 1e-12);
    }
  }
  // Leading terms: T̄/T − 1 ≈ c·Ω² with c = (1/2)(β' − 1/12)…: ½(γ + ½)²/… of the schemes below.
  const double omega = 1e-2;
  EXPECT_NEAR(period_error({"newmark", "beta = 0.16666666666666667"}, omega) / (omega * omega), 1.0 / 24,
              1e-5);
  EXPECT_NEAR(period_error({"mkr-alpha", "rho_inf = 1"}, omega) / (omega * omega), 5.0 / 24, 1e-4);
  EXPECT_NEAR(period_error({"rk4", ""}, 0.1) / 1e-4, 1.0 / 120, 1e-4);
}

TEST(IntegratorSpectrum, RadiusAtInfiniteFrequency) {
  const double omega = 1e5;
  for (const double rho : {0.25, 0.5, 0.8}) {
    for (const char* kind : {"generalized-alpha", "kr-alpha", "mkr-alpha"}) {
      const Scheme scheme{kind, "rho_inf = " + std::to_string(rho)};
      // A triple root comes apart as the cube root of 1/Ω.
      EXPECT_NEAR(spectrum_of(oscillator(scheme, omega, 0)).radius, rho, 2e-3) << name_of(scheme);
    }
  }
  EXPECT_NEAR(spectrum_of(oscillator({"hht-alpha", "alpha = -0.2"}, omega, 0)).radius, 0.8 / 1.2, 1e-4);
  EXPECT_LT(spectrum_of(oscillator({"rosenbrock", ""}, omega, 0)).radius, 1e-4);
}

TEST(IntegratorSpectrum, MkrAlphaHasThreeDifferentRootsAtInfiniteFrequency) {
  // (λ + ρ)(λ² + ρ²): simple roots, hence no growth before the decay, and as precise as 1/Ω².
  for (const double rho : {0.25, 0.5, 0.8, 1.0}) {
    const auto values = eigenvalues(oscillator({"mkr-alpha", "rho_inf = " + std::to_string(rho)}, 1e4, 0));
    ASSERT_EQ(values.size(), 3U);
    for (const Complex wanted : {Complex(-rho, 0), Complex(0, rho), Complex(0, -rho)}) {
      double nearest = 1;
      for (const Complex& value : values) nearest = std::min(nearest, std::abs(value - wanted));
      EXPECT_LT(nearest, 1e-6) << rho;
    }
  }
}

TEST(IntegratorSpectrum, StableWhereTheoryOfEachSaysSo) {
  for (const Scheme& scheme : all_schemes()) {
    double limit = 1e4;
    if (scheme.kind == "central-difference" || scheme.kind == "newmark-explicit") limit = 2;
    if (scheme.kind == "rk4") limit = 2 * std::sqrt(2.0);
    if (scheme.settings.starts_with("beta")) limit = 2 * std::sqrt(3.0);  // linear acceleration
    if (scheme.kind == "exact") limit = 50;
    // Three roots meet at −1 here: beyond this, rounding splits them by more than what is forgiven.
    if (scheme.settings == "rho_inf = 1" && scheme.kind != "mkr-alpha") limit = 200;
    for (double omega = 1e-3; omega < 0.999 * limit; omega *= 1.07) {
      for (const double xi : {0.0, 0.05}) {
        EXPECT_TRUE(spectrum_of(oscillator(scheme, omega, xi)).stable)
            << name_of(scheme) << " at " << omega << ", damping " << xi;
      }
    }
    if (limit < 10) {
      EXPECT_FALSE(spectrum_of(oscillator(scheme, 1.001 * limit, 0)).stable) << name_of(scheme);
    }
  }
}

}  // namespace
}  // namespace gusset::test
