#!/usr/bin/env python3
"""Files from strangers: nothing in them crashes the program, eats its memory, or reads what it should not.

usage: hostile_files.py GUSSET SOURCE_DIR BUILD_DIR
"""

import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

gusset = str(pathlib.Path(sys.argv[1]).resolve())
sys.argv[1:] = []
import h5py  # noqa: E402
import numpy  # noqa: E402

MUTATIONS = 60
MEMORY = 1 << 30  # bytes a command may use at most


def call(folder, *arguments):
    return subprocess.run([gusset, *arguments], cwd=folder, capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, errors="replace")


class HostileFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        done = call(cls.folder, "simulate", "quickstart", "--set", "duration=0.5 s", "--out", "run.h5")
        assert done.returncode == 0, done.stderr
        cls.sealed = (cls.folder / "run.h5").read_bytes()

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def sound(self, done, what):
        self.assertIn(done.returncode, (0, 1, 2), f"{what}: {done.stderr[-400:]}")
        if done.returncode == 2:
            self.assertIn("fix:", done.stderr, what)

    def test_a_damaged_file_that_is_sealed_is_refused(self):
        damaged = bytearray(self.sealed)
        damaged[len(damaged) // 2] ^= 1
        (self.folder / "damaged.h5").write_bytes(damaged)
        done = call(self.folder, "export", "damaged.h5", "--csv", "damaged.csv", "--force")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertFalse((self.folder / "damaged.csv").exists())

    def test_damage_behind_a_seal_that_was_cut_off(self):
        """Without its last bytes a run file is not sealed, and any damage reaches the library that reads it."""
        seeds = random.Random(20)
        verbs = (("export", "--csv", "x.csv", "--force"), ("report", "--out", "x.html", "--force"))
        for number in range(MUTATIONS):
            damaged = bytearray(self.sealed[:-21])
            for _ in range(seeds.choice((1, 3, 30))):
                at = seeds.randrange(len(damaged))
                damaged[at] = seeds.randrange(256)
            (self.folder / "mutant.h5").write_bytes(damaged)
            verb = verbs[number % 2]
            self.sound(call(self.folder, verb[0], "mutant.h5", *verb[1:]), f"mutation {number}")
        used = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(used, MEMORY)

    def test_numbers_that_are_kept_in_another_file_are_not_read(self):
        secret = self.folder / "secret"
        secret.write_bytes(b"root:x:0:0" * 100)
        (self.folder / "external.h5").write_bytes(self.sealed[:-21])
        with h5py.File(self.folder / "external.h5", "r+") as file:
            found = []
            file.visititems(lambda name, item: found.append(name)
                            if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and item.ndim == 1
                            and "index" in item.attrs else None)
            name = found[0]
            attributes = dict(file[name].attrs)
            del file[name]
            made = file.create_dataset(name, shape=(100,), dtype=numpy.float64, external=[(str(secret), 0, 800)])
            made.attrs.update(attributes)
        done = call(self.folder, "export", "external.h5", "--csv", "stolen.csv", "--force")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertFalse((self.folder / "stolen.csv").exists())

    def test_names_are_names(self):
        base = ('duration = "1 s"\n[structure]\nmass = "300 kg"\nfrequency = "1 Hz"\n[initial]\ndisplacement = "1 cm"\n[integrator]\n'
                'dt = "10 ms"\n[specimen]\nkind = "spring"\nstiffness = "1 N/m"\nname = ')
        for name in ('"my damper"', '"a\\nb"', '""', '".."', '"=cmd|calc"', '"-x"', '"a.b"', '"<b>"'):
            (self.folder / "named.toml").write_text(base + name + "\n")
            done = call(self.folder, "check", "named.toml")
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("named.toml:12", done.stderr, name)
        (self.folder / "named.toml").write_text(base + '"north-2_a"\n')
        self.assertNotEqual(call(self.folder, "check", "named.toml").returncode, 2)

    def test_a_recording_goes_where_it_stays(self):
        for out in ("/dev/null", "/dev/full", "."):
            done = call(self.folder, "run", "quickstart", "--set", "duration=0.2 s", "--lockstep", "--out", out,
                        "--force")
            self.assertEqual(done.returncode, 2, f"{out}: {done.stderr}")
        self.assertFalse(os.path.exists("/dev/null.raw"))


signal.signal(signal.SIGINT, signal.SIG_DFL)
unittest.main()
