#!/usr/bin/env python3
"""Compares simulations with OpenSeesPy, an independent solver, where it can be installed.

usage: opensees_compare.py GUSSET SOURCE_DIR BUILD_DIR

A 3-storey linear and a 10-storey bilinear shear building and a planar frame under El Centro, all with
Newmark's average acceleration method at the same step. Exit status 77: skipped, with the reason.
OpenSeesPy is not redistributed and only used here; it goes into a virtual environment in BUILD_DIR.
"""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

DT = 0.005
STEPS = 2000


def environment(build):
    """The Python of a virtual environment that has openseespy, or None and why."""
    home = pathlib.Path(build) / "opensees-venv"
    python = home / "bin" / "python"
    try:
        if not python.is_file():
            subprocess.run([sys.executable, "-m", "venv", str(home)], check=True, capture_output=True)
        probe = [str(python), "-c", "import openseespy.opensees"]
        if subprocess.run(probe, capture_output=True).returncode != 0:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", "openseespy"], check=True,
                           capture_output=True, timeout=600)
            subprocess.run(probe, check=True, capture_output=True)
    except (OSError, subprocess.SubprocessError) as error:
        detail = getattr(error, "stderr", b"") or b""
        return None, f"{error} {detail.decode(errors='replace').strip()[-300:]}"
    return python, ""


# What runs inside the environment: reads the case as JSON, prints the histories as JSON.
SOLVER = r"""
import json, sys
import openseespy.opensees as ops
case = json.load(sys.stdin)
ops.wipe()
out = []
held = set()
if case["kind"] == "shear":
    ops.model("basic", "-ndm", 1, "-ndf", 1)
    n = len(case["mass"])
    for i in range(n + 1):
        ops.node(i, 0.0)
    ops.fix(0, 1)
    for i in range(n):
        ops.mass(i + 1, case["mass"][i])
        k = case["stiffness"][i]
        if case.get("yield"):
            ops.uniaxialMaterial("Steel01", i + 1, case["yield"][i], k, case["hardening"])
        else:
            ops.uniaxialMaterial("Elastic", i + 1, k)
        ops.element("zeroLength", i + 1, i, i + 1, "-mat", i + 1, "-dir", 1)
    tracked = list(range(1, n + 1))
else:
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    tags = {}
    for i, node in enumerate(case["nodes"]):
        tags[node["name"]] = i + 1
        ops.node(i + 1, node["x"], node["y"])
        if node.get("fixed"):
            held.add(i + 1)
            ops.fix(i + 1, *[int(c in node["fixed"]) for c in "xyr"])
    floors = {}
    for node in case["nodes"]:
        if "floor" not in node:
            continue
        tag = tags[node["name"]]
        if node["floor"] in floors:
            ops.equalDOF(floors[node["floor"]], tag, 1)
        else:
            floors[node["floor"]] = tag
            total = sum(o["mass"] for o in case["nodes"] if o.get("floor") == node["floor"])
            ops.mass(tag, total, 0.0, 0.0)
    ops.geomTransf("Linear", 1)
    for i, e in enumerate(case["elements"]):
        ops.element("elasticBeamColumn", i + 1, tags[e["from"]], tags[e["to"]], e["area"], e["modulus"],
                    e["inertia"], 1)
    tracked = [floors[f] for f in sorted(floors)]
ops.timeSeries("Path", 1, "-dt", case["dt"], "-values", *case["ground"])
ops.pattern("UniformExcitation", 1, 1, "-accel", 1)
ops.rayleigh(case["mass_factor"], 0.0, 0.0, 0.0)
ops.constraints("Transformation")
ops.numberer("Plain")
ops.system("BandGeneral" if case["kind"] == "frame" else "ProfileSPD")
ops.test("NormUnbalance", 1e-8, 50)
ops.algorithm("Newton")
ops.integrator("Newmark", 0.5, 0.25)
ops.analysis("Transient")
# At rest under a ground that already accelerates: the relative acceleration of t = 0 is minus that.
for t in ops.getNodeTags():
    if case["kind"] != "frame" or t not in held:
        if t != 0:
            ops.setNodeAccel(t, 1, -case["ground"][0], "-commit")
for i in range(case["steps"]):
    if ops.analyze(1, case["dt"]) != 0:
        raise SystemExit("OpenSees did not converge")
    out.append([ops.nodeDisp(t, 1) for t in tracked])
print("RESULT" + json.dumps(out))
"""


def opensees(python, case):
    done = subprocess.run([str(python), "-c", SOLVER], input=json.dumps(case), capture_output=True, text=True)
    for line in done.stdout.splitlines():
        if line.startswith("RESULT"):
            return json.loads(line[len("RESULT"):])
    raise SystemExit(f"OpenSees failed on {case['title']}:\n{done.stderr[-2000:]}")


def toml_list(values, unit):
    return "{ values = [" + ", ".join(repr(v) for v in values) + f'], unit = "{unit}" }}'


