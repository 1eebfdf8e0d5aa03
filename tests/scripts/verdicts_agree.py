#!/usr/bin/env python3
"""check, simulate and run --lockstep give the same verdict on the same limits, and name the same one.

usage: verdicts_agree.py GUSSET SOURCE_DIR BUILD_DIR
"""

import pathlib
import subprocess
import sys
import tempfile

GUSSET = pathlib.Path(sys.argv[1]).resolve()
TIMEOUT = 120

# A limit of quickstart, whether the test passes it, and a word that a verdict against it has.
LIMITS = [
    ("limits.displacement=60 mm", True, "displacement"),
    ("limits.displacement=3 mm", False, "displacement"),
    ("limits.velocity=50 mm/s", False, "velocity"),
    ("limits.force=1 kN", False, "force"),
    ("limits.acceleration=20 m/s^2", True, "acceleration"),
    ("limits.acceleration=2 m/s^2", False, "acceleration"),
    ("limits.tracking_error=3 mm", True, "tracking"),
    ("limits.tracking_error=0.3 mm", False, "tracking"),
    ("limits.energy=100 J", True, "energy"),
    ("limits.energy=0.0001 J", False, "energy"),
]

# What is known to be wrong: the verb lets pass what another does not. Once it is put right this script fails, and
# the mark is to go.
KNOWN = {
    ("simulate", "limits.acceleration=2 m/s^2"),
    ("run", "limits.acceleration=2 m/s^2"),
    ("check", "limits.tracking_error=0.3 mm"),
    ("simulate", "limits.tracking_error=0.3 mm"),
    ("check", "limits.energy=0.0001 J"),
    ("simulate", "limits.energy=0.0001 J"),
}


def verdict(verb, limit, folder):
    """Exit status, and everything that was said."""
    options = {"check": [], "simulate": [], "run": ["--lockstep", "--out", "run.h5", "--force"]}[verb]
    result = subprocess.run([GUSSET, verb, "quickstart", "--set", "duration=5 s", "--set", limit, *options], cwd=folder,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    return result.returncode, result.stdout + result.stderr


def blames(verb, text, word):
    """The line with the verdict names the limit."""
    mark = "NOT ENOUGH" if verb == "check" else "ended early" if verb == "run" else "stopped early"
    names = {"displacement": ["displacement", "damper.target", "damper.command", "damper.measured"],
             "velocity": ["velocity"], "force": ["force"], "acceleration": ["acceleration"],
             "tracking": ["tracking", "too far from its target"], "energy": ["energy"]}[word]
    lines = [line for line in text.splitlines() if mark in line]
    return any(name in line for line in lines for name in names)


def main():
    problems = []
    with tempfile.TemporaryDirectory(prefix="gusset-verdicts-") as folder:
        for limit, good, word in LIMITS:
            for verb in ("check", "simulate", "run"):
                status, text = verdict(verb, limit, folder)
                right = status == 0 if good else status == 1 and blames(verb, text, word)
                known = (verb, limit) in KNOWN
                if right and known:
                    problems.append(f"{verb} with {limit} is right now: remove its mark from KNOWN in this script")
                elif not right and not known:
                    problems.append(f"{verb} with {limit}: exit status {status}, expected {0 if good else 1} with a "
                                    f"word about it\n{text[-1500:]}")
    for problem in problems:
        print(problem)
    print(f"{len(LIMITS)} limits, {len(KNOWN)} known to be wrong, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
