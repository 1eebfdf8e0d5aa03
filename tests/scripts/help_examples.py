#!/usr/bin/env python3
"""Every verb's --help reads like a manual page, and its examples run.

usage: help_examples.py GUSSET SOURCE_DIR BUILD_DIR
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

gusset = pathlib.Path(sys.argv[1]).resolve()
environment = dict(os.environ, PATH=f"{gusset.parent}{os.pathsep}{os.environ['PATH']}")
# Examples that need a second process, a laboratory or a terminal; other tests run these verbs.
NEED_MORE = {"run", "rig", "replay", "recover", "doctor", "serve", "sweep"}


def call(*command):
    return subprocess.run([gusset, *command], capture_output=True, text=True, timeout=300)


def sections(text):
    """Heading -> lines, of a page whose headings stand at the margin."""
    found, heading = {}, None
    for line in text.splitlines():
        if line and not line.startswith(" "):
            heading = line
            found[heading] = []
        elif heading:
            found[heading].append(line)
    return found


def commands(lines):
    text = "\n".join(line[4:] for line in lines if line.strip())
    return [re.sub(r"\\\n\s*", "", c) for c in re.findall(r"^\S(?:[^\n]*\\\n)*[^\n]*", text, re.M)]


problems = []
top = sections(call("--help").stdout)
verbs = [line.strip() for line in top["VERBS"] if re.match(r" {4}\S", line)]
count = 0
with tempfile.TemporaryDirectory(prefix="gusset-help-") as folder:
    for name in ("run.h5", "other.h5"):
        subprocess.run([gusset, "simulate", "wu-pure-inertia", "--out", name], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
    kept = set(os.listdir(folder))
    for verb in ["", *verbs]:
        page = call(*([verb] if verb else []), "--help")
        found = sections(page.stdout)
        for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES"):
            if not found.get(heading):
                problems.append(f"gusset {verb} --help has no {heading}")
        if page.returncode != 0:
            problems.append(f"gusset {verb} --help: exit status {page.returncode}")
        for line in page.stdout.splitlines():
            if len(line) > 80 and not line.startswith("    gusset") and "EXAMPLES" in found and line not in found["EXAMPLES"]:
                problems.append(f"gusset {verb} --help: longer than 80 columns: {line}")
        if verb in NEED_MORE:
            continue
        for name in set(os.listdir(folder)) - kept - {"sweep.h5"}:
            subprocess.run(["rm", "-r", os.path.join(folder, name)], check=True)
        for command in commands(found.get("EXAMPLES", [])):
            command = command.replace("--out run.h5", "--out run.h5 --force")
            run = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment,
                                 capture_output=True, text=True, timeout=300)
            count += 1
            allowed = (0, 1) if verb == "compare" else (0,)
            if run.returncode not in allowed:
                problems.append(f"{verb}: exit status {run.returncode}: {command}\n{run.stderr[-400:]}")
print("\n".join(problems) or f"{len(verbs)} verbs, {count} examples run")
sys.exit(1 if problems else 0)
