#!/usr/bin/env python3
"""Hardware is armed by a person, with every limit, on a clock; and what it does wrong ends the test with its cause.

usage: laboratory_rig.py GUSSET SOURCE_DIR BUILD_DIR

The rig is written from the documents alone (tests/support/lab_rig.py).
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

gusset, source = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
sys.argv[1:] = []
sys.path.insert(0, str(source / "tests" / "support"))
from lab_rig import LabRig, frame  # noqa: E402
import h5py  # noqa: E402

# A spring of 200 kN/m in the laboratory, with every limit that hardware asks for.
TEST = """title = "A spring in the laboratory"
duration = "2.5 s"
[structure]
mass = "20 t"
stiffness = "1 MN/m"
damping_ratio = 0.05
[excitation]
record = "el-centro-1940-ns"
peak = "0.2 g"
[integrator]
kind = "cr"
dt = "4 ms"
[specimen]
name = "brace"
kind = "spring"
stiffness = "200 kN/m"
[rig]
kind = "delay"
delay = "2 ms"
dt = "2 ms"
[realtime]
ramp = "0.3 s"
fade_out = "0.3 s"
on_miss = "hold"
misses = 100000
heartbeat = "2 s"
[limits]
displacement = "60 mm"
velocity = "0.5 m/s"
force = "20 kN"
tracking_error = "5 mm"
acceleration = "50 m/s^2"
stale = 500
"""


class Laboratory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "test.toml").write_text(TEST)

    def run_test(self, rig, *more, text=TEST):
        (self.folder / "test.toml").write_text(text)
        out = self.folder / "run.h5"
        done = subprocess.run([gusset, "run", "test.toml", "--rig", rig.url, "--out", str(out), "--force",
                               "--allow-degraded", "--json", *more], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)
        return done, out

    def test_a_script_without_arm_gets_exit_2_and_nothing_moves(self):
        with LabRig() as rig:
            done, out = self.run_test(rig)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("--arm", done.stderr)
            self.assertFalse(rig.moved())
            self.assertFalse(out.exists())

    def test_armed_and_healthy_it_runs(self):
        with LabRig() as rig:
            done, out = self.run_test(rig, "--arm")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertTrue(rig.moved())
            self.assertTrue(json.loads(done.stdout)["completed"])
            # What people had to look at was printed, with this test's numbers, and is kept.
            self.assertIn("Gusset acts at 60 mm", done.stderr)
            with h5py.File(out) as file:
                kept = []
                file.visititems(lambda name, item: kept.append(str(item.asstr()[()]))
                                if name.endswith("checklist") else None)
            self.assertEqual([text.strip() in done.stderr for text in kept], [True])

    def test_check_says_what_the_ways_will_do(self):
        """A smooth way of d within T is fastest in its middle, 15/8 d/T; with a limit it takes as long as half of it asks."""
        def check(*settings):
            done = subprocess.run([gusset, "check", "test.toml", "--json", *settings], cwd=self.folder,
                                  capture_output=True, text=True, timeout=60)
            return json.loads(done.stdout)
        hurried = check("--set", "realtime.fade_out=1 ms", "--set", "limits.acceleration=1000 m/s^2")
        way = hurried["ways"][-1]
        self.assertEqual(way["way"], "back")
        self.assertAlmostEqual(way["velocity"], 0.25, 6)  # half of 0.5 m/s
        self.assertAlmostEqual(way["takes"], 1.875 * way["distance"] / 0.25, 9)
        slow = check("--set", "realtime.fade_out=4 s")
        self.assertAlmostEqual(slow["ways"][-1]["velocity"], 1.875 * way["distance"] / 4, 9)
        self.assertFalse([w for w in slow["warnings"] if "faster than the test" in w])
        (self.folder / "test.toml").write_text(TEST.replace('velocity = "0.5 m/s"\n', "").replace(
            'acceleration = "50 m/s^2"\n', ""))
        free = check("--set", "realtime.fade_out=1 ms")
        self.assertTrue([w for w in free["warnings"] if "faster than the test" in w], free["warnings"])

    def test_each_limit_that_is_missing_is_named(self):
        for key in ("displacement", "velocity", "force", "tracking_error"):
            text = "\n".join(line for line in TEST.splitlines() if not line.startswith(key + " =")) + "\n"
            with LabRig() as rig:
                done, _ = self.run_test(rig, "--arm", text=text)
                self.assertNotEqual(done.returncode, 0, key)
                self.assertIn(key.replace("_", " "), (done.stdout + done.stderr).replace("_", " "))
                self.assertFalse(rig.moved(), key)

    def test_lockstep_and_catch_up_are_refused(self):
        for more in (("--lockstep",), ("--set", "realtime.on_miss=catch-up")):
            with LabRig() as rig:
                done, _ = self.run_test(rig, "--arm", *more)
                self.assertNotEqual(done.returncode, 0, more)
                self.assertFalse(rig.moved(), more)

    def test_faults_left_in_the_file_are_refused(self):
        with LabRig() as rig:
            done, _ = self.run_test(rig, "--arm", text=TEST + '[[faults]]\nkind = "loss"\nshare = 0.1\n')
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("faults", done.stdout + done.stderr)
            self.assertFalse(rig.moved())

    def ends(self, answer, *causes, completed=False):
        with LabRig(answer) as rig:
            done, out = self.run_test(rig, "--arm")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            result = json.loads(done.stdout)
            self.assertEqual(result["completed"], completed)
            self.assertIn(result["cause"], causes, done.stdout)
            self.assertTrue(out.exists(), "the record is kept")

    def test_a_rig_that_never_moves(self):
        self.ends(lambda command, phase, time: [0.0, 0.0], "no motion", "sensor")

    def test_a_load_cell_that_shows_nothing(self):
        self.ends(lambda command, phase, time: [command[0], 0.0], "sensor", "frozen")

    def test_a_load_cell_of_the_wrong_sign(self):
        self.ends(lambda command, phase, time: [command[0], -2e5 * command[0]], "sensor")

    def test_a_position_of_the_wrong_sign(self):
        self.ends(lambda command, phase, time: [-command[0], 2e5 * command[0]], "sensor", "tracking")

    def test_nan_on_the_way_back(self):
        self.ends(lambda command, phase, time: [float("nan") if phase == 4 else command[0], 2e5 * command[0]],
                  "non-finite", completed=True)

    def test_a_preload_is_not_tared_away(self):
        self.ends(lambda command, phase, time: [command[0], 14e3 + 2e5 * command[0]], "tare")

    def test_rubbish_does_not_fill_the_rigs_log(self):
        import socket
        process = subprocess.Popen([gusset, "rig", "test.toml", "--listen", "udp://127.0.0.1:0"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            first = process.stdout.readline()
            port = int(first.rsplit(":", 1)[1].split()[0])
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as vandal:
                for i in range(5000):
                    text = b"gusset-link 1\nversion 0\n"
                    vandal.sendto(frame(1, i + 1, 0, text, len(text)), ("127.0.0.1", port))
        finally:
            process.terminate()
            rest = process.communicate(timeout=20)[0]
        self.assertLess(len(rest.splitlines()), 60)


unittest.main()
