#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`earl replay --alone`: one process without the others.

usage: alone.py EARL WRONG wrong.c SANITIZERS
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from sources import line_in

EARL, WRONG, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
SANITIZED = sys.argv[4] != "none"


def line(comment):
    return line_in(SOURCE, comment)


class Alone(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_earl(self, *words, text="", mark="mark"):
        return subprocess.run([EARL, *words], input=text, text=True, capture_output=True, timeout=100,
                              check=False, cwd=self.folder.name, env={**os.environ, "MARK": mark})

    def record(self, case, code=0):
        ended = self.run_earl("record", "-o", "r", "-n", "3", WRONG, case, text="5\n")
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended.stdout

    def alone(self, rank, *options):
        return self.run_earl("replay", "--alone", str(rank), *options, "r", text="6\n", mark="other")

    def test_each_process_does_alone_what_it_did(self):
        recorded = self.record("much")
        self.assertEqual(len(re.findall("^mark ", recorded, re.M)), 3)
        for rank in range(3):
            ended = self.alone(rank)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended)
            own = re.search(rf"^mark {rank}: .*\n", recorded, re.M).group(0)
            self.assertEqual(ended.stdout, "hello\n" + own)

    def test_the_recording_stays_one(self):
        self.record("race")
        self.assertEqual(self.alone(0).returncode, 0)
        self.assertEqual(self.run_earl("replay", "r").returncode, 0)
        made = os.stat(os.path.join(self.folder.name, "r", "c00000.packets")).st_mtime_ns
        self.assertEqual(self.alone(1).returncode, 0)
        again = os.stat(os.path.join(self.folder.name, "r", "c00000.packets")).st_mtime_ns
        self.assertEqual(made, again)
        ended = self.run_earl("record", "--force", "-o", "r", "-n", "3", WRONG, "right")
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_a_process_that_waits_at_the_end_says_so(self):
        self.record("stuck", code=86)
        ended = self.alone(1)
        self.assertEqual(ended.returncode, 86, ended)
        self.assertIn("rank 1 waits for a message that the recording does not contain", ended.stderr)

    def test_another_environment_is_a_divergence_only_where_it_is_sent(self):
        self.record("much")
        self.assertEqual(self.alone(0).returncode, 0)
        ended = self.alone(0, "--own-input")
        self.assertEqual(ended.returncode, 87, ended)
        self.assertIn("replay diverged: rank 0, event ", ended.stderr)

    def test_it_stops_at_a_call(self):
        self.record("race")
        shown = self.run_earl("show", "--messages", "--rank", "0", "r").stdout
        event = re.search(rf"event (\d+): crecv at wrong\.c:{line('racing receive')} ", shown).group(1)
        ended = self.alone(0, "--until", f"0@{event}")
        self.assertEqual(ended.returncode, 84, ended)
        self.assertIn(f"rank 0 is at event {event}: crecv at ", ended.stderr)

    def test_a_damaged_file_is_named(self):
        self.record("ring")
        self.assertEqual(self.alone(0).returncode, 0)
        path = os.path.join(self.folder.name, "r", "c00000.packets")
        with open(path, "r+b") as file:
            file.seek(-1, os.SEEK_END)
            file.write(b"\xff")
        ended = self.alone(0)
        self.assertEqual(ended.returncode, 1, ended)
        self.assertIn("c00000.packets is damaged at byte ", ended.stderr)

    @unittest.skipUnless(shutil.which("valgrind") and not SANITIZED, "no valgrind here")
    def test_valgrind(self):
        self.record("ring")
        ended = self.alone(2, "--with", "valgrind -q --error-exitcode=9")
        self.assertEqual((ended.returncode, ended.stdout), (0, "hello\n"), ended)

    @unittest.skipUnless(shutil.which("gdb") and not SANITIZED, "no gdb here")
    def test_gdb(self):
        self.record("much")
        ended = self.alone(1, "--with", "gdb -q -nx -batch -ex run --args")
        self.assertRegex(ended.stdout, r"mark 1: \d+\n", ended)
        self.assertIn("exited normally", ended.stdout)

    @unittest.skipUnless(shutil.which("gdb") and not SANITIZED, "no gdb here")
    def test_gdb_goes_from_message_to_message(self):
        self.record("much")
        commands = ("earl-where", "earl-next", "bt 1", "earl-where", "earl-next", "earl-back", "earl-next 9999",
                    "earl-next", "earl-back 9999", "earl-back", "earl-next 0", "show environment EARL_GDB", "kill")
        ended = self.run_earl("replay", "--alone", "1", "--gdb", "r", text="\n".join(commands) + "\n")
        parts = ended.stdout.split("(gdb) ")[1:]
        with open(SOURCE, encoding="utf-8") as file:
            lines = file.readlines()
        for number, call in ((1, "csend(DATA"), (4, "crecv(-1"), (5, "csend(DATA"), (6, "crecv(-1"), (8, "csend(DATA")):
            shown = re.search(r"#\d+ .* much \(\)\s+at .*wrong\.c:(\d+)\n", parts[number])
            self.assertTrue(shown, f"{commands[number]}: {ended}")
            self.assertTrue(lines[int(shown.group(1)) - 1].lstrip().startswith(call), f"{commands[number]}: {ended}")
        self.assertRegex(parts[3], r"^\[0 of 6\] the start\nrank 0: before event \d+: csend at wrong\.c:\d+\n"
                                   r"rank 1: before event \d+: csend at .*\nrank 2: ")
        for sentence in ("no event: go to one with earl-next", "no message is left", "this is before the first message",
                         "0: a number of messages is needed"):
            self.assertIn(sentence, ended.stderr)
        self.assertIn('Environment variable "EARL_GDB" not defined', ended.stdout)

    def test_mistakes(self):
        self.record("ring")
        for options, code, sentence in [
                (["--alone", "x"], 2, "--alone x: a rank is a number from 0"),
                (["--alone", "9"], 1, "--alone 9: a replay has not run such a process"),
                (["--with", "valgrind"], 2, "--with: --alone is needed"),
                (["--alone", "1", "--until", "0@3"], 2, "the process that runs is 1"),
                (["--alone", "1", "--until", "1@0"], 2, "events count from 1"),
                (["--alone", "1", "--until", "1@999"], 1, "rank 1 made "),
                (["--alone", "1", "--path", "0:0=1#0"], 2, "--path"),
                (["--alone", "1", "--with", "./nothing"], 1, "cannot run ./nothing")]:
            with self.subTest(options):
                ended = self.run_earl("replay", *options, "r")
                self.assertEqual(ended.returncode, code, ended)
                self.assertIn(sentence, ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
