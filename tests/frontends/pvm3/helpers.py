#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The output of helpers.c about the helpers of PVM's libraries is the same on Earl's and, where they
are installed, on the native ones.

usage: helpers.py helpers
"""
import os
import re
import subprocess
import sys

NATIVE = "/usr/lib/x86_64-linux-gnu"
PRINTED = """\
get 81 8182 81820304
 fe 02 03 04 05 06 07
xtoi 255 31 0 0 -1
crc 2dfd2d88 a8a79ac6
1110101010 match
-24 -36 0 errnamecode
debug_flags '' 'pkt,tsk,mbx' 'pkt,msg,tsk,slv,hst,sel,net,mpp,sch,app,wai,mem,sem,lck,rtg,mbx'
WID: Wait Identifier Number
2 7f000001 18 7f000001:0012 127.0.0.1:18
0 A=1 B=2 C=3
0 A=9 B=2 C=3
-1 A=9 B=2 C=3
0 A=9 B=2 C=3 =x
0 A= B=2 C=3 =x
0 A= B=2 C=3 =x AB=5
 A=1 B=2
x
ab
0 1 2 -5 -5 -1 1 -3 3 -5 -6 3 -1
-2 1 1 2 4 4 8 8 16 8 -2 0 -2 1 1 42
/h /usr/lib/pvm3 /usr/bin/pvmd /tmp/pvmd. .seven 408c41
2 4080 1 -1 -1
"""
LOGGED = """\
libpvm [pid]: text
libpvm [pid] text: No such file or directory
libpvm [pid] 3 x
4
libpvm [pid]: pad 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66
libpvm [pid]: pad 67 68
libpvm [pid] pad 0,5
"""


def said(program, folder=None):
    """The directory of the library, the output, the log; the task has no name of its own yet."""
    environment = dict(os.environ)
    if folder:
        environment["LD_LIBRARY_PATH"] = folder
    done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=20)
    where, _, printed = done.stdout.partition("\n")
    return where, printed, re.sub(r"pid-?\d+", "pid", done.stderr), done.returncode


def complaints(title, library, printed, logged, code):
    for ours, wanted in ((printed, PRINTED), (logged, LOGGED)):
        for n, (line, other) in enumerate(zip(ours.splitlines(), wanted.splitlines()), 1):
            if line != other:
                yield f"{title}, line {n}: {line!r}, not {other!r}"
        if len(ours.splitlines()) != len(wanted.splitlines()):
            yield f"{title}: {len(ours.splitlines())} lines, not {len(wanted.splitlines())}"
    if code != 0:
        yield f"{title}: exit status {code}"
    if library.startswith(NATIVE) != (title == "natively"):
        yield f"{title}: the library is {library}"


def main():
    program = os.path.abspath(sys.argv[1])
    bad = list(complaints("on Earl", *said(program)))
    if os.path.exists(NATIVE + "/libgpvm3.so.3"):
        bad += complaints("natively", *said(program, NATIVE))
    print("\n".join(bad) or "as natively")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
