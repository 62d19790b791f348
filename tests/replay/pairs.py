#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A run recorded on each back end is replayed on each: the same output, and exit code 0.

usage: pairs.py EARL SCHEDULES PROGRAM...     SCHEDULES: recordings of each program on each back end
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

EARL, SCHEDULES, PROGRAMS = os.path.abspath(sys.argv[1]), int(sys.argv[2]), [os.path.abspath(word) for word in sys.argv[3:]]
SCHEDULES = int(os.environ.get("SCHEDULES", SCHEDULES))
RANKS = 4


def run(*words):
    return subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100,
                          check=False)


def back_ends():
    """Those that users choose from and that run here."""
    shown = json.loads(run("info", "--backends", "--json").stdout)
    return [one["name"] for one in shown if one["listed"] and one["can_run"]]


class Pairs(unittest.TestCase):
    def test_every_recording_is_replayed_on_every_back_end(self):
        places = back_ends()
        self.assertGreaterEqual(len(places), 3, places)
        schedules = set()
        with tempfile.TemporaryDirectory() as folder:
            for program in PROGRAMS:
                for there in places:
                    for number in range(SCHEDULES):
                        name = os.path.join(folder, f"{os.path.basename(program)}-{there}-{number}")
                        seed = ["--seed", str(number)] if there == "fibers" else []
                        then = run("record", "-o", name, "--on", there, *seed, "-n", str(RANKS), program)
                        self.assertEqual(then.returncode, 0, then.stderr)
                        schedules.add((program, then.stdout))
                        for here in places:
                            now = run("replay", "--on", here, name)
                            self.assertEqual((now.returncode, sorted(now.stdout.splitlines())),
                                             (0, sorted(then.stdout.splitlines())), (name, here, now.stderr))
        print(f"{len(places)} back ends, {len(schedules)} different runs")
        self.assertGreater(len(schedules), len(PROGRAMS))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
