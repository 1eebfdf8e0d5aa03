#!/usr/bin/env python3
"""The folders of src/ depend on each other one way, and what the loop and its analysis are made of does no
input or output.

usage: layers.py GUSSET SOURCE_DIR BUILD_DIR
"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[2]).resolve() / "src"

# What each folder may include, beside itself. A new line here is a decision about the architecture.
loop = {"base", "loop", "document", "excitation", "structure", "integrate", "loading", "compensate", "rig", "supervise",
        "build"}
blocks = {"base", "document"}
may_use = {
    "base": set(),
    "loop": {"base"},  # it knows no block
    "document": {"base"},
    "excitation": blocks,
    "structure": blocks,
    "integrate": blocks | {"structure"},
    "loading": blocks | {"loop", "structure", "integrate"},  # it drives them
    "compensate": blocks | {"loop", "loading"},  # pieces and commands
    "rig": blocks | {"loop", "structure", "loading"},  # restoring forces are specimens too
    "supervise": blocks | {"loop"},  # the judge looks at the row
    "build": loop,  # the only folder that knows all kinds
    "analysis": loop,
    "runs": blocks | {"analysis"},  # measures of runs side by side
    "link": loop | {"runs"},  # the same check sums
    "realtime": loop | {"analysis", "runs", "link"},
    "report": loop | {"analysis", "runs"},
    "session": loop | {"analysis", "runs", "link", "realtime"},
}
silent = loop | {"analysis"}
# What gusset_loop is built of: nothing but Eigen and toml++ from outside.
foreign = re.compile(r"^(hdf5|openssl/|nlohmann/|boost/|CLI/)")
system = re.compile(r"^(fstream|iostream|filesystem|unistd\.h|fcntl\.h|dlfcn\.h|sys/.*|netinet/.*)$")
concurrent = re.compile(r"^(thread|mutex|atomic|condition_variable|future|chrono|ctime|time\.h)$")


def findings(folder, text):
    """What is wrong with the includes of a file in `folder`."""
    wrong = []
    for quoted, angled in re.findall(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', text, re.M):
        used = quoted.split("/")[0] if "/" in quoted else ""
        if used in may_use and used != folder and used not in may_use[folder]:
            wrong.append(f"{folder}/ may not use {used}/: {quoted}")
        if folder in silent and system.match(angled):
            wrong.append(f"{folder}/ does no input or output: <{angled}>")
        if folder in silent and foreign.match(angled):
            wrong.append(f"{folder}/ belongs to the loop's library, which links Eigen and toml++ only: <{angled}>")
        if folder in loop and concurrent.match(angled):
            wrong.append(f"{folder}/ reads no clock and knows of no threads: <{angled}>")
    return wrong


def cycle():
    """Folders that use each other in a circle, if any."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in done:
            return None
        path.append(folder)
        for used in sorted(may_use[folder] - {folder}):
            if found := visit(used):
                return found
        done.add(path.pop())
        return None

    return next((found for folder in may_use if (found := visit(folder))), None)


# The check itself, on includes that are wrong.
assert findings("base", '#include "rig/rig.hpp"\n'), "an upward include went unseen"
assert findings("loading", "#include <fstream>\n"), "input and output went unseen"
assert findings("analysis", "#include <nlohmann/json.hpp>\n"), "a foreign library went unseen"
assert findings("rig", "#include <chrono>\n"), "a clock went unseen"
assert not findings("report", '#include "analysis/needs.hpp"\n#include <fstream>\n')

problems = []
if found := cycle():
    problems.append("the folders form a circle: " + " -> ".join(found))
files = sorted(source.rglob("*.[ch]pp"))
for path in files:
    folder = path.relative_to(source).parts[0]
    if folder not in may_use:
        problems.append(f"src/{folder}/ is not in this script's table")
        continue
    text = path.read_text(encoding="utf-8")
    problems += [f"src/{path.relative_to(source)}: {wrong}" for wrong in findings(folder, text)]

for problem in problems:
    print(problem)
print(f"{len(files)} files, {len(problems)} problems")
sys.exit(1 if problems else 0)
