#!/usr/bin/env python3
"""Opens reports and the gallery in Chromium: no console messages, no empty panels, no labels over
each other, nothing wider than the window; wide and narrow, light and dark.

usage: report_pages.py GUSSET SOURCE_DIR BUILD_DIR
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

gusset = pathlib.Path(sys.argv[1]).resolve()
browser = shutil.which("chromium") or shutil.which("chromium-browser")
if browser is None:
    print("skipped: there is no Chromium (apt-get install chromium)")
    sys.exit(77)

# Put into a copy of the page: looks at what was drawn, and leaves its findings in the page.
PROBE = """<script>addEventListener('load', () => {
  const problems = [];
  const seen = {sections: 0, figures: 0, dark: matchMedia('(prefers-color-scheme:dark)').matches,
                width: innerWidth, ground: getComputedStyle(document.body).backgroundColor};
  for (const section of document.querySelectorAll('section')) {
    seen.sections++;
    if (section.children.length < 2) problems.push('empty section ' + section.id);
  }
  for (const svg of document.querySelectorAll('figure > svg')) {
    seen.figures++;
    const title = svg.querySelector('title')?.textContent ?? '?';
    if (!svg.querySelector('svg path, g path, g rect')) problems.push('empty figure: ' + title);
    if (svg.textContent.includes('no data')) problems.push('no data in figure: ' + title);
    const labels = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
    const frame = svg.getBoundingClientRect();
    labels.forEach(([text, a], i) => {
      if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.bottom > frame.bottom + 1)
        problems.push('label outside of its figure: ' + text + ' in ' + title);
      for (const [other, b] of labels.slice(i + 1)) {
        // Boxes hold the font's whole height; letters overlap only if the boxes do by a fifth.
        const tall = 0.2 * Math.min(a.height, b.height);
        if (a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - tall &&
            b.top < a.bottom - tall) problems.push('labels overlap: ' + text + ' and ' + other + ' in ' + title);
      }
    });
  }
  if (document.documentElement.scrollWidth > innerWidth)
    problems.push('the page is ' + document.documentElement.scrollWidth + ' pixels wide');
  const out = document.createElement('pre');
  out.id = 'probe';
  out.textContent = JSON.stringify({problems, seen});
  document.body.append(out);
});</script></head>"""


def look(page, width, dark):
    """What the browser finds in a page, and what it says about it."""
    probed = page.with_name("probed-" + page.name)
    probed.write_text(page.read_text(encoding="utf-8").replace("</head>", PROBE, 1), encoding="utf-8")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
               f"--user-data-dir={page.parent / 'profile'}", f"--window-size={width},900",
               "--virtual-time-budget=2000", "--dump-dom", probed.as_uri()]
    if dark:
        command.insert(1, "--blink-settings=preferredColorScheme=0")
    run = subprocess.run(command, capture_output=True, text=True, timeout=120,
                         env=dict(os.environ, HOME=str(page.parent)))
    found = re.search(r'<pre id="probe">(.*?)</pre>', run.stdout, re.S)
    if not found:
        return None, [f"the browser did not show it (status {run.returncode}): {run.stderr[-300:]}"]
    result = json.loads(html.unescape(found.group(1)))
    said = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    return result["seen"], result["problems"] + said


def make_pages(folder):
    """Reports of runs that differ in what they hold, and the gallery."""
    def call(*arguments, good=(0,)):
        run = subprocess.run([gusset, *arguments], capture_output=True, text=True, timeout=300)
        if run.returncode not in good:
            sys.exit(f"gusset {' '.join(map(str, arguments))}: exit status {run.returncode}\n{run.stderr}")

    pages = []
    for name, settings in (("quickstart", []), ("wu-pure-inertia", ["--set", "specimen.mass_ratio=1.2"])):
        run, page = folder / f"{name}.h5", folder / f"{name}.html"
        call("simulate", name, "--out", run, *settings, good=(0, 1))
        call("report", run, "--out", page)
        pages.append(page)
    # In real time: timing, events, readiness and arming; under force control: other units.
    call("run", "quickstart", "--set", "duration=2 s", "--quiet", "--out", folder / "paced.h5", good=(0, 1))
    call("simulate", "shao-rig", "--set", "duration=5 s", "--out", folder / "force.h5")
    for name in ("paced", "force"):
        call("report", folder / f"{name}.h5", "--out", folder / f"{name}.html")
        pages.append(folder / f"{name}.html")
    call("reproduce", "--out", folder / "gallery")
    shutil.copy(folder / "gallery" / "index.html", folder / "gallery.html")
    pages.append(folder / "gallery.html")
    return pages


failed = 0
with tempfile.TemporaryDirectory(prefix="gusset-pages-", ignore_cleanup_errors=True) as scratch:
    for page in make_pages(pathlib.Path(scratch)):
        grounds = set()
        for width, dark in ((1400, False), (500, True)):  # Chromium lays out no narrower than 500
            seen, problems = look(page, width, dark)
            if seen:
                grounds.add(seen["ground"])
                if seen["dark"] != dark:
                    problems.append("the browser did not follow the colour scheme")
                if seen["figures"] == 0:
                    problems.append("there are no figures")
            for problem in problems:
                print(f"{page.name}, {width} wide, {'dark' if dark else 'light'}: {problem}")
            failed += len(problems)
            if seen:
                print(f"{page.name}, {seen['width']} wide: {seen['sections']} sections, {seen['figures']} figures")
        if len(grounds) != 2:
            print(f"{page.name}: light and dark look the same")
            failed += 1
sys.exit(1 if failed else 0)
