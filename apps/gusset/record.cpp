#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <numeric>

#include "base/units.hpp"
#include "common.hpp"
#include "excitation/fourier.hpp"
#include "excitation/intensity.hpp"
#include "excitation/processing.hpp"
#include "excitation/record_formats.hpp"
#include "excitation/record_write.hpp"
#include "excitation/response_spectrum.hpp"
#include "report/plot.hpp"
#include "runs/atomic_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace record_private {

struct Options {
  std::string file, dt, unit, peak, highpass, lowpass, bandpass, resample, stroke;
  std::string spectrum, fourier, out, svg;
  std::string periods = "0.02 s:10 s:200";
  std::optional<double> scale;
  double damping = 0.05;
  int channel = 1, order = 4;
  bool info = false, baseline = false, displacement = false, force = false, json = false;
};

/// A quantity given to an option, above zero.
double quantity(const char* option, const std::string& text, const Dimension& dimension) {
  const std::string fix = "write it as in " + std::string(option) + " \"" +
                          (dimension == dim::time        ? "5 ms"
                           : dimension == dim::frequency ? "0.5 Hz"
                           : dimension == dim::length    ? "100 mm"
                                                         : "0.3 g") +
                          "\"";
  try {
    const Quantity value = parse_quantity(text);
    if (!(value.dimension == dimension)) {
      throw InputError({option, 0, 0}, "\"" + text + "\" is not in " + unit_examples(dimension), fix);
    }
    if (!(value.value > 0)) throw InputError({option, 0, 0}, "\"" + text + "\" is not above zero", fix);
    return value.value;
  } catch (const UnitError& problem) {
    throw InputError({option, 0, 0}, problem.what(), fix);
  }
}

double hertz(const char* option, const std::string& text) {
  return quantity(option, text, dim::frequency) / (2 * M_PI);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t colon = 0; colon != std::string::npos; start = colon + 1) {
    colon = text.find(':', start);
    parts.push_back(text.substr(start, colon == std::string::npos ? colon : colon - start));
  }
  return parts;
}

Band band_of(const Options& options) {
  Band band;
  band.order = options.order;
  if (!options.bandpass.empty()) {
    const std::vector<std::string> corners = split(options.bandpass);
    if (corners.size() != 2 || !options.highpass.empty() || !options.lowpass.empty()) {
      throw InputError({"--bandpass", 0, 0}, "a band has two corners, and replaces --highpass and --lowpass",
                       "write --bandpass \"0.1 Hz:25 Hz\"");
    }
    band.highpass = hertz("--bandpass", corners[0]);
    band.lowpass = hertz("--bandpass", corners[1]);
  }
  if (!options.highpass.empty()) band.highpass = hertz("--highpass", options.highpass);
  if (!options.lowpass.empty()) band.lowpass = hertz("--lowpass", options.lowpass);
  if (band.highpass && band.lowpass && *band.highpass >= *band.lowpass) {
    throw InputError({"--lowpass", 0, 0}, "the low-pass lies below the high-pass: nothing would be left",
                     "give the lower frequency as the high-pass");
  }
  return band;
}

std::vector<double> periods_of(const Options& options) {
  const std::vector<std::string> parts = split(options.periods);
  const char* fix = "write --periods \"0.02 s:10 s:200\"";
  if (parts.size() != 3)
    throw InputError({"--periods", 0, 0}, "shortest, longest and number are needed", fix);
  const double low = quantity("--periods", parts[0], dim::time);
  const double high = quantity("--periods", parts[1], dim::time);
  const double count = CLI::detail::trim_copy(parts[2]).empty() ? 0 : std::atof(parts[2].c_str());
  if (!(low >= 1e-3 && high >= low && count >= 1 && count <= 10000)) {
    throw InputError({"--periods", 0, 0}, "periods run upwards from 1 ms at least, 1 to 10000 of them", fix);
  }
  return spectrum_periods(low, high, static_cast<int>(count));
}

