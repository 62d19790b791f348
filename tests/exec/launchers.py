# SPDX-License-Identifier: BSD-3-Clause
"""Launchers that people have, each with the real thing behind it: ssh, MPICH's and Open MPI's mpiexec,
Slurm's srun; and the hosts of a batch system's job."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from daemons import ALONE, SSHD, Slurm, Ssh
from hosts import Hosts, NETWORK, tearDownModule  # noqa: F401 (the module's end)
from job import ACTOR, EARL, JobTest, marked, wait_until

SLURM = ("munged", "slurmctld", "slurmd", "srun", "salloc", "sinfo")
PROCESSORS = str(len(os.sched_getaffinity(0)))
SPREAD = ["a", "a", "b", "b", "c", "c"]


def all_there(*commands):
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    return all(shutil.which(command, path=path) for command in commands)


class Launched(Hosts):
    """Tests that each launcher must pass; a subclass gives `launcher` and `variables`."""

    variables = {}
    daemons = None

    @classmethod
    def serve(cls, kind):
        if subprocess.run([*ALONE, "true"], check=False, timeout=30, stderr=subprocess.DEVNULL).returncode != 0:
            raise unittest.SkipTest("no process namespaces here")
        place = tempfile.TemporaryDirectory(prefix="earl-daemons-")
        cls.addClassCleanup(place.cleanup)
        cls.daemons = kind(NETWORK, place.name)
        cls.addClassCleanup(cls.daemons.close)

    def setUp(self):
        super().setUp()
        self.launcher = self.words()

    def environment(self):
        name, value = self.token.split("=")
        return {**os.environ, name: value, "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null", **self.variables}

    def start(self, *words, **options):
        return super().start(*words, env=self.environment(), **options)

    def check_all(self):
        self.check_running()
        self.check_input()
        self.check_exec_killed()

    def check_running(self):
        seen = self.run_hosts("--stdin", "none", "sh", "-c", 'uname -n; exec "$0" gsync only 0 exit 7', ACTOR)
        self.assertEqual(seen.code, 7, seen)
        self.assertEqual(sorted(seen.out.splitlines()), SPREAD, seen)
        # A launcher's limits of one process are not the job's.
        seen = self.run_hosts("sh", "-c", 'nproc; exec "$0" gsync', ACTOR, hosts="b,c")
        self.assertEqual(seen.out.splitlines(), [PROCESSORS] * 2, seen)

    def check_input(self):
        text = b"".join(b"line %d of many\n" % n for n in range(20_000))
        seen = self.run_hosts("--stdin", "3", ACTOR, "only", "3", "cat", input=text)
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual(seen.out.encode(), text)

    def check_exec_killed(self):
        job = self.waiting()
        job.kill()
        job.wait()
        wait_until(lambda: not marked(self.token), "the end of all agents, processes and launchers")


@unittest.skipUnless(SSHD and all_there("ssh", "ssh-keygen"), "no sshd here")
class WithSsh(Launched):
    # Open MPI refuses root; here all processes are root.
    variables = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    @classmethod
    def setUpClass(cls):
        cls.serve(Ssh)
        cls.variables = {**cls.variables, "HYDRA_LAUNCHER_EXEC": cls.daemons.script,
                         "OMPI_MCA_plm_rsh_agent": cls.daemons.script}

    def words(self):
        return f"{self.daemons.command} %h"

    def test_ssh(self):
        self.check_all()

    def test_a_host_that_ssh_does_not_reach(self):
        self.expect(self.run_hosts(ACTOR, "who", hosts="a,nowhere"), 1, "Could not resolve hostname nowhere",
                    "host nowhere cannot be reached", "ended with code 255")

    @unittest.skipUnless(all_there("mpiexec.hydra"), "no MPICH here")
    def test_mpich(self):
        self.launcher = "mpiexec.hydra"
        self.check_all()

    @unittest.skipUnless(all_there("mpirun.openmpi"), "no Open MPI here")
    def test_open_mpi(self):
        self.launcher = "mpirun.openmpi"
        self.check_all()


@unittest.skipUnless(all_there(*SLURM), "no Slurm here")
class WithSlurm(Launched):
    @classmethod
    def setUpClass(cls):
        cls.serve(Slurm)
        cls.variables = cls.daemons.variables

    def words(self):
        return "srun"

    def salloc(self, *words):
        return self.submit("salloc", "-Q", *words)

    def submit(self, *words):
        inside = NETWORK.exec_host.inside(*words)
        return self.finish(JobTest.start(self, *inside[1:], executable="/usr/bin/nsenter", env=self.environment()))

    def test_srun_without_an_allocation(self):
        self.check_all()

    def test_the_hosts_of_an_allocation_are_taken(self):
        seen = self.salloc("-N3", "-n6", EARL, "run", "-v", "sh", "-c", 'uname -n; exec "$0" gsync', ACTOR)
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual(sorted(seen.out.splitlines()), SPREAD, seen)
        self.assertIn("earl: the hosts are those of this job of Slurm\n", seen.err)

    def test_an_allocation_can_be_left_alone(self):
        seen = self.salloc("-N3", EARL, "run", "--hosts", "none", "sh", "-c", 'uname -n; exec "$0"', ACTOR)
        self.assertEqual((seen.code, seen.out), (0, "exec\n"), seen)


    def test_a_job_in_each_task_is_refused(self):
        seen = self.submit("srun", "-Q", "-N1", "-n2", EARL, "run", ACTOR, "gsync", "who")
        self.assertEqual((seen.code, seen.out), (2, ""), seen)
        self.assertEqual(seen.err.count("earl: srun (SLURM_STEP_NUM_TASKS=2) has started 2 processes"), 1, seen)

    def test_tasks_are_one_job_on_one_host_on_shared_memory(self):
        known = self.submit("srun", "--mpi=list")
        for kind in ("none", "pmix") if "pmix" in known.out + known.err else ("none",):
            seen = self.submit("srun", "-Q", f"--mpi={kind}", "-N1", "-n2", EARL, "exec", ACTOR, "gsync", "who")
            self.assertEqual((seen.code, seen.err, sorted(seen.out.splitlines())), (0, "", ["0 of 2", "1 of 2"]),
                             (kind, seen))
        failed = self.submit("srun", "-Q", "-N1", "-n2", EARL, "exec", ACTOR, "gsync", "only", "1", "exit", "7")
        self.assertEqual(failed.code, 7, failed)

    def check_on_hosts(self, *options):
        # By name: a host that still ends the job before is not taken.
        tasks = ("srun", "-Q", "-w", "a,b", *options, EARL, "exec")
        seen = self.submit(*tasks, "sh", "-c", 'uname -n; exec "$0" gsync who', ACTOR)
        self.assertEqual((seen.code, sorted(seen.out.splitlines())),
                         (0, [*(f"{rank} of 4" for rank in range(4)), "a", "a", "b", "b"]), (options, seen))

    def test_tasks_are_one_job_on_several_hosts(self):
        for options in (("-N2", "-n4"), ("-N2", "--ntasks-per-node=2"), ("-N2", "-n4", "--mpi=pmi2")):
            self.check_on_hosts(*options)
        self.expect(self.salloc("-N3", "-n6", "srun", "-Q", EARL, "exec", ACTOR, "gsync", "only", "0", "who"), 0)
        # A task's CPUs are not the job's.
        seen = self.submit("srun", "-Q", "-N2", "-n4", "taskset", "-c", "0", EARL, "exec", ACTOR, "gsync", "processors")
        self.assertEqual((seen.code, seen.out.splitlines()), (0, [PROCESSORS] * 4), seen)

    def test_a_recording_of_several_hosts_is_replayed_on_one(self):
        recording = os.path.join(self.folder, "r.earl")
        self.addCleanup(shutil.rmtree, recording, ignore_errors=True)
        seen = self.submit("srun", "-Q", "-N2", "-n4", EARL, "exec", f"--tool=record={recording}", ACTOR, "gsync", "crowd", "50")
        self.assertEqual(seen.code, 0, seen)
        again = self.earl("replay", recording)
        self.assertEqual((again.code, again.out), (0, seen.out), again)

    def test_ends_of_a_job_on_several_hosts(self):
        failed = self.submit("srun", "-Q", "-N2", "-n4", EARL, "exec", ACTOR, "gsync", "only", "0", "exit", "7")
        self.assertEqual(failed.code, 7, failed)
        killed = self.submit("srun", "-Q", "-N2", "-n4", EARL, "exec", ACTOR, "gsync", "only", "3", "signal", "9", "wait")
        self.assertNotEqual(killed.code, 0, killed)
        self.assertIn("earl: rank 3 (actor, nx) on host b was killed by SIGKILL", killed.err)
        self.expect(self.submit("srun", "-Q", "-N2", "-n4", EARL, "exec", "--on", "fibers", ACTOR, "gsync"), 2,
                    "earl: --on fibers: below this launcher the back end is shm")

    def test_tasks_that_have_pmi_are_one_job_on_one_host(self):
        if not re.search(r"^ok +MPICH ", self.earl("doctor").out, re.MULTILINE):
            self.skipTest("no MPICH here, or Earl is built without it")
        tasks = ("srun", "-Q", "--mpi=pmi2", "-n2", EARL, "exec", ACTOR, "gsync", "who")
        seen = self.submit(*tasks[:3], "-N1", *tasks[3:])
        self.assertEqual((seen.code, sorted(seen.out.splitlines())), (0, ["0 of 2", "1 of 2"]), seen)


class Batch(Hosts):
    """Variables of batch systems, and the resulting launcher; nothing is started."""

    def planned(self, variables, *words):
        name, value = self.token.split("=")
        seen = self.earl("run", "--dry-run", *words, ACTOR, env={
            **os.environ, name: value, "EARL_CONFIG": "/dev/null", **variables})
        return seen, [line for line in seen.out.splitlines() if line.startswith("host")]

    def file(self, text):
        path = os.path.join(self.place.name, "nodes")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def expect_hosts(self, variables, system, launcher, words=(), count=5):
        seen, hosts = self.planned(variables, *words)
        self.assertEqual(hosts, [f"hosts of this job of {system}:",
                                 f"host a takes 2, started by `{launcher}`",
                                 f"host b takes 3, started by `{launcher}`"], seen)
        self.assertIn(f"ranks 0-{count - 1} on shm", seen.out)

    def test_slurm(self):
        srun = "srun -Q --nodes=1 --ntasks=1 --nodelist=%h --overlap --cpu-bind=none --mpi=none"
        for count in ("SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE"):
            self.expect_hosts({"SLURM_JOB_NODELIST": "a,b", count: "2,3"}, "Slurm", srun)
        self.expect_hosts({"SLURM_JOB_NODELIST": "a,b", "SLURM_TASKS_PER_NODE": "2,3"}, "Slurm", "rsh %h",
                          ("--launcher", "rsh %h", "-n", "4"), 4)

    def test_the_others(self):
        self.expect_hosts({"PBS_NODEFILE": self.file("a\na\nb\nb\nb\n")}, "PBS", "ssh %h")
        self.expect_hosts({"OAR_NODEFILE": self.file("a\nb\na\nb\nb\n")}, "OAR", "oarsh %h")
        self.expect_hosts({"LSB_MCPU_HOSTS": "a 2 b 3"}, "LSF", "blaunch %h")
        self.expect_hosts({"PE_HOSTFILE": self.file("a 2 all.q@a UNDEFINED\nb 3 all.q@b UNDEFINED\n")},
                          "Grid Engine", "qrsh -inherit %h")

    def test_jobs_of_the_others_run_on_their_hosts(self):
        """Their launchers are stand-ins, which get the words that the real ones would."""
        folder = os.path.join(self.place.name, "bin")
        os.mkdir(folder)
        for name in ("ssh", "oarsh", "blaunch", "qrsh"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                first = 'test "$1" = -inherit && shift || exit 9' if name == "qrsh" else ":"
                launch = self.launcher.replace("%h", '"$@"')
                file.write(f"#!/bin/sh\n{first}\nexec {launch}\n")
            os.chmod(file.name, 0o755)
        name, value = self.token.split("=")
        for variables in ({"PBS_NODEFILE": self.file("a\na\nb\nb\nb\n")}, {"OAR_NODEFILE": self.file("a\nb\na\nb\nb\n")},
                          {"LSB_MCPU_HOSTS": "a 2 b 3"},
                          {"PE_HOSTFILE": self.file("a 2 all.q@a UNDEFINED\nb 3 all.q@b UNDEFINED\n")}):
            with self.subTest(variables):
                seen = self.earl("run", "sh", "-c", 'uname -n; exec "$0" gsync', ACTOR, env={
                    **os.environ, name: value, "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null",
                    "PATH": f"{folder}:{os.environ['PATH']}", **variables})
                self.assertEqual((seen.code, sorted(seen.out.split())), (0, ["a", "a", "b", "b", "b"]), seen)

    def test_a_host_with_another_choice_is_not_asked(self):
        job = {"LSB_MCPU_HOSTS": "a 2 b 3"}
        for words in (("--hosts", "none"), ("--on", "fibers"), ("--console",)):
            self.assertEqual(self.planned(job, *words)[1], [], words)
        self.assertEqual(self.planned(job, "--hosts", "c")[1], ["host c takes 1, started by `ssh %h`"])
        self.assertEqual(self.planned({**job, "EARL_HOSTS": "none"})[1], [])
        # A job on one host that is this one.
        self.assertEqual(self.planned({"LSB_MCPU_HOSTS": "exec.here.net 8"})[1], [])

    def test_nonsense_is_refused(self):
        for variables in ({"SLURM_JOB_NODELIST": "n[1-"}, {"SLURM_JOB_NODELIST": "-oProxyCommand=x"},
                          {"PBS_NODEFILE": "/no/such/file"}, {"LSB_MCPU_HOSTS": "x"}):
            key, value = next(iter(variables.items()))
            self.expect(self.planned(variables)[0], 2, f"{key}={value} names no hosts", "--hosts none")


def load_tests(loader, _, __):
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (WithSsh, WithSlurm, Batch))


if __name__ == "__main__":
    unittest.main(verbosity=2)
