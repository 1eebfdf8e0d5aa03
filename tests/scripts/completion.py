#!/usr/bin/env python3
"""Shell completion: the scripts are valid in their shells and offer every verb and option.

usage: completion.py GUSSET SOURCE_DIR BUILD_DIR
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

gusset = pathlib.Path(sys.argv[1]).resolve()
environment = dict(os.environ, PATH=f"{gusset.parent}{os.pathsep}{os.environ['PATH']}")
problems = []


def script(shell):
    return subprocess.run([gusset, "completion", shell], capture_output=True, text=True, check=True).stdout


def bash(*words):
    """What bash offers for the last of the words."""
    text = script("bash") + f"""
COMP_WORDS=({' '.join(f"'{w}'" for w in words)}); COMP_CWORD={len(words) - 1}
_gusset; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(["bash", "-c", text], capture_output=True, text=True, env=environment, cwd=folder)
    if run.stderr:
        problems.append(run.stderr)
    return run.stdout.split()


def demand(found, wanted, what):
    if not set(wanted) <= set(found):
        problems.append(f"{what}: {sorted(set(wanted) - set(found))} missing in {found}")


help_text = subprocess.run([gusset, "--help"], capture_output=True, text=True, check=True).stdout
verbs = re.findall(r"^    (\S+)$", help_text[help_text.index("\nVERBS"):help_text.index("\nOPTIONS")], re.M)
demand(verbs, ["simulate", "completion"], "verbs of --help")
demand(bash("gusset", ""), verbs, "verbs")
demand(bash("gusset", "si"), ["simulate"], "si")
demand(bash("gusset", "map", "wu-pure-inertia", "--"), ["--x", "--y", "--svg", "--json"], "options of map")
demand(bash("gusset", "analyze", "wu-p"), ["wu-pure-inertia"], "shipped experiments")
demand(bash("gusset", "completion", ""), ["bash", "zsh", "fish"], "shells")
if bash("gusset", "analyze", "quickstart", "--set", "x"):
    problems.append("a value that only the user knows is offered")
for shell, check in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "-n"])):
    text = script(shell)
    for verb in verbs:
        if verb not in text:
            problems.append(f"{shell}: no {verb}")
    with tempfile.NamedTemporaryFile("w", suffix="." + shell) as file:
        file.write(text)
        file.flush()
        if shutil.which(check[0]):
            run = subprocess.run([*check, file.name], capture_output=True, text=True)
            if run.returncode:
                problems.append(f"{shell}: {run.stderr}")
        else:
            print(f"{shell} is not installed: its script was not parsed")
print("\n".join(problems) or f"{len(verbs)} verbs complete")
sys.exit(1 if problems else 0)
