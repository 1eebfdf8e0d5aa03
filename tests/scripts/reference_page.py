#!/usr/bin/env python3
"""docs/reference.md must be what `gusset reference` prints, docs/verbs.md what `gusset reference --verbs` prints.

usage: reference_page.py GUSSET SOURCE_DIR BUILD_DIR
"""

import difflib
import pathlib
import subprocess
import sys

PAGES = {"reference.md": [], "verbs.md": ["--verbs"]}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    different = 0
    for name, options in PAGES.items():
        command = ["reference", *options]
        printed = subprocess.run([sys.argv[1], *command], capture_output=True, text=True, check=True).stdout
        path = pathlib.Path(sys.argv[2]) / "docs" / name
        written = path.read_text(encoding="utf-8") if path.is_file() else ""
        if printed == written:
            print(f"{name}: {len(printed.splitlines())} lines agree")
            continue
        different += 1
        sys.stdout.writelines(difflib.unified_diff(written.splitlines(True), printed.splitlines(True),
                                                   str(path), "gusset " + " ".join(command)))
        print(f"\nfix: gusset {' '.join(command)} > docs/{name}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
