#!/usr/bin/env python3
"""Raw recordings made here from docs/run-file.md alone, byte for byte, and restored by the program:
what comes out is what went in, opens with h5py, and has only names that MATLAB takes.

usage: recover.py GUSSET SOURCE_DIR BUILD_DIR
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

try:
    import h5py
    import numpy
except ImportError:
    print("no h5py")
    sys.exit(77)

ROWS = 50  # a segment
RECORDING = 0x1122334455667788
PLAN = {
    "title": "Größe", "version": "1.2.3", "created": "2024-01-01T00:00:00Z",
    "experiment": {"name": "a.toml", "text": "title = \"Größe\"\n"},
    "overrides": ["integrator.dt=1 ms"],
    "streams": [
        {"name": "structure", "start": 0, "step": 0.01, "expected_rows": 0,
         "signals": [{"name": "storey1.displacement", "unit": "m"}]},
        {"name": "rig", "start": 0, "step": 0.001, "expected_rows": 0,
         "signals": [{"name": "north jack.command", "unit": "m"},
                     {"name": "north jack.2nd force", "unit": "N"}]}],
    "events": [{"code": 7, "source": "supervisor", "text": "the stroke reached {} m"}],
    "texts": [{"name": "readiness", "text": "{\"fit\": true}"}],
}
CLOSING = {
    "summary": [{"name": "peak", "value": 0.25}, {"name": "unknown", "value": None}],
    "histograms": [{"name": "wake-up", "unit": "s", "edges": [0, 1e-6, 2e-6], "counts": [3, 4],
                    "overflow": 0, "maximum": 1.5e-6}],
    "texts": [{"name": "environment", "text": "{}"}],
}


def segment(kind, sequence, payload, recording=RECORDING, lost=0):
    header = b"GUSSEGM1" + struct.pack("<IIQQQQqI", kind, zlib.crc32(payload), recording, sequence,
                                       len(payload), lost, 1_700_000_000_000_000_000, 0)
    assert len(header) == 60
    return header + struct.pack("<I", zlib.crc32(header)) + payload


def sample(stream, row, values, lost=0):
    return struct.pack(f"<BBHIq{len(values)}d", 1, stream, len(values), lost, row, *values)


def event(severity, code, time, value):
    return struct.pack("<BBHIdd", 2, severity, code, 0, time, value)


def command(row):
    return row / 3 - 1e-9


def samples(number):
    """Segment `number` of samples: 50 rows of the rig, 5 of the structure."""
    payload = b""
    for row in range(number * ROWS, (number + 1) * ROWS):
        if row % 10 == 0:
            payload += sample(0, row // 10, [row * 1.5])
        payload += sample(1, row, [command(row), -row])
    if number == 1:
        payload += event(3, 7, 0.0625, 0.125)
    return payload


def recording(count, closed=True):
    parts = [segment(1, 0, json.dumps(PLAN).encode())]
    parts += [segment(2, i + 1, samples(i)) for i in range(count)]
    if closed:
        parts.append(segment(3, count + 1, json.dumps(CLOSING).encode()))
    return parts


class Test:
    def __init__(self, program, folder):
        self.program, self.folder, self.failed = program, folder, 0

    def demand(self, condition, what):
        if not condition:
            self.failed += 1
            print(f"failed: {what}")

    def recover(self, *arguments, status=0):
        result = subprocess.run([str(self.program), "recover", *map(str, arguments), "--json"],
                                cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.demand(result.returncode == status,
                    f"{arguments}: exit status {result.returncode}\n{result.stderr}")
        return json.loads(result.stdout)["recoveries"] if status < 2 else result.stderr


def rig(path):
    with h5py.File(path) as file:
        return file["rig"].attrs["start"], file["rig/north_jack/command"][:]


def check_whole(test):
    """Everything of a closed recording, and only valid names."""
    (test.folder / "run.h5.raw").write_bytes(b"".join(recording(4)))
    found = test.recover("run.h5.raw")[0]
    test.demand(found["complete"] and found["whole"] and found["raw_removed"], found)
    test.demand(found["rows"] == {"structure": 20, "rig": 200}, found)
    test.demand(not (test.folder / "run.h5.raw").exists(), "the raw recording is removed")

    def valid(name):
        for part in name.split("/"):
            test.demand(re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,62}", part), f"name {name}")
    with h5py.File(test.folder / "run.h5") as file:
        file.visit(valid)
        test.demand(file.attrs["title"] == "Größe", "title")
        test.demand(file["experiment"][()].decode() == PLAN["experiment"]["text"], "experiment")
        signal = file["rig/north_jack/x2nd_force"]
        test.demand(signal.attrs["name"] == "north jack.2nd force", "true name")
        test.demand(signal.attrs["unit"] == "N", "unit")
        test.demand((signal[:] == -numpy.arange(200.0)).all(), "forces")
        test.demand((file["rig/north_jack/command"][:] == [command(i) for i in range(200)]).all(),
                    "commands, bit for bit")
        test.demand((file["structure/storey1/displacement"][:] == 15.0 * numpy.arange(20)).all(),
                    "structure")
        test.demand(file["events/text"][0].decode() == "the stroke reached 0.125 m", "event")
        test.demand(file["events/severity"][0].decode() == "ramp-down", "severity")
        test.demand(file["events/time"][0] == 0.0625, "time")
        test.demand(list(file["histograms/wake_up/counts"]) == [3, 4], "histogram")
        test.demand(file["summary"].attrs["peak"] == 0.25, "summary")
        test.demand(numpy.isnan(file["summary"].attrs["unknown"]), "null is NaN")
        test.demand(file["texts/environment"][()].decode() == "{}", "texts")
    # Killed between putting the run file in place and removing the raw recording.
    (test.folder / "run.h5.raw").write_bytes(b"".join(recording(4)))
    test.demand(test.recover("run.h5")[0]["raw_removed"], "nothing more to do")
    # Another run's file is in the way.
    (test.folder / "run.h5.raw").write_bytes(b"".join(recording(3)))
    test.demand("exists" in test.recover("run.h5.raw", status=2), "does not overwrite")
    test.demand((test.folder / "run.h5.raw").exists(), "and keeps the raw recording")
    test.demand(test.recover("run.h5.raw", "--force")[0]["rows"]["rig"] == 150, "unless forced")


def check_killed(test):
    """Cut off anywhere: all whole segments, nothing invented, exit status 0."""
    parts = recording(4, closed=False)
    whole = b"".join(parts)
    for cut in (1, 40, 64, 65, 500, len(parts[-1]) - 1):
        (test.folder / "cut.h5.raw").write_bytes(whole[:len(whole) - cut])
        found = test.recover("cut.h5.raw", "--force")[0]
        test.demand(not found["complete"] and found["whole"], f"cut {cut}: {found}")
        test.demand(found["torn_bytes"] == len(parts[-1]) - cut, f"cut {cut}: {found}")
        test.demand(any("0.2 s" in note for note in found["notes"]), "says what is missing")
        _, values = rig(test.folder / "cut.h5")
        test.demand((values == [command(i) for i in range(150)]).all(), f"cut {cut}")


def check_damaged(test):
    """A damaged segment: NaN, told, exit status 1, and the raw recording stays."""
    parts = recording(4)
    parts[2] = parts[2][:100] + bytes([parts[2][100] ^ 1]) + parts[2][101:]
    (test.folder / "bad.h5.raw").write_bytes(b"".join(parts))
    found = test.recover("bad.h5.raw", status=1)[0]
    test.demand(found["missing_segments"] == 1 and found["damaged_bytes"] == len(parts[2]), found)
    test.demand(found["missing_rows"] == 55, found)
    test.demand(not found["raw_removed"] and (test.folder / "bad.h5.raw").exists(), "kept")
    _, values = rig(test.folder / "bad.h5")
    expected = numpy.array([command(i) for i in range(200)])
    expected[50:100] = numpy.nan
    test.demand(numpy.array_equal(values, expected, equal_nan=True), "NaN where it is missing")
    (test.folder / "bad.h5.raw").unlink()
    # Rows that were dropped while recording.
    lossy = recording(0, closed=False) + [
        segment(2, 1, sample(1, 5, [1, 2]) + sample(1, 8, [3, 4], lost=2), lost=2)]
    (test.folder / "lossy.h5.raw").write_bytes(b"".join(lossy))
    found = test.recover("lossy.h5.raw", "--keep", status=1)[0]
    test.demand(found["lost_records"] == 2 and found["missing_rows"] == 2, found)
    test.demand((test.folder / "lossy.h5.raw").exists(), "--keep")
    start, values = rig(test.folder / "lossy.h5")
    test.demand(abs(start - 0.005) < 1e-15 and len(values) == 4, "starts with its first row")


def check_folder(test):
    """All recordings of a folder."""
    folder = test.folder / "several"
    folder.mkdir()
    for name in ("a.h5.raw", "b.h5.raw"):
        (folder / name).write_bytes(b"".join(recording(2)))
    test.demand("--out" in test.recover("several", "--out", "one.h5", status=2), "--out of several")
    test.demand(len(test.recover("several")) == 2, "both")
    test.demand(sorted(p.name for p in folder.iterdir()) == ["a.h5", "b.h5"], "in their places")
    test.demand("no raw recording" in test.recover("several", status=2), "none left")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="gusset-recover-") as scratch:
        test = Test(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(scratch))
        for check in (check_whole, check_killed, check_damaged, check_folder):
            check(test)
        print(f"{test.failed} failed")
        return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
