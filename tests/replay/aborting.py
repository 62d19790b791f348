#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where several ranks fail at once, a replay names the one that the recorded run named.

usage: aborting.py EARL ABORTING BACK-END...
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

EARL, ABORTING = (os.path.abspath(path) for path in sys.argv[1:3])
BACK_ENDS = sys.argv[3:]


def run(*words):
    """The exit code, and which rank failed how."""
    ended = subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    return ended.returncode, re.findall(r"^earl: rank (\d+) \(.*\) ended with code (\d+)", ended.stderr, re.M), ended.stderr


class Aborting(unittest.TestCase):
    def test_a_replay_fails_as_the_run_did(self):
        for back_end in BACK_ENDS:
            for words in [], ["send"]:
                for attempt in range(4):
                    with self.subTest((back_end, words, attempt)), tempfile.TemporaryDirectory() as folder:
                        recording = os.path.join(folder, "r.earl")
                        *then, report = run("record", "--on", back_end, "-o", recording, "-n", "4", ABORTING, *words)
                        self.assertEqual(len(then[1]), 1, report)
                        for other in BACK_ENDS:
                            *now, report = run("replay", "--on", other, recording)
                            self.assertEqual(now, then, report)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
