#!/usr/bin/env python3
"""What scripts may rely on: keys of the JSON, exit statuses, names of channels, and the papers'
figures as the command line gives them.

usage: cli_contract.py GUSSET SOURCE_DIR BUILD_DIR
"""

import csv
import hashlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TIMEOUT = 300  # seconds a command; generous, for sanitized builds
PURE = "experiments/wu-pure-inertia.toml"
DYNAMIC = "experiments/wu-dynamic-specimen.toml"


class Failure(Exception):
    pass


def demand(condition, message):
    if not condition:
        raise Failure(message)


class Program:
    def __init__(self, path, source):
        self.path = path
        self.source = source

    def run(self, *command, status=0):
        result = subprocess.run([str(self.path), *map(str, command)], cwd=self.source,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=TIMEOUT)
        demand(result.returncode == status,
               f"{command}: exit status {result.returncode}, not {status}\n{result.stderr}")
        return result

    def json(self, *command, status=0, keys=()):
        """Standard output must be one JSON object, strict JSON, and nothing else."""
        def refuse(constant):
            raise Failure(f"{command}: {constant} is not JSON")
        text = self.run(*command, "--json", status=status).stdout
        result = json.loads(text, parse_constant=refuse)
        demand(isinstance(result, dict), f"{command}: not an object")
        for key in keys:
            demand(key in result, f"{command}: no {key!r} in {sorted(result)}")
        return result


def step(omega):
    """--set for a step of ω·Δt with ω = 2π."""
    return ["--set", f"integrator.dt={omega / (2 * math.pi):.17g} s"]


def test_list(gusset, _):
    experiments = gusset.json("list", keys=["experiments"])["experiments"]
    names = {e["name"] for e in experiments}
    files = {p.stem for p in (gusset.source / "experiments").glob("*.toml")}
    demand(names == files, f"{names} is not {files}")
    for e in experiments:
        demand(e["title"], f"{e['name']} has no title")
        demand(pathlib.Path(e["file"]).is_file(), f"{e['file']} is not there")
    human = gusset.run("list").stdout
    demand(all(name in human for name in names), "the list for people lacks a name")


def test_check(gusset, _):
    keys = ["title", "dt", "rig_dt", "substeps", "duration", "steps", "periods", "stable",
            "spectral_radius", "channels", "warnings", "ok", "state_size"]
    found = gusset.json("check", PURE, keys=keys)
    demand(abs(found["periods"][0] - 1) < 1e-9, "the whole structure's period is 1 s")
    demand(abs(found["channels"][0]["mass_ratio"] - 0.8) < 1e-12, "mass ratio")
    demand({n["quantity"] for n in found["channels"][0]["needs"]}
           == {"displacement", "velocity", "acceleration", "force", "tracking error", "energy"}, "needs")
    demand(found["ok"] and found["stable"], "it is a good test")
    # Not enough stroke: the answer is bad.
    tight = gusset.json("check", PURE, "--set", "limits.displacement=1 mm", status=1)
    need = next(n for n in tight["channels"][0]["needs"] if n["quantity"] == "displacement")
    demand(not need["enough"] and need["available"] == 0.001 and need["needed"] > 0.009, str(need))
    demand(not gusset.json("check", PURE, "--set", "specimen.mass_ratio=1.2", status=1)["stable"],
           "unstable")


def test_layout(gusset, _):
    fields = gusset.json("check", DYNAMIC, "--layout", keys=["layout"])["layout"]
    offset = 0
    for field in fields:
        demand(field["offset"] == offset, "the segments follow each other")
        demand({"name", "size", "unit", "scale", "kind"} <= set(field), str(field))
        offset += field["size"]
    names = [f["name"] for f in fields]
    demand("numerical.displacement" in names and "specimen.velocity" in names, str(names))
    human = gusset.run("check", DYNAMIC, "--layout").stdout
    demand(all(name in human for name in names), "the layout for people lacks a name")


