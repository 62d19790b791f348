#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""libbip has the 30 functions and the two variables of the manual for BIP 0.92, and nothing else.

usage: exports.py libbip.so
"""
import sys

import exported

TAGGED = """
    init taginit tisend swait stest tsend tirecv rwait rwaitx rtest rtestx trecv trecvx tnrecv tnrecvx
    tprobe tgetmsg tngetmsg tfreemsg
"""
UNTAGGED = "isend irecv nrecv nrecvx getmsg ngetmsg freemsg probe recv recvx send"
VARIABLES = {"bip_mynode", "bip_numnodes"}


def main():
    functions = {f"bip_{name}" for name in (TAGGED + UNTAGGED).split()}
    assert len(functions) == 30
    there = exported.symbols(sys.argv[1])
    bad = list(exported.complaints(sys.argv[1], functions | VARIABLES, "the manual does not have"))
    bad += [f"{name} is no int" for name in sorted(VARIABLES & there.keys())
            if there[name][0] != 4 or there[name][1] not in "BD"]
    exported.report(bad, f"{len(functions)} functions, {len(VARIABLES)} variables")


if __name__ == "__main__":
    main()
