#!/usr/bin/env python3
"""The numbers of `run --lockstep`, of every shipped experiment, against those of yesterday: the loop with its rig
elsewhere, and what the recorder makes of it.

usage: golden_lockstep.py GUSSET SOURCE_DIR BUILD_DIR

The data are tests/golden/lockstep.txt. Made again, in a commit that says why a number had to change, by
  GUSSET_GOLDEN_WRITE=1 python3 tests/scripts/golden_lockstep.py build/dev/bin/gusset .
"""

import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
except ImportError:
    print("h5py is not there")
    sys.exit(77)

GUSSET = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
DATA = SOURCE / "tests/golden/lockstep.txt"
HOW = "  GUSSET_GOLDEN_WRITE=1 python3 tests/scripts/golden_lockstep.py build/dev/bin/gusset ."
TIMEOUT = 300
TOLERANCE = 1e-9  # of the largest of the same unit, where the mathematical library is another one

# As far as the strong part of El Centro; those that take more than 1000 samples a second less far.
DURATION = {"small-rig": 1, "small-rig-sweep": 1}
# More of `run` than the files use: a name, the file, options.
VARIANTS = {
    "quickstart-span": ("quickstart", ["--span", "50", "--set", "realtime.fade_in=1 s"]),
    "quickstart-dual": ("quickstart", ["--set", "compensator.kind=dual", "--set", "compensator.alpha=3", "--set",
                                       "compensator.alpha_force=2"]),
    "quickstart-noisy": ("quickstart", ["--set", "sensor.displacement_noise=0.1 mm", "--set", "sensor.dropout=0.05"]),
    "quickstart-corrected": ("quickstart", ["--set", "integrator.kind=newmark"]),
    "quickstart-lossy": ("quickstart", ["--fault", "loss 0.1 from 0.5 to 1"]),
    "shao-iterations": ("shao-three-storey", ["--set", "method.feedback=iterations"]),
    "shao-compensated": ("shao-three-storey", ["--set", "method.feedback=sampled", "--set", "compensator.kind=inverse",
                                               "--set", "compensator.alpha=1.2"]),
    "shao-yielding-iterations": ("shao-yielding", ["--set", "method.feedback=iterations"]),
    "shao-yielding-open-loop": ("shao-yielding", ["--set", "method.feedback=open-loop"]),
    "wu-validation-delay-forced": ("wu-validation-delay", ["--force-unstable"]),
}


def probe():
    """library_probe() of tests/golden/digest.hpp."""
    value = 0xcbf29ce484222325
    for i in range(1, 501):
        x = i / 64
        for number in (math.sin(x), math.cos(x), math.tan(x), math.exp(-x), math.expm1(x), math.log(x), math.sqrt(x),
                       math.tanh(x / 4), math.pow(x, 1.7)):
            value = ((value ^ struct.unpack("<Q", struct.pack("<d", number))[0]) * 0x100000001b3) % 2**64
            value ^= value >> 32
    return f"{value:016x}"


def channels(path):
    """Table/name: (hash, sum of absolute values, unit), in the order of the file."""
    found = []

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and "index" in item.attrs and item.dtype.kind == "f":
            values = numpy.ascontiguousarray(item[...], dtype="<f8")
            unit = item.attrs.get("unit", "")
            found.append((name.rpartition("/")[0], int(item.attrs["index"]), name,
                          hashlib.sha256(values.tobytes()).hexdigest()[:16], math.fsum(numpy.abs(values)),
                          unit.decode() if isinstance(unit, bytes) else str(unit)))
    with h5py.File(path) as file:
        file.visititems(visit)
    return {entry[2]: entry[3:] for entry in sorted(found)}