def test_loop(gusset, scratch):
    found = gusset.json("check", "quickstart", "--loop",
                        keys=["title", "dt", "rig_dt", "substeps", "trials", "inputs", "phases", "cut"])
    demand(found["substeps"] == 4 and abs(found["dt"] - 4 * found["rig_dt"]) < 1e-15, "four sub-steps a step")
    demand([p["phase"] for p in found["phases"]] == ["begin", "draw", "rig", "feed"], "phases in their order")
    demand([p["when"] for p in found["phases"]] == ["step", "substep", "substep", "substep"], "when they run")
    demand([p["where"] for p in found["phases"]] == ["computed", "computed", "laboratory", "computed"], "where")
    for phase in found["phases"]:
        for stage in phase["stages"]:
            demand({"stage", "does", "rig", "reads", "writes", "keeps", "shares"} <= set(stage), str(stage))
            demand((stage["rig"] is not None) == (phase["phase"] == "rig"), f"the rig of {stage['stage']}")
            for signal in stage["reads"] + stage["writes"]:
                demand({"signal", "unit", "signals"} <= set(signal), str(signal))
            for kept in stage["keeps"]:
                demand({"name", "unit", "size", "kind"} <= set(kept), str(kept))
    cut, = found["cut"]
    demand([c["signal"] for c in cut["commands"]] == ["damper.command"], "what crosses to the rig")
    demand([(f["signal"], f["unit"], f["needed"]) for f in cut["feedback"]]
           == [("damper.measured", "m", True), ("damper.force", "N", True)], "what crosses back")
    demand(gusset.json("check", "frame", "--loop")["cut"] == [], "no specimen, no cut")
    human = gusset.run("check", "quickstart", "--loop").stdout
    for text in ("COMPUTED", "IN THE LABORATORY", "the cut", "numerical part", "damper.command [m]",
                 "4 times a step"):
        demand(text in human, f"the loop for people lacks {text!r}")
    # Unstable or beyond its limits, it is shown all the same.
    gusset.run("check", PURE, "--loop", "--set", "specimen.mass_ratio=1.2")
    for e in gusset.json("list")["experiments"]:
        picture = scratch / f"{e['name']}.svg"
        shown = gusset.json("check", e["name"], "--loop", "--svg", picture)
        demand(shown["phases"], f"{e['name']}: a loop without phases")
        xml.etree.ElementTree.parse(picture)
    picture = scratch / "quickstart.svg"
    before = picture.read_bytes()
    gusset.run("check", "quickstart", "--loop", "--svg", picture, status=2)
    demand(picture.read_bytes() == before, "an existing picture was touched")
    gusset.run("check", "quickstart", "--loop", "--svg", picture, "--force")
    for bad in (["--svg", scratch / "x.svg"], ["--loop", "--layout"], ["--loop", "--force"],
                ["--loop", "--svg", scratch / "none" / "x.svg"]):
        gusset.run("check", "quickstart", *bad, status=2)
    demand(not (scratch / "x.svg").exists(), "a picture was written without --loop")


def test_analyze(gusset, _):
    keys = ["dt", "spectral_radius", "stable", "limit", "modes", "delay_margin", "zero_stability",
            "reference_frequency", "omega", "eigenvalues"]
    found = gusset.json("analyze", DYNAMIC, keys=keys)
    demand({"dt", "omega", "bounded", "searched"} <= set(found["limit"]), "limit")
    demand(found["limit"]["searched"][0] < found["limit"]["dt"] < found["limit"]["searched"][1],
           "the limit lies in the range searched")
    demand(len(found["modes"]) == 2, "two modes")
    for mode in found["modes"]:
        demand({"frequency", "damping", "exact_frequency", "exact_damping", "period_error",
                "period_elongation", "shape"}
               <= set(mode), str(mode))
    demand(abs(found["limit"]["omega"] - found["limit"]["dt"] * 2 * math.pi) < 1e-12, "omega = dt·ω")