/// The motion as asked for: baseline, filter, step, size, in this order.
Record processed(Record record, const Options& options, const Band& band) {
  std::vector<double>& a = record.acceleration;
  if (options.baseline) a = baseline_corrected(a, record.dt);
  const double nyquist = 0.5 / record.dt;
  for (const auto& corner : {band.highpass, band.lowpass}) {
    if (corner && *corner >= nyquist) {
      throw InputError({"--lowpass", 0, 0},
                       "the corner lies above the record's highest frequency, " + brief(nyquist) + " Hz",
                       "choose a lower corner");
    }
  }
  a = filtered(a, record.dt, band);
  if (!options.resample.empty()) {
    const double dt = quantity("--resample", options.resample, dim::time);
    const double duration = record.dt * static_cast<double>(a.size() - 1);
    if (dt > duration || duration / dt > 1e8) {
      throw InputError({"--resample", 0, 0}, "the new step gives fewer than two samples, or more than 1e8",
                       "choose a step between");
    }
    a = resampled(a, record.dt, dt);
    record.dt = dt;
  }
  double factor = options.scale.value_or(1);
  if (!options.peak.empty()) {
    if (options.scale) throw InputError({"--peak", 0, 0}, "both --peak and --scale are given", "keep one");
    const double wanted = quantity("--peak", options.peak, dim::acceleration);
    if (!(record.peak() > 0)) {
      throw InputError({"--peak", 0, 0}, "the record is zero throughout and cannot be scaled", "use another");
    }
    factor = wanted / record.peak();
  }
  for (double& value : a) value *= factor;
  return record;
}

double peak_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

struct Results {
  Record record;
  Intensity intensity;
  double highpass = 0;  ///< of the double integration [Hz]
  std::optional<IntegratedMotion> motion;
  std::optional<double> stroke;
  std::optional<ResponseSpectrum> spectrum;
  std::optional<FourierSpectrum> fourier;

  double displacement() const { return motion ? peak_of(motion->displacement) : 0; }
  bool enough() const { return !stroke || displacement() <= *stroke; }
};

std::string to_svg(const Results& results) {
  const Record& record = results.record;
  std::vector<double> time(record.acceleration.size());
  for (std::size_t i = 0; i < time.size(); ++i) time[i] = record.dt * static_cast<double>(i);
  std::vector<plot::Figure> panels;
  const auto panel = [&](const std::string& title, const std::string& x, const std::string& y,
                         bool logarithmic, const std::vector<double>& xs, const std::vector<double>& ys) {
    plot::Figure figure;
    figure.title = title;
    figure.x = {x, logarithmic, 0, 0};
    figure.y = {y, logarithmic, 0, 0};
    figure.series.push_back({"", xs, ys, false, false});
    figure.height = 240;
    panels.push_back(std::move(figure));
  };
  panel(std::filesystem::path(record.name).filename().string(), "time [s]", "acceleration [m/s²]", false,
        time, record.acceleration);
  if (results.motion) {
    panel("", "time [s]", "velocity [m/s]", false, time, results.motion->velocity);
    panel("", "time [s]", "displacement [m]", false, time, results.motion->displacement);
  }
  if (results.spectrum) {
    panel("", "period [s]", "spectral acceleration [m/s²]", true, results.spectrum->period,
          results.spectrum->pseudo_acceleration);
  }
  if (results.fourier) {
    panel("", "frequency [Hz]", "Fourier amplitude [m/s]", true, results.fourier->frequency,
          results.fourier->amplitude);
  }
  return plot::svg(panels);
}

std::string out_text(const Results& results, const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".at2") return to_at2(results.record);
  std::vector<RecordColumn> more;
  if (results.motion) {
    more = {{"velocity [m/s]", results.motion->velocity}, {"displacement [m]", results.motion->displacement}};
  }
  return to_csv(results.record, more);
}

void require_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".csv" || extension == ".at2") return;
  throw InputError({"--out", 0, 0}, "\"" + path + "\" ends neither in .csv nor in .at2",
                   "the ending says in which format to write");
}

