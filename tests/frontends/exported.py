# SPDX-License-Identifier: BSD-3-Clause
"""A library's exports, compared with its manual."""
import pathlib
import subprocess
import sys


def symbols(library):
    """Name -> (size, letter of nm) of the library's dynamic symbols."""
    lines = subprocess.run(["nm", "-D", "-S", "--defined-only", library], check=True, text=True,
                           capture_output=True).stdout.splitlines()
    # Sanitizers leave local symbols in the table, which no program can be linked with.
    rows = [row for row in map(str.split, lines) if row[-2] not in "bdrt"]
    return {row[-1]: (int(row[1], 16) if len(row) == 4 else 0, row[-2]) for row in rows}


def complaints(library, wanted, who_has_not):
    """A sentence for each name that `library` lacks, and for each more than `wanted`, which
    `who_has_not`: "the manual does not have"."""
    there = symbols(library).keys()
    name = pathlib.Path(library).name
    yield from (f"{name} lacks {one}" for one in sorted(wanted - there))
    yield from (f"{name} exports {one}, which {who_has_not}" for one in sorted(there - wanted))


def report(bad, good):
    """Ends the test: with the faults, or with one sentence that confirms the result."""
    print("\n".join(bad) or good)
    sys.exit(1 if bad else 0)
