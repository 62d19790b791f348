"""SIGKILL of what a job on native MPI is made of, programs that MPI cannot take, and an MPI that is
not there: the job ends, says why, and leaves no launcher, no file and no process."""

import os
import shutil
import signal
import stat
import sys
import unittest

from job import ACTOR, JobTest, marked, name_of, wait_until

NODES = 3
LIBRARIES = os.environ.get("MPI_LIBRARIES", "").split()


class MpiTest(JobTest):
    """Whatever is left in TMPDIR, which mpiexec's folder lies in, fails the test (see JobTest)."""

    def with_settings(self, **settings):
        name, value = self.token.split("=")
        return {**os.environ, name: value, "TMPDIR": self.folder, **settings}


class Kills(MpiTest):
    def in_motion(self, library):
        """A job whose nodes send for ever."""
        job = self.start("run", "--on", "mpi", "-n", NODES, ACTOR, "gsync", "say", "there", "ring",
                         env=self.with_settings(EARL_MPI=library))
        job.stdout.readline()
        return job

    def named(self, name):
        return [pid for pid in marked(self.token) if name_of(pid) == name]

    def kill(self, name):
        os.kill(self.named(name)[0], signal.SIGKILL)

    def each(self, check):
        for library in LIBRARIES:
            with self.subTest(library):
                check(library)
                wait_until(lambda: not marked(self.token), "nothing of the job is left")

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
            self.kill(f"mpiexec.{library}")
            self.expect(self.finish(job), 1, f"mpiexec.{library} (", "has ended; the job cannot go on")
        self.each(check)

    def test_a_user_in_a_hurry(self):
        def check(library):
            job = self.in_motion(library)
            job.terminate()
            self.assertEqual(self.finish(job).code, 128 + signal.SIGTERM)
        self.each(check)


class Refusals(MpiTest):
    def run_with(self, *words, **settings):
        return self.earl("run", "--on", "mpi", *words, env=self.with_settings(**settings))

    def test_a_library_without_sense(self):
        self.expect(self.run_with("-n", 2, ACTOR, "gsync", EARL_MPI="lam"), 1,
                    'EARL_MPI is "lam"; it can be mpich or openmpi')

    def test_a_launcher_that_does_not_work_is_quoted(self):
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "mpiexec." + LIBRARIES[0])
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho ---- >&2\necho 'no such luck' >&2\nexit 1\n")
        os.chmod(path, stat.S_IRWXU)
        ended = self.run_with("-n", 2, ACTOR, "gsync", EARL_MPI=LIBRARIES[0],
                              PATH=f"{folder}:{os.environ['PATH']}")
        self.expect(ended, 1, "has not started 2 processes: no such luck")

    def test_a_process_that_never_begins(self):
        ended = self.run_with("-n", 1, ACTOR, "gsync", ":", "-n", 1, "/bin/sh", "-c", "exit 0")
        self.expect(ended, 1, "rank 1 has ended without leaving MPI, which cannot go on without it")


if __name__ == "__main__":
    if not LIBRARIES:
        print("no MPI is installed, or none was when Earl was built, or this is a sanitized build")
        sys.exit(77)
    unittest.main(verbosity=2)
