# SPDX-License-Identifier: BSD-3-Clause
"""PVM programs typed at the shell, without `earl run`: the first that needs others starts a virtual
machine, which the next ones of this user join, until `halt`."""

import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from job import JobTest, environment, wait_until

TASK = environment("SHELL_TASK")


class Session(JobTest):
    def setUp(self):
        super().setUp()
        self.pvm_folder = tempfile.mkdtemp(prefix="earl-pvm-")
        self.addCleanup(shutil.rmtree, self.pvm_folder)
        self.addCleanup(self.halt)  # before nothing may be left

    def task(self, *words, **options):
        name, value = self.token.split("=")
        env = {**os.environ, name: value, "TMPDIR": self.folder, "PVM_TMP": self.pvm_folder,
               "PVM_VMID": "test", "EARL_CONFIG": "/dev/null", "EARL_DEADLOCK": "off", **options.pop("env", {})}
        return self.start_command(TASK, *words, env=env, **options)

    def run_task(self, *words, **options):
        return self.finish(self.task(*words, **options))

    def pvm(self, lines, console=("compat", "pvm")):
        """The output of PVM's console."""
        name, value = self.token.split("=")
        env = {**os.environ, name: value, "TMPDIR": self.folder, "PVM_TMP": self.pvm_folder,
               "PVM_VMID": "test", "EARL_CONFIG": "/dev/null"}
        return self.earl(*console, input=lines.encode(), env=env)

    def address(self):
        return f"@earl-{os.geteuid()}-pvm.test@{self.pvm_folder}"

    def runs(self):
        with open("/proc/net/unix", encoding="utf-8") as file:
            return any(line.split()[-1] == self.address() for line in file)

    def halt(self):
        if self.runs():
            self.assertEqual(self.pvm("halt\n").code, 0)
        self.assertFalse(self.runs())

    def log(self):
        with open(f"{self.pvm_folder}/pvml.{os.geteuid()}.test", encoding="utf-8") as file:
            return file.read()

    def expect_out(self, ended, out):
        self.assertEqual((ended.code, ended.out), (0, out), ended)

    def test_a_master_spawns(self):
        ended = self.run_task("farm")
        self.expect_out(ended, "master t40001 of -23, 3 of 3 tasks\n")
        self.assertEqual(ended.err, "")
        # The tasks' output is where PVM keeps it.
        wait_until(lambda: self.log().count("a line of a task") == 3, "the tasks' lines in the log")
        self.expect_out(self.run_task("farm"), "master t40005 of -23, 3 of 3 tasks\n")
        self.halt()
        self.assertFalse(self.runs())

    def test_a_task_that_needs_no_other_stays_alone(self):
        self.expect_out(self.run_task("alone"), "4 40001 0 t40001 \n")
        self.assertFalse(self.runs())
        self.assertEqual(os.listdir(self.pvm_folder), [])

    def test_its_state_from_before_is_still_there(self):
        self.expect_out(self.run_task("keep"),
                        "spawned 1, same tid 1\n"
                        "contexts 40001 40002 40003 40004, freed -32 0\n")

    def test_the_console_starts_it_and_leaves_it(self):
        self.assertIn("1 host, 1 data format", self.pvm("conf\nquit\n").out)
        self.assertTrue(self.runs())
        waits = self.task("wait")
        tid = waits.stdout.readline().strip().decode()
        self.assertIn(tid, self.pvm("ps\n").out)
        self.assertEqual(self.run_task("tasks").out.split()[0], tid)
        self.expect_out(self.run_task("send", tid[1:]), "")
        self.expect_out(self.finish(waits), "got 42\n")

    def test_two_programs_meet(self):
        self.pvm("quit\n")
        ended = [self.finish(task) for task in (self.task("meet", "g"), self.task("meet", "g"))]
        self.assertEqual(sorted(one.out for one in ended),
                         ["instance 0, got 55\n", "instance 1, by mail\n"], ended)

    def test_one_that_starts_it_itself_is_its_first(self):
        self.expect_out(self.run_task("start"), "0t40001 \n")
        self.expect_out(self.run_task("start"), "-28t40002 \n")

    def test_output_of_tasks_can_be_caught(self):
        out = self.run_task("catch").out
        self.assertEqual(out.splitlines()[1:-1], ["[t40002] a line of a task"], out)

    def test_the_kill_of_a_program_is_reported(self):
        self.pvm("quit\n")
        victim = self.task("wait")
        tid = victim.stdout.readline().strip().decode()
        watcher = self.task("await", tid[1:])
        self.assertEqual(watcher.stdout.readline(), b"asked\n")
        victim.kill()
        self.expect_out(self.finish(watcher), f"{tid} has ended\n")
        self.assertTrue(self.runs())

    def test_halt_ends_programs_and_tasks(self):
        self.assertEqual(self.run_task("farm", env={"TASKS_WAIT": "1"}).code, 0)
        waits = self.task("wait")
        waits.stdout.readline()
        self.assertEqual(self.run_task("halt").code, -signal.SIGTERM)
        self.assertEqual(self.finish(waits).code, -signal.SIGTERM)
        wait_until(lambda: not self.named("shell_task") and not self.named("earl"), "nothing is left")

    def test_a_task_that_has_left_does_not_notice_its_end(self):
        self.pvm("quit\n")
        left = self.task("leave", stdin=subprocess.PIPE)
        left.stdout.readline()
        self.halt()
        self.expect_out(self.finish(left, b""), "still here\n")

    def test_its_exec_is_killed(self):
        self.assertEqual(self.run_task("farm", env={"TASKS_WAIT": "1"}).code, 0)
        waits = self.task("wait")
        waits.stdout.readline()
        self.kill("earl")
        ended = self.finish(waits)
        self.expect(ended, 1, "the connection to EXEC is closed")
        wait_until(lambda: not self.named("shell_task"), "no task is left")
        self.expect_out(self.run_task("farm"), "master t40001 of -23, 3 of 3 tasks\n")

    def test_a_console_that_starts_it_says_so(self):
        started = self.pvm("quit\n", ("console", "pvm"))
        self.assertEqual((started.code, started.err), (0, "earl: a virtual machine of PVM was started: `halt` ends it, "
                                                          "`quit` leaves it there; `earl run --console` starts a job "
                                                          "that a console can join\n"), started)
        self.assertTrue(self.runs())
        joined = self.pvm("quit\n", ("console", "pvm"))
        self.assertEqual((joined.code, joined.err), (0, ""), joined)

    def test_a_console_is_killed(self):
        self.pvm("quit\n")
        name, value = self.token.split("=")
        env = {**os.environ, name: value, "PVM_TMP": self.pvm_folder, "PVM_VMID": "test"}
        console = self.start("console", "pvm", stdin=subprocess.PIPE, env=env)
        console.stdin.write(b"id\n")
        console.stdin.flush()
        self.assertRegex(console.stdout.readline(), rb"^t4000[0-9a-f]\n$")
        console.kill()
        self.assertRegex(self.run_task("farm").out, r"^master t4000[0-9a-f] of -23, 3 of 3 tasks\n$")

    def test_masters_that_start_together(self):
        ended = [self.finish(task) for task in [self.task("farm") for _ in range(6)]]
        for one in ended:
            self.assertEqual(one.code, 0, f"{one}\n--- log\n{self.log()}")
            self.assertIn("3 of 3 tasks", one.out)

    def test_each_name_is_a_machine_of_its_own(self):
        self.pvm("quit\n")
        self.assertEqual(self.run_task("tasks", env={"PVM_VMID": "other"}).out, "t40001 \n")
        self.assertEqual(self.run_task("tasks").out, "t40002 \n")

    def test_a_log_that_cannot_be_written(self):
        ended = self.run_task("farm", env={"PVM_TMP": "/nowhere/at/all"})
        self.assertIn("the virtual machine has no log: /nowhere/at/all/pvml.", ended.err)
        self.assertIn("could not be started", ended.err)
        self.assertIn("0 of -14", ended.out.replace("0 of 0", "0 of -14"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
