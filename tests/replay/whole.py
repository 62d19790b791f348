#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Recordings are whole: all inputs of a run beside its messages are in them, too.

usage: whole.py EARL INPUTS [unittest arguments]
BACK_ENDS in the environment: the back ends to record and replay on, shm if it is not set
"""
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

EARL, INPUTS = map(os.path.abspath, sys.argv[1:3])
TWO = ["-n", "2", INPUTS]
BACK_ENDS = os.environ.get("BACK_ENDS", "shm").split()


class Recorded(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="earl-whole-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.trace = os.path.join(self.folder, "t.earl")

    def earl(self, *words, code=0, **more):
        if "input" not in more:
            more.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run([EARL, *words], capture_output=True, text=True, timeout=60, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def record(self, *words, **more):
        return self.earl("record", "--force", "-o", self.trace, *words, **more)

    def lines(self, done):
        return sorted(done.stdout.splitlines())


class Input(Recorded):
    def file(self, text):
        path = os.path.join(self.folder, "numbers")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return open(path, encoding="ascii")

    def check(self, then):
        self.assertIn("node 0: sum 11,", then.stdout)
        for back_end in BACK_ENDS:
            again = self.earl("replay", "--on", back_end, self.trace)
            self.assertEqual((self.lines(again), again.stderr), (self.lines(then), ""))
            with self.file("1 2 3\n") as other:
                again = self.earl("replay", "--on", back_end, self.trace, stdin=other)
            self.assertEqual(self.lines(again), self.lines(then))
            self.assertIn("--own-input gives them this", again.stderr)

    def test_a_pipe_is_recorded(self):
        for back_end in BACK_ENDS:
            self.check(self.record("--on", back_end, *TWO, "read", input="5 6\n"))

    def test_a_file_is_recorded(self):
        with self.file("5 6\n") as file:
            self.check(self.record(*TWO, "read", stdin=file))

    def test_a_terminal_is_recorded(self):
        ours, theirs = pty.openpty()
        os.write(ours, b"5 6\n\4")
        try:
            self.check(self.record(*TWO, "read", stdin=theirs))
        finally:
            os.close(ours)
            os.close(theirs)

    def test_more_than_a_pipe_holds(self):
        text = "\n".join(["1"] * 200_000)
        then = self.record(*TWO, "read", input=text)
        self.assertIn("sum 200000", then.stdout)
        self.assertEqual(self.lines(self.earl("replay", self.trace)), self.lines(then))

    def test_other_input_is_taken_on_purpose_only_with_a_message(self):
        self.record(*TWO, "read", input="5 6\n")
        done = self.earl("replay", "--own-input", self.trace, input="1\n", code=87)
        self.assertIn("the replay may diverge", done.stderr)
        self.assertRegex(done.stderr, r"csend at inputs.c:\d+: message 1 of this process, 8 bytes to rank 1 "
                         r"with tag 7, holds other bytes than recorded")


class Surroundings(Recorded):
    def test_the_environment_is_the_recorded_one(self):
        then = self.record(*TWO, "read", env={**os.environ, "FLAVOUR": "mint"})
        self.assertIn("flavour mint", then.stdout)
        for back_end in BACK_ENDS:
            for flavour in ({}, {"FLAVOUR": "lime"}):
                again = self.earl("replay", "--on", back_end, self.trace, env={**os.environ, **flavour})
                self.assertEqual(self.lines(again), self.lines(then))
        other = self.earl("replay", "-x", "FLAVOUR=lime", self.trace)
        self.assertIn("flavour lime", other.stdout)

    def test_the_program_is_found_where_it_was(self):
        name, path = os.path.basename(INPUTS), os.path.dirname(INPUTS)
        then = self.record("-n", "2", name, "read", env={**os.environ, "PATH": path + ":/usr/bin:/bin"})
        self.assertEqual(self.lines(self.earl("replay", self.trace)), self.lines(then))

    def test_a_recording_is_replaced_only_when_asked(self):
        self.record(*TWO, "read")
        done = self.earl("record", "-o", self.trace, *TWO, "read", code=1)
        self.assertIn("holds a recording already", done.stderr)
        self.earl("replay", self.trace)

    def test_an_unknown_rank_is_an_error(self):
        self.record(*TWO, "read")
        self.assertIn("has no rank 9", self.earl("show", "--rank", "9", self.trace, code=1).stderr)


def report(recorded):
    """Of a run's end, without the advice that `earl record` adds."""
    lines = recorded.stderr.splitlines(keepends=True)
    assert lines[-1].startswith("earl: to replay this run: "), lines
    return "".join(lines[:-1])


