#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`--seed` on fibers: odd seeds let a rank be far ahead of another for long, even ones hardly ever.

Rank 1 talks to rank 2 for a while before it sends to rank 0; rank 3 sends to rank 0 at once. In which order rank 0 gets the two
depends on whether rank 3 may run at all in the meantime.

usage: priorities.py EARL ORDERS
"""
import re
import subprocess
import sys
import unittest

EARL, ORDERS = sys.argv[1:3]
ROUNDS = 12
PROGRAMS = ["r-1,9,0;r-1,9,1",
            ";".join(f"s2,1,0,0;r2,1,{i}" for i in range(ROUNDS)) + ";s0,9,0,0",
            ";".join(f"r1,1,{i};s1,1,0,0" for i in range(ROUNDS)),
            "s0,9,0,0"]


def first(seed):
    """The rank whose message rank 0 got first."""
    ended = subprocess.run([EARL, "run", "--on", "fibers", "--seed", str(seed), "-n", "4", ORDERS, *PROGRAMS],
                           capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL)
    return int(re.search(r"^@0 r 0 (\d) 0$", ended.stdout, re.M).group(1))


class Priorities(unittest.TestCase):
    def test_odd_seeds_hold_ranks_up_for_long(self):
        had = {seed: first(seed) for seed in range(1, 61)}
        self.assertEqual({rank for seed, rank in had.items() if seed % 2 == 1}, {1, 3}, had)
        self.assertEqual({rank for seed, rank in had.items() if seed % 2 == 0}, {3}, had)
        self.assertEqual(had, {seed: first(seed) for seed in had})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