def test_wu_limits(gusset, _):
    for gamma in (0.1, 0.5, 0.8, 0.37):
        for xi in (0, 0.3):
            found = gusset.json("analyze", PURE, "--set", f"specimen.mass_ratio={gamma}", "--set",
                                f"structure.damping_ratio={xi}")
            wanted = 2 * math.sqrt((1 - gamma) / (1 + gamma))
            demand(abs(found["limit"]["omega"] - wanted) < 1e-4, f"{gamma}: {found['limit']}")
    for gamma in (1, 1.003, 3):
        found = gusset.json("analyze", PURE, "--set", f"specimen.mass_ratio={gamma}", status=1)
        demand(found["stable"] is False and found["limit"]["omega"] == 0, f"{gamma}: {found}")
    for ratio, wanted, tolerance in ((1, 0.4465, 5e-4), (0.1, 1.23, 5e-3), (0.5, 0.597, 5e-4),
                                     (2, 0.346, 5e-4)):
        found = gusset.json("analyze", DYNAMIC, "--set", f"specimen.mass_ratio={ratio}")
        demand(abs(found["limit"]["omega"] - wanted) < tolerance, f"{ratio}: {found['limit']}")
    undamped = gusset.json("analyze", DYNAMIC, "--set", "specimen.damping_ratio=0", "--set",
                           "structure.damping_ratio=0", status=1)
    demand(undamped["limit"]["omega"] == 0 and not undamped["stable"], "undamped is never stable")
    demand("every" in undamped["limit"]["verdict"], undamped["limit"]["verdict"])


def test_map(gusset, folder):
    axes = ["--x", "specimen.mass_ratio=0.1:1.2:12", "--y", "integrator.dt=10 ms:350 ms:9"]
    found = gusset.json("map", PURE, *axes, "--csv", folder / "map.csv", "--svg", folder / "map.svg",
                        keys=["x", "y", "spectral_radius"])
    radius = found["spectral_radius"]
    demand(len(radius) == 9 and all(len(row) == 12 for row in radius), "9 rows of 12")
    # Fig. 3: stable below the closed form, unstable above.
    for dt, row in zip(found["y"]["values"], radius):
        for gamma, value in zip(found["x"]["values"], row):
            limit = 2 * math.sqrt(max(0, 1 - gamma) / (1 + gamma))
            demand((value < 1) == (2 * math.pi * dt < limit), f"{gamma} {dt} {value}")
    rows = list(csv.reader((folder / "map.csv").open(encoding="utf-8")))
    demand(rows[0] == ["specimen.mass_ratio", "integrator.dt [ms]", "spectral_radius"], str(rows[0]))
    demand(len(rows) == 1 + 9 * 12, "one row a point")
    demand(abs(float(rows[1][1]) - 10) < 1e-12, "in the unit of the axis")
    demand(float(rows[-1][2]) == radius[-1][-1], "CSV and JSON agree")
    picture = xml.etree.ElementTree.parse(folder / "map.svg").getroot()
    demand(picture.tag.endswith("svg"), "an SVG picture")
    text = (folder / "map.svg").read_text(encoding="utf-8")
    demand("specimen.mass_ratio" in text and "integrator.dt" in text, "labelled axes")


def test_simulate_and_export(gusset, folder):
    keys = ["title", "dt", "rig_dt", "steps", "completed", "stop", "out", "summary"]
    run = folder / "run.h5"
    found = gusset.json("simulate", PURE, "--out", run, keys=keys)
    demand(found["completed"] and found["stop"] is None, "it runs to the end")
    demand(run.read_bytes()[:8] == b"\x89HDF\r\n\x1a\n", "HDF5")
    demand({"peak.storey1.displacement", "error.storey1.displacement.nrmse",
            "tracking.specimen.nrmse"} <= set(found["summary"]), str(sorted(found["summary"])))
    header, *rows = gusset.run("export", run).stdout.splitlines()
    demand(header.startswith("time [s],storey1.displacement [m],storey1.velocity [m/s],"
                             "storey1.acceleration [m/s^2],"), header)
    for channel in ("specimen.target [m]", "specimen.command [m]", "specimen.measured [m]",
                    "specimen.force [N]", "reference.storey1.displacement [m]"):
        demand(channel in header.split(","), f"no {channel}: {header}")
    demand(len(rows) == found["steps"] + 1, "one row a step, both ends included")
    first = [float(x) for x in rows[0].split(",")]
    demand(first[0] == 0 and abs(first[1] - 0.01) < 1e-15, "starts at 1 cm")
    peak = max(abs(float(row.split(",")[1])) for row in rows)
    demand(peak == found["summary"]["peak.storey1.displacement"], "the peak is that of the channel")
    written = gusset.json("export", run, "--csv", folder / "run.csv", keys=["run", "csv", "rows"])
    demand(written["rows"] == len(rows), "rows")
    demand((folder / "run.csv").read_text(encoding="utf-8").splitlines() == [header, *rows],
           "file and standard output agree")
    # A limit passed: the answer is bad, and what was recorded until then is kept.
    stopped = gusset.json("simulate", PURE, "--set", "limits.displacement=9 mm", "--out",
                          folder / "stopped.h5", status=1)
    demand(not stopped["completed"] and stopped["stop"]["limit"] == 0.009, str(stopped["stop"]))
    demand((folder / "stopped.h5").is_file(), "the part until the stop is kept")


