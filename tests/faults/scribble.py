# SPDX-License-Identifier: BSD-3-Clause
"""A process writes through a wrong pointer into the memory that the job shares. The job goes on, or
it ends soon with one sentence that reports the damage and blames no process."""

import os
import random
import sys
import unittest

from job import JobTest

PROGRAM = os.environ["SCRIBBLE"]
TRIALS = int(os.environ.get("TRIALS", "10"))
SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
DAMAGED = 89
SENTENCE = "earl: the memory of the job is damaged: "
#: An end is said at once or when EXEC next asks the processes whether they can go on.
LIMIT = 30 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds


class Scribbles(JobTest):
    def check_one(self, seed, where):
        ended = self.earl("run", "-n", 4, "--timeout", LIMIT, PROGRAM, seed, where)
        if ended.code == 0:
            self.assertEqual(ended.err, "", ended)
            return False
        self.assertEqual(ended.code, DAMAGED, ended)
        self.assertEqual(ended.err.count("is damaged"), 1, ended)
        self.assertTrue(ended.err.startswith(SENTENCE), ended)
        self.check_nothing_left()
        return True

    def test_all_ends_are_reported(self):
        print(f"seed {SEED}, {TRIALS} trials (SEED={SEED} does the same again)", file=sys.stderr)
        found = 0
        for where in ("page", "words", "bits", "door"):
            chance = random.Random(f"{SEED}/{where}")
            for trial in range(TRIALS):
                seed = chance.randrange(1, 2**31)
                with self.subTest(where=where, seed=SEED, trial=trial):
                    found += self.check_one(seed, where)
        self.assertGreater(found, 0, "no trial has damaged anything")


if __name__ == "__main__":
    unittest.main()
