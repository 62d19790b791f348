#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`--break`, on a program all of whose calls are known.

usage: breakpoints.py EARL BACK-END WRONG wrong.c
"""
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

from sources import line_in
from terminal import until_said

EARL, BACK_END, WRONG, SOURCE = os.path.abspath(sys.argv[1]), *sys.argv[2:5]
RUN = ("run", "--on", BACK_END, "-n", "3")


def line(comment):
    return line_in(SOURCE, comment)


def run(*words):
    """Without a terminal there is no gdb: the job ends where it would have been."""
    return subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100,
                          check=False, start_new_session=True)


@unittest.skipIf(BACK_END == "fibers", "gdb has all ranks from the start there")
class Breakpoints(unittest.TestCase):
    def stops(self, where, what, *words, case="race"):
        ended = run(*(words or RUN), "--break", where, *(() if words else (WRONG, case)))
        self.assertEqual(ended.returncode, 84, ended.stderr)
        sentence = ended.stderr.replace(SOURCE, "wrong.c")
        self.assertRegex(sentence, f"^earl: {what}")
        self.assertIn("there is no terminal for gdb", sentence)

    def test_a_call(self):
        self.stops("call=crecv", rf"rank 0 is at a breakpoint: crecv at wrong\.c:{line('racing receive')} in race")

    def test_the_second_call(self):
        self.stops("call=crecv,nth=2", rf"rank 0 is at a breakpoint: crecv at wrong\.c:{line('racing receive') + 1} ")

    def test_a_place(self):
        self.stops(f"at=wrong.c:{line('racing receive') + 1}",
                   rf"rank 0 is at a breakpoint: crecv at wrong\.c:{line('racing receive') + 1} ")

    def test_a_message_sent(self):
        self.stops("rank=2,peer=0,tag=1", r"rank 2 is at a breakpoint: csend at wrong\.c:\d+ in race")

    def test_a_message_received(self):
        """From whom it is matters, not who was asked for."""
        self.stops("rank=0,peer=2", r"rank 0 is at a breakpoint: crecv at wrong\.c:\d+ in race")

    def test_a_lost_message_of_three(self):
        self.stops("tag=7,nth=3", rf"rank 2 is at a breakpoint: csend at wrong\.c:{line('lost message')} in orphan",
                   case="orphan")

    def test_one_that_no_call_fits_is_reported_and_changes_nothing(self):
        for where in "rank=9", "call=hrecv", "tag=8", "at=wrong.c:1", "rank=1,peer=2":
            with self.subTest(where):
                ended = run(*RUN, "--break", where, WRONG, "race")
                self.assertEqual((ended.returncode, ended.stderr), (0, f"earl: --break {where}: no call of the run fitted\n"))

    def test_one_that_too_few_calls_fit_is_reported_with_their_number(self):
        ended = run(*RUN, "--break", "call=crecv,nth=3", "--break", "call=hrecv,nth=2", WRONG, "race")
        self.assertEqual((ended.returncode, ended.stderr), (
            0, "earl: --break call=crecv,nth=3: no process came to call 3 that fits, but to 2 at most\n"
               "earl: --break call=hrecv,nth=2: no call of the run fitted\n"))

    def test_in_a_replay_and_not_again_in_that_of_such_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            recording = os.path.join(folder, "r")
            ended = run("record", "-o", recording, "--on", BACK_END, "-n", "3", "--break", "rank=9", WRONG, "race")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            ended = run("replay", recording)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            ended = run("replay", "--break", "tag=8", recording)
            self.assertEqual((ended.returncode, ended.stderr), (0, "earl: --break tag=8: no call of the run fitted\n"))
            self.stops("call=crecv,nth=2", "rank 0 is at a breakpoint: crecv at ", "replay", recording)

    def test_words_without_sense_are_refused(self):
        for where, sentence in [("crecv", '"crecv": KEY=VALUE is needed'), ("nth=0", "the first is nth=1"),
                                ("at=7", "FILE:LINE is needed"), ("who=me", "a breakpoint has rank, call, at")]:
            with self.subTest(where):
                ended = run(*RUN, "--break", where, WRONG, "race")
                self.assertEqual((ended.returncode, len(ended.stderr.splitlines())), (2, 1), ended.stderr)
                self.assertIn(f"--break {where}: ", ended.stderr)
                self.assertIn(sentence, ended.stderr)

    @unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
    def test_gdb_is_there_and_the_job_goes_on(self):
        child, terminal = pty.fork()
        if child == 0:
            os.execv(EARL, [EARL, *RUN, "--break", "call=crecv,nth=2", WRONG, "race"])
        said = until_said(terminal, b"(gdb) ")
        os.write(terminal, b"print word\ndetach\nquit\n")
        said += until_said(terminal, None)
        self.assertNotIn("fitted", said)
        _, status = os.waitpid(child, 0)
        self.assertIn("rank 0 is at a breakpoint: crecv at ", said)
        self.assertRegex(said, r"\$1 = [12]\b")  # of the first receive
        self.assertEqual(os.waitstatus_to_exitcode(status), 0, said)


@unittest.skipUnless(BACK_END == "fibers" and shutil.which("gdb"), "each rank is a process, or there is no gdb")
class OnFibers(unittest.TestCase):
    def test_gdb_stops_there(self):
        said = subprocess.run([EARL, *RUN, "--break", "call=crecv,nth=2", WRONG, "race"], capture_output=True, text=True,
                              input="continue\nup-silently\nframe function race\nprint word\ncontinue\nquit\n",
                              timeout=100, check=False)
        self.assertIn(f"earl: rank 0 is at a breakpoint: crecv at {os.path.basename(SOURCE)}:", said.stderr)
        self.assertIn("SIGTRAP", said.stdout)
        self.assertRegex(said.stdout, r"\$1 = [12]\b")  # of the first receive
        self.assertIn("exited normally", said.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