def test_bad_answers_are_said(gusset, _):
    """What has a number but makes no sense: a response of kilometres, a rig that is unstable alone."""
    away = gusset.run("simulate", "wu-validation", "--set", "structure.mass=89.23 kg", status=1)
    demand("ran away" in away.stderr, f"a run-away response goes unsaid: {away.stderr}")
    alone = gusset.run("bode", "wu-shake-table-mass", "--set", "rig.parameters=tsinghua",
                       "--frequencies", "1")
    demand("by itself is unstable" in alone.stderr, f"an unstable rig goes unsaid: {alone.stderr}")
    demand(not gusset.run("bode", "wu-shake-table-mass", "--frequencies", "1").stderr,
           "a stable rig is warned of")
    # Its compensator counts in samples: smaller steps make it another one.
    rig = gusset.json("analyze", "small-rig")
    demand(rig["stable"] and rig["limit"]["verdict"] != "unstable for every step",
           f"stable at its own step: {rig['limit']}")


def displacements(gusset, folder, omega):
    """A dynamic-specimen run of 400 steps without limits."""
    run = folder / f"omega{omega}.h5"
    summary = gusset.json("simulate", DYNAMIC, *step(omega), "--set",
                          f"duration={400 * omega / (2 * math.pi):.17g} s", "--set",
                          "limits.displacement=100 m", "--out", run)["summary"]
    rows = gusset.run("export", run).stdout.splitlines()[1:]
    return [float(row.split(",")[1]) for row in rows], summary


def test_wu_figure_6(gusset, folder):
    def envelopes(omega):
        d, _ = displacements(gusset, folder, omega)
        half = len(d) // 2
        return max(map(abs, d[100:half])), max(map(abs, d[half + 100:]))
    early, late = envelopes(0.45)
    demand(late > early, f"grows at 0.45: {early} {late}")
    early, late = envelopes(0.44)
    demand(late < early, f"decays at 0.44: {early} {late}")
    errors = [displacements(gusset, folder, omega)[1]["error.storey1.displacement.nrmse"]
              for omega in (0.4, 0.2, 0.1, 0.05, 0.0125)]
    demand(all(b < a for a, b in zip(errors, errors[1:])), f"smaller steps are better: {errors}")
    demand(errors[-1] < 0.05, f"close to the exact solution: {errors}")


def test_wu_figure_4(gusset, _):
    # Free vibration with a mass specimen: stable at 0.6, growing at 0.7 (limit 0.667).
    for omega, status in ((0.6, 0), (0.7, 1)):
        gusset.json("simulate", PURE, *step(omega), "--set", "duration=100 s", status=status)
    errors = [gusset.json("simulate", PURE, *step(omega))["summary"]
              ["error.storey1.displacement.nrmse"] for omega in (0.2, 0.1, 0.05, 0.01)]
    demand(all(b < a for a, b in zip(errors, errors[1:])), f"smaller steps are better: {errors}")


