#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What recording and replaying add to a send and its wildcard receive, in instructions, stays near what it is: recorded.py BUILD

The limits are a third above what was counted: another compiler may do worse, lost care does much worse.
"""
import pathlib
import shutil
import sys

import costs

PAIRS = 20_000
MOST_ADDED = {"empty": 240, "recorded": 460, "replayed": 1640}


def main():
    if not shutil.which("valgrind"):
        print(costs.NO_VALGRIND)
        return 77
    build = pathlib.Path(sys.argv[1])
    plain = costs.pair_instructions(build, "nx", "plain", PAIRS)
    failed = False
    for kind, most in MOST_ADDED.items():
        added = costs.pair_instructions(build, "nx", kind, PAIRS) - plain
        print(f"{kind}: {added:.0f} more than the {plain:.0f} of a plain pair, at most {most}")
        failed = failed or not 0 < added <= most
    return failed


sys.exit(main())
