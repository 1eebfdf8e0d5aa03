#!/usr/bin/env python3
"""The manual hangs together: every page is in mkdocs.yml, every link leads somewhere, every picture
that a command makes is the one it makes, every program shown is the file that is compiled.

usage: docs_pages.py GUSSET SOURCE_DIR BUILD_DIR
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

gusset, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
docs = source / "docs"
problems = []

listed = set(re.findall(r":\s+(\S+\.md)\s*$", (source / "mkdocs.yml").read_text(encoding="utf-8"), re.M))
pages = {str(p.relative_to(docs)) for p in docs.rglob("*.md")}
problems += [f"mkdocs.yml does not list docs/{page}" for page in sorted(pages - listed)]
problems += [f"mkdocs.yml lists docs/{page}, which is not there" for page in sorted(listed - pages)]


def anchors(text):
    """Names of headings as code hosts and MkDocs make them."""
    headings = re.findall(r"^#+\s+(.*)$", re.sub(r"```.*?```", "", text, flags=re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


links = 0
for page in [source / "README.md", source / "CONTRIBUTING.md", *sorted(docs.rglob("*.md"))]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        links += 1
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        if not there.exists():
            problems.append(f"{page.relative_to(source)}: no {target}")
        elif anchor and there.suffix == ".md" and anchor not in anchors(there.read_text(encoding="utf-8")):
            problems.append(f"{page.relative_to(source)}: no heading {target}")

# Programs shown: a comment names the file, the block behind it is that file.
shown = set()
for page in sorted(docs.rglob("*.md")):
    for name, block in re.findall(r"<!-- (examples/\S+) -->\n```cpp\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
        shown.add(name)
        if not (source / name).is_file():
            problems.append(f"{page.relative_to(source)}: no {name}")
        elif (source / name).read_text(encoding="utf-8") != block:
            problems.append(f"{page.relative_to(source)}: what it shows of {name} is not what the file says")
unseen = {str(p.relative_to(source)) for p in (source / "examples/kinds").glob("*.cpp")} - shown
problems += [f"docs/ do not show {name}" for name in sorted(unseen)]

# Pictures and the commands that make them. Coordinates may differ in the last digit between machines.
PICTURES = {
    "pictures/quickstart.svg": [["simulate", "quickstart", "--out", "run.h5"],
                                ["report", "run.h5", "--out", "report.html", "--picture", "made.svg"]],
    "pictures/quickstart-loop.svg": [["check", "quickstart", "--loop", "--svg", "made.svg"]],
    "pictures/stability-map.svg": [["map", "wu-pure-inertia", "--x", "specimen.mass_ratio=0.02:1.2:60",
                                    "--y", "integrator.dt=2 ms:320 ms:60", "--svg", "made.svg"]],
}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
for name, commands in PICTURES.items():
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            subprocess.run([gusset, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        made = (pathlib.Path(folder) / "made.svg").read_text(encoding="utf-8")
    kept = (docs / name).read_text(encoding="utf-8")
    same = NUMBER.sub("n", made) == NUMBER.sub("n", kept)
    near = same and all(abs(float(a) - float(b)) <= 0.05 for a, b in zip(NUMBER.findall(made), NUMBER.findall(kept)))
    if not near:
        shown = " && ".join("gusset " + " ".join(f'"{w}"' if " " in w else w for w in c) for c in commands)
        problems.append(f"docs/{name} is not what this makes: {shown}")
if shutil.which("mkdocs"):
    with tempfile.TemporaryDirectory() as folder:
        built = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--site-dir", folder], cwd=source,
                               capture_output=True, text=True, timeout=300)
        if built.returncode:
            problems.append("mkdocs: " + built.stderr[-1000:])
else:
    print("mkdocs is not installed: the site was not built (apt-get install mkdocs-material)")
print("\n".join(problems) or f"{len(pages)} pages, {links} links, {len(PICTURES)} pictures")
sys.exit(1 if problems else 0)
