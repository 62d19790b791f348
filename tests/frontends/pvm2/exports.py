#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""libpvm exports every routine of PVM 2.4, in C and in Fortran, and nothing else.

usage: exports.py libpvm.so
"""
import sys

import exported

ITEMS = "bytes string nshort nint nlong nfloat ndfloat ncplx ndcplx".split()
SHARED = """
    enroll leave whoami initiate initiatem terminate status pstatus initsend snd vsnd rcv vrcv
    rcvmulti vrcvmulti probe probemulti rcvinfo barrier ready waituntil
""".split() + [way + item for way in ("put", "get") for item in ITEMS]
# `shutdown` was never one, and belongs to the sockets.
ROUTINES = {*SHARED, "initiateM"} | {f"f{name}_" for name in SHARED}


def main():
    bad = list(exported.complaints(sys.argv[1], ROUTINES, "PVM 2.4 does not have"))
    exported.report(bad, f"{len(ROUTINES)} routines")


if __name__ == "__main__":
    main()
