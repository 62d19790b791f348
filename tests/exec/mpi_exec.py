# SPDX-License-Identifier: BSD-3-Clause
"""Jobs whose processes the user's own mpiexec starts: mpiexec -n 4 earl exec ./node."""

import glob
import os
import shutil
import signal
import subprocess
import sys
import unittest

from job import ACTOR, EARL, JobTest, marked, wait_until

LIBRARIES = os.environ.get("NATIVE_LIBRARIES", "").split()
PMIX = os.environ.get("PMIX_PART") == "1"
LAUNCHERS = {
    "mpich": ("mpiexec.mpich",),
    "openmpi": ("mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe"),
}
LOCAL_SIZE = {"mpich": "MPI_LOCALNRANKS", "openmpi": "OMPI_COMM_WORLD_LOCAL_SIZE"}
EXEC = (EARL, "exec")


def lines(text):
    return sorted(text.splitlines())


class MpiExec(JobTest):
    def start_on(self, library, *words, **options):
        return self.start_command(*LAUNCHERS[library], *words, **options)

    def run_on(self, library, *words, **options):
        text = options.pop("input", None)
        if text is not None:
            options["stdin"] = subprocess.PIPE
        return self.finish(self.start_on(library, *words, **options), text)

    def in_folder(self, name):
        """Two mpiexecs of Open MPI may not begin at once in one TMPDIR: one finds the other's folder and ends."""
        folder = os.path.join(self.folder, name)
        os.mkdir(folder)
        token, value = self.token.split("=")
        return {**os.environ, token: value, "TMPDIR": folder, "EARL_CONFIG": "/dev/null"}

    def each(self, check):
        self.for_each(LIBRARIES, check)


class Running(MpiExec):
    def test_the_processes_are_one_job(self):
        def check(library):
            for size in (1, 2, 5, 8):
                seen = self.run_on(library, "-n", size, *EXEC, ACTOR, "gsync", "who", "crowd", "200")
                self.assertEqual((seen.code, seen.err), (0, ""), seen)
                printed = [line for line in lines(seen.out) if " of " in line and "last" not in line]
                self.assertEqual(printed, [f"{rank} of {size}" for rank in range(size)], seen)
        self.each(check)

    def test_a_launcher_without_earl_exec_is_mentioned_once(self):
        def check(library):
            seen = self.run_on(library, "-n", 3, ACTOR, "who")
            self.assertEqual(seen.code, 0, seen)
            self.assertEqual(lines(seen.out), ["0 of 1"] * 3, seen)
            self.assertEqual(seen.err.count("a launcher has started 3 processes, and each is a job of its own; "
                                            "`mpiexec -n 3 earl exec PROGRAM` makes them one job"), 1, seen)
        self.each(check)

    def test_each_part_of_the_command_line_has_its_program(self):
        def check(library):
            seen = self.run_on(library, "-n", 1, *EXEC, "--tag-output", ACTOR, "gsync", "say", "one",
                               ":", "-n", 2, *EXEC, ACTOR, "gsync", "say", "two")
            self.assertEqual((seen.code, lines(seen.out)),
                             (0, ["[rank 0 actor] one", "[rank 1 actor] two", "[rank 2 actor] two"]), seen)
        self.each(check)

    def test_a_script_may_be_between(self):
        def check(library):
            seen = self.run_on(library, "-n", 3, "sh", "-c", '"$0" exec "$1" gsync who; exit $?', EARL, ACTOR)
            self.assertEqual((seen.code, lines(seen.out)), (0, ["0 of 3", "1 of 3", "2 of 3"]), seen)
        self.each(check)

    def test_standard_input_is_rank_0_s(self):
        text = b"".join(b"line %d of many\n" % n for n in range(1000))  # mpiexec of MPICH takes no more than a pipe holds

        def check(library):
            seen = self.run_on(library, "-n", 3, *EXEC, ACTOR, "gsync", "cat", input=text)
            self.assertEqual((seen.code, seen.out.encode()), (0, text), seen.err)
        self.each(check)

    def test_the_launcher_s_variables_are_not_the_program_s(self):
        def check(library):
            seen = self.run_on(library, "-n", 2, *EXEC, ACTOR, "gsync", "variable", "PMI_RANK", "variable",
                               "OMPI_COMM_WORLD_RANK")
            self.assertEqual((seen.code, lines(seen.out)),
                             (0, 2 * ["no OMPI_COMM_WORLD_RANK"] + 2 * ["no PMI_RANK"]), seen)
        self.each(check)

    def test_two_jobs_at_once(self):
        def check(library):
            jobs = [self.start_on(library, "-n", 3, *EXEC, ACTOR, "gsync", "say", name, "crowd", "500",
                                  env=self.in_folder(name)) for name in ("this", "that")]
            for name, job in zip(("this", "that"), jobs):
                seen = self.finish(job)
                self.assertEqual((seen.code, seen.out.count(name), seen.err), (0, 3, ""), seen)
                os.rmdir(os.path.join(self.folder, name))
        self.each(check)

    def test_an_exit_code_is_mpiexec_s(self):
        def check(library):
            for rank in (0, 2):
                seen = self.run_on(library, "-n", 3, *EXEC, ACTOR, "gsync", "only", rank, "exit", 7)
                self.assertEqual(seen.code, 7, seen)
        self.each(check)

    def test_alone_it_is_a_job_of_one(self):
        seen = self.earl("exec", ACTOR, "gsync", "who")
        self.assertEqual((seen.code, seen.out, seen.err), (0, "0 of 1\n", ""), seen)

    def test_a_recording_is_had_again_without_mpi(self):
        def check(library):
            home = os.path.join(self.folder, "run.earl")
            seen = self.run_on(library, "-n", 4, *EXEC, f"--tool=record={home}", ACTOR, "gsync", "crowd", "300", "who")
            self.assertEqual((seen.code, seen.err), (0, ""), seen)
            again = self.earl("replay", "--on", "shm", home)
            self.assertEqual((again.code, lines(again.out)), (0, lines(seen.out)), again)
            shutil.rmtree(home)
        self.each(check)


