#!/usr/bin/env python3
"""Feeds the program bad input of every kind: each must end in a clear message and exit status 2.

usage: bad_input.py GUSSET SOURCE_DIR BUILD_DIR

The message goes to standard error, names the file and line where there is one, the cause and a fix;
standard output stays empty; no file is left behind, and existing ones keep their content.
"""

import pathlib
import re
import resource
import subprocess
import sys
import tempfile

TIMEOUT = 120  # seconds a command; generous, for sanitized builds

GOOD = """title = "A test"
duration = "1 s"

[structure]
mass = "300 kg"
frequency = "1 Hz"
damping_ratio = 0.05

[initial]
displacement = "1 cm"

[method]
profile = "b-spline"

[integrator]
dt = "10 ms"

[specimen]
kind = "mass"
mass_ratio = 0.5
"""

# What is replaced in GOOD, by what, and what the message must say. A line number is that of the
# offending key; None where the key is missing altogether.
FILES = {
    "missing unit": ('mass = "300 kg"', "mass = 300", ["structure.mass|unit"]),
    "wrong dimension": ('mass = "300 kg"', 'mass = "300 mm"', ["mass"]),
    "unknown unit": ('mass = "300 kg"', 'mass = "300 kgg"', ["kg"]),
    "number without digits": ('mass = "300 kg"', 'mass = "heavy"', ["mass"]),
    "unit on a bare number": ("mass_ratio = 0.5", 'mass_ratio = "0.5 kg"', ["mass_ratio"]),
    "unknown key": ("damping_ratio = 0.05", "dampng_ratio = 0.05", ["dampng_ratio", "damping_ratio"]),
    "misspelt section": ("[initial]", "[intial]", ["intial", "initial"]),
    "negative mass": ('mass = "300 kg"', 'mass = "-300 kg"', ["mass", "greater than zero|positive"]),
    "zero mass": ('mass = "300 kg"', 'mass = "0 kg"', ["mass"]),
    "zero step": ('dt = "10 ms"', 'dt = "0 ms"', ["dt"]),
    "negative step": ('dt = "10 ms"', 'dt = "-1 ms"', ["dt"]),
    "NaN step": ('dt = "10 ms"', "dt = nan", ["dt", "10 ms"]),
    "unknown specimen": ('kind = "mass"', 'kind = "mess"', ["mess", "none"]),
    "predicted command of a mass": ('profile = "b-spline"', 'profile = "p3"', ["profile|rig.dt|sub-step"]),
    "share without prediction": ('profile = "b-spline"', 'compute_share = 0.5', ["compute_share"]),
    "NaN step in a string": ('dt = "10 ms"', 'dt = "nan s"', ["dt"]),
    "infinite step": ('dt = "10 ms"', "dt = inf", ["dt"]),
    "infinite step in a string": ('dt = "10 ms"', 'dt = "inf s"', ["dt"]),
    "overflowing step": ('dt = "10 ms"', 'dt = "1e999 s"', ["dt"]),
    "NaN mass ratio": ("mass_ratio = 0.5", "mass_ratio = nan", ["mass_ratio"]),
    "negative mass ratio": ("mass_ratio = 0.5", "mass_ratio = -0.5", ["mass_ratio"]),
    "negative damping": ("damping_ratio = 0.05", "damping_ratio = -0.05", ["damping_ratio"]),
    "huge duration": ('duration = "1 s"', 'duration = "1e12 s"', ["memory", "duration"]),
    "duration that does not fit": ('duration = "1 s"', 'duration = "9e7 s"', ["memory", "duration"]),
    "zero duration": ('duration = "1 s"', 'duration = "0 s"', ["duration"]),
    "unknown specimen": ('kind = "mass"', 'kind = "masss"', ["masss", "mass"]),
    "unknown profile": ('"b-spline"', '"bspline"', ["bspline", "b-spline"]),
    "rig step that does not divide": ("[specimen]", '[rig]\ndt = "3 ms"\n\n[specimen]',
                                      ["whole multiple", "rig.dt"]),
    "misspelt parameter set": ("[specimen]", '[rig]\nparameters = "rice"\nkind = "shake-table"\n\n'
                               "[specimen]", ["rice-like"]),
    "gain without its unit": ("[specimen]", '[rig]\nkp = 200\nkind = "shake-table"\n\n[specimen]',
                              ["kp", "unit"]),
    "actuator without numbers": ("[specimen]", '[rig]\nkind = "actuator"\n\n[specimen]', ["area"]),
    "blocks without numbers": ("[specimen]", '[rig]\nkind = "blocks"\n\n[specimen]', ["b0"]),
    "negative sensor noise": ("[specimen]", '[sensor]\nforce_noise = "-1 N"\n\n[specimen]',
                              ["force_noise"]),
    "every sample lost": ("[specimen]", "[sensor]\ndropout = 1\n\n[specimen]", ["dropout"]),
    "odd sensor filter": ("[specimen]", '[sensor]\norder = 3\ncutoff = "50 Hz"\n\n[specimen]',
                          ["order", "even"]),
    "transfer function that integrates": (
        "[specimen]", '[rig]\ndenominator = [1, 0]\nnumerator = [1]\nkind = "transfer-function"\n\n'
        "[specimen]", ["denominator"]),
    "transfer function with too many zeros": (
        "[specimen]", '[rig]\nnumerator = [1, 1, 1]\ndenominator = [1, 1]\nkind = "transfer-function"'
        "\n\n[specimen]", ["numerator"]),
    "valve that never opens": ("[specimen]", '[rig]\noverlap = 1.5\nkind = "nonlinear-actuator"\n\n'
                               "[specimen]", ["overlap"]),
    "storey that is not there": ("mass_ratio = 0.5", "mass_ratio = 0.5\nstorey = 2", ["storey"]),
    "both mass and ratio": ("mass_ratio = 0.5", 'mass_ratio = 0.5\nmass = "1 kg"', ["both"]),
    "mass on a ramp": ('"b-spline"', '"ramp"', ["ramp"]),
    "list where a number is due": ('dt = "10 ms"', "dt = [1, 2]", ["dt"]),
    "broken TOML": ("[integrator]", "[integrator", []),
    "key twice": ('dt = "10 ms"', 'dt = "10 ms"\ndt = "11 ms"', ["dt"]),
    "missing record": ("[initial]", '[excitation]\nrecord = "nowhere"\n\n[initial]', ["nowhere"]),
    "misspelt record": ("[initial]", '[excitation]\nrecord = "el-centro-1940-nss"\n\n[initial]',
                        ["el-centro-1940-ns"]),
    "empty record": ("[initial]", '[excitation]\nrecord = "empty.csv"\n\n[initial]', ["empty.csv"]),
    "record with a hole": ("[initial]", '[excitation]\nrecord = "hole.csv"\n\n[initial]',
                           ["hole.csv"]),
    "record with NaN": ("[initial]", '[excitation]\nrecord = "nan.csv"\n\n[initial]', ["nan.csv"]),
    "unknown policy for a missed deadline": ("[specimen]", '[realtime]\non_miss = "later"\n\n[specimen]',
                                             ["later", "catch-up"]),
    "span beyond everything": ("[specimen]", "[realtime]\nspan = 150\n\n[specimen]", ["span"]),
    "heartbeat without unit": ("[specimen]", "[realtime]\nheartbeat = 1\n\n[specimen]", ["heartbeat"]),
    "misspelt key of realtime": ("[specimen]", "[realtime]\nheartbeet = 1\n\n[specimen]", ["heartbeat"]),
    "a test that goes on with NaN": ("[specimen]", '[limits.actions]\nnon-finite = "hold"\n\n[specimen]',
                                     ["non-finite", "interlock"]),
    "a fault that does not exist": ("[specimen]", '[[faults]]\nkind = "los"\nfrom = "0 s"\n\n[specimen]',
                                    ["los", "loss"]),
    "a fault that ends too early": ("[specimen]", '[[faults]]\nto = "1 s"\nkind = "nan"\nfrom = "2 s"\n\n[specimen]',
                                    ["ends before"]),
    "a region outside of its memory": ("[specimen]", '[[link.region]]\noffset = 4096\ndirection = '
                                       '"in"\ncarries = "heartbeat"\ntype = "u32"\n\n[specimen]', ["link.size"]),
    "directory as record": ("[initial]", '[excitation]\nrecord = "folder"\n\n[initial]', ["folder"]),
}
MISSING = {  # keys taken out
    "no step": ('dt = "10 ms"\n', ["dt"]),
    "no duration": ('duration = "1 s"\n', ["duration"]),
    "no mass": ('mass = "300 kg"\n', ["mass"]),
    "no specimen kind": ('kind = "mass"\n', ["kind"]),
}
RECORDS = {
    "empty.csv": "",
    "hole.csv": "time_s,acceleration_g\n0,0\n0.01,0.1\n0.03,0.2\n",
    "nan.csv": "time_s,acceleration_g\n0,0\n0.01,nan\n0.02,0.2\n",
}
SETTINGS = ["garbage", "=", "=1", "integrator.dt", "integrator.dt=", "integrator.dt=banana",
            "integrator.dt=nan", "integrator.dt=0 s", "integrator.dt=1 kg", "integrator.dtt=1 ms",
            "specimen.mass_ratio=[", "nothing.at.all=1", ".dt=1 ms", "integrator..dt=1 ms"]
