#!/usr/bin/env python3
"""The first ten minutes: the commands of ./quickstart, open the report, change one parameter, see the
verdict change.

usage: new_user.py GUSSET SOURCE_DIR BUILD_DIR
With GUSSET_LONG set the whole of tools/first_test.sh runs, real-time run included; without it only
the commands that take no longer than the machine needs.
"""

import html.parser
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

gusset, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()


class Reader(html.parser.HTMLParser):
    """What a reader sees: headings, and the verdict below the title."""

    def __init__(self):
        super().__init__()
        self.open, self.headings, self.verdict, self.figures = None, [], "", 0

    def handle_starttag(self, tag, attributes):
        self.figures += tag == "figure"
        if tag == "h2" or "verdict" in (dict(attributes).get("class") or ""):
            self.open = tag

    def handle_endtag(self, tag):
        if tag == self.open:
            self.open = None

    def handle_data(self, data):
        if self.open == "h2":
            self.headings.append(data)
        elif self.open == "p":
            self.verdict += data


def read(page):
    reader = Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader


def demand(condition, message):
    if not condition:
        sys.exit(message)


with tempfile.TemporaryDirectory(prefix="gusset-new-user-") as scratch:
    clone = pathlib.Path(scratch)
    for folder in ("tools", "experiments", "records"):
        shutil.copytree(source / folder, clone / folder)

    def call(*command, status=0):
        run = subprocess.run([gusset, *command], cwd=clone, capture_output=True, text=True, timeout=300)
        demand(run.returncode == status, f"{command}: exit status {run.returncode}\n{run.stderr}")
        return run.stdout

    first_test = (clone / "tools" / "first_test.sh").read_text(encoding="utf-8")
    if os.environ.get("GUSSET_LONG") or "gusset run " not in first_test:
        run = subprocess.run(["bash", "tools/first_test.sh", gusset.parent], cwd=clone, capture_output=True,
                             text=True, timeout=300)
        demand(run.returncode == 0, f"tools/first_test.sh: exit status {run.returncode}\n{run.stderr}")
        demand("stable" in run.stdout and "UNSTABLE" in run.stdout, "both verdicts are shown")
        page = clone / "out" / "quickstart.html"
    else:
        call("simulate", "experiments/quickstart.toml", "--out", "run.h5")
        call("report", "run.h5", "--out", "report.html")
        page = clone / "report.html"

    seen = read(page)
    # How the run went comes first (a machine in a hurry may miss deadlines), then the stability.
    demand(seen.verdict.lstrip("✓! ").startswith("Completed: ") and "✓ Stable" in seen.verdict,
           f"the report's verdict: {seen.verdict}")
    for heading in ("Experiment", "Stability", "Response", "Hysteresis", "Tracking", "Energy"):
        demand(heading in seen.headings, f"the report has no {heading}: {seen.headings}")
    demand(seen.figures >= 8, f"the report has {seen.figures} figures")

    # On the command line ...
    changed = json.loads(call("analyze", "quickstart", "--set", "integrator.dt=40 ms", "--json", status=1))
    demand(changed["stable"] is False, "a step of 40 ms is too long")
    # ... and in the file, as a user would.
    file = clone / "experiments" / "quickstart.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('dt = "4 ms"', 'dt = "40 ms"'), encoding="utf-8")
    demand("UNSTABLE" in call("analyze", "experiments/quickstart.toml", status=1), "the verdict for people")
    call("simulate", "experiments/quickstart.toml", "--out", "bad.h5", status=1)
    call("report", "bad.h5")
    demand("✗ Unstable" in read(clone / "bad.html").verdict, "the report of the changed test")
print("from the quick start to a changed verdict")
