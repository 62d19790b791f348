# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes that a new user makes, and the sentence that each gets: what was found, and what to do."""

import os
import shutil
import subprocess
import unittest

from job import ACTOR, EARL, JobTest

NAME = os.path.basename(ACTOR)
OTHER = 65534  # a user id


class Place(JobTest):
    """In a directory of the user's own."""

    def setUp(self):
        super().setUp()
        self.here = os.path.join(self.folder, "here")
        os.mkdir(self.here)
        self.addCleanup(shutil.rmtree, self.here)

    def do(self, *words, **options):
        return self.earl(*words, cwd=self.here, **options)

    def path(self, name):
        return os.path.join(self.here, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)

    def refused(self, code, sentence, *words, **options):
        """By one line."""
        ended = self.do(*words, **options)
        self.assertEqual((ended.code, ended.out, ended.err), (code, "", f"earl: {sentence}\n"), ended)

    def as_another_user(self, *words):
        """By a user who owns nothing here."""
        if os.geteuid() != 0:
            self.skipTest("only root can be another user")
        os.chmod(self.folder, 0o755)

        def become():
            os.setgroups([])
            os.setgid(OTHER)
            os.setuid(OTHER)
        if subprocess.run([EARL, "version"], preexec_fn=become, capture_output=True, timeout=60,
                          check=False).returncode != 0:
            self.skipTest("another user cannot reach Earl here")
        return self.do(*words, preexec_fn=become)


class Programs(Place):
    def test_a_program_where_a_number_is_needed(self):
        for words in ((ACTOR,), (ACTOR, "who")):
            self.refused(2, f"-n {ACTOR}: a number of processes is needed, as in -n 4 {ACTOR}", "run", "-n", *words)
        self.write("prog", "")
        self.refused(2, "-n prog: a number of processes is needed, as in -n 4 prog", "run", "-n", "prog")
        self.refused(127, "there is no program 4 in PATH; so many processes are -n 4", "run", "4", ACTOR)
        self.refused(2, "-n four: a number of processes is needed", "run", "-n", "four", ACTOR)

    def test_a_directory(self):
        os.mkdir(self.path("build"))
        for name, inside in ((".", "./prog"), ("./", "./prog"), ("build", "build/prog"), (self.here, self.path("prog"))):
            self.refused(126, f"{name} is a directory, not a program: name one in it, as in {inside}", "run", name)

    def test_a_source_file(self):
        for source, program, compiler in (("racy.c", "./racy", "earlcc"), ("cell.f", "./cell", "earlfc")):
            self.write(source, "")
            for word in (source, "./" + source):
                output = program[2:] if word == source else program
                self.refused(126, f"{word} is a source file: compile it with `{compiler} {word} -o {output}` and run "
                                  f"{program}", "run", "-n", 2, word)
        self.refused(127, "there is no program other.c in PATH", "run", "other.c")

    def test_long_options_after_a_single_dash(self):
        self.refused(2, "there is no option -hostfile; did you mean --hostfile?; `earl run -h` lists the options",
                     "run", "-hostfile", "hosts", ACTOR)
        self.refused(2, "there is no option -verbose; did you mean --verbose?; `earl run -h` lists the options",
                     "run", "-verbose", ACTOR)

    def test_options_after_the_program_are_mentioned_when_it_fails(self):
        ended = self.do("run", ACTOR, "exit", "3", "--on", "fibers", "-n", "4")
        self.expect(ended, 3, "earl: --on, -n came after the program's name, so the program got it: Earl's options "
                              "come before, as in `earl run --on ...`\n")
        ended = self.do("run", ACTOR, "wait", "-n", "2")
        self.expect(ended, 86, "earl: -n came after the program's name")
        self.assertNotIn("record the run", ended.err)
        for words in ((ACTOR, "say", "--on"), ("-n", "1", ACTOR, "exit", "3", "-n"), (ACTOR, "exit", "3", "--own")):
            self.assertNotIn("after the program's name", self.do("run", *words).err)

    def test_version_as_an_option(self):
        self.assertRegex(self.do("--version").out, r"^earl \d+\.\d+\.\d+\n")

    def test_help_on_a_command(self):
        shown = self.do("run", "-h")
        for words in (("help", "run"), ("-h", "run"), ("--help", "run")):
            self.assertEqual((self.do(*words).code, self.do(*words).out), (0, shown.out), words)
        for words in (("help",), ("help", "help"), ("-h", "-h")):
            self.assertTrue(self.do(*words).out.startswith("Usage: earl COMMAND"), words)
        self.refused(2, "there is no command `earl rnu`; did you mean run?; `earl -h` shows those there are", "help", "rnu")

    def test_a_stack_is_for_fibers(self):
        self.refused(2, "--stack 100: on shm the system gives the processes their stacks, by `ulimit -s`; with --on fibers "
                        "Earl does", "run", "--stack", 100, ACTOR, "who")

    def test_the_help_of_a_job(self):
        shown = self.do("run", "-h").out
        for text in ("Usage: earl run [OPTIONS] PROGRAM [ARGUMENT...]\n", "\nBack end and hosts:\n  --on NAME ", " Back end [shm]:\n",
                     "\nDebugging:\n  --deadlock ", "\nExamples:\n  earl run -n 8 ./node\n"):
            self.assertIn(text, shown)
        self.assertNotIn("\n\n\n", shown)
        self.assertIn("Usage: earl show [OPTIONS] [DIR]\n\nArguments:\n  DIR  ", self.do("show", "-h").out)

    def test_one_process_is_one(self):
        self.expect(self.do("run", "-v", ACTOR, "who"), 0, "earl: 1 process started on shm\n",
                    "earl: 1 process ended, exit code 0\n")


