#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""libmpi_abi has each function of the standard's header by two names, and no other; those that mpi.h declares are weak
names of strong ones.

usage: exports.py LIBRARY
"""
import pathlib
import re
import sys

import exported

HERE = pathlib.Path(__file__).parent
HEADERS = HERE.parents[2] / "frontends/mpi_abi/include"
DECLARED = re.compile(r"^\w+ (MPI_\w+)\(", re.M)
REMOVED = re.compile(r"^#ifndef MPI_ABI_VERSION\n.*?^#endif\n", re.M | re.S)


def standard():
    lines = (HERE / "functions.txt").read_text(encoding="utf-8").splitlines()
    return {f"MPI_{name}" for line in lines if not line.startswith("#") for name in line.split()}


def declared():
    return {name for header in HEADERS.glob("mpi*.h")
            for name in DECLARED.findall(REMOVED.sub("", header.read_text(encoding="utf-8")))}


def unlike(library, names):
    letters = {name: letter for name, (_, letter) in exported.symbols(library).items()}
    for name in sorted(names):
        if (letters.get(name), letters.get("P" + name)) != ("W", "T"):
            yield f"{name} is {letters.get(name)}, P{name} is {letters.get('P' + name)}: not W and T"


def main():
    library, wanted = sys.argv[1], standard()
    bad = [f"mpi.h declares {name}, which the standard's has not" for name in sorted(declared() - wanted)]
    bad += exported.complaints(library, wanted | {"P" + name for name in wanted}, "the standard's header has not")
    bad += unlike(library, declared())
    exported.report(bad, f"{len(wanted)} functions, {len(declared())} of mpi.h")


if __name__ == "__main__":
    main()
