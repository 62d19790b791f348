"""generic/README.md tells the truth about the generic set: every row of the thesis's appendix is
there, what it names is declared, and the test it names exists or is told to be missing."""
import re

import tree

# How many routines each category of the appendix has.
CATEGORIES = {"I": 11, "II": 9, "III": 12, "IV": 9, "V": 5, "VI": 12}
# What is said in backquotes and is no declaration of the core.
ELSEWHERE = {"earl run"}


def rows():
    """(category, routine, what does it, test) of each row."""
    category = ""
    for line in tree.read("generic/README.md").splitlines():
        heading = re.match(r"\*\*([IV]+)\. ", line)
        if heading:
            category = heading.group(1)
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[0].startswith("`Generic_"):
            yield category, cells[0].strip("`"), cells[1], cells[2].strip("`")


def declarations():
    return "\n".join(tree.read(path) for path in tree.files(".hpp") if path.parts[0] == "generic")


def complaints(found):
    declared = declarations()
    for name, wanted in CATEGORIES.items():
        there = sum(category == name for category, *_ in found)
        if there != wanted:
            yield f"category {name} has {there} rows, the appendix has {wanted}"
    for _, routine, ours, test in found:
        words = [word for word in re.findall(r"`([^`]+)`", ours) if word not in ELSEWHERE]
        for word in words:
            for part in word.split("::"):
                if not re.search(rf"\b{re.escape(part)}\b", declared):
                    yield f"{routine}: generic/ declares no {word}"
        if test == "none" and not ours.startswith("none"):
            yield f"{routine}: no test"
        if not test.startswith("none") and not (tree.ROOT / test).exists():
            yield f"{routine}: there is no {test}"


def main():
    found = list(rows())
    tree.report(list(complaints(found)), len(found))


if __name__ == "__main__":
    main()
