#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The replay of a run that ended in a deadlock is that deadlock, whatever its ranks waited in.

usage: stuck.py EARL STUCK BACK-END...
"""
import os
import subprocess
import sys
import tempfile
import unittest

EARL, STUCK = (os.path.abspath(path) for path in sys.argv[1:3])
BACK_ENDS = sys.argv[3:]
CALLS = ("waitany", "waitsome", "waitall", "ssend", "issend", "send", "isend", "isends", "buffer_detach", "barrier")


def run(*words):
    return subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          check=False)


class Stuck(unittest.TestCase):
    def test_a_replay_waits_where_the_run_waited(self):
        for call in CALLS:
            with self.subTest(call), tempfile.TemporaryDirectory() as folder:
                recording = os.path.join(folder, "r.earl")
                then = run("record", "-o", recording, "-n", "2", STUCK, call)
                self.assertEqual(then.returncode, 86, then.stderr)
                # A hint at the replay follows it.
                report = then.stderr[:then.stderr.index("earl: to replay this run")]
                self.assertIn(f"MPI_{call.capitalize()}".replace("Issend", "Wait").replace("Isends", "Waitall").replace("Isend", "Wait"), report)
                for back_end in BACK_ENDS:
                    now = run("replay", "--on", back_end, recording)
                    self.assertEqual((now.returncode, now.stderr), (86, report), back_end)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
