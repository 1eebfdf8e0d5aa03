#!/usr/bin/env python3
"""check, simulate and run --lockstep give the same verdict on the same limits: of quickstart in words, and of every
shipped experiment, each limit set to 90 % of what check says is needed, by signal and instant.

usage: verdicts_agree.py GUSSET SOURCE_DIR BUILD_DIR
"""

import json
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
KNOWN = set()


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


KEYS = {"displacement": "m", "velocity": "m/s", "acceleration": "m/s^2", "force": "N", "tracking error": "m",
        "energy": "J"}


def answer(verb, name, sets, folder):
    """What the verb says as JSON; nothing where it refuses the file."""
    options = ["--lockstep", "--out", "run.h5", "--force"] if verb == "run" else []
    command = [GUSSET, verb, name, "--json", *options] + [word for one in sets for word in ("--set", one)]
    result = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            timeout=TIMEOUT)
    return json.loads(result.stdout) if result.returncode in (0, 1) and result.stdout else None


def first_passed(verb, said):
    """Signal and instant of the first limit that was passed."""
    if verb == "simulate":
        found = said["stop"]
        return found and found["limit"] is not None and (found["channel"], round(found["time"], 9))
    found = said["passed"]
    return found and (found["signal"], round(found["time"], 9))


def same_instants(name, folder):
    """Every limit of every channel of an experiment, at 90 % of its peak."""
    problems, count = [], 0
    short = ["duration=1.5 s"]
    said = answer("check", name, short, folder)
    if said is None or not said["stable"]:
        return problems, count
    for channel in said["channels"]:
        for need in channel["needs"]:
            if need["quantity"] not in KEYS or not need["needed"] or need["needed"] < 1e-9:
                continue
            key = f"limits.{channel['name']}.{need['quantity'].replace(' ', '_')}"
            sets = [*short, f"{key}={0.9 * need['needed']:.17g} {KEYS[need['quantity']]}"]
            answers = {verb: answer(verb, name, sets, folder) for verb in ("check", "simulate", "run")}
            if answers["check"] is None:
                problems.append(f"{name}: {sets[-1]} is refused")
                continue
            found = {verb: first_passed(verb, one) for verb, one in answers.items() if one is not None}
            count += 1
            if len(set(found.values())) != 1 or not found["check"]:
                problems.append(f"{name}: {sets[-1]}: {found}")
    return problems, count


def main():
    problems, compared = [], 0
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
        for path in sorted((pathlib.Path(sys.argv[2]) / "experiments").glob("*.toml")):
            found, count = same_instants(path.stem, folder)
            problems += found
            compared += count
    for problem in problems:
        print(problem)
    print(f"{len(LIMITS)} limits in words, {compared} by signal and instant; {len(KNOWN)} known to be wrong, "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