@unittest.skipUnless("openmpi" in LIBRARIES and PMIX, "no Open MPI here, or no part of Earl for PMIx")
class WithoutLibrary(MpiExec):
    """mpiexec of Open MPI is a PMIx server; without its own variables it is that alone."""

    BELOW_PMIX = ("env", "-u", "OMPI_COMM_WORLD_RANK", "-u", "OMPI_COMM_WORLD_SIZE", EARL, "exec")

    def run_below_pmix(self, size, *words, **options):
        return self.run_on("openmpi", "-n", size, *self.BELOW_PMIX, *words, **options)

    def test_the_processes_are_one_job_on_shared_memory(self):
        for size in (1, 3, 5):
            seen = self.run_below_pmix(size, ACTOR, "gsync", "who", "crowd", "200")
            self.assertEqual((seen.code, seen.err), (0, ""), seen)
            self.assertEqual([line for line in lines(seen.out) if " of " in line and "last" not in line],
                             [f"{rank} of {size}" for rank in range(size)], seen)
        self.assertIn("on shm", self.run_below_pmix(2, "--dry-run", ACTOR).out)

    def test_the_launcher_s_variables_are_not_the_program_s(self):
        seen = self.run_below_pmix(2, ACTOR, "gsync", "variable", "PMIX_RANK")
        self.assertEqual((seen.code, lines(seen.out)), (0, 2 * ["no PMIX_RANK"]), seen)

    def test_an_exit_code_is_the_launcher_s(self):
        for rank in (0, 2):
            seen = self.run_below_pmix(3, ACTOR, "gsync", "only", rank, "exit", 7)
            self.assertEqual(seen.code, 7, seen)

    def test_another_back_end_is_refused(self):
        seen = self.run_below_pmix(2, "--on", "fibers", ACTOR, "gsync")
        self.assertEqual(seen.code, 2, seen)
        self.assertIn("--on fibers: below this launcher the back end is shm", seen.err)

    def test_a_server_that_has_ended_is_an_error(self):
        seen = self.earl("exec", ACTOR, "who", env={**self.job_environment(), "PMIX_RANK": "0",
                                                    "PMIX_NAMESPACE": "gone"})
        self.assertNotEqual(seen.code, 0, seen)
        self.assertIn("the PMIx server of this process (PMIX_RANK=0) gives no answer", seen.err)

    def test_ends_of_a_place_and_of_the_launcher_end_the_job(self):
        for victim in ("place", "launcher"):
            job = self.start_on("openmpi", "-n", 3, *self.BELOW_PMIX, ACTOR, "gsync", "say", "there", "ring")
            self.assertIn(b"there", job.stdout.readline())
            if victim == "place":
                os.kill(self.named("earl-place")[0], signal.SIGKILL)
                self.assertNotEqual(self.finish(job).code, 0)
            else:
                job.kill()
                self.assertEqual(job.wait(), -signal.SIGKILL)
            wait_until(lambda: not marked(self.token), "the end of all")
        for left in glob.glob(os.path.join(self.folder, "ompi.*")):
            shutil.rmtree(left)  # of Open MPI's own mpiexec


