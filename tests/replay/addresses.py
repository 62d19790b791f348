#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Record and replay start processes at the same addresses, a plain run does not; where the system refuses
that, they go on, and the recording says so.

usage: addresses.py EARL PROGRAM (addresses.c) REFUSING (no_personality.c)
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

if __name__ == "__main__":
    EARL, PROGRAM, REFUSING = map(os.path.abspath, sys.argv[1:])
LIMIT = 60 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds


def printed(*command, folder=None):
    """Sorted lines, and standard error."""
    done = subprocess.run([str(word) for word in command], text=True, timeout=LIMIT, check=False, cwd=folder,
                          stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return sorted(done.stdout.splitlines()), done.stderr


class Addresses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="addresses-")
        self.addCleanup(folder.cleanup)
        self.recording = pathlib.Path(folder.name) / "r.earl"

    def recorded(self, *before, program=None, folder=None):
        lines, _ = printed(*before, EARL, "record", "-o", self.recording, "-n", "2", program or PROGRAM, folder=folder)
        meta = json.loads((self.recording / "meta.json").read_text(encoding="utf-8"))
        return lines, meta["fixed_addresses"]

    def test_a_replay_has_the_addresses_of_the_record(self):
        lines, fixed = self.recorded()
        if not fixed:
            self.skipTest("this system does not allow it")
        self.assertEqual(len(lines), 2)
        for _ in range(2):
            self.assertEqual(printed(EARL, "replay", self.recording)[0], lines)

    def test_a_program_of_this_folder(self):
        program = pathlib.Path(PROGRAM)
        lines, fixed = self.recorded(program=f"./{program.name}", folder=program.parent)
        if not fixed:
            self.skipTest("this system does not allow it")
        self.assertEqual(printed(EARL, "replay", self.recording)[0], lines)

    def test_a_run_is_left_alone(self):
        if pathlib.Path("/proc/sys/kernel/randomize_va_space").read_text(encoding="ascii").strip() == "0":
            self.skipTest("nothing is moved at random here")
        runs = {tuple(printed(EARL, "run", "-n", "2", PROGRAM)[0]) for _ in range(3)}
        self.assertGreater(len(runs), 1)

    def test_where_it_is_refused(self):
        if subprocess.run([REFUSING, "true"], timeout=LIMIT, check=False).returncode == 77:
            self.skipTest("no filters here")
        _, fixed = self.recorded(REFUSING)
        self.assertFalse(fixed)
        self.assertNotIn("personality", printed(EARL, "replay", self.recording)[1])

    def test_a_replay_reports_that_it_is_refused(self):
        if subprocess.run([REFUSING, "true"], timeout=LIMIT, check=False).returncode == 77:
            self.skipTest("no filters here")
        _, fixed = self.recorded()
        if not fixed:
            self.skipTest("this system does not allow it")
        self.assertIn("personality() is refused", printed(REFUSING, EARL, "replay", self.recording)[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
