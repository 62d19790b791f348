#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`earl replay --until`, on a run of which all is known.

usage: until.py EARL BACK-END RACING racing.c
"""
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from sources import line_in
from terminal import until_said

EARL, BACK_END, RACING, SOURCE = os.path.abspath(sys.argv[1]), *sys.argv[2:5]


def run(*words):
    return subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=100, check=False)


def line(comment):
    return line_in(SOURCE, comment)


class Recorded(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.recording = os.path.join(self.folder.name, "r.earl")
        ended = run("record", "-o", self.recording, "-n", "3", RACING, "pair")
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def event_of(self, comment):
        """The event of rank 0 at the line that bears the comment."""
        shown = run("show", "--messages", "--rank", "0", self.recording).stdout
        return int(re.search(rf"event (\d+): crecv at racing\.c:{line(comment)} ", shown).group(1))


class Until(Recorded):
    def test_it_ends_where_it_should_and_says_where_that_is(self):
        event = self.event_of("racing receive")
        ended = run("replay", "--on", BACK_END, "--until", f"0@{event}", self.recording)
        self.assertEqual(ended.returncode, 84, ended.stderr)
        self.assertIn(f"rank 0 is at event {event}: crecv at racing.c:{line('racing receive')} in "
                      "pair, called from racing.c:", ended.stderr.replace(SOURCE, "racing.c"))
        self.assertIn(" in main", ended.stderr)

    def test_places_that_are_not_there_are_refused(self):
        for until, code, sentence in [("0@100000", 1, "rank 0 made "), ("9@1", 1, "has no rank 9"),
                                      ("0@0", 2, "RANK@EVENT is needed"), ("0", 2, "RANK@EVENT is needed"),
                                      ("x@1", 2, "RANK@EVENT is needed"), ("-1@1", 2, "RANK@EVENT is needed")]:
            with self.subTest(until):
                ended = run("replay", "--on", BACK_END, f"--until={until}", self.recording)
                self.assertEqual(ended.returncode, code, ended.stderr)
                self.assertIn(sentence, ended.stderr)

    @unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
    @unittest.skipIf(BACK_END == "fibers", "gdb has all ranks from the start there")
    def test_gdb_is_there(self):
        event = self.event_of("racing receive")
        child, terminal = pty.fork()
        if child == 0:
            os.execv(EARL, [EARL, "replay", "--until", f"0@{event}", "--gdb", self.recording])
        said = until_said(terminal, b"(gdb) ")
        os.write(terminal, b"kill\ny\nquit\n")
        said += until_said(terminal, None)
        os.waitpid(child, 0)
        self.assertIn(f"rank 0 is at event {event}", said)
        self.assertRegex(said, rf"pair \(.*racing\.c.*:{line('racing receive')}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