def play(name, file, options, folder):
    """Lines of one run: its verdict, then a line a channel."""
    out = folder / f"{name}.h5"
    duration = DURATION.get(file, 3)
    result = subprocess.run([GUSSET, "run", file, "--lockstep", "--set", f"duration={duration} s", "--out", out, "--json",
                             *options], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            timeout=TIMEOUT)
    if result.returncode == 2 or not out.is_file():
        return {"verdict": ("refused", float(result.returncode), "")}
    said = json.loads(result.stdout)
    return {"verdict": (said["cause"].replace(" ", "-"), float(result.returncode), ""), **channels(out)}


def read():
    runs = {}
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            run, name, digest, value, *unit = line.split(" ", 4)
            runs.setdefault(run, {})[name] = (digest, float(value), unit[0] if unit else "")
    return runs


def write(runs):
    lines = ["# Channels of `gusset run FILE --lockstep`: see tests/scripts/golden_lockstep.py.",
             "# run, channel, hash, sum of absolute values, unit; of a verdict: cause, exit status."]
    for run, found in runs.items():
        lines += [f"{run} {name} {digest} {value!r} {unit}".rstrip() for name, (digest, value, unit) in found.items()]
    DATA.write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences(run, was, now, exact):
    """What is wrong with `now`, in words."""
    if list(was) != list(now):
        for name in was.keys() - now.keys():
            yield f"{run}: {name} is missing"
        for name in now.keys() - was.keys():
            yield f"{run}: {name} is new"
        if was.keys() == now.keys():
            yield f"{run}: the channels are in another order"
    for name in was.keys() & now.keys():
        (digest, value, unit), (new_digest, new_value, new_unit) = was[name], now[name]
        if unit != new_unit:
            yield f"{run}: {name} has the unit {new_unit!r}, had {unit!r}"
        scale = max(other[1] for other in was.values() if other[2] == unit)
        same = digest == new_digest if exact or name == "verdict" else abs(value - new_value) <= TOLERANCE * scale
        if not same:
            yield f"{run}: {name}: found {new_value!r} ({new_digest}), expected {value!r} ({digest})"


# The check itself, on what is wrong.
honest = {"a": ("01", 1.0, "m"), "b": ("02", 2.0, "N")}
assert not list(differences("", honest, dict(honest), True))
assert list(differences("", honest, {**honest, "a": ("03", 1.0, "m")}, True)), "another bit went unseen"
assert not list(differences("", honest, {**honest, "a": ("03", 1.0, "m")}, False))
assert list(differences("", honest, {**honest, "a": ("03", 1.0001, "m")}, False)), "another value went unseen"
assert list(differences("", honest, {**honest, "a": ("01", 1.0, "N")}, True)), "another unit went unseen"
assert list(differences("", honest, {"b": honest["b"], "a": honest["a"]}, True)), "another order went unseen"
assert list(differences("", honest, {"a": honest["a"]}, True)), "a missing channel went unseen"


def main():
    files = sorted(path.stem for path in (SOURCE / "experiments").glob("*.toml"))
    wanted = {**{name: (name, []) for name in files}, **VARIANTS}
    with tempfile.TemporaryDirectory(prefix="gusset-golden-") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda item: play(item[0], *item[1], pathlib.Path(folder)), wanted.items())
        runs = dict(zip(wanted, results))
    if os.environ.get("GUSSET_GOLDEN_WRITE"):
        write(runs)
        print(f"{len(runs)} runs written")
        return 0
    expected = read()
    exact = probe() in (SOURCE / "tests/golden/data/probe.txt").read_text(encoding="utf-8")
    if not exact:
        print("another mathematical library: compared to 1e-9, not to the bit")
    problems = [f"{run} has no data" for run in runs.keys() - expected.keys()]
    problems += [f"{run} is in the data and was not run" for run in expected.keys() - runs.keys()]
    for run in runs.keys() & expected.keys():
        problems += differences(run, expected[run], runs[run], exact)
    for problem in problems:
        print(problem)
    if problems:
        print(f"If a number had to change, say why in the commit and make the data again:\n{HOW}")
    print(f"{len(runs)} runs, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