def test_record(gusset, folder):
    keys = ["file", "format", "unit", "dt", "samples", "duration", "pga", "pgv", "pgd", "arias_intensity",
            "significant_duration", "written"]
    found = gusset.json("record", "el-centro-1940-ns", keys=keys)
    demand(found["samples"] == 1559 and found["dt"] == 0.02, "the shipped record as its comment says")
    demand(abs(found["pga"] - 0.31882 * 9.80665) < 1e-9, "its peak")
    at2, table = folder / "motion.at2", folder / "motion.csv"
    gusset.json("record", "el-centro-1940-ns", "--out", at2)
    again = gusset.json("record", at2, "--peak", "0.5 g", "--resample", "10 ms", "--displacement", "--out", table,
                        "--spectrum", folder / "spectrum.csv", "--fourier", folder / "fourier.csv", "--svg",
                        folder / "motion.svg", keys=keys)
    demand(again["format"] == "PEER AT2" and again["samples"] == 3117 and len(again["written"]) == 4,
           "a record goes through AT2")
    demand(abs(again["pga"] - 0.5 * 9.80665) < 1e-9, "scaled to its peak")
    demand(table.read_text().startswith("time [s],acceleration [m/s^2],velocity [m/s],displacement [m]"),
           "the columns of a command")
    stroke = again["displacement"]["displacement"]
    short = gusset.json("record", at2, "--stroke", "1 mm", status=1)
    demand(short["displacement"]["enough"] is False and stroke > 0.001, "a stroke that is not enough is exit 1")
    gusset.json("record", at2, "--stroke", "2 m")
    experiment = folder / "shaken.toml"
    experiment.write_text('[structure]\nmass = "1 t"\nfrequency = "1 Hz"\ndamping_ratio = 0.05\n[integrator]\n'
                          'dt = "10 ms"\n[specimen]\nkind = "none"\n[excitation]\nrecord = "motion.at2"\n')
    demand(gusset.json("check", experiment)["steps"] > 3000, "[excitation] takes AT2")
    for bad in (["--stroke", "5 s"], ["--peak", "0.3"], ["--bandpass", "1 Hz"], ["--lowpass", "1 MHz"],
                ["--resample", "1 h"], ["--out", folder / "x.txt"], ["--unit", "furlong"], ["--periods", "1 s"],
                ["--highpass", "5 Hz", "--lowpass", "2 Hz"], ["--scale", "2", "--peak", "1 g"]):
        gusset.run("record", "el-centro-1940-ns", *bad, status=2)


def test_report(gusset, scratch):
    gusset.run("simulate", PURE, "--out", scratch / "a.h5")
    found = gusset.json("report", scratch / "a.h5", keys=["run", "out", "bytes", "sections", "stable"])
    demand(found["stable"] is True, "the paper's case is stable")
    page = (scratch / "a.html").read_text(encoding="utf-8")
    demand(len(page.encode()) == found["bytes"], "bytes of the page")
    for section in ("experiment", "loop", "stability", "response", "hysteresis", "tracking", "energy", "limits",
                    "hashes"):
        demand(section in found["sections"], f"no section {section}")
    digest = hashlib.sha256((scratch / "a.h5").read_bytes()).hexdigest()
    demand(digest in page, "the SHA-256 of the run file")
    digest = hashlib.sha256((gusset.source / PURE).read_bytes()).hexdigest()
    demand(digest in page, "the SHA-256 of the experiment file")
    # A parameter changed: the verdict changes.
    gusset.run("simulate", PURE, "--set", "specimen.mass_ratio=1.2", "--out", scratch / "b.h5", status=1)
    demand(gusset.json("report", scratch / "b.h5")["stable"] is False, "unstable for a ratio of 1.2")
    demand("Unstable" in (scratch / "b.html").read_text(encoding="utf-8"), "the page says so")