AXES = ["", "specimen.mass_ratio", "specimen.mass_ratio=1", "specimen.mass_ratio=1:2",
        "specimen.mass_ratio=2:1:5", "specimen.mass_ratio=1:2:0", "specimen.mass_ratio=1:2:x",
        "specimen.mass_ratio=a:b:3", "integrator.dt=1:2:3", "integrator.dt=1 kg:2 kg:3",
        "specimen.mas_ratio=0.1:0.9:3", "nonsense.key=0.1:0.9:3"]


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.failed = 0
        self.count = 0

    def contents(self):
        return {str(p.relative_to(self.folder)): p.read_bytes()
                for p in sorted(self.folder.rglob("*")) if p.is_file()}

    def refuse(self, what, *command, says=(), line=None, fix=True, preexec=None):
        """The command must fail as described above."""
        self.count += 1
        before = self.contents()
        problems = []
        try:
            result = subprocess.run([str(self.program), *map(str, command)], cwd=self.folder,
                                    stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                    timeout=TIMEOUT, preexec_fn=preexec)
        except subprocess.TimeoutExpired:
            self.failed += 1
            print(f"{what}: no end after {TIMEOUT} s")
            return
        if result.returncode != 2:
            problems.append(f"exit status {result.returncode}")
        if "--json" in command and result.stdout:
            problems.append("standard output is not empty")
        for pattern in says:
            if not re.search(pattern, result.stderr, re.IGNORECASE):
                problems.append(f"the message does not say {pattern!r}")
        if line and not re.search(rf"test\.toml:{line}\b", result.stderr):
            problems.append(f"the message does not point to test.toml:{line}")
        if fix and "fix:" not in result.stderr:
            problems.append("the message offers no fix")
        if not result.stderr.strip():
            problems.append("no message at all")
        after = self.contents()
        for name in sorted(set(before) | set(after)):
            if before.get(name) != after.get(name):
                problems.append(f"{name} was {'left behind' if name not in before else 'changed'}")
        if problems:
            self.failed += 1
            print(f"{what}: {' '.join(map(str, command))}")
            for problem in problems:
                print(f"    {problem}")
            print("    " + result.stderr.strip().replace("\n", "\n    ")[:600])

    def allow(self, *command):
        result = subprocess.run([str(self.program), *map(str, command)], cwd=self.folder,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=TIMEOUT)
        if result.returncode != 0:
            self.failed += 1
            print(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stderr}")