std::vector<std::string> write_files(const Results& results, const Options& options) {
  std::vector<std::string> written;
  const auto write = [&](const std::string& path, const std::string& text) {
    write_atomically(path, text, options.force);
    written.push_back(path);
  };
  if (!options.out.empty()) write(options.out, out_text(results, options.out));
  if (results.spectrum && !options.spectrum.empty()) {
    const ResponseSpectrum& s = *results.spectrum;
    write(options.spectrum, to_csv({{"period [s]", s.period},
                                    {"displacement [m]", s.displacement},
                                    {"velocity [m/s]", s.velocity},
                                    {"acceleration [m/s^2]", s.acceleration},
                                    {"pseudo_acceleration [m/s^2]", s.pseudo_acceleration}}));
  }
  if (results.fourier && !options.fourier.empty()) {
    write(options.fourier, to_csv({{"frequency [Hz]", results.fourier->frequency},
                                   {"amplitude [m/s]", results.fourier->amplitude}}));
  }
  if (!options.svg.empty()) write(options.svg, to_svg(results));
  return written;
}

Json to_json(const Results& results, const std::vector<std::string>& written) {
  const Record& record = results.record;
  const Intensity& i = results.intensity;
  Json json{{"file", record.name},
            {"format", record.format},
            {"unit", record.unit},
            {"dt", record.dt},
            {"samples", record.acceleration.size()},
            {"duration", record.dt * static_cast<double>(record.acceleration.size() - 1)},
            {"pga", number(i.pga)},
            {"pgv", number(i.pgv)},
            {"pgd", number(i.pgd)},
            {"arias_intensity", number(i.arias)},
            {"significant_duration", number(i.duration_95)},
            {"significant_duration_75", number(i.duration_75)},
            {"significant_start", number(i.start)},
            {"cumulative_absolute_velocity", number(i.cumulative_velocity)}};
  if (results.motion) {
    json["displacement"] = {{"highpass", results.highpass},
                            {"displacement", number(results.displacement())},
                            {"velocity", number(peak_of(results.motion->velocity))},
                            {"stroke", number(results.stroke)},
                            {"enough", results.enough()}};
  }
  json["written"] = written;
  return json;
}

void describe(const Results& results, const std::vector<std::string>& written) {
  const Record& record = results.record;
  const Intensity& i = results.intensity;
  std::cout << record.name << "\n\n"
            << "format                " << record.format << ", in " << record.unit << '\n'
            << "samples               " << record.acceleration.size() << " at " << readable(record.dt, "s")
            << ", " << readable(record.dt * static_cast<double>(record.acceleration.size() - 1), "s")
            << " in all\n"
            << "peak acceleration     " << brief(i.pga) << " m/s^2 (" << brief(i.pga / 9.80665) << " g)\n"
            << "peak velocity         " << readable(i.pgv, "m/s")
            << "   (integrated from rest, as the record is)\n"
            << "peak displacement     " << readable(i.pgd, "m") << '\n'
            << "Arias intensity       " << brief(i.arias) << " m/s\n"
            << "significant duration  " << brief(i.duration_95) << " s (5 to 95 %), from " << brief(i.start)
            << " s on; " << brief(i.duration_75) << " s (5 to 75 %)\n"
            << "cumulative |a|        " << brief(i.cumulative_velocity) << " m/s\n";
  if (results.motion) {
    std::cout << "as a table's command  " << readable(results.displacement(), "m") << ", "
              << readable(peak_of(results.motion->velocity), "m/s") << " (high-pass "
              << brief(results.highpass) << " Hz)";
    if (results.stroke) {
      std::cout << "; stroke " << readable(*results.stroke, "m")
                << (results.enough() ? ": enough" : ": NOT ENOUGH");
    }
    std::cout << '\n';
  }
  for (const std::string& path : written) std::cout << "written               " << path << '\n';
}