def test_compare(gusset, scratch):
    gusset.run("simulate", PURE, "--out", scratch / "a.h5")
    gusset.run("simulate", PURE, "--set", "specimen.mass_ratio=0.79", "--out", scratch / "b.h5")
    keys = ["a", "b", "rtol", "atol", "agrees", "channels", "differences"]
    same = gusset.json("compare", scratch / "a.h5", scratch / "a.h5", "--rtol", "0", keys=keys)
    demand(same["agrees"] and all(c["difference"] == 0 for c in same["channels"]), "a run is itself")
    other = gusset.json("compare", scratch / "a.h5", scratch / "b.h5", status=1, keys=keys)
    demand(not other["agrees"], "they differ")
    worst = max(c["difference"] / c["peak"] for c in other["channels"] if c["peak"])
    gusset.json("compare", scratch / "a.h5", scratch / "b.h5", "--rtol", worst * 1.001, "--svg", scratch / "o.svg")
    gusset.json("compare", scratch / "a.h5", scratch / "b.h5", "--rtol", worst * 0.999, status=1)
    xml.etree.ElementTree.parse(scratch / "o.svg")
    one = gusset.json("compare", scratch / "a.h5", scratch / "b.h5", "--channel", "specimen.force", status=1)
    demand([c["channel"] for c in one["channels"]] == ["specimen.force"], "only what was asked for")


def test_reproduce(gusset, scratch):
    cases = gusset.json("reproduce", "--list", keys=["cases"])["cases"]
    demand({c["paper"] for c in cases} == {"wu-2008", "wu-2009", "chen-2007", "chen-2008", "shao-2011"}, "papers")
    found = gusset.json("reproduce", "wu-2009/fig-3a", "--out", scratch / "g", keys=["cases", "agrees"])
    for c in found["cases"]:
        for key in ("paper", "case", "quantity", "paper_value", "value", "deviation", "agrees", "reason"):
            demand(key in c, f"no {key}")
    demand(found["agrees"] and len(found["cases"]) == 4, "four quantities that agree")
    demand({p.name for p in (scratch / "g").iterdir()} == {"index.html", "summary.json", "wu-2009-fig-3a.svg"},
           "pictures, page and summary")
    demand(json.loads((scratch / "g" / "summary.json").read_text(encoding="utf-8")) == found, "the same summary")


def test_doctor(gusset, _):
    # Whether this machine is fit is not ours to demand; that the answer hangs together is.
    result = subprocess.run([str(gusset.path), "doctor", "--seconds", "0.2", "--json"],
                            capture_output=True, text=True, timeout=TIMEOUT)
    demand(result.returncode in (0, 1), f"exit status {result.returncode}\n{result.stderr}")
    found = json.loads(result.stdout)
    demand(found["fit"] == (result.returncode == 0), "exit status and verdict agree")
    demand(found["fit"] == all(c["ok"] or not c["required"] for c in found["checks"]), "verdict")
    names = {c["name"] for c in found["checks"]}
    demand({"kernel", "scheduling", "locked memory", "frequency governor", "isolated cores",
            "timer slack", "dma latency", "wake-up latency"} <= names, str(names))
    for check in found["checks"]:
        demand(check["ok"] or (check["fix"] and check["consequence"]), f"{check} has no fix")
    wake = found["wake_up"]
    demand(0 < wake["p50"] <= wake["p99"] <= wake["p999"] <= wake["maximum"], str(wake))
    demand(sum(wake["counts"]) + wake["overflow"] == wake["count"] > 0, "every period is counted")
    demand(len(wake["edges"]) == len(wake["counts"]) + 1, "edges")


def test_help(gusset, _):
    demand("analyze" in gusset.run("--help").stdout, "--help lists the verbs")
    for verb in ("list", "check", "analyze", "map", "simulate", "export", "recover", "doctor"):
        demand("\nEXAMPLES\n" in gusset.run(verb, "--help").stdout, f"{verb} --help shows an example")
    demand(gusset.run("--version").stdout.startswith("gusset "), "--version")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[2]).resolve()
    gusset = Program(pathlib.Path(sys.argv[1]).resolve(), source)
    failed = 0
    tests = {name: test for name, test in globals().items() if name.startswith("test_")}
    for name, test in tests.items():
        with tempfile.TemporaryDirectory(prefix="gusset-contract-") as scratch:
            try:
                test(gusset, pathlib.Path(scratch))
            except (Failure, ValueError, KeyError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"{name}: {type(error).__name__}: {error}")
    print(f"{len(tests)} tests, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