def bad_files(check, folder):
    test = folder / "test.toml"
    for name, content in RECORDS.items():
        (folder / name).write_text(content)
    (folder / "folder").mkdir()
    for what, (old, new, says) in FILES.items():
        assert GOOD.count(old) >= 1, what
        text = GOOD.replace(old, new, 1)
        test.write_text(text)
        in_record = what in ("empty record", "record with a hole", "record with NaN")
        line = text[:text.index(new)].count("\n") + 1
        if new.startswith("["):  # the offender is inside the new section
            line += 1 if new.count("\n") > 1 else 0
        elif "\n" in new:
            line += 1
        anywhere = in_record or what in ("broken TOML", "mass on a ramp", "both mass and ratio",
                                         "actuator without numbers", "blocks without numbers")
        check.refuse(what, "simulate", "test.toml", "--json", "--out", "new.h5", says=says,
                     line=r"\d+" if anywhere and not in_record else None if in_record else line)
    for what, (old, says) in MISSING.items():
        test.write_text(GOOD.replace(old, "", 1))
        check.refuse(what, "simulate", "test.toml", "--json", "--out", "new.h5", says=says,
                     line=r"\d+" if what != "no duration" else None)
    test.write_text(GOOD)


def bad_paths(check, folder):
    check.refuse("no such file", "check", "nowhere.toml", "--json", says=["nowhere.toml"])
    check.refuse("directory as experiment", "check", "./folder", "--json", says=["folder"])
    (folder / "empty.toml").write_text("")
    check.refuse("empty experiment", "check", "empty.toml", "--json", says=["empty.toml"])
    (folder / "binary.toml").write_bytes(bytes(range(256)) * 20)
    check.refuse("binary experiment", "check", "binary.toml", "--json", says=["binary.toml"])
    check.refuse("no folder for the output", "simulate", "test.toml", "--json", "--out",
                 "missing/run.h5", says=["missing"])
    check.refuse("directory as output", "simulate", "test.toml", "--json", "--out", "folder",
                 says=["folder"])
    check.refuse("directory as output, forced", "simulate", "test.toml", "--json", "--force",
                 "--out", "folder", says=["folder"])


