#!/usr/bin/env python3
"""Checks, analyses and simulates every file in experiments/: they are examples, and must work.

usage: experiments_run.py GUSSET SOURCE_DIR BUILD_DIR

A file whose first comment lines hold "# expect: unstable" shows an unstable loop: analyze must exit
1 there, and 0 everywhere else.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMEOUT = 300  # seconds a command; generous, for sanitized builds


def expects_unstable(path):
    """Whether the comments before the file's first key say so."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            return False
        if re.match(r"#\s*expect:\s*unstable\b", line):
            return True
    return False


def problems_of(program, source, path, scratch):
    """Returns a list of messages, empty if all is well."""
    problems = []

    def run(allowed, verb, *options):
        command = [str(program), verb, str(path.relative_to(source)), *options]
        try:
            result = subprocess.run(command, cwd=source, stdin=subprocess.DEVNULL, timeout=TIMEOUT,
                                    capture_output=True, text=True)
        except subprocess.TimeoutExpired:
            problems.append(f"{verb}: no end after {TIMEOUT} s")
            return None
        if result.returncode not in allowed:
            wanted = " or ".join(map(str, allowed))
            problems.append(f"{verb}: exit status {result.returncode}, expected {wanted}\n"
                            f"{result.stderr.strip()[-2000:]}")
            return None
        return result.stdout

    def demand_object(verb, text):
        try:
            if text is not None and not isinstance(json.loads(text), dict):
                problems.append(f"{verb} --json: not an object")
        except ValueError as error:
            problems.append(f"{verb} --json: {error}")

    run((0, 1), "check")
    demand_object("analyze", run((1,) if expects_unstable(path) else (0,), "analyze", "--json"))
    out = pathlib.Path(scratch) / f"{path.stem}.h5"
    simulated = run((0, 1), "simulate", "--out", str(out), "--json")
    demand_object("simulate", simulated)
    if simulated is not None and not out.is_file():
        problems.append("simulate: did not write its --out file")
    return problems


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]).resolve()
    source = pathlib.Path(sys.argv[2]).resolve()
    files = sorted((source / "experiments").glob("*.toml"))
    if not files:
        print("no experiments")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory(prefix="gusset-experiments-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda path: problems_of(program, source, path, scratch), files)
        for path, problems in zip(files, results):
            failed += bool(problems)
            for problem in problems:
                print(f"{path.relative_to(source)}: {problem}")
    print(f"{len(files)} experiments, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
