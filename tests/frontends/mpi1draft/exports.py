#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""libmpi1draft has the 37 routines of the proposal's Appendix A, in C and as two Fortran compilers
write their names, and nothing else.

usage: exports.py libmpi1draft.so
"""
import sys

import exported

ROUTINES = """
    CANCEL CRECV CSEND GRECV GSEND INFOL INFOS INFOT PROBE SRECV SSEND STATS WAIT
    DEFNG FREEG GETID INFOG PARTG POPG PUSHG SYNCG
    GPACK GUNPACK SPACK SUNPACK
    INFOC NEWC POPC PUSHC
    CPU DATE ERROR ETEXT INFOMN MACHINE TIME WALL
"""
OTHERS = {"main"}  # calls MPI_main()


def main():
    routines = ROUTINES.split()
    assert len(routines) == 37
    wanted = OTHERS | {f"MPI_{name}" for name in routines}
    wanted |= {f"mpi_{name.lower()}{end}" for name in routines for end in ("_", "__")}
    bad = list(exported.complaints(sys.argv[1], wanted, "the proposal does not have"))
    exported.report(bad, f"{len(routines)} routines")


if __name__ == "__main__":
    main()