class Recordings(Place):
    COMMANDS = (("replay",), ("show",), ("races",), ("view",), ("profile",), ("debug",), ("export", "--to", "csv"))

    def test_a_recording_that_is_not_there(self):
        sentence = "no such recording: nosuch; `earl ls` lists those there are"
        for command in self.COMMANDS:
            self.refused(1, sentence, *command, "nosuch")
        self.refused(1, sentence, "flip", "nosuch", "1")
        self.refused(1, sentence, "diff", "nosuch", "other")

    def test_none_is_named(self):
        for command in self.COMMANDS:
            self.refused(2, f"no recording is named, as in `earl {command[0]} DIR`, and earl-recordings/latest does "
                            "not lead to one; see `earl ls`", *command)

    def test_words_are_missing(self):
        self.expect(self.do("record", "-o", "r", ACTOR, "who"), 0)
        self.refused(2, "a recording and the number of a race are needed; `earl races` numbers them", "flip", "r")
        self.refused(2, "race first: a number is needed", "flip", "r", "first")
        self.refused(2, "two recordings are needed; see `earl ls`", "diff", "r")
        self.refused(2, "--to is missing: csv, perfetto, otf2 or paje is needed", "export", "r")
        self.refused(2, "-o r.png: a page (.html) or a picture (.svg) is needed", "view", "-o", "r.png", "r")
        self.expect(self.do("replay", "r", "--until", "foo"), 2, "--until foo: RANK@EVENT is needed, as in 3@120")

    def test_another_user_s_recording(self):
        self.expect(self.do("record", "-o", "r", ACTOR, "who"), 0)
        for command in self.COMMANDS:
            self.expect(self.as_another_user(*command, "r"), 1,
                        "earl: r/meta.json cannot be read: Permission denied; it is for its owner, see `ls -ld r`\n")
        self.expect(self.as_another_user("check", "r"), 1, "earl: r/meta.json cannot be read: Permission denied")

    def test_a_directory_that_is_gone(self):
        os.mkdir(self.path("gone"))
        for command in ("run", "record"):
            line = f"cd gone && rmdir ../gone && exec {EARL} {command} {ACTOR} who"
            done = subprocess.run(["sh", "-c", line], cwd=self.here, capture_output=True, text=True, timeout=60,
                                  check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (1, "", "earl: the current directory is gone (No such file or directory): cd to another\n"))
            os.mkdir(self.path("gone"))

    def test_a_directory_that_is_not_writable(self):
        here = os.path.realpath(self.here)
        for place, made in ((here, None), (f"{here}/earl-recordings", "earl-recordings")):
            if made:
                os.mkdir(self.path(made), 0o755)
            self.expect(self.as_another_user("record", ACTOR, "who"), 1,
                        f"earl: cannot record to earl-recordings/{NAME}-1: {place}: Permission denied; -o DIR records "
                        "to another directory\n")


class Hints(Place):
    """One line at the end of a run that has failed by a deadlock or a crash."""

    def last_line(self, code, *words):
        ended = self.do(*words)
        self.assertEqual(ended.code, code, ended)
        return ended.err.splitlines()[-1]

    def test_a_run_can_be_recorded(self):
        self.assertEqual(self.last_line(86, "run", "-n", 2, ACTOR, "wait"),
                         f"earl: to investigate, record the run: earl record -n 2 {ACTOR} wait; if the deadlock is "
                         "intermittent, add --send synchronous")
        self.assertEqual(self.last_line(86, "run", "--send", "synchronous", ACTOR, "wait"),
                         f"earl: to investigate, record the run: earl record --send synchronous {ACTOR} wait")
        self.assertEqual(self.last_line(128 + 11, "run", ACTOR, "signal", 11),
                         f"earl: to investigate, record the run: earl record {ACTOR} signal 11")
        self.assertEqual(self.last_line(1, "run", ACTOR, "exit", 1),
                         f"earl: to investigate, record the run: earl record {ACTOR} exit 1")
        self.assertEqual(self.last_line(124, "run", "--timeout", "0.3", ACTOR, "ring"),
                         f"earl: to investigate, record the run: earl record --timeout 0.3 {ACTOR} ring; `earl ps` shows "
                         "where a running job waits")
        self.assertEqual(self.last_line(128 + 11, "run", ACTOR, "signal", 11, "say", "x" * 300),
                         "earl: to investigate, record the run: earl record, with the arguments of this `earl run`")

    def test_a_recorded_run_can_be_replayed(self):
        rest = "; to stop a process in gdb at an event, add --until RANK@EVENT --gdb"
        self.assertEqual(self.last_line(128 + 6, "record", ACTOR, "signal", 6),
                         f"earl: to replay this run: earl replay earl-recordings/{NAME}-1" + rest)
        self.assertEqual(self.last_line(1, "record", ACTOR, "exit", 1),
                         f"earl: to replay this run: earl replay earl-recordings/{NAME}-2" + rest)
        self.assertEqual(self.last_line(124, "record", "--timeout", "0.3", ACTOR, "ring"),
                         f"earl: to replay this run: earl replay earl-recordings/{NAME}-3" + rest)
        self.assertEqual(self.last_line(128 + 6, "record", "--minimal", "-o", "a, b", ACTOR, "signal", 6),
                         "earl: to replay this run: earl replay 'a, b'" + rest)

    def test_other_ends_need_none(self):
        for words in (("run", ACTOR, "exit", "3"), ("run", ACTOR, "exit", "0"), ("run", "./nope"), ("replay", "r")):
            self.expect(self.do("record", "--force", "-o", "r", ACTOR, "signal", 6), 128 + 6)
            self.assertNotIn("record the run", self.do(*words).err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
