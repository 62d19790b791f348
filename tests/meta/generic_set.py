# SPDX-License-Identifier: BSD-3-Clause
"""docs/internals/generic-routines.md agrees with the generic set: every row of the thesis's appendix is
there, what it names is declared, and the tests it names exist and, where they are written in the core's
own words, call the row's functions."""
import re

import tree

# How many routines each category of the appendix has.
CATEGORIES = {"I": 11, "II": 9, "III": 12, "IV": 9, "V": 5, "VI": 12}
# Words in backquotes that are no declaration of the core.
ELSEWHERE = {"earl run"}


def rows():
    """(category, routine, implementation, tests) of each row."""
    category = ""
    for line in tree.read("docs/internals/generic-routines.md").splitlines():
        heading = re.match(r"## ([IV]+)\. ", line)
        if heading:
            category = heading.group(1)
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[0].startswith("`Generic_"):
            yield category, cells[0].strip("`"), cells[1], re.findall(r"`([^`]+)`", cells[2])


def declarations():
    return "\n".join(tree.read(path) for path in tree.files(".hpp") if path.parts[0] == "generic")


def is_said(word, text):
    return re.search(rf"\b{re.escape(word)}\b", text)


def untested(routine, words, tests):
    """Functions that no test of the row calls. Tests by programs of a front end or jobs are named there
    in that front end's words."""
    texts = [tree.read(test) for test in tests]
    if all(test.startswith(("tests/generic/", "tests/conformance/")) for test in tests):
        for word in words:
            if word.islower() and not any(is_said(word, text) for text in texts):
                yield f"{routine}: {', '.join(tests)} do not call {word}"


def complaints(found):
    declared = declarations()
    for name, wanted in CATEGORIES.items():
        there = sum(category == name for category, *_ in found)
        if there != wanted:
            yield f"category {name} has {there} rows, the appendix has {wanted}"
    for _, routine, ours, tests in found:
        words = [word for word in re.findall(r"`([^`]+)`", ours) if word not in ELSEWHERE]
        for word in words:
            for part in word.split("::"):
                if not is_said(part, declared):
                    yield f"{routine}: generic/ declares no {word}"
        if not tests and not ours.startswith("none"):
            yield f"{routine}: no test"
        missing = [test for test in tests if not (tree.ROOT / test).exists()]
        yield from (f"{routine}: there is no {test}" for test in missing)
        if tests and not missing:
            yield from untested(routine, words, tests)


def main():
    found = list(rows())
    tree.report(list(complaints(found)), len(found))


if __name__ == "__main__":
    main()
