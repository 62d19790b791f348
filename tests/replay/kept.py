#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Recordings of which only the latest part is kept: `earl record --keep`.

usage: kept.py EARL BACK-END LATE
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

EARL, BACK_END, LATE = sys.argv[1:4]
EARL, LATE = os.path.abspath(EARL), os.path.abspath(LATE)
KEEP = 256 << 10
PIECES = "150000"
KILLED = 128 + signal.SIGKILL


class Kept(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="earl-kept-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.trace = os.path.join(self.folder, "t.earl")

    def earl(self, *words, code=0):
        done = subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def record(self, *words, code=0, options=("--keep", "256K")):
        return self.earl("record", "--force", "-o", self.trace, *options, "--on", BACK_END, "-n", "4", LATE, *words,
                         code=code)

    def first_kept(self):
        """Of rank 0: its first call that is kept; 1: all are."""
        shown = self.earl("show", self.trace, code=None).stdout
        found = re.search(r"rank 0: [\d,]+ calls \(kept from call (\d+)\)", shown)
        return int(found.group(1)) if found else 1

    def check_replays(self, then, code=0):
        self.assertGreater(self.first_kept(), 1)
        for back_end in ("shm", "fibers"):
            again = self.earl("replay", "--on", back_end, self.trace, code=code)
            self.assertEqual(again.stdout, then.stdout)
            self.assertIn("earl: the beginning of the record is not kept, of rank ", again.stderr)

    def test_the_end_of_the_run_is_had_again(self):
        then = self.record(PIECES)
        self.check_replays(then)
        for name in os.listdir(self.trace):
            on_disk = os.stat(os.path.join(self.trace, name)).st_blocks * 512
            self.assertLessEqual(on_disk, KEEP, name)
        listed = self.earl("ls", "--json", self.folder).stdout
        self.assertLessEqual(json.loads(listed)[0]["bytes"], 4 * KEEP)

    def test_so_is_that_of_one_that_was_killed(self):
        then = self.record(PIECES, "kill", code=KILLED)
        self.check_replays(then, code=KILLED)

    def test_polls_do_not_matter(self):
        self.check_replays(self.record(PIECES, "poll"))

    def test_another_path_and_one_process_alone_need_all_of_it(self):
        self.record(PIECES)
        for words in (["--path", "0@1=1#0"], ["--alone", "0"]):
            refused = self.earl("replay", *words, self.trace, code=1)
            self.assertIn("is a recording of which --keep has kept a part", refused.stderr)
        full = os.path.join(self.folder, "full.earl")
        again = self.earl("replay", "--tool", f"record={full}", self.trace)
        self.assertEqual(self.earl("replay", full).stdout, again.stdout)

    def test_a_short_run_is_kept_whole(self):
        then = self.record("100")
        self.assertEqual(self.first_kept(), 1)
        again = self.earl("replay", self.trace)
        self.assertEqual((again.stdout, again.stderr), (then.stdout, ""))

    @unittest.skipIf(BACK_END == "fibers", "the file is the same")
    def test_a_flipped_byte_is_not_taken_for_the_run(self):
        then = self.record(PIECES)
        path = os.path.join(self.trace, "r00000.ert")
        with open(path, "rb") as file:
            whole = file.read()
        used = [at for at in range(0, len(whole), 4096) if any(whole[at:at + 4096])]
        chosen = random.Random(7)
        for at in [56, 57] + [chosen.choice(used) + chosen.randrange(4096) for _ in range(4)]:
            with self.subTest(at):
                with open(path, "r+b") as file:
                    file.seek(at)
                    file.write(bytes([whole[at] ^ 0x10 if at < len(whole) else 0]))
                again = self.earl("replay", self.trace, code=None)
                self.assertIn(again.returncode, (0, 85, 87), again.stderr)
                if again.returncode == 0:
                    self.assertEqual(again.stdout, then.stdout)
                else:
                    self.assertRegex(again.stderr, "damaged|diverged|is cut")
                with open(path, "r+b") as file:
                    file.write(whole)

    def test_sizes_that_make_no_sense_are_refused(self):
        for size in ("255K", "x", "-1", "1T"):
            refused = self.record("1", options=("--keep=" + size,), code=2)
            self.assertIn("a number of bytes from 256K is needed", refused.stderr)
        refused = self.record("1", options=("--keep", "1M", "--minimal"), code=2)
        self.assertIn("--keep 1M: cannot be combined with --minimal", refused.stderr)
        self.assertFalse(os.path.exists(self.trace))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
