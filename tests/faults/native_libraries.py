# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL of the processes of a job on a native library, programs that it cannot run, and a library
that is not there: the job ends, says why, and leaves no launcher, no file and no process."""

import os
import shutil
import signal
import stat
import sys
import unittest

from job import ACTOR, JobTest, fields_of, marked

HOST = os.environ["ACTOR_HOST"]
NODES = 3
LIBRARIES = os.environ.get("NATIVE_LIBRARIES", "").split()
MPI = [library for library in LIBRARIES if library != "nx"]


def back_end_of(library):
    return "nx" if library == "nx" else "mpi"


class LibraryTest(JobTest):
    """A file left in TMPDIR, which has the launcher's directory, fails the test (see JobTest)."""

    def with_settings(self, **settings):
        name, value = self.token.split("=")
        return {**os.environ, name: value, "TMPDIR": self.folder, **settings}

    def run_on(self, library, *words, **settings):
        chosen = {"EARL_MPI": library, **settings} if library in MPI else settings
        return self.earl("run", "--on", back_end_of(library), *words, env=self.with_settings(**chosen))


class Kills(LibraryTest):
    def in_motion(self, library):
        """A job whose nodes send for ever."""
        job = self.start("run", "--on", back_end_of(library), "-n", NODES, ACTOR, "gsync", "say",
                         "there", "ring", env=self.with_settings(EARL_MPI=library))
        job.stdout.readline()
        return job

    def launcher(self):
        """It is the only child of its supervisor."""
        supervisor = self.named("earl-launcher")[0]
        return next(pid for pid in marked(self.token) if int(fields_of(pid)[1]) == supervisor)

    def each(self, check):
        self.for_each(LIBRARIES, check)

    def test_a_node(self):
        def check(library):
            job = self.in_motion(library)
            self.kill("actor")
            self.expect(self.finish(job), 137, "(actor, nx) was killed by SIGKILL (Killed)")
        self.each(check)

    def test_exec(self):
        def check(library):
            job = self.in_motion(library)
            job.kill()
            self.assertEqual(self.finish(job).code, -signal.SIGKILL)
        self.each(check)

    def test_the_launcher(self):
        def check(library):
            job = self.in_motion(library)
            os.kill(self.launcher(), signal.SIGKILL)
            name = "earl run (libnx.so)" if library == "nx" else f"mpiexec.{library} ("
            self.expect(self.finish(job), 1, name, "has ended; the job cannot go on")
        self.each(check)

    def test_a_user_in_a_hurry(self):
        def check(library):
            job = self.in_motion(library)
            job.terminate()
            self.assertEqual(self.finish(job).code, 128 + signal.SIGTERM)
        self.each(check)


class Ends(LibraryTest):
    def each(self, check):
        self.for_each(LIBRARIES, check)

    def test_a_native_error_ends_the_job(self):
        """Also without deadlock detection; and the program's earlier output comes."""
        def check(library):
            for watch in ("end", "off"):
                ended = self.run_on(library, "--deadlock", watch, "--timeout", "40", "-n", 1, ACTOR, "gsync",
                                    "prompt", "half a line", "badsend", ":", "-n", 2, ACTOR, "gsync", "wait")
                self.expect(ended, 1, "(node 0, pid 0) csend: node 1000000 is not in this cube of 3 (0 to 2)",
                            "earl: rank 0 (actor, nx) ended with code 1: ", "the other 2 processes are ended")
                self.assertIn("half a line", ended.out)
        self.each(check)

    def test_nodes_may_kill_each_other(self):
        """A process that is killed on request is not missed: the others end as they would elsewhere."""
        def check(library):
            ended = self.run_on(library, "-n", 3, ACTOR, "gsync", "only", 0, "say", "done", "killcube")
            self.expect(ended, 0)
            self.assertIn("done", ended.out)
        self.each(check)

    def test_a_host_may_kill_its_nodes(self):
        def check(library):
            ended = self.run_on(library, "--timeout", "40", HOST, "say", "killing", "killcube", "waitall", "say",
                                "done", ":", "-n", 3, ACTOR, "wait")
            self.expect(ended, 0)
            self.assertEqual(ended.out.splitlines()[-1:], ["done"], ended)
        self.each(check)

    def test_no_message_goes_to_a_process_that_has_not_been_started(self):
        def check(library):
            ended = self.run_on(library, HOST, "cube", 2, "send", 0)
            self.expect(ended, 1, "csend: process 1 cannot be reached: this back end takes no process after its start")
            self.assertNotIn("bug", ended.err)
        self.each(check)


class Refusals(LibraryTest):
    def test_a_console_could_not_join(self):
        for library in LIBRARIES:
            with self.subTest(library):
                self.expect(self.run_on(library, "--console", "-n", 2, ACTOR, "gsync"), 1,
                            "takes no process after its start", "another back end")

    @unittest.skipUnless(MPI, "no MPI is installed")
    def test_a_library_without_sense(self):
        self.expect(self.run_on(MPI[0], "-n", 2, ACTOR, "gsync", EARL_MPI="lam"), 1,
                    'EARL_MPI is "lam"; it can be mpich or openmpi')

    @unittest.skipUnless(MPI, "no MPI is installed")
    def test_a_launcher_that_does_not_work_is_quoted(self):
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "mpiexec." + MPI[0])
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho ---- >&2\necho 'no such luck' >&2\nexit 1\n")
        os.chmod(path, stat.S_IRWXU)
        ended = self.run_on(MPI[0], "-n", 2, ACTOR, "gsync",
                            PATH=f"{folder}:{os.environ['PATH']}")
        self.expect(ended, 1, "it started 0 of 2 processes: no such luck")

    def test_a_process_that_never_begins(self):
        for library in LIBRARIES[:1] + LIBRARIES[-1:]:
            ended = self.run_on(library, "-n", 1, ACTOR, "gsync",
                                ":", "-n", 1, "/bin/sh", "-c", "exit 0")
            self.expect(ended, 1, f"rank 1 ended without finalizing {back_end_of(library).upper()}, "
                                  "which cannot continue without it")

    @unittest.skipUnless("nx" in LIBRARIES, "a sanitized build")
    def test_settings_of_the_job_are_not_the_launchers(self):
        ended = self.run_on("nx", "-n", 2, ACTOR, "gsync", "who", EARL_TIMEOUT="30",
                            EARL_TAG_OUTPUT="yes", EARL_ON="fibers")
        self.expect(ended, 0)
        self.assertEqual(sorted(line.split("] ")[-1] for line in ended.out.splitlines()),
                         ["0 of 2", "1 of 2"])


if __name__ == "__main__":
    if not LIBRARIES:
        print("no MPI is installed, or none was when Earl was built, or this is a sanitized build")
        sys.exit(77)
    unittest.main(verbosity=2)