class Ends(Recorded):
    def test_a_deadlock_is_a_deadlock_again(self):
        for back_end in BACK_ENDS:
            then = self.record("--on", back_end, *TWO, "stuck", code=86)
            again = self.earl("replay", self.trace, code=86)
            self.assertEqual(again.stderr, report(then))
            self.assertNotIn("killed", again.stderr)
            shown = self.earl("show", self.trace, code=1).stdout
            self.assertNotIn("killed", shown)
            self.assertIn("ended by Earl (a deadlock", shown)

    def test_sends_wait_as_they_did(self):
        for back_end in BACK_ENDS:
            then = self.record("--on", back_end, "--send", "synchronous", *TWO, "circle", code=86)
            again = self.earl("replay", self.trace, code=86)
            self.assertEqual(again.stderr, report(then))

    def check_contents(self, program, line):
        """Of a program that sends what the environment says."""
        self.record(*TWO, program)
        self.earl("replay", self.trace)
        done = self.earl("replay", "-x", "FLAVOUR=replayed", self.trace, code=87)
        self.earl("replay", "--contents", "ignore", "-x", "FLAVOUR=replayed", self.trace)
        self.assertRegex(done.stderr, line)

    def test_messages_that_differ_in_bytes_only_are_analysed_all_the_same(self):
        self.record("-x", "FLAVOUR=pid", *TWO, "contents")
        self.earl("replay", self.trace, code=87)
        profile = self.earl("profile", self.trace)
        self.assertRegex(profile.stderr, r"csend at inputs.c:\d+: .*holds other bytes than recorded.*; the messages are "
                         r"the same but for their bytes\n")
        self.assertRegex(profile.stdout, r"3 +27 +0 to 1\n +1 +8 +1 to 0\n")

    def test_the_first_collective_that_is_given_other_bytes_ends_the_replay(self):
        self.check_contents("sums", r"rank 1, event \d+, gisum at inputs.c:\d+: collective 2 of this process, "
                            r"all-reduce of \d+ bytes with root 0, number 1 of its group, is given other bytes than "
                            r"recorded")

    def test_the_first_message_with_other_contents_ends_the_replay(self):
        self.check_contents("contents", r"rank 0, event \d+, csend at inputs.c:\d+: message 2 of this process, 9 "
                            r"bytes to rank 1 with tag 8, holds other bytes than recorded")


    def test_a_lost_part_behind_the_last_message_is_reported(self):
        self.record(*TWO, "contents")
        record = os.path.join(self.trace, "r00001.ert")
        os.truncate(record, os.path.getsize(record) - 20)
        self.assertIn("damaged", self.earl("show", self.trace, code=1).stdout)
        done = self.earl("replay", self.trace)
        self.assertIn("replayed to the end, but the record of rank 1 is damaged", done.stderr)


class Trust(Recorded):
    def test_another_users_recording_chooses_no_programs(self):
        self.record(*TWO, "read")
        if os.geteuid() != 0:
            self.skipTest("only root can give a file away")
        os.chown(os.path.join(self.trace, "meta.json"), 65534, 65534)
        done = self.earl("replay", self.trace, code=1)
        self.assertIn("belongs to another user (uid 65534)", done.stderr)
        self.assertIn("--trust", done.stderr)
        self.earl("replay", "--trust", self.trace)

    def test_nor_for_commands_that_replay_it_first(self):
        """Each replays a recording that has no events yet: without --trust not another user's."""
        if os.geteuid() != 0:
            self.skipTest("only root can give a file away")
        self.record("-n", "3", INPUTS, "gather")
        own, theirs = self.trace, os.path.join(self.folder, "theirs.earl")
        for words in (["races"], ["profile"], ["check", "--ignore=races"], ["view"], ["debug"], ["explore"],
                      ["export", "--to", "csv"], ["show", "--messages"], ["replay", "--path", "0:0=2#0"],
                      ["replay", "--until", "0@1"], ["diff", own], ["flip", "1"]):
            with self.subTest(words[0]):
                shutil.rmtree(theirs, ignore_errors=True)
                shutil.copytree(own, theirs)
                os.chown(theirs, 65534, 65534)
                command, *rest = words
                words = [command, theirs, *rest] if command == "flip" else [command, *rest, theirs]
                done = self.earl(*words, code=1)
                self.assertIn(f"{theirs} is not replayed: {theirs} belongs to another user", done.stderr)
                self.assertIn("--trust", done.stderr)
                self.earl(command, "--trust", *words[1:], code=84 if "--until" in words else 0)

    def test_only_recordings_need_trust(self):
        for command in ("check", "explore"):
            done = self.earl(command, "--trust", *TWO, "read", code=2, cwd=self.folder)
            self.assertIn("--trust: a program is named, no recording", done.stderr)
            self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
