# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL of the processes of a job on native PVM, and a PVM that is not there: the job ends, reports
why, and leaves no daemon, no file and no process."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import unittest

from job import ACTOR, EARL, JobTest, wait_until

NODES = 3


class Kills(JobTest):
    """A file left in TMPDIR, which has PVM's directory, fails the test (see JobTest)."""

    NO_DAEMON = "(pvmd)"  # EXEC or the first node to notice reports it: a race

    def job_in_motion(self):
        """A job whose nodes send for ever; gives it and its processes by name."""
        job = self.start("run", "--on", "pvm", "-n", NODES, ACTOR, "gsync", "ring")
        wait_until(lambda: len(self.named("actor")) == NODES, "all nodes are there")
        return job

    def test_a_node(self):
        job = self.job_in_motion()
        self.kill("actor")
        self.expect(self.finish(job), 137, "(actor, nx) was killed by SIGKILL (Killed)")

    def test_exec(self):
        job = self.job_in_motion()
        job.kill()
        self.assertEqual(self.finish(job).code, -signal.SIGKILL)

    def test_the_daemon(self):
        job = self.job_in_motion()
        self.kill("pvmd")
        self.expect(self.finish(job), 1, self.NO_DAEMON)

    def test_the_supervisor(self):
        job = self.job_in_motion()
        self.kill("earl-pvm")
        ended = self.finish(job)
        # The daemon takes its tasks along before it ends, and EXEC may notice a task first.
        if ended.code == 128 + signal.SIGTERM:
            self.expect(ended, ended.code, "was killed by SIGTERM")
        else:
            self.expect(ended, 1, self.NO_DAEMON)

    def test_a_user_in_a_hurry(self):
        job = self.job_in_motion()
        job.terminate()
        self.assertEqual(self.finish(job).code, 128 + signal.SIGTERM)


class Joins(JobTest):
    def users_daemon(self):
        """Starts one; returns it and the environment to join it."""
        name, value = self.token.split("=")
        folder = os.path.join(self.folder, "vm")
        env = {**os.environ, name: value, "PVM_TMP": folder, "PVM_ALLOW_ROOT": "1"}
        os.mkdir(folder)
        self.addCleanup(shutil.rmtree, folder)
        daemon = subprocess.Popen(["pvmd", "-n127.0.0.1"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
        self.addCleanup(daemon.stdout.close)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)
        daemon.stdout.readline()  # it is ready
        return daemon, {**env, "EARL_PVM": "join"}

    def test_the_users_daemon_serves_job_after_job(self):
        daemon, env = self.users_daemon()
        for _ in range(2):
            ended = self.earl("run", "--on", "pvm", "-n", 2, ACTOR, "gsync", "who", env=env)
            self.expect(ended, 0)
            self.assertEqual(sorted(ended.out.splitlines()), ["0 of 2", "1 of 2"])
        self.assertIsNone(daemon.poll())

    def test_a_job_ends_with_it(self):
        daemon, env = self.users_daemon()
        job = self.start("run", "--on", "pvm", "-n", 2, ACTOR, "say", "there", "wait", env=env)
        job.stdout.readline()
        daemon.kill()
        self.expect(self.finish(job), 1, "(pvmd)")


class NoPvm(JobTest):
    def run_with(self, **settings):
        name, value = self.token.split("=")
        env = {**os.environ, name: value, "TMPDIR": self.folder, **settings}
        return self.earl("run", "--on", "pvm", "-n", 2, ACTOR, "gsync", env=env)

    def fake_daemon(self, script):
        """A folder whose pvmd is this shell script."""
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "pvmd")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(path, stat.S_IRWXU)
        return f"{folder}:{os.environ['PATH']}"

    def test_a_full_folder_is_named(self):
        folder = os.path.join(self.folder, "full")
        os.mkdir(folder)
        self.addCleanup(os.rmdir, folder)
        inside = ["unshare", "--map-root-user", "--mount", "sh", "-c",
                  'mount -t tmpfs -o size=4k none "$1" && echo x > "$1/x" && TMPDIR="$1" && export TMPDIR'
                  ' && shift && exec "$@"', "sh", folder]
        if subprocess.run([*inside, "true"], check=False, capture_output=True).returncode != 0:
            self.skipTest("no file system can be mounted here")
        ended = self.finish(self.start_command(*inside, EARL, "run", "--on", "pvm", "-n", 2, ACTOR))
        self.expect(ended, 1, "the PVM daemon (pvmd) did not start", "No space left on device")

    def test_a_daemon_that_will_not_start_is_quoted(self):
        path = self.fake_daemon("echo 'no such luck' >&2; exit 1")
        self.expect(self.run_with(PATH=path), 1, "the PVM daemon (pvmd) did not start: no such luck")

    def test_no_machine_to_join(self):
        ended = self.run_with(EARL_PVM="join", PVM_TMP=self.folder)
        self.expect(ended, 1, "no PVM daemon of yours is running", "start one with `pvm`")

    def test_a_dead_one_to_join(self):
        socket = os.path.join(self.folder, "dead")
        ended = self.run_with(EARL_PVM="join", PVMSOCK=socket)
        self.expect(ended, 1, f"the PVM daemon at {socket} does not answer")

    def test_files_of_a_dead_daemon(self):
        """They do not affect a virtual machine of Earl's own; a job that joins reports them."""
        stale = os.path.join(self.folder, f"pvmd.{os.getuid()}")
        socket = os.path.join(self.folder, "unused")
        with open(stale, "w", encoding="ascii") as file:
            file.write(socket + "\n")
        self.addCleanup(os.remove, stale)
        self.expect(self.run_with(PVM_TMP=self.folder), 0)
        ended = self.run_with(EARL_PVM="join", PVM_TMP=self.folder)
        self.expect(ended, 1, f"the PVM daemon at {socket} does not answer",
                    "after deleting the files that a dead one left")

    def test_settings_without_sense(self):
        self.expect(self.run_with(EARL_PVM="both"), 1, 'EARL_PVM is "both"; it can be private')
        self.expect(self.run_with(EARL_PVM_ROUTE="sea"), 1, 'EARL_PVM_ROUTE is "sea"; it can be')


if __name__ == "__main__":
    if not shutil.which("pvmd") or "PVM_MODULE" not in os.environ:
        print("PVM is not installed, or was not when Earl was built")
        sys.exit(77)
    unittest.main(verbosity=2)
