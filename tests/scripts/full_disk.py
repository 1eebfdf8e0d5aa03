#!/usr/bin/env python3
"""A disk that fills up during a test: nothing recorded is lost, the cause is the true one.

usage: full_disk.py GUSSET SOURCE_DIR BUILD_DIR

Works in a small file system in memory, in a mount namespace of its own; where that is not allowed there is nothing to
test, and it says so.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

gusset = str(pathlib.Path(sys.argv[1]).resolve())

if "INSIDE" not in os.environ:
    for command in (["unshare", "-m"], ["unshare", "-Urm"]):
        inside = [*command, sys.executable, "-B", os.path.abspath(__file__), *sys.argv[1:]]
        if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
            sys.exit(subprocess.run(inside, env={**os.environ, "INSIDE": "1"}).returncode)
    print("no mount namespaces here: left out")
    sys.exit(0)

import h5py  # noqa: E402


def rows(path):
    """Rows of each table, and whether the arming and the way back are there."""
    with h5py.File(path) as file:
        sizes, names = {}, []
        file.visit(names.append)
        for name in names:
            if isinstance(file[name], h5py.Dataset) and "index" in file[name].attrs:
                if file[name].ndim == 1:
                    sizes[name.rsplit("/", 1)[0]] = file[name].shape[0]
        return sizes, names


failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


with tempfile.TemporaryDirectory() as folder:
    small, room = pathlib.Path(folder) / "small", pathlib.Path(folder) / "room"
    small.mkdir()
    room.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(small)], check=True)
    try:
        process = subprocess.Popen([gusset, "run", "quickstart", "--set", "duration=3 s", "--set",
                                    "realtime.ramp=0.3 s", "--out", str(small / "run.h5"), "--json", "--quiet"],
                                   cwd=room, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        subprocess.run(["dd", "if=/dev/zero", f"of={small / 'filler'}", "bs=64k"], capture_output=True)
        free = os.statvfs(small)
        expect(free.f_bavail * free.f_frsize < 65536, "the disk is full")
        out, errors = process.communicate(timeout=120)
        if process.returncode == 0:
            where = small / "run.h5"  # the room that was taken beforehand was enough
        else:
            expect("disk" in errors or "room" in errors or "space" in errors, f"the cause is not named: {errors}")
            raw = next(iter(small.glob("run.h5.raw*")), None)
            expect(raw is not None, f"no raw recording is left: {os.listdir(small)}")
            where = room / "recovered.h5"
            done = subprocess.run([gusset, "recover", str(raw), "--out", str(where)], capture_output=True, text=True)
            expect(done.returncode in (0, 1), done.stderr)
        if not failures:
            sizes, names = rows(where)
            expect(sizes, "no rows")
            expect(any("retreat" in name for name in names), f"the way back is lost: {sizes}")
            with h5py.File(where) as file:
                text = json.dumps([str(name) for name in file]) + " ".join(names)
                expect("arming" in text, "the arming is lost")
                print("exit", process.returncode, {k: v for k, v in sizes.items()})
    finally:
        subprocess.run(["umount", str(small)])

for text in failures:
    print("FAILED:", text)
sys.exit(1 if failures else 0)
