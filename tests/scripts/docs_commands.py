#!/usr/bin/env python3
"""Runs the commands of the documentation, so that it cannot drift from the program.

usage: docs_commands.py GUSSET SOURCE_DIR BUILD_DIR

Of README.md and docs/**/*.md it takes every line of ```sh blocks and every line that starts with
"$ " in ```console blocks. A backslash at the end joins the next line, and a here-document
(<<'END') reaches to its END. The commands of a file run in
order in a directory of its own, files side by side, with copies of experiments/ and records/ and with gusset first on
PATH. Each must exit 0, or as a trailing comment says:  gusset analyze bad.toml  # exits 1
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# Commands that install, build or leave the directory: shown to readers, tested by other means.
SKIPPED = ("./quickstart", "./check", ".ci/run", "git", "apt", "apt-get", "sudo", "cmake", "ctest",
           "cd", "xdg-open")
TIMEOUT = 300  # seconds a command
SIGPIPE_STATUS = 128 + signal.SIGPIPE  # "gusset ... | head" ends its writer this way


def commands(path):
    """Yields (line number, command) of one Markdown file."""
    language, fence, pending, start, here = None, "", "", 0, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        opening = re.match(r"\s*(`{3,}|~{3,})\s*([\w-]*)", line)
        if language is None:
            if opening:
                fence, language = opening.group(1), opening.group(2)
            continue
        if opening and not opening.group(2) and opening.group(1).startswith(fence):
            language, pending = None, ""
            continue
        if language not in ("sh", "console"):
            continue
        if here is not None:
            pending += line + "\n"
            if line.strip() == here:
                yield start, pending
                pending, here = "", None
            continue
        text = line.strip()
        if not pending:
            start = number
            if language == "console":
                if not text.startswith("$ "):
                    continue
                text = text[2:]
            if not text or text.startswith("#"):
                continue
        if text.endswith("\\"):
            pending += text[:-1]
            continue
        if opening_here := re.search(r"<<'(\w+)'", text):
            here, pending = opening_here.group(1), pending + text + "\n"
            continue
        yield start, pending + text
        pending = ""


def run(command, directory, environment, groups):
    """Returns (exit status or None after a timeout, output)."""
    # Output to a file, not a pipe: a program left in the background would keep a pipe open.
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(["bash", "-o", "pipefail", "-c", command], cwd=directory,
                                   env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        groups.append(process.pid)
        try:
            status = process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            status = None
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        return status, output.read().decode(errors="replace")


def check_file(path, source, program_dir, durations):
    """Runs one file's commands; returns (number run, number skipped, number failed)."""
    name = path.relative_to(source)
    done = skipped = failed = 0
    groups = []
    environment = dict(os.environ, PATH=f"{program_dir}{os.pathsep}{os.environ['PATH']}")
    with tempfile.TemporaryDirectory(prefix="gusset-docs-") as scratch:
        directory = pathlib.Path(scratch)
        for folder in ("experiments", "records"):
            if (source / folder).is_dir():
                shutil.copytree(source / folder, directory / folder)
        # Where ./quickstart would have put things.
        (directory / "out").mkdir()
        (directory / "build" / "release").mkdir(parents=True)
        (directory / "build" / "release" / "bin").symlink_to(program_dir)
        try:
            for line, command in commands(path):
                if command.split()[0] in SKIPPED:
                    skipped += 1
                    continue
                expectation = re.search(r"#\s*exits\s+(\d+)\s*$", command)
                expected = int(expectation.group(1)) if expectation else 0
                began = time.monotonic()
                status, output = run(command, directory, environment, groups)
                durations.append((time.monotonic() - began, f"{name}:{line}", command.strip()))
                if status == SIGPIPE_STATUS:
                    status = 0
                done += 1
                if status != expected:
                    failed += 1
                    what = f"no end after {TIMEOUT} s" if status is None else f"exit status {status}"
                    print(f"{name}:{line}: {what}, expected exit status {expected}\n  $ {command}")
                    print("".join(f"  {text}\n" for text in output.splitlines()[-20:]), end="")
        finally:
            for group in groups:  # what was left in the background
                try:
                    os.killpg(group, signal.SIGKILL)
                except ProcessLookupError:
                    pass
    return done, skipped, failed


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]).resolve()
    source = pathlib.Path(sys.argv[2]).resolve()
    files = [source / "README.md", *sorted((source / "docs").rglob("*.md"))]
    durations = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = list(pool.map(lambda path: check_file(path, source, program.parent, durations), files))
    totals = [sum(column) for column in zip(*counts)]
    for seconds, where, command in sorted(durations, reverse=True)[:10]:
        print(f"{seconds:6.1f} s  {where}  {command.splitlines()[0]}")
    print(f"{totals[0]} commands run, {totals[1]} skipped, {totals[2]} failed")
    return 1 if totals[2] else 0


if __name__ == "__main__":
    sys.exit(main())
