#!/usr/bin/env python3
"""Recomputes every row of the table of docs/compensation.md: the delay a loop bears, by compensator."""
import json
import re
import subprocess
import sys

gusset, source = sys.argv[1], sys.argv[2]
ROW = re.compile(r"^\| ([a-z-]+) \|(.*)\| ([0-9.]+) \|$")
TOLERANCE = 0.006  # ms: the table has two decimals


def margin(kind, options):
    command = [gusset, "analyze", "delayed-spring", "--json", "--set", "rig.delay=10 ms",
               "--set", "compensator.kind=" + kind]
    for option in options:
        command += ["--set", option]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if run.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} exited {run.returncode}: {run.stderr}")
    return json.loads(run.stdout)["delay_margin"]


rows = failed = 0
with open(source + "/docs/compensation.md", encoding="utf-8") as page:
    for number, line in enumerate(page, 1):
        match = ROW.match(line.rstrip())
        if not match:
            continue
        rows += 1
        kind, options, stated = match[1], re.findall(r"`([^`]+)`", match[2]), float(match[3])
        found = 10 + 1e3 * margin(kind, options)
        if abs(found - stated) > TOLERANCE:
            failed += 1
            print(f"docs/compensation.md:{number}: {kind} states {stated} ms, analyze gives {found:.3f} ms")
if rows < 10:
    sys.exit(f"only {rows} rows found in docs/compensation.md")
print(f"{rows - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