def text_of(case):
    head = f'duration = "{DT * STEPS} s"\n'
    tail = f'''
[excitation]
record = "el-centro-1940-ns"
peak = "{case['peak']} g"
[integrator]
kind = "newmark"
dt = "{DT} s"
{'iterations = 30' if case.get('yield') else ''}
'''
    body = ""
    if case["kind"] == "shear":
        linear = not case.get("yield")
        body += "[structure]\nmass = " + toml_list(case["mass"], "kg") + "\nstiffness = "
        body += toml_list(case["stiffness"] if linear else [0.0] * len(case["mass"]), "N/m")
        body += f'\nrayleigh = {{ mass_factor = "{case["mass_factor"]} 1/s" }}\n'
        for i in range(0 if linear else len(case["mass"])):
            body += (f'[[structure.restoring]]\nstorey = {i + 1}\nkind = "bilinear"\n'
                     f'stiffness = "{case["stiffness"][i]} N/m"\nyield_force = "{case["yield"][i]} N"\n'
                     f'hardening = {case["hardening"]}\n')
    else:
        body += f'[structure]\nrayleigh = {{ mass_factor = "{case["mass_factor"]} 1/s" }}\n'
        for node in case["nodes"]:
            body += f'[[structure.node]]\nname = "{node["name"]}"\nx = "{node["x"]} m"\ny = "{node["y"]} m"\n'
            body += f'fixed = "{node["fixed"]}"\n' if node.get("fixed") else (
                f'floor = {node["floor"]}\nmass = "{node["mass"]} kg"\n')
        for e in case["elements"]:
            body += (f'[[structure.element]]\nfrom = "{e["from"]}"\nto = "{e["to"]}"\nmodulus = "{e["modulus"]} Pa"\n'
                     f'area = "{e["area"]} m^2"\ninertia = "{e["inertia"]} m^4"\n')
    return head + body + tail


def gusset(program, case, folder):
    """Displacements a step and the ground's acceleration."""
    file = pathlib.Path(folder) / "case.toml"
    file.write_text(text_of(case), encoding="utf-8")
    run, table = file.with_suffix(".h5"), file.with_suffix(".csv")
    subprocess.run([program, "simulate", str(file), "--out", str(run), "--force"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([program, "export", str(run), "--csv", str(table), "--table", "structure", "--force"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(table, newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    names = [name.split(" [")[0] for name in rows[0]]
    columns = [i for i, n in enumerate(names) if n.startswith("storey") and n.endswith(".displacement")]
    at_ground = names.index("ground.acceleration")
    data = [row for row in rows[1:] if row[columns[0]] and row[at_ground]]
    return [[float(row[c]) for c in columns] for row in data], [float(row[at_ground]) for row in data]


def cases():
    yield {"title": "3 storeys, linear", "kind": "shear", "mass": [2e4, 2e4, 1.5e4],
           "stiffness": [1.8e7, 1.5e7, 1.2e7], "mass_factor": 0.5, "peak": 0.3, "tolerance": 1e-6}
    yield {"title": "10 storeys, bilinear", "kind": "shear", "mass": [2e4] * 10,
           "stiffness": [3e7 - 1.5e6 * i for i in range(10)],
           "yield": [3.5e5 - 2e4 * i for i in range(10)], "hardening": 0.05, "mass_factor": 0.3,
           "peak": 0.6, "tolerance": 1e-6}
    nodes, elements = [], []
    for floor in range(4):
        for column in range(3):
            node = {"name": f"n{column}{floor}", "x": 6.0 * column, "y": 3.5 * floor}
            node.update({"fixed": "xyr"} if floor == 0 else {"floor": floor, "mass": 8e3})
            nodes.append(node)
            section = {"modulus": 2.1e11, "area": 0.0078, "inertia": 5.7e-5}
            if floor > 0:
                elements.append({"from": f"n{column}{floor - 1}", "to": f"n{column}{floor}", **section})
                if column > 0:
                    elements.append({"from": f"n{column - 1}{floor}", "to": f"n{column}{floor}", **section})
    yield {"title": "planar frame, 3 storeys and 2 bays", "kind": "frame", "nodes": nodes,
           "elements": elements, "mass_factor": 0.4, "peak": 0.3, "tolerance": 1e-6}


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    python, why = environment(sys.argv[3])
    if python is None:
        print(f"skipped: openseespy cannot be installed here: {why}")
        return 77
    failed = 0
    for case in cases():
        with tempfile.TemporaryDirectory(prefix="gusset-opensees-") as folder:
            ours, motion = gusset(sys.argv[1], case, folder)
        case.update(dt=DT, steps=STEPS, ground=motion)
        theirs = opensees(python, case)
        count = min(len(ours) - 1, len(theirs))
        peak = max(abs(x) for row in theirs[:count] for x in row)
        error = math.sqrt(sum((a - b) ** 2 for i in range(count) for a, b in zip(ours[i + 1], theirs[i])) /
                          (count * len(theirs[0]))) / peak
        peaks = max(abs(max(abs(r[k]) for r in ours[1:count + 1]) - max(abs(r[k]) for r in theirs[:count]))
                    for k in range(len(theirs[0]))) / peak
        good = error <= case["tolerance"] and peaks <= case["tolerance"]
        failed += not good
        print(f"{case['title']}: history {error:.2e}, peaks {peaks:.2e} of {peak * 1e3:.1f} mm "
              f"(allowed {case['tolerance']:.0e}): {'agrees' if good else 'DIFFERS'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
