# SPDX-License-Identifier: BSD-3-Clause
"""`earl console`: a user joins a running job, lists, starts and ends processes, and leaves."""

import os
import pty
import random
import re
import select
import subprocess
import sys
import tempfile
import unittest

from job import ACTOR, EARL, LIMIT, JobTest, environment, wait_until

SPAWNER = environment("SPAWNER")
SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
#: Valid and invalid arguments of commands; none that ends the job or starts a program.
VERBS = ("conf", "help", "id", "kill", "ps", "pstat", "sig", "spawn", "version", "Halt", "hal", "quit!", "t40001")
WORDS = ("-a", "-1", "-2147483649", "-999999999999", "-nowhere", "->", "--", "0", "9", "65", "-9", "t0", "t", "t40003",
         "tffffffffff", "t-1", "40001x", "/nowhere/program", "%s%n", "a" * 5000, "\x01\x7f", "z\u00fcrich", "=", "#")


class Console(JobTest):
    def job(self, *words):
        """A job of two that goes on until it is ended; gives it and its number."""
        job = self.start("run", "--console", *(words or ("-n", "2", ACTOR, "wait")))
        number = str(job.pid)
        wait_until(lambda: self.say(number, "id\n").code == 0, "a door for consoles")
        return job, number

    def say(self, job, lines):
        return self.earl("console", job, input=lines.encode())

    def say_into_file(self, job, lines):
        """The console's own output: its tasks hold its output open for as long as they live."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
            console = self.start("console", job, stdin=subprocess.PIPE, stdout=file)
            console.stdin.write(lines.encode())
            console.stdin.close()
            self.assertEqual(console.wait(LIMIT), 0)
            file.seek(0)
            return file.read()

    def tids(self, job):
        """The list of `ps`, without the console itself."""
        rows = self.say(job, "ps -a\n").out.splitlines()[1:]
        return [row.split()[0] for row in rows if "(console)" not in row]

    def test_looking(self):
        job, number = self.job()
        seen = self.say(number, "conf\nps -a\nid\nhelp\npstat t40001\nversion\n# nothing\n\nquit\n")
        self.assertEqual(seen.code, 0, seen)
        for sentence in ("1 host, 1 data format", "actor", "(console)", "t40001 is there",
                         "spawn", "the job goes on"):
            self.assertIn(sentence, seen.out)
        self.assertIsNone(job.poll(), "the job goes on")
        self.assertEqual(self.say(number, "halt\n").code, 0)
        self.assertEqual(self.finish(job).code, 128 + 15)

    def test_any_words(self):
        """Each line is answered in words, and the job goes on."""
        print(f"seed {SEED} (SEED={SEED} does the same again)", file=sys.stderr)
        chance = random.Random(SEED)
        job, number = self.job()
        lines = [" ".join([chance.choice(VERBS), *chance.choices(WORDS, k=chance.randrange(4))]) for _ in range(300)]
        lines.append("spawn " + "a" * 5000)
        seen = self.say(number, "\n".join(lines) + "\nversion\n")
        self.assertEqual((seen.code, seen.err), (0, ""), seen)
        self.assertGreaterEqual(len(seen.out.splitlines()), len(lines), seen)
        self.assertEqual(self.tids(number), ["t40001", "t40002"])
        self.assertIsNone(job.poll(), "the job goes on")
        self.say(number, "halt\n")
        self.finish(job)

    def test_starting_and_ending_processes(self):
        job, number = self.job()
        said = self.say_into_file(number, f"spawn -2 -> {SPAWNER} waits\n")
        self.assertIn("2 successful", said)
        started = [word for word in said.split() if word.startswith("t4")]
        self.assertEqual(self.tids(number), ["t40001", "t40002", *started])
        self.assertEqual(self.say(number, f"sig 9 {started[0]}\nkill {started[1]}\n").code, 0)
        wait_until(lambda: self.tids(number) == ["t40001", "t40002"], "their ends")
        seen = self.say(number, f"pstat {started[0]}\nkill {started[0]}\n")
        self.assertIn(f"{started[0]} has ended", seen.out)
        self.assertIn(f"{started[0]}: it has ended already", seen.out)
        self.assertEqual(self.say(number, "reset\n").code, 0)
        self.assertEqual(self.finish(job).code, 0)

    def test_a_task_that_is_not_to_be_reset(self):
        job, number = self.job(SPAWNER, "stays", ":", ACTOR, "wait")
        self.assertEqual(job.stdout.readline(), b"stays\n")
        self.assertEqual(self.say(number, "reset\n").code, 0)
        wait_until(lambda: self.tids(number) == ["t40001"], "the end of the other")
        self.assertEqual(self.say(number, "reset\nkill t40001\n").code, 0)
        self.finish(job)

    def test_a_spawned_task_prints_to_the_console(self):
        job, number = self.job()
        reader, writer = os.pipe()
        console = self.start("console", number, stdin=subprocess.PIPE, stdout=writer)
        os.close(writer)
        console.stdin.write(f"spawn -> {ACTOR} say hello-from-there\n".encode())
        console.stdin.close()
        with os.fdopen(reader, encoding="utf-8") as output:
            said = output.read()  # to the end of the task, which holds it open
        self.assertIn("hello-from-there\n", said)
        self.assertEqual(console.wait(LIMIT), 0)
        self.say(number, "halt\n")
        self.finish(job)

    def test_mistakes_are_named_and_harmless(self):
        job, number = self.job()
        seen = self.say(number, "nonsense\nkill\nkill t49999\nkill unknown\nsig x t40001\nsig 9\n"
                                "spawn\nspawn -x y\nspawn nowhere\npstat t1\nhlep\n"
                                "kill t0\nkill t80001\nkill t40001x\nsig 0 t40001\nsig 65 t40001\n")
        for sentence in ("no command nonsense", "kill: which task?", "t49999: there is no such task",
                         "unknown: there is no such task", "x: this is no number of a signal",
                         "sig: a number and a task", "spawn: which program?", "spawn -x: here are",
                         "nowhere", "0 successful", "t1: there is no such task", "help",
                         "t0: there is no such task", "t80001: there is no such task",
                         "t40001x: there is no such task", "0: this is no number of a signal",
                         "65: this is no number of a signal"):
            self.assertIn(sentence, seen.out)
        self.assertEqual(seen.code, 0, seen)
        self.assertIsNone(job.poll())
        self.say(number, "halt\n")
        self.finish(job)

    def test_a_job_that_ends_meanwhile(self):
        job, number = self.job()
        console = self.start("console", number, stdin=subprocess.PIPE)
        console.stdin.write(b"id\n")
        console.stdin.flush()
        self.assertTrue(console.stdout.readline().startswith(b"t4"))
        self.say(number, "reset\n")
        self.finish(job)
        ended = self.finish(console, b"ps\n")
        self.assertEqual(ended.code, 0, ended)
        self.assertIn("the job has ended", ended.out)

    def test_on_a_terminal(self):
        """Completion, correction and history."""
        if not re.search("^ok +line editing ", self.earl("doctor").out, re.MULTILINE):
            self.skipTest("this Earl was built without libedit")
        job, number = self.job()
        control, terminal = pty.openpty()
        console = self.start("console", number, stdin=terminal, stdout=terminal)
        os.close(terminal)
        for typed, answer in (("", "pvm> "), ("vers\t\n", "in the words of PVM"), ("idx\x7f\n", "t4000"),
                              ("\x1b[A\x1b[A\n", "in the words of PVM"), ("p\t\t", "ps  pstat"),
                              ("\x15quit\n", "the job goes on")):
            os.write(control, typed.encode())
            self.wait_for(control, answer)
        self.assertEqual(console.wait(LIMIT), 0)
        os.close(control)
        self.say(number, "halt\n")
        self.finish(job)

    def wait_for(self, terminal, answer):
        shown = ""
        while answer not in shown:
            self.assertTrue(select.select([terminal], [], [], LIMIT)[0], f"{answer!r} after {shown!r}")
            shown += os.read(terminal, 4096).decode()

    def test_no_door(self):
        self.expect(self.earl("console", "1"), 1, "no job 1 of yours with a console",
                    "earl run --console")
        job = self.start("run", ACTOR, "wait")
        self.expect(self.earl("console", job.pid), 1, "with a console")
        self.expect(self.earl("run", "--console", "--tool", f"record={self.folder}/x", ACTOR), 2,
                    "cannot be recorded")
        job.terminate()
        self.finish(job)

    def test_a_native_name(self):
        job, number = self.job()
        done = subprocess.run([EARL, "compat", "pvm", number], input=b"id\nhalt\n",
                              capture_output=True, timeout=LIMIT, check=True)
        self.assertTrue(done.stdout.startswith(b"t4"), done)
        self.finish(job)


if __name__ == "__main__":
    unittest.main(verbosity=2)
