#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All ranks of a job under one gdb, which reads its commands from standard input.

usage: gdb.py EARL PROGRAM (stepped.c). Exit 77: there is no gdb, or it may not look into processes.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

if __name__ == "__main__":
    EARL, PROGRAM = sys.argv[1:]
LIMIT = 100 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds
COUNTED = [f"node {node} counted {30 * node + 3}" for node in range(4)]


def under_gdb(words, *commands):
    """The output of `earl WORDS`, all in one, and its exit code."""
    # No file of the user's configures gdb.
    done = subprocess.run([EARL, *words], input="\n".join(commands) + "\n", text=True, timeout=LIMIT,
                          env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout, done.returncode


class Gdb(unittest.TestCase):
    """A breakpoint is in all ranks; each has its own variables."""

    def fail_unless(self, patterns, printed):
        """They must be there in this order."""
        at = 0
        for pattern in patterns:
            found = re.compile(pattern).search(printed, at)
            if not found:
                self.fail(f"no {pattern!r} behind character {at} of\n{printed}")
            at = found.end()

    def test_a_breakpoint_stops_each_rank(self):
        printed, code = under_gdb(["run", "--on", "fibers", "--gdb", "-n", "4", PROGRAM],
                                  "break tally", *["continue"] * 12, "delete", "continue")
        for rank in range(4):
            for turn in range(3):
                self.fail_unless([rf"tally \(n={10 * rank + turn}\)", f"this is rank {rank}"], printed)
        for line in COUNTED:
            self.assertIn(line, printed)
        self.assertEqual(code, 0, printed)

    def test_a_condition_may_use_the_running_rank(self):
        printed, code = under_gdb(["run", "--on", "fibers", "--gdb", "-n", "4", PROGRAM],
                                  "break tally if $_rank() == 2 && n == 22", "continue", "print counter", "print elsewhere",
                                  "print $_rank()", "bt", "delete", "continue")
        self.fail_unless([r"tally \(n=22\)", "this is rank 2", r"\$1 = 41", r"\$2 = 41", r"\$3 = 2",
                          r"#0 .*tally", r"#1 .*main \(\)"], printed)
        self.assertNotIn("earl::", printed.split("#0", 1)[1].split("(gdb)")[0])
        self.assertEqual(code, 0, printed)

    def test_a_replay_can_be_looked_into(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = str(pathlib.Path(folder) / "t.earl")
            made = subprocess.run([EARL, "record", "-o", trace, "--on", "fibers", "-n", "4", PROGRAM],
                                  capture_output=True, timeout=LIMIT, check=False)
            self.assertEqual(made.returncode, 0, made)
            printed, code = under_gdb(["replay", "--gdb", trace], "break tally if n == 31", "continue",
                                      "delete", "continue")
        self.fail_unless([r"tally \(n=31\)", "this is rank 3"], printed)
        for line in COUNTED:
            self.assertIn(line, printed)
        self.assertEqual(code, 0, printed)

    def test_quit_ends_the_job(self):
        printed, code = under_gdb(["run", "--on", "fibers", "--gdb", "-n", "4", PROGRAM],
                                  "break tally", "continue", "quit")
        self.fail_unless([r"tally \(n=0\)", "this is rank 0"], printed)
        self.assertNotIn("counted", printed)
        self.assertEqual(code, 0, printed)

    def test_other_back_ends_refuse_in_words(self):
        printed, code = under_gdb(["run", "--gdb", "-n", "2", PROGRAM])
        self.assertIn("--gdb: on shm each rank is a process of its own", printed)
        self.assertIn("--on fibers", printed)
        self.assertEqual(code, 2)


def gdb_works():
    if not shutil.which("gdb"):
        return False
    tried = subprocess.run(["gdb", "-q", "-nx", "-batch", "-ex", "run", "/bin/true"], text=True,
                           stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, check=False)
    return "exited normally" in tried.stdout


if __name__ == "__main__":
    if not gdb_works():
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
