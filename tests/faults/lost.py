# SPDX-License-Identifier: BSD-3-Clause
"""Senders of long messages die at random instants: their receiver, which accepts any source, never
fails and never sees half a message."""

import os
import random
import shutil
import sys
import unittest

from job import JobTest

PROGRAM = os.environ["LOST_FARM"]
TRIALS = int(os.environ.get("TRIALS", "4"))
SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
BACK_ENDS = os.environ.get("BACK_ENDS", "shm").split()
WORKERS = 3
KILLS = 25


class LostMessages(JobTest):
    def check_farm(self, *words):
        chance = random.Random(f"{SEED}/{words}")
        for trial in range(TRIALS):
            seed = chance.randrange(1, 2**31)
            with self.subTest(trial=trial, seed=SEED, words=words):
                self.check_one(seed, *words)

    def check_one(self, seed, *words):
        ended = self.earl(*words, PROGRAM, WORKERS, KILLS, seed)
        self.expect(ended, 0)
        self.assertIn(f" messages, {KILLS} deaths\n", ended.out, ended)
        self.assertNotIn("libpvm", ended.err, ended)

    def test_the_master_lives_on(self):
        print(f"seed {SEED}, {TRIALS} trials (SEED={SEED} does the same again)", file=sys.stderr)
        for back_end in BACK_ENDS:
            self.check_farm("run", "--on", back_end)

    def test_also_while_it_is_recorded(self):
        trace = os.path.join(self.folder, "t.earl")
        self.check_one(SEED, "record", "-o", trace)
        shown = self.earl("show", trace)
        shutil.rmtree(trace)
        self.assertIn("rank 0", shown.out, shown)


if __name__ == "__main__":
    unittest.main(verbosity=2)
