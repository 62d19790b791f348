# SPDX-License-Identifier: BSD-3-Clause
"""docs/versions.md has the version of each agreement as the source defines it, and no source has another one."""
import pathlib
import re

import tree

PAGE = pathlib.Path("docs/versions.md")
ROW = re.compile(r"^\| [^|]+ \| [^|]+ \| (\d+) \| `([^`]+)` \| `(\w+)` \|", re.MULTILINE)
DEFINED = re.compile(r"\b((?:\w+_)?version|format_major|format_minor|EARL_(?:JOB_)?TOOL_VERSION)\b(?: = | )(\d+)\b")
SOURCES = ("backends", "debug", "exec", "generic")


def defined():
    """(file, name) -> number: constants only, no members that begin as 0."""
    for path in tree.files(".hpp", ".h"):
        if path.parts[0] not in SOURCES:
            continue
        for name, number in DEFINED.findall(tree.read(path)):
            if number != "0" or name == "format_minor":
                yield (str(path), name), number


def main():
    rows = {(file, name): number for number, file, name in ROW.findall(tree.read(PAGE))}
    assert len(rows) > 8, "the table of docs/versions.md has not been found"
    found = dict(defined())
    complaints = [f"{PAGE}: {name} of {file} is {found.get((file, name), 'not there')}, not {number}"
                  for (file, name), number in rows.items() if found.get((file, name)) != number]
    complaints += [f"{file}: {name} = {number} has no row in {PAGE}"
                   for (file, name), number in found.items() if (file, name) not in rows]
    tree.report(complaints, len(found))


main()