class Refusals(MpiExec):
    def refused(self, library, *words):
        """By exit code 2; returns standard error."""
        seen = self.run_on(library, "-n", 2, *words)
        self.assertEqual(seen.code, 2, seen)
        self.assertEqual(seen.err.count("earl: "), 1, seen)
        return seen.err

    def test_decisions_of_the_launcher(self):
        def check(library):
            for words, sentence in (
                    (("-n", 2), "-n: the launcher, mpiexec or srun, chooses how many processes there are"),
                    (("--hosts", "a,b"), "--hosts: the launcher, mpiexec or srun, has chosen the hosts"),
                    (("--on", "shm"), "--on shm: below this launcher the back end is mpi"),
                    (("--tool", "hammer"), "--tool hammer: there is no such debugger")):
                self.assertIn(sentence, self.refused(library, *EXEC, *words, ACTOR, "gsync"))
        self.each(check)

    def test_several_hosts(self):
        def check(library):
            self.assertIn("has started 2 processes and 1 of them on this host",
                          self.refused(library, "env", f"{LOCAL_SIZE[library]}=1", *EXEC, ACTOR, "gsync"))
        self.each(check)

    @unittest.skipUnless("mpich" in LIBRARIES, "no MPICH here")
    def test_several_hosts_of_slurm(self):
        """srun has MPICH's variables, but not the number of processes on this host. The first task starts all."""
        step = {"PMI_SIZE": "4", "SLURM_STEP_NUM_TASKS": "4", "SLURM_STEP_NUM_NODES": "2", "SLURM_STEP_NODELIST": "n[1-2]",
                "SLURM_STEP_TASKS_PER_NODE": "3,1"}
        for rank, said in ((0, "host n1 takes 3, started by `srun "), (3, "")):
            variables = {**self.job_environment(), **step, "PMI_RANK": str(rank), "SLURM_PROCID": str(rank)}
            seen = self.earl("exec", "--dry-run", ACTOR, "gsync", env=variables)
            self.assertEqual((seen.code, seen.err, bool(seen.out)), (0, "", rank == 0), seen)
            self.assertIn(said, seen.out)
            seen = self.earl("exec", ACTOR, "gsync", env={**variables, "SLURM_STEP_TASKS_PER_NODE": "4"})
            self.assertEqual((seen.code, seen.out), (2, ""), seen)
            self.assertEqual(seen.err, "earl: SLURM_STEP_NODELIST=n[1-2] and SLURM_STEP_TASKS_PER_NODE=4 do not name 2 hosts with "
                             "their tasks; in the allocation `earl run`, once and without srun, starts the processes\n" if rank == 0 else "")

    def test_a_program_that_is_not_there(self):
        def check(library):
            seen = self.run_on(library, "-n", 3, *EXEC, "./nowhere")
            self.assertNotEqual(seen.code, 0, seen)
            self.assertEqual(seen.err.count("earl: "), 1, seen)
            self.assertIn("./nowhere", seen.err)
        self.each(check)

    def test_a_missing_process_is_named(self):
        """All at once: each waits for half a minute."""
        idle = ("sh", "-c", "exec sleep 100")
        last = {library: self.start_on(library, "-n", 2, *EXEC, ACTOR, "gsync", ":", "-n", 1, *idle,
                                       env=self.in_folder(library + "-last")) for library in LIBRARIES}
        first = {library: self.start_on(library, "-n", 1, *idle, ":", "-n", 1, *EXEC, ACTOR, "gsync",
                                        env=self.in_folder(library + "-first")) for library in LIBRARIES}
        for library in LIBRARIES:
            for job, sentence in ((last[library], "has started 3 processes, and rank 2 has not come"),
                                  (first[library], "is not `earl exec`")):
                wait_until(lambda job=job: self.has_said(job, sentence), sentence)
                job.terminate()
                self.finish(job)
            for name in ("-last", "-first"):
                os.rmdir(os.path.join(self.folder, library + name))

    def has_said(self, job, sentence):
        os.set_blocking(job.stderr.fileno(), False)
        job.said = getattr(job, "said", b"") + (job.stderr.read() or b"")
        os.set_blocking(job.stderr.fileno(), True)
        return sentence in job.said.decode() or job.poll() is not None and self.fail(job.said)


