#!/usr/bin/env python3
"""Times OpenSees on the models of bench_structure, with the best of its solvers and integrators.

usage: opensees_times.py SOURCE_DIR BUILD_DIR

Prints one line a model, `case storeys seconds-a-step solver`, or `skipped: why`. OpenSeesPy is not
redistributed; it goes into a virtual environment in BUILD_DIR, as for the tests.
"""

import pathlib
import subprocess
import sys

# Runs inside the environment.
SOLVER = r"""
import sys, time
import openseespy.opensees as ops

DT = 1.0 / 1024

def shear(storeys, mass_factor, stiffness_factor):
    ops.wipe()
    ops.model("basic", "-ndm", 1, "-ndf", 1)
    # Bars of unit length and area: of the elements that make a storey, the quickest by a third.
    for i in range(storeys + 1):
        ops.node(i, float(i))
    ops.fix(0, 1)
    ops.uniaxialMaterial("Elastic", 1, 2e7)
    for i in range(1, storeys + 1):
        ops.mass(i, 1e4)
        ops.element("Truss", i, i - 1, i, 1.0, 1, "-doRayleigh", 1 if stiffness_factor else 0)
    ops.rayleigh(mass_factor, 0.0, stiffness_factor, 0.0)

def frame():
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    tag = lambda column, floor: 1 + column + 6 * floor
    for floor in range(10):
        for column in range(6):
            ops.node(tag(column, floor), 6.0 * column, 4.0 * floor)
            if floor == 0:
                ops.fix(tag(column, floor), 1, 1, 1)
            elif column == 0:
                ops.mass(tag(column, floor), 48e3, 0.0, 0.0)
            else:
                ops.equalDOF(tag(0, floor), tag(column, floor), 1)
    ops.geomTransf("Linear", 1)
    number = 0
    for floor in range(1, 10):
        for column in range(6):
            number += 1
            ops.element("elasticBeamColumn", number, tag(column, floor - 1), tag(column, floor), 0.02, 2.1e11, 6e-4, 1)
            if column < 5:
                number += 1
                ops.element("elasticBeamColumn", number, tag(column, floor), tag(column + 1, floor), 0.02, 2.1e11, 6e-4, 1)
    ops.rayleigh(0.3, 0.0, 1e-3, 0.0)

def timed(build, constraints, system, integrator, algorithm, steps, rounds):
    build()
    ops.timeSeries("Constant", 1)
    ops.pattern("UniformExcitation", 1, 1, "-accel", 1)
    ops.constraints(constraints)
    ops.numberer("RCM")
    ops.system(system)
    ops.algorithm(*algorithm)
    ops.integrator(*integrator)
    ops.analysis("Transient")
    if ops.analyze(5, DT) != 0:
        return None
    best = None
    for _ in range(rounds):
        begun = time.process_time()
        if ops.analyze(steps, DT) != 0:
            return None
        spent = (time.process_time() - begun) / steps
        best = spent if best is None else min(best, spent)
    return best

def best_of(name, storeys, build, constraints, variants, steps, rounds=5):
    best, which = None, ""
    for system, integrator, algorithm in variants:
        try:
            spent = timed(build, constraints, system, integrator, algorithm, steps, rounds)
        except Exception:
            continue
        if spent is not None and (best is None or spent < best):
            best, which = spent, integrator[0] + "/" + system
    if best is not None:
        print("RESULT", name, storeys, "%.6g" % best, which, flush=True)

explicit = [("CentralDifference",), ("NewmarkExplicit", 0.5), ("ExplicitDifference",)]
once = ("Linear", "-factorOnce")
for storeys in (3, 10, 100, 1000):
    steps = max(20, 60000 // (storeys + 20))
    best_of("mass", storeys, lambda: shear(storeys, 0.3, 0.0), "Plain",
            [(s, i, a) for s in ("Diagonal", "BandSPD", "ProfileSPD") for i in explicit for a in (("Linear",), once)],
            steps, 3)
    best_of("stiffness", storeys, lambda: shear(storeys, 0.0, 1e-3), "Plain",
            [(s, i, a) for s in ("BandSPD", "ProfileSPD", "BandGeneral") for i in explicit for a in (("Linear",), once)],
            steps, 3)
best_of("frame", 9, frame, "Transformation",
        [(s, ("Newmark", 0.5, 0.25), once) for s in ("BandGeneral", "BandSPD", "ProfileSPD", "UmfPack")], 2000)
"""


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    source, build = (pathlib.Path(argument) for argument in sys.argv[1:3])
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(source / "tests" / "scripts"))
    from opensees_compare import environment  # pylint: disable=import-outside-toplevel
    python, why = environment(build)
    if python is None:
        print(f"skipped: openseespy cannot be installed here: {why}")
        return
    done = subprocess.run([str(python), "-c", SOLVER], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("RESULT "):
            print(line[len("RESULT "):])
    if "RESULT" not in done.stdout:
        print("skipped: OpenSees gave no times: " + done.stderr.strip()[-300:].replace("\n", " "))


if __name__ == "__main__":
    main()
