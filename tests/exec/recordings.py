# SPDX-License-Identifier: BSD-3-Clause
"""`earl record` without -o, `earl replay` and `earl show` without a name, and `earl ls`."""

import os
import shutil
import unittest

from job import ACTOR, JobTest, environment

SPAWNER = environment("SPAWNER")


class Recordings(JobTest):
    def setUp(self):
        super().setUp()
        self.here = os.path.join(self.folder, "here")
        os.makedirs(self.here)
        self.addCleanup(shutil.rmtree, self.here)

    def do(self, *words):
        return self.earl(*words, cwd=self.here)

    def test_a_recording_without_a_name_is_found_again(self):
        for number in (1, 2):
            self.expect(self.do("record", "-n", "2", ACTOR, "who"), 0)
            name = os.path.basename(ACTOR)
            self.assertEqual(os.readlink(os.path.join(self.here, "earl-recordings/latest")), f"{name}-{number}")
        replayed = self.do("replay")
        self.expect(replayed, 0)
        self.assertEqual(sorted(replayed.out.splitlines()), ["0 of 2", "1 of 2"])
        self.expect(self.do("show"), 0)

    def test_they_are_listed_newest_first(self):
        self.expect(self.do("record", ACTOR, "who"), 0)
        self.expect(self.do("record", "-o", "mine", ACTOR, "exit", "3"), 3)
        old = os.path.join(self.here, "earl-recordings", os.path.basename(ACTOR) + "-1", "meta.json")
        os.utime(old, (1, 1))
        with open(os.path.join(self.here, "earl-recordings/latest/end.json"), "w", encoding="ascii") as end:
            end.write("{")
        listed = self.do("ls")
        self.expect(listed, 0)
        first, second = listed.out.splitlines()
        self.assertRegex(first, r"\bmine +exit 3 +shm +.*actor exit 3$")
        self.assertRegex(second, r"^1970-01-01 .*earl-recordings/actor-1 +no end +shm +.*actor who$")

    def test_spawned_processes_are_counted_and_shown(self):
        self.expect(self.do("record", "-o", "farm", SPAWNER, "spawner", 3), 0)
        shown = self.do("show", "farm")
        self.expect(shown, 0)
        self.assertIn("farm: 1 process and 3 spawned recorded on shm", shown.out)
        for rank in range(4):
            self.assertRegex(shown.out, rf"\n  rank {rank}: .*, complete\n")

    def test_a_missing_recording_is_reported(self):
        self.expect(self.do("replay"), 2, "earl: no recording is named, as in `earl replay DIR`, and "
                                          "earl-recordings/latest does not lead to one; see `earl ls`")
        self.expect(self.do("ls"), 0)
        self.assertEqual(self.do("ls").out, "no recordings in .\n")
        self.expect(self.do("ls", "nowhere"), 1, "nowhere is no directory")

    def test_a_job_that_does_not_begin_leaves_the_latest_recording(self):
        """A program that is missing, and a debugger that refuses its argument late."""
        for words, code in (("./nope",), 127), (("--tool", "events", ACTOR, "who"), 2):
            self.expect(self.do("record", *words), code)
            self.assertFalse(os.path.lexists(os.path.join(self.here, "earl-recordings/latest")), words)
        self.expect(self.do("record", ACTOR, "say", "first"), 0)
        self.expect(self.do("record", "./nope"), 127)
        replayed = self.do("replay")
        self.expect(replayed, 0)
        self.assertEqual(replayed.out, "first\n")

    def test_a_dry_run_notes_nothing(self):
        self.expect(self.do("record", "--dry-run", ACTOR, "who"), 0)
        self.assertEqual(os.listdir(self.here), [])


if __name__ == "__main__":
    unittest.main()
