#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`earl debug`, with commands from a pipe.

usage: debug.py EARL WRONG wrong.c SANITIZERS READING
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from sources import line_in

EARL, WRONG, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
SANITIZED = sys.argv[4] != "none"
READING = os.path.abspath(sys.argv[5])
MESSAGES = 100  # of each sender, of two


def line(comment):
    return line_in(SOURCE, comment)


class Debug(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.run_earl("record", "-o", "r", "-n", "3", WRONG, "race")

    @classmethod
    def run_earl(cls, *words, text=""):
        return subprocess.run([EARL, *words], input=text, text=True, capture_output=True, timeout=200,
                              check=False, cwd=cls.folder.name)

    def debug(self, *commands, code=0):
        """What each command says, after the place at the start."""
        ended = self.run_earl("debug", "r", text="\n".join(commands) + "\n")
        self.assertEqual(ended.returncode, code, ended)
        return ended.stdout.splitlines()

    def test_forward_and_back(self):
        said = self.debug("next", "next 2", "back", "next 99", "back 4")
        self.assertEqual(said[0], "[0 of 4] the start")
        self.assertRegex(said[1], r"^\[1 of 4\] rank [12], event \d+: csend at wrong\.c:\d+ sent")
        self.assertTrue(said[2].startswith("[3 of 4] "), said)
        self.assertTrue(said[3].startswith("[2 of 4] rank 0, event "), said)
        self.assertTrue(said[4].startswith("[4 of 4] "), said)
        self.assertEqual(said[5], "[0 of 4] the start")

    def test_places_and_queues(self):
        said = self.debug("queues", "next", "queues", "step 0", "queues", "where")
        self.assertEqual(said[1], "no message is under way")
        self.assertRegex(said[3], r"^for rank 0: message 0 of rank [12]: csend at wrong\.c:\d+ \(")
        place = f"crecv at wrong.c:{line('racing receive')} (any source, tag 1) got message 0 of"
        self.assertIn(place, said[4])
        self.assertEqual(said[5], "no message is under way")
        self.assertRegex(said[6], r"^rank 0: before event \d+: crecv at wrong\.c:\d+$")
        self.assertEqual(len(said), 9)

    def test_until_goes_to_a_call_of_a_rank(self):
        shown = self.run_earl("show", "--messages", "--rank", "0", "r").stdout
        first, second = re.findall(r"event (\d+): crecv", shown)
        said = self.debug(f"until 0@{second}", "where", f"until 0@{first}", "where")
        self.assertIn(f"rank 0: before event {second}: ", said[2])
        self.assertIn(f"rank 0: before event {first}: ", said[6])

    def test_the_calls_that_led_there(self):
        said = self.debug("step 0", "stack 0")  # whichever message came first: the second receive is next
        self.assertRegex(said[2], rf"crecv at (\S*/)?wrong\.c:{line('racing receive') + 1} in race, called from ")

    @unittest.skipUnless(shutil.which("gdb") and not SANITIZED, "no gdb here")
    def test_gdb_does_a_command_there(self):
        said = self.debug("step 0", "gdb 0 print word", "gdb 0 frame", "back 9", "gdb 0 print word")
        values = [words.split(" = ")[1] for words in said if re.match(r"\$\d+ = ", words)]
        self.assertEqual(len(values), 2, said)
        self.assertIn(values[0], "12")
        self.assertEqual(values[1], "0")
        self.assertTrue(any(re.search(r"race \(\) at .*wrong\.c:", words) for words in said), said)

    @unittest.skipUnless(shutil.which("gdb") and not SANITIZED, "no gdb here")
    def test_gdb_goes_anywhere_by_kept_forks(self):
        """The files that the program reads are where they were, too."""
        with open(os.path.join(self.folder.name, "lines"), "w", encoding="ascii") as file:
            file.writelines(f"{number:7}\n" for number in range(1, 2 * MESSAGES + 1))
        ended = self.run_earl("record", "-o", "reading", "-n", "3", READING, "lines", str(MESSAGES))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        shown = self.run_earl("show", "--messages", "--rank", "0", "reading").stdout
        events = [int(event) for event in re.findall(r"event (\d+): crecv", shown)]
        self.assertEqual(len(events), 2 * MESSAGES)
        places = [2 * MESSAGES - 1, 2 * MESSAGES - 2, 0, *random.Random(5).sample(range(2 * MESSAGES), 14)]
        commands = []
        for place in places:
            commands += [f"until 0@{events[place]}", "gdb 0 print count", "gdb 0 print line"]
        ended = self.run_earl("debug", "reading", text="\n".join(
            [*commands, "gdb 0 python print(len(REPLAY.forks.kept), sorted(REPLAY.forks.kept)[0])"]) + "\n")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended.stdout)
        values = [int(value) for value in re.findall(r"^\$\d+ = (\d+)$", ended.stdout, re.M)]
        self.assertEqual(values, [place for place in places for _ in range(2)])
        self.assertEqual(ended.stdout.splitlines()[-1], "16 0")

    @unittest.skipUnless(shutil.which("gdb") and not SANITIZED, "no gdb here")
    def test_a_command_that_fails_says_why_and_gdb_stays(self):
        said = self.debug("gdb 0 print nothing", "gdb 0 continue", "gdb 0 print word", code=1)
        self.assertEqual(said[1], 'No symbol "nothing" in current context.')
        self.assertEqual(said[-1], "$1 = 0")

    def test_a_deadlock(self):
        self.run_earl("record", "-o", "stuck", "-n", "3", WRONG, "stuck")
        said = self.run_earl("debug", "stuck", text="end\nwhere\n").stdout.splitlines()
        self.assertEqual(said[:2], ["the run ended in a deadlock: `end` goes there", "[0 of 0] the start"])
        self.assertIn("deadlock", said[3])
        for rank, words in enumerate(said[-3:]):
            self.assertRegex(words, rf"^rank {rank}: waits for ever in event \d+: crecv at "
                                    rf"wrong\.c:{line('stuck receive')} \(any source, tag \d+\)$")

    def test_races_and_help(self):
        said = self.debug("# a comment", "", "races", "help", "quit", "next")
        self.assertIn("1 of 2 receives raced", said[1])
        self.assertTrue(said[-1].strip().startswith("quit"), said)

    def test_mistakes(self):
        said = self.debug("nextt", "step 9", "step", "until 3", "until 0@999", "back", "next x",
                          code=1)
        for words, expected in zip(said[1:], [
                "there is no command nextt; did you mean next", "there is no rank 9: name one of 0 to 2",
                "missing rank: name one of 0 to", "RANK@EVENT is needed", "rank 0 has no message from event 999",
                "cannot go back: this is the start of the run", "x: a number of messages is needed"]):
            self.assertIn(expected.split(";")[0], words)
        ended = self.run_earl("debug", "nothing")
        self.assertEqual(ended.returncode, 1, ended)
        self.assertIn("no such recording", ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