int run(const Options& options) {
  if (!options.out.empty()) require_extension(options.out);
  for (const std::string* path : {&options.out, &options.spectrum, &options.fourier, &options.svg}) {
    if (!path->empty()) require_writable(*path, options.force);
  }
  RecordHints hints;
  hints.channel = options.channel;
  hints.unit = options.unit;
  if (!options.unit.empty() && acceleration_unit(options.unit) == 0) {
    throw InputError({"--unit", 0, 0}, "\"" + options.unit + "\" is no unit of acceleration",
                     "write g, m/s^2, cm/s^2 or gal");
  }
  if (!options.dt.empty()) hints.dt = quantity("--dt", options.dt, dim::time);
  const Band band = band_of(options);
  const std::vector<double> periods = periods_of(options);
  Results results;
  results.record = processed(load_record(options.file, {options.file, 0, 0}, {}, hints), options, band);
  const std::vector<double>& a = results.record.acceleration;
  const double dt = results.record.dt;
  results.intensity = intensity(a, dt);
  if (!options.stroke.empty()) results.stroke = quantity("--stroke", options.stroke, dim::length);
  if (options.displacement || results.stroke) {
    constexpr double usual = 0.5;  // Hz
    results.highpass = band.highpass.value_or(usual);
    results.motion = integrate_twice(a, dt, results.highpass);
  }
  if (!options.spectrum.empty()) results.spectrum = response_spectrum(a, dt, periods, options.damping);
  if (!options.fourier.empty()) results.fourier = fourier_spectrum(a, dt);
  const std::vector<std::string> written = write_files(results, options);
  if (options.json) {
    print(to_json(results, written));
  } else {
    describe(results, written);
  }
  return results.enough() ? good : bad;
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  Options& o = *options;
  command.add_option("FILE", o.file, "a record file, or the name of a shipped record")->required();
  command.add_flag("--info", o.info, "only say what the file holds (the default)");
  command.add_option("--channel", o.channel, "which of several records in a COSMOS or CSMIP file, from 1")
      ->check(CLI::Range(1, 100000));
  command.add_option("--dt", o.dt, "step of a file that does not say it, e.g. \"0.01 s\"");
  command.add_option("--unit", o.unit, "unit of a file that does not say it, e.g. g");
  command.add_flag("--baseline", o.baseline, "remove the drift that a cubic fit of the velocity shows");
  command.add_option("--highpass", o.highpass, "zero-phase Butterworth filter, e.g. \"0.1 Hz\"");
  command.add_option("--lowpass", o.lowpass, "the same, e.g. \"25 Hz\"");
  command.add_option("--bandpass", o.bandpass, "both, e.g. \"0.1 Hz:25 Hz\"");
  command.add_option("--order", o.order, "of the filters (default 4)")->check(CLI::Range(1, 20));
  command.add_option("--resample", o.resample, "to another step, e.g. \"5 ms\"");
  command.add_option("--scale", o.scale, "multiply by a number");
  command.add_option("--peak", o.peak, "scale to this peak acceleration, e.g. \"0.3 g\"");
  command.add_flag("--displacement", o.displacement,
                   "integrate twice as a shake table's command, with --highpass or 0.5 Hz");
  command.add_option("--stroke", o.stroke,
                     "what the table has, e.g. \"100 mm\": exit status 1 if it is not enough");
  command.add_option("--spectrum", o.spectrum, "write the response spectrum")->type_name("FILE.csv");
  command.add_option("--damping", o.damping, "of the spectrum's oscillators (default 0.05)")
      ->check(CLI::Range(0.0, 0.99));
  command.add_option("--periods", o.periods, "of the spectrum: \"0.02 s:10 s:200\"");
  command.add_option("--fourier", o.fourier, "write the Fourier amplitude spectrum")->type_name("FILE.csv");
  command.add_option("--out", o.out, "write the motion")->type_name("FILE.csv|FILE.at2");
  command.add_option("--svg", o.svg, "draw what was computed")->type_name("FILE.svg");
  command.add_flag("--force", o.force, "overwrite existing files");
  command.add_flag("--json", o.json, "print one JSON object on standard output and nothing else");
  return [options] { return run(*options); };
}

}  // namespace record_private

const Verb record_verb{
    "record", "ground-motion files: read, convert, filter, scale, integrate, spectra, plots",
    "Reads PEER AT2, COSMOS, CSMIP V2, K-NET, ESM, CSV and plain columns. Processing goes in this order: "
    "baseline, filter, resampling, scaling.\n"
    "Exit status 1 if --stroke is not enough for the displacement.\n"
    "Examples: gusset record el-centro-1940-ns\n"
    "          gusset record el-centro-1940-ns --peak \"0.2 g\" --displacement --stroke \"100 mm\"\n"
    "          gusset record el-centro-1940-ns --spectrum spectrum.csv --svg motion.svg",
    record_private::add};

}  // namespace gusset::app
