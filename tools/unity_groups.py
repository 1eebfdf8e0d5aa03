#!/usr/bin/env python3
"""Groups source files that can be compiled together, for builds from scratch.

usage: unity_groups.py FILE... ; prints "GROUP FILE" a line

Compiling ten files as one reads the headers once instead of ten times. Files go together unless one
of them mentions a name that another keeps to itself in an anonymous namespace: then the name would be
defined twice, or no longer mean the same.
"""

import re
import sys

LARGEST = 12  # files a group: more would leave cores idle at the end
# What takes longest to compile goes together, so that it is compiled once and not in every group.
COSTLY = re.compile(r"PartialPivLU|partialPivLu|EigenSolver|HouseholderQR|\.inverse\(\)|MatrixFunctions|\bexponential\(|MatrixXd")
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "const", "double", "int", "bool", "std", "void", "nullptr"}


def without_comments(text):
    """Without strings, too."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def anonymous_parts(text):
    """What stands directly in anonymous namespaces, without the bodies of what is defined there."""
    kept = []
    for match in re.finditer(r"\bnamespace \{", text):
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


def private_names(text):
    part = re.sub(r"\busing [\w: ]+;", "", without_arguments(anonymous_parts(text)))
    names = set(re.findall(r"\b(?:struct|class|enum class|enum)\s+(\w+)|\busing\s+(\w+)\s*=", part))
    names = {name for pair in names for name in pair if name}
    names |= set(re.findall(r"(?<![\w:])([A-Za-z_]\w*)\s*\(\)", part))
    names |= set(re.findall(r"(?<![\w:])([A-Za-z_]\w*)(?:\[[^\]]*\])*\s*[={;]", part))
    return {name for name in names if len(name) > 1 and name not in KEYWORDS and not name.isupper()}


def main():
    texts = {path: without_comments(open(path, encoding="utf-8").read()) for path in sys.argv[1:]}
    private = {path: private_names(text) for path, text in texts.items()}
    words = {path: set(re.findall(r"\w+", text)) for path, text in texts.items()}
    groups = []
    cost = {path: len(set(COSTLY.findall(text))) for path, text in texts.items()}
    for path in sorted(texts, key=lambda path: (-cost[path], -len(private[path]), path)):
        fits = (group for group in groups if len(group) < LARGEST and all(
            not private[path] & words[other] and not private[other] & words[path] for other in group))
        group = next(fits, None)
        if group is None or "using namespace" in texts[path]:
            groups.append([path])
        else:
            group.append(path)
    for number, group in enumerate(groups):
        for path in group:
            print(f"group{number} {path}")


if __name__ == "__main__":
    main()