def bad_runs(check, folder):
    check.allow("simulate", "test.toml", "--out", "run.h5")
    whole = (folder / "run.h5").read_bytes()
    for name, content in {"empty.h5": b"", "half.h5": whole[:len(whole) // 2],
                          "header.h5": whole[:100], "short.h5": whole[:-1],
                          "text.h5": b"time [s]\n0\n"}.items():
        (folder / name).write_bytes(content)
        check.refuse("truncated run", "export", name, "--csv", "new.csv", "--json", says=[name])
    check.refuse("no such run", "export", "nowhere.h5", "--csv", "new.csv", says=["nowhere.h5"])
    check.refuse("directory as run", "export", "folder", "--csv", "new.csv", says=["folder"])
    check.refuse("no such table", "export", "run.h5", "--table", "rigg", "--csv", "new.csv",
                 says=["rigg"])

    check.allow("simulate", "test.toml", "--out", "coarse.h5", "--set", "integrator.dt=11 ms")
    for name in ("empty.h5", "half.h5", "text.h5", "nowhere.h5"):
        check.refuse("bad run for a report", "report", name, "--out", "new.html", "--json", says=[name])
        check.refuse("bad run to compare", "compare", "run.h5", name, "--json", says=[name])
    check.refuse("other step", "compare", "run.h5", "coarse.h5", "--json", says=["step", "resampled"])
    check.refuse("no such channel", "compare", "run.h5", "run.h5", "--channel", "specimen.froce",
                 "--json", says=["specimen.force"])
    check.refuse("negative tolerance", "compare", "run.h5", "run.h5", "--rtol", "-1", fix=False)
    check.refuse("no such paper", "reproduce", "wu-2010", "--json", says=["wu-2010", "wu-2009"])
    check.refuse("no such case", "reproduce", "wu-2009/fig-3", "--json", says=["fig-3a"])
    check.refuse("file as folder", "reproduce", "wu-2009/fig-3a", "--out", "text.h5", "--json",
                 says=["text.h5"])

    (folder / "text.h5.raw").write_bytes(b"no segments " * 100)
    (folder / "empty.h5.raw").write_bytes(b"")
    for name in ("text.h5.raw", "empty.h5.raw", "run.h5"):
        check.refuse("no raw recording", "recover", name, "--out", "new.h5", "--json",
                     says=[name, "raw recording"])
    check.refuse("nothing to recover", "recover", "nowhere.h5", "--json", says=["nowhere.h5"])
    check.refuse("folder without recordings", "recover", "folder", "--json", says=["folder"])
    check.refuse("no time to measure", "doctor", "--seconds", "0", fix=False)

    # What exists is kept unless told otherwise.
    (folder / "old.html").write_text("precious\n")
    check.refuse("report exists", "report", "run.h5", "--out", "old.html", "--json",
                 says=["old.html", "exists", "--force"])
    check.refuse("overlay exists", "compare", "run.h5", "run.h5", "--svg", "old.html", "--json",
                 says=["old.html", "exists", "--force"])
    (folder / "old.csv").write_text("precious\n")
    (folder / "old.svg").write_text("precious\n")
    axes = ("--x", "specimen.mass_ratio=0.1:0.9:3", "--y", "integrator.dt=1 ms:9 ms:3")
    check.refuse("run exists", "simulate", "test.toml", "--out", "run.h5", "--json",
                 says=["run.h5", "exists", "--force"])
    check.refuse("CSV exists", "export", "run.h5", "--csv", "old.csv", "--json",
                 says=["old.csv", "exists", "--force"])
    check.refuse("map's CSV exists", "map", "test.toml", *axes, "--csv", "old.csv", "--json",
                 says=["exists"])
    check.refuse("map's picture exists", "map", "test.toml", *axes, "--svg", "old.svg", "--csv",
                 "new.csv", "--json", says=["old.svg", "exists"])

    # A disk that fills up in the middle of writing.
    def full(size):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    for size in (0, 1000, 5000):
        check.refuse("full disk", "simulate", "test.toml", "--out", "new.h5", "--json",
                     preexec=full(size), says=["new.h5"])
        check.refuse("full disk, over an old run", "simulate", "test.toml", "--out", "run.h5",
                     "--force", "--json", preexec=full(size), says=["run.h5"])
    check.refuse("full disk, CSV", "export", "run.h5", "--csv", "new.csv", "--json",
                 preexec=full(500), says=["new.csv"])
    check.refuse("full disk, map", "map", "test.toml", *axes, "--svg", "new.svg", "--json",
                 preexec=full(500), says=["new.svg"])
    check.allow("simulate", "test.toml", "--out", "run.h5", "--force")


# Shipped experiments with a number that makes no sense there; the message names the last word.
SHIPPED = (("chen-2007-direct", "rig.kind=delay", "rig.delay=-5 ms"),
           ("chen-2007-hydraulic", "rig.delay=-3 ms"),
           ("chen-2007-added-compliance", "rig.predictor=none", "rig.delay=-0.5 ms"),
           ("chen-2007-added-compliance", "rig.model_mass=0"),
           ("chen-2007-added-compliance", "rig.model_delay=-1 ms"),
           ("chen-2007-direct", "limits.acceleration=1 m/s^2"),
           ("chen-2007-direct", "sensor.displacement_noise=1 mm"),
           ("chen-2007-direct", "integrator.gamma=-0.1"),
           ("chen-2007-hydraulic", "rig.area=0 cm^2"),
           ("chen-2007-hydraulic", 'rig.area=["30 cm^2", "20 cm^2"]'),
           ("shao-case-2e", "limits.table.force=1 kN"),
           ("shao-case-2e", "limits.actuator.acceleration=1 m/s^2"),
           ("shao-case-2e", "limits.tabel.displacement=1 mm"),
           ("shao-case-2e", "sensor.displacement_noise=1 mm"),
           ("shao-case-1", "table.highpass_damping=-1"),
           ("shao-split", "capacity.table_mass=-500 kg"),
           ("rig-sweep", "trajectory.to=2000 Hz"))


def bad_options(check):
    for name, *settings in SHIPPED:
        sets = [word for setting in settings for word in ("--set", setting)]
        check.refuse(f"{name} with {settings[-1]}", "check", name, "--json", *sets,
                     says=[settings[-1].split("=")[0].split(".")[1]])
    for setting in SETTINGS:
        check.refuse("--set", "check", "test.toml", "--json", "--set", setting)
    for axis in AXES:
        check.refuse("--x", "map", "test.toml", "--json", "--x", axis, "--y",
                     "specimen.mass_ratio=0.1:0.9:2" if axis.startswith("integrator")
                     else "integrator.dt=1 ms:9 ms:2")
    usage = {"no verb": [], "unknown verb": ["chekc", "test.toml"], "no file": ["check"],
             "unknown option": ["check", "test.toml", "--jsno"],
             "no second axis": ["map", "test.toml", "--x", "specimen.mass_ratio=0.1:0.9:3"],
             "no threads": ["map", "test.toml", "--x", "specimen.mass_ratio=0.1:0.9:3", "--y",
                            "integrator.dt=1 ms:9 ms:3", "--threads", "0"],
             "--set without value": ["check", "test.toml", "--set"]}
    for what, command in usage.items():
        check.refuse(what, *command, fix=False)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="gusset-bad-input-") as scratch:
        folder = pathlib.Path(scratch)
        check = Checker(pathlib.Path(sys.argv[1]).resolve(), folder)
        (folder / "test.toml").write_text(GOOD)
        check.allow("check", "test.toml")
        bad_files(check, folder)
        bad_paths(check, folder)
        bad_runs(check, folder)
        bad_options(check)
        print(f"{check.count} kinds of bad input, {check.failed} failures")
        return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
