#!/usr/bin/env python3
"""Groups source files that can be compiled together, for builds from scratch.

usage: unity_groups.py FILE... ; prints "GROUP FILE" a line

Compiling ten files as one reads the headers once instead of ten times. Files go together unless one
of them mentions a name, or includes a header that declares it, which another keeps to itself in an
anonymous namespace: then the name would be defined twice, or no longer mean the same.
"""

import functools
import os
import re
import sys

LARGEST = 12  # files a group: more would leave cores idle at the end
# What takes longest to compile goes together, so that it is compiled once and not in every group.
COSTLY = re.compile(r"PartialPivLU|partialPivLu|EigenSolver|HouseholderQR|\.inverse\(\)|MatrixFunctions"
                    r"|\bexponential\(|MatrixXd")
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "const", "double", "int", "bool", "std",
            "void", "nullptr", "noexcept", "override", "default"}
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(path):
    """Without comments and strings."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return text


def without_strings(text):
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def directly_in(text, namespaces):
    """What stands directly in such namespaces, without the bodies of what is defined there."""
    kept = []
    for match in re.finditer(namespaces, text):
        depth = 1
        for character in text[match.end():]:
            depth += (character == "{") - (character == "}")
            if depth == 0:
                break
            if depth == 1 or (depth == 2 and character == "{"):
                kept.append(character)
        kept.append("\n")
    return "".join(kept)


def without_arguments(text):
    """With () in place of whatever stands in round brackets."""
    while True:
        shorter = re.sub(r"\((?!\))[^()]*\)", "()", text)
        if shorter == text:
            return text
        text = shorter


def names_in(part):
    part = re.sub(r"\busing [\w: ]+;", "", without_arguments(part))
    pairs = re.findall(r"\b(?:struct|class|enum class|enum)\s+(\w+)|\busing\s+(\w+)\s*=", part)
    names = {name for pair in pairs for name in pair if name}
    names |= set(re.findall(r"(?<![\w:])([A-Za-z_]\w*)\s*\(\)", part))
    names |= set(re.findall(r"(?<![\w:])([A-Za-z_]\w*)(?:\[[^\]]*\])*\s*[={;]", part))
    return {name for name in names if len(name) > 1 and name not in KEYWORDS and not name.isupper()}


@functools.cache
def declared_by(header):
    """The names that a header and those it includes declare."""
    text = read(header)
    names = names_in(directly_in(without_strings(text), r"\bnamespace gusset(?:::\w+)* \{"))
    for inner in includes(text, header):
        names = names | declared_by(inner)
    return names


def includes(text, path):
    for name in re.findall(r'^#include "([^"]+)"', text, re.M):
        for folder in (os.path.dirname(path), os.path.join(ROOT, "src"), os.path.join(ROOT, "tests")):
            header = os.path.join(folder, name)
            if os.path.isfile(header):
                yield os.path.normpath(header)
                break


def main():
    private, words, cost, alone = {}, {}, {}, {}
    for path in sys.argv[1:]:
        text = read(path)
        bare = without_strings(text)
        private[path] = names_in(directly_in(bare, r"\bnamespace \{"))
        words[path] = set(re.findall(r"\w+", bare))
        for header in includes(text, path):
            words[path] |= declared_by(header)
        cost[path] = len(set(COSTLY.findall(text)))
        alone[path] = "using namespace" in bare
    groups = []
    for path in sorted(private, key=lambda path: (-cost[path], -len(private[path]), path)):
        fits = (group for group in groups if len(group) < LARGEST and all(
            not private[path] & words[other] and not private[other] & words[path] for other in group))
        group = next(fits, None)
        if group is None or alone[path]:
            groups.append([path])
        else:
            group.append(path)
    for number, group in enumerate(groups):
        for path in group:
            print(f"group{number} {path}")


if __name__ == "__main__":
    main()
