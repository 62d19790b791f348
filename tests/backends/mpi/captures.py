#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes C functions of all names that the MPI below a module exports: calls of them are counted.

  captures.py MODULE OUTPUT
"""
import re
import subprocess
import sys


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def opened_by(module):
    """The path of a library that the module names as a text."""
    with open(module, "rb") as file:
        return re.search(rb"/[^\0]*/libmpi(ch)?\.so\.\d+", file.read()).group().decode()


def names_of(module):
    """Functions, by the names a front end for MPI would export, too."""
    found = (re.match(r"\s*libmpi(ch)?\.so\S* => (\S+)", line) for line in lines_of("ldd", module))
    library = next((one.group(2) for one in found if one), None) or opened_by(module)
    rows = (line.split() for line in lines_of("nm", "-D", "--defined-only", library))
    return sorted({row[2].split("@")[0] for row in rows
                   if row[1] in "TW" and re.match("P?MPIX?_", row[2])})


def main(module, output):
    names = names_of(module)
    assert "PMPI_Send" in names and "MPI_Send" in names, "this is no MPI"
    with open(output, "w", encoding="utf-8") as text:
        text.write("extern int earl_captured;\n")
        for name in names:
            text.write(f"int {name}(void);\nint {name}(void) {{ return ++earl_captured, -1; }}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
