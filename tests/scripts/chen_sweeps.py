#!/usr/bin/env python3
"""Chen 2008, Fig. 6: in the sweep, amplitude and phase of the measured motion against the target at
3.5 and 4.5 Hz have the paper's signs and agree with the frequency response of the blocks."""
import cmath
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

gusset = sys.argv[1]
RATE = 0.1  # Hz/s: 0 to 5 Hz in 50 s
HALF = 1.0  # s: half a window, several periods


def sweep(name, folder):
    run, table = os.path.join(folder, name + ".h5"), os.path.join(folder, name + ".csv")
    subprocess.run([gusset, "simulate", name, "--out", run], check=True, capture_output=True, timeout=300)
    subprocess.run([gusset, "export", run, "--csv", table], check=True, capture_output=True, timeout=300)
    with open(table, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        header = next(rows)
        columns = [header.index(key) for key in ("time [s]", "damper.target [m]", "damper.measured [m]")]
        return [[float(row[c]) for c in columns] for row in rows]


def ratio_at(samples, frequency):
    """Measured over target as a complex number, both projected on the sweep's own phase."""
    centre = frequency / RATE
    target = measured = 0
    for time, x, y in samples:
        if abs(time - centre) > HALF:
            continue
        window = 0.5 * (1 + math.cos(math.pi * (time - centre) / HALF))
        carrier = window * cmath.exp(-1j * math.pi * RATE * time * time)
        target += carrier * x
        measured += carrier * y
    return measured / target


def response(name):
    run = subprocess.run([gusset, "bode", name, "--frequencies", "3.5,4.5", "--json"], check=True,
                         capture_output=True, text=True, timeout=300)
    combined = json.loads(run.stdout)["combined"]
    return list(zip(combined["magnitude"], combined["phase_deg"]))


# name: sign of the amplitude error, sign of the phase (Chen 2008, section 5)
EXPECTED = {
    "chen-2008-linear-acceleration": (-1, +1),
    "chen-2008-derivative-feedforward": (+1, -1),
    "chen-2008-inverse": (+1, -1),
}
problems = []
with tempfile.TemporaryDirectory() as folder:
    for name, (gain_sign, phase_sign) in EXPECTED.items():
        samples = sweep(name, folder)
        for frequency, (magnitude, phase) in zip((3.5, 4.5), response(name)):
            ratio = ratio_at(samples, frequency)
            found = abs(ratio), math.degrees(cmath.phase(ratio))
            print(f"{name} at {frequency} Hz: {found[0]:.4f}, {found[1]:+.2f} deg; "
                  f"blocks {magnitude:.4f}, {phase:+.2f} deg")
            if (found[0] - 1) * gain_sign <= 0 or found[1] * phase_sign <= 0:
                problems.append(f"{name} at {frequency} Hz has the wrong sign")
            if abs(found[0] - magnitude) > 0.02 or abs(found[1] - phase) > 1.0:
                problems.append(f"{name} at {frequency} Hz is not what its blocks give")
print("\n".join(problems) or "signs and values as expected")
sys.exit(1 if problems else 0)
