#!/usr/bin/env python3
"""docs/reference.md must be what `gusset reference` prints.

usage: reference_page.py GUSSET SOURCE_DIR BUILD_DIR
"""

import difflib
import pathlib
import subprocess
import sys


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    printed = subprocess.run([sys.argv[1], "reference"], capture_output=True, text=True, check=True).stdout
    path = pathlib.Path(sys.argv[2]) / "docs" / "reference.md"
    written = path.read_text(encoding="utf-8") if path.is_file() else ""
    if printed == written:
        print(f"{len(printed.splitlines())} lines agree")
        return 0
    sys.stdout.writelines(difflib.unified_diff(written.splitlines(True), printed.splitlines(True),
                                               str(path), "gusset reference"))
    print("\nfix: gusset reference > docs/reference.md")
    return 1


if __name__ == "__main__":
    sys.exit(main())