class Ends(MpiExec):
    def in_motion(self, library):
        """A job whose nodes send for ever."""
        job = self.start_on(library, "-n", 3, *EXEC, ACTOR, "gsync", "say", "there", "ring")
        self.assertIn(b"there", job.stdout.readline())
        return job

    def test_a_node_is_killed(self):
        def check(library):
            job = self.in_motion(library)
            self.kill("actor")
            seen = self.finish(job)
            self.assertNotEqual(seen.code, 0, seen)
            self.assertIn("(actor, nx) was killed by SIGKILL (Killed)", seen.err)
        self.each(check)

    def test_exec_is_killed(self):
        def check(library):
            for those in (("earl",), ("earl-watchdog", "earl")):
                job = self.in_motion(library)
                for name in those:
                    self.kill(name)
                self.assertNotEqual(self.finish(job).code, 0)
                wait_until(lambda: not marked(self.token), "nothing of the job is left")
                self.assertEqual(os.listdir(self.folder), [], those)
        self.each(check)

    def test_a_place_is_killed(self):
        def check(library):
            for place in (0, -1):
                job = self.in_motion(library)
                os.kill(self.named("earl-place")[place], signal.SIGKILL)
                self.assertNotEqual(self.finish(job).code, 0)
        self.each(check)

    def test_signals(self):
        """The code is mpiexec's: MPICH's is 0 now and then after a signal, for any program."""
        def check(library):
            for number in (signal.SIGINT, signal.SIGTERM):
                job = self.in_motion(library)
                job.send_signal(number)
                self.finish(job)
        self.each(check)

    def test_mpiexec_is_killed(self):
        def check(library):
            job = self.in_motion(library)
            job.kill()
            self.assertEqual(job.wait(), -signal.SIGKILL)
            wait_until(lambda: not marked(self.token), "the end of all")
            for left in glob.glob(os.path.join(self.folder, "ompi.*")):
                shutil.rmtree(left)  # of Open MPI's own mpiexec
        self.each(check)


if __name__ == "__main__":
    if not LIBRARIES:
        print("no MPI is installed, or none was when Earl was built, or this is a sanitized build")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *os.environ.get("ONLY", "").split()], verbosity=2)
