#!/usr/bin/env python3
"""check, analyze, arming and report give one verdict on stability, in one sentence, on linear and nonlinear files; exit
statuses follow it.

usage: stability_agrees.py GUSSET SOURCE_DIR BUILD_DIR
"""

import html
import json
import pathlib
import subprocess
import sys
import tempfile

GUSSET = pathlib.Path(sys.argv[1]).resolve()
SUPPORT = pathlib.Path(sys.argv[2]).resolve() / "tests" / "support"
TIMEOUT = 300

STOREYS = """
[structure]
mass = { values = [2, 2, 2], unit = "t" }
stiffness = { values = [897, 897, 897], unit = "kN/m" }
damping = { values = [3.807, 3.807, 3.807], unit = "kN*s/m" }
[excitation]
record = "el-centro-1940-ns"
peak = "0.3 g"
[method]
profile = "ramp"
[integrator]
kind = "cr"
dt = "4 ms"
[rig]
kind = "delay"
delay = "2 ms"
dt = "0.5 ms"
[specimen]
name = "device"
storey = 1
acts = "drift"
"""

# A delayed spring beside one that yields: a limit cycle once the record is over.
SWINGS = """
[structure]
mass = "2 t"
stiffness = "17.766 kN/m"
damping = "188.5 N*s/m"
[[structure.restoring]]
storey = 1
kind = "elastic-plastic"
stiffness = "71.064 kN/m"
yield_force = "0.71064 kN"
[excitation]
record = "el-centro-1940-ns"
peak = "0.3 g"
[method]
profile = "ramp"
[integrator]
kind = "cr"
dt = "4 ms"
[specimen]
name = "spring"
kind = "spring"
stiffness = "88.83 kN/m"
[rig]
kind = "delay"
delay = "8 ms"
dt = "0.5 ms"
"""

# Four storeys, the lowest yields; a fluid damper with an exponent of one half in the laboratory.
FRAME = (SUPPORT / "four_storey.toml").read_text(encoding="utf-8")

FLUID = 'kind = "viscous"\ndamping = "12 kN*(s/m)^0.4"\nexponent = 0.4\n'
LUGRE = """kind = "lugre"
stiffness = "5e7 N/m"
bristle_damping = "5e4 N*s/m"
force = "3 kN"
static_force = "4.5 kN"
"""

# Name, file, whether it is stable, and how its sentence begins.
FILES = [
    ("linear", STOREYS + 'kind = "dashpot"\ndamping = "20 kN*s/m"\n', True, "stable"),
    ("delayed", STOREYS.replace('"2 ms"', '"20 ms"') + 'kind = "spring"\nstiffness = "897 kN/m"\n', False, "UNSTABLE"),
    ("fluid", STOREYS + FLUID, True, "stable at this test's amplitude; chatter of 1.2"),
    ("lugre", STOREYS + LUGRE, True, "stable at this test's amplitude; chatter of "),
    ("swings", SWINGS, False, "UNSTABLE at small amplitude: limit cycle of 10.6 mm"),
    ("frame", FRAME, True, "stable at this test's amplitude; chatter of "),
]


def call(folder, *command):
    result = subprocess.run([GUSSET, *command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            timeout=TIMEOUT)
    return result.returncode, result.stdout, result.stderr


def judge(folder, name, text, stable, beginning):
    problems = []
    (folder / f"{name}.toml").write_text(f'title = "{name}"\n{text}', encoding="utf-8")
    said = {}
    for verb in ("check", "analyze"):
        status, out, _ = call(folder, verb, f"{name}.toml", "--json")
        answer = json.loads(out)
        said[verb] = answer["stability"]["sentence"]
        if status != (0 if stable else 1) or answer["stable"] != stable:
            problems.append(f"{name}: {verb} has exit status {status} and stable = {answer['stable']}")
        keys = {"verdict", "sentence", "at_rest", "amplitude", "limit_cycles", "twins", "tail"}
        if not keys <= set(answer["stability"]):
            problems.append(f"{name}: {verb} lacks {keys - set(answer['stability'])}")
        said[f"{verb} for people"] = said[verb] if said[verb] in call(folder, verb, f"{name}.toml")[1] else "another"
    # Ended by its duration: arming is what is asked here, of the whole file.
    status, out, _ = call(folder, "run", f"{name}.toml", "--lockstep", "--json", "--out", f"{name}.h5")
    answer = json.loads(out)
    item = next(item for item in answer["arming"]["items"] if item["name"] == "stability")
    if answer["armed"] != stable or item["ok"] != stable or (status == 0) != stable:
        problems.append(f"{name}: armed = {answer['armed']}, exit status {status}: {item}")
    said["arming"] = said["check"] if said["check"] in item["detail"] else item["detail"]
    if not stable:
        call(folder, "run", f"{name}.toml", "--lockstep", "--force-unstable", "--json", "--out", f"{name}.h5", "--force")
    status, out, error = call(folder, "report", f"{name}.h5", "--out", f"{name}.html", "--json")
    if status != 0 or json.loads(out)["stable"] != stable:
        problems.append(f"{name}: the report says {out} {error}")
    page = html.unescape((folder / f"{name}.html").read_text(encoding="utf-8"))
    said["report"] = said["check"] if said["check"] in page else "another"
    if len(set(said.values())) != 1 or not said["check"].startswith(beginning):
        problems.append(f"{name}: {said}")
    return problems


def main():
    problems = []
    with tempfile.TemporaryDirectory(prefix="gusset-stability-") as folder:
        for name, text, stable, beginning in FILES:
            problems += judge(pathlib.Path(folder), name, text, stable, beginning)
    for problem in problems:
        print(problem)
    print(f"{len(FILES)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
