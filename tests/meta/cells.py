# SPDX-License-Identifier: BSD-3-Clause
"""README's table of front ends and back ends is of this build's tests: usage: cells.py BUILD.

Every cell must be current, with its numbers. Whether the tests passed is the business of
the run that wrote it.
"""
import pathlib
import re
import sys

import tree

sys.path.insert(0, str(tree.ROOT / "tests"))
import matrix  # noqa: E402

REFRESH = "tests/run.sh --matrix --suite conformance --suite programs --suite replay"


def parts(lines):
    """(row, column) -> {the text of the cell, without numbers: its number}."""
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    head = ["", *rows[0]] if rows else []
    for row in rows[2:]:
        for column, cell in list(zip(head, row))[1:]:
            numbers = [re.fullmatch(r"(?:\d+ of )?(\d+) (\w+)", part) for part in cell.split(", ")]
            yield (row[0], column), ({part[2]: int(part[1]) for part in numbers} if all(numbers)
                                     else {cell: 0})


def main(build):
    now = dict(parts(matrix.table(build, matrix.listed(build), lambda _: True)))
    then = dict(parts(matrix.written()))
    complaints = [f"README's table, {place}: {then.get(place, 'nothing')}, the tests have "
                  f"{now.get(place, 'nothing')}"
                  for place in sorted(now.keys() | then.keys())
                  if now.get(place) != then.get(place)]
    if complaints:
        complaints.append(f"it is written by: {REFRESH}")
    tree.report(complaints, len(now))


main(pathlib.Path(sys.argv[1]))
