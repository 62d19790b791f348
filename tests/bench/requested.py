#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A receive and a send with requests of MPI, 64 of each at a time, cost the instructions that they did: requested.py BUILD

The limit is a quarter above what was counted: another compiler may do worse, lost care does much worse.
MPICH's own library is counted beside it where the program could be linked with it.
"""
import pathlib
import shutil
import sys

import costs

PAIRS = 64 * 100
MOST = 1540


def main():
    if not shutil.which("valgrind"):
        print(costs.NO_VALGRIND)
        return 77
    here = pathlib.Path(sys.argv[1]) / "tests" / "bench"
    pair = costs.instructions(str(here / "requests_mpi"), PAIRS)
    print(f"{pair:.0f} instructions for a receive, a send and their share of the wait, at most {MOST}")
    if (peer := here / "mpich_requests").exists():
        print(f"{costs.instructions(str(peer), PAIRS):.0f} of MPICH's")
    return not 0 < pair <= MOST


sys.exit(main())
