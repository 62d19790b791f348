# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on native MPI over several hosts: usage: mpi_hosts.py LIBRARY PROGRAM:SIZE:RACING..., old-style
programs that print EARL-OK and, if racing is no, the same in each run; the library is one of EARL_MPI's
words."""

import os
import signal
import sys
import unittest

from hosts import Hosts, NETWORK, arguments_of, network_of, tearDownModule  # noqa: F401 (the module's end)
from job import ACTOR, marked, name_of, wait_until
from network import OWN_FOLDER

LIBRARY = sys.argv[1]
PROGRAMS = [word.rsplit(":", 2) for word in sys.argv[2:]]
if LIBRARY != "mpich":
    PROGRAMS = PROGRAMS[::3]  # what they do is Earl's, and the same on each
ON_MPI = ("--on", "mpi")


def lines(text):
    return sorted(text.splitlines())


class MpiHosts(Hosts):
    def settings(self, **more):
        name, value = self.token.split("=")
        return {**os.environ, name: value, "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null",
                "EARL_MPI": LIBRARY, **more}

    def start(self, *words, **options):
        return super().start(*words, **{"env": self.settings(), **options})

    def run_on_mpi(self, *words, **options):
        return self.run_hosts(*ON_MPI, *words, **options)


class Running(MpiHosts):
    def test_each_host_gets_as_many_as_it_takes(self):
        seen = self.run_on_mpi("--tag-output", "-n", "8", "sh", "-c", 'uname -n; exec "$0" gsync', ACTOR,
                               hosts="a:1,b:3,c:1")
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual([line.split()[-1] for line in lines(seen.out)], list("abbbcabb"), seen)

    def test_two_processes(self):
        for hosts in ("a,b", "b:2", "localhost,c", "a,b,c"):
            with self.subTest(hosts):
                seen = self.run_on_mpi("-n", "2", ACTOR, "gsync", "who", hosts=hosts)
                self.assertEqual((seen.code, lines(seen.out)), (0, ["0 of 2", "1 of 2"]), seen)

    def test_the_transport_is_reported(self):
        seen = self.run_on_mpi("-v", ACTOR, "gsync")
        self.expect(seen, 0, "6 processes started on mpi\n", "on host b")

    def test_many_messages(self):
        seen = self.run_on_mpi(ACTOR, "crowd", "2000")
        self.assertEqual((seen.code, seen.err), (0, ""), seen)

    def test_standard_input_gets_to_its_reader(self):
        text = b"".join(b"line %d of many\n" % n for n in range(20_000))
        seen = self.run_on_mpi("--stdin", "5", ACTOR, "gsync", "only", "5", "cat", input=text)
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual(seen.out.encode(), text)


class Recording(MpiHosts):
    def setUp(self):
        super().setUp()
        self.home = f"{OWN_FOLDER}/{os.path.basename(self.folder)}.earl"

    def record(self, *words):
        return self.earl("record", "-o", self.home, *self.run_words(*ON_MPI, *words)[1:])

    def test_it_comes_home_and_is_had_again_without_mpi(self):
        seen = self.record(ACTOR, "gsync", "crowd", "1000", "who")
        self.assertEqual(seen.code, 0, seen)
        for host in NETWORK.hosts.values():
            self.assertEqual(os.listdir(f"/proc/{host.pid}/root{OWN_FOLDER}"), [])
        again = self.earl("replay", "--on", "shm", self.home)
        self.assertEqual((again.code, lines(again.out)), (0, lines(seen.out)), again)

    def test_programs_do_as_on_one_host_and_are_had_again(self):
        for program, size, racing in PROGRAMS:
            with self.subTest(os.path.basename(program)):
                self.home = f"{OWN_FOLDER}/{os.path.basename(program)}.earl"
                seen = self.record("-n", size, program)
                self.assertEqual(seen.code, 0, seen)
                self.assertEqual(seen.out.count("EARL-OK"), int(size))
                if racing == "no":
                    here = self.earl("run", "-n", size, program)
                    self.assertEqual((lines(seen.out), lines(seen.err)), (lines(here.out), lines(here.err)))
                again = self.earl("replay", "--on", "shm", self.home)
                self.assertEqual((again.code, lines(again.out)), (0, lines(seen.out)), again)


class Ending(MpiHosts):
    def node_of(self, host):
        """One of the job's processes there."""
        return next(pid for pid in marked(self.token) if name_of(pid) == "actor"
                    and network_of(pid) == network_of(NETWORK.hosts[host].pid))

    def test_an_exit_code_is_rank_0_s(self):
        self.expect(self.run_on_mpi(ACTOR, "gsync", "only", "0", "exit", "7"), 7)

    def test_a_deadlock_is_reported(self):
        self.expect(self.run_on_mpi(ACTOR, "gsync", "wait"), 86, "deadlock: ranks 0-5")

    def test_a_signal_ends_the_job_and_is_reported(self):
        self.expect(self.run_on_mpi(ACTOR, "gsync", "only", "3", "signal", "11"), 128 + 11,
                    "rank 3 (actor, nx) on host b was killed by SIGSEGV")

    def test_an_interrupt_ends_all(self):
        job = self.waiting(*ON_MPI)
        job.send_signal(signal.SIGINT)
        self.expect(self.finish(job), 128 + 2)

    def test_a_process_that_is_killed(self):
        job = self.waiting(*ON_MPI)
        os.kill(self.node_of("c"), signal.SIGKILL)
        self.expect(self.finish(job), 128 + 9, "(actor, nx) on host c was killed by SIGKILL")

    def test_a_process_that_never_begins(self):
        seen = self.run_on_mpi("-n", "3", ACTOR, "gsync", ":", "-n", "1", "/bin/sh", "-c", "exit 0")
        self.expect(seen, 1, "rank 3 ended without finalizing MPI, which cannot continue without it")

    def test_an_agent_that_is_killed(self):
        self.lose_agent(self.waiting(*ON_MPI))

    def test_a_host_that_cannot_be_reached_any_more(self):
        self.lose_host(self.waiting(*ON_MPI))

    def test_exec_killed(self):
        job = self.waiting(*ON_MPI)
        job.kill()
        job.wait()
        wait_until(lambda: not marked(self.token), "the end of all agents, processes and launchers")

    def test_the_launcher_killed(self):
        job = self.waiting(*ON_MPI)
        launcher = next(pid for pid in marked(self.token)
                        if b"mpiexec." + LIBRARY.encode() in arguments_of(pid)[0])
        os.kill(launcher, signal.SIGKILL)
        self.expect(self.finish(job), 1, f"mpiexec.{LIBRARY}", "the job cannot go on without it")


class Refusing(MpiHosts):
    def without(self, *files):
        """A launcher for hosts where b lacks these."""
        hide = " && ".join(f"mount --bind /dev/null {file}" for file in files)
        path = os.path.join(self.place.name, "poor")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'host=$1; shift\ncase $host in\nb) set -- unshare --mount sh -c \'{hide} && exec "$@"\' sh '
                       f'"$@" ;;\nesac\nexec {self.launcher.replace("%h", "$host")} "$@"\n')
        return f"sh {path} %h"

    def test_a_host_without_that_mpi(self):
        seen = self.run_on_mpi(ACTOR, "gsync", launcher=self.without(f"/usr/bin/mpiexec.{LIBRARY}"))
        self.expect(seen, 1, f"earl: host b cannot do its part: there is no mpiexec.{LIBRARY} here",
                    "install the package", "the job is terminated\n")
        self.assertEqual(len(seen.err.splitlines()), 1, seen)

    def test_a_host_with_half_of_it(self):
        part = {"mpich": "/usr/bin/hydra_pmi_proxy", "openmpi": os.path.realpath("/usr/bin/orted")}[LIBRARY]
        seen = self.run_on_mpi(ACTOR, "gsync", launcher=self.without(part))
        self.expect(seen, 1, f"host b cannot do its part: the remote command of mpiexec.{LIBRARY}",
                    "of 2 processes", os.path.basename(part)[:5])
        self.assertEqual(len(seen.err.splitlines()), 1, seen)

    def test_a_host_that_is_not_reached(self):
        self.expect(self.run_on_mpi(ACTOR, "gsync", hosts="a", launcher="false %h"), 1,
                    "host a cannot be reached: `false a", "the job is terminated\n")


def load_tests(loader, _, __):
    return unittest.TestSuite(loader.loadTestsFromTestCase(case)
                              for case in (Running, Recording, Ending, Refusing))


if __name__ == "__main__":
    assert PROGRAMS
    unittest.main(argv=[sys.argv[0], *os.environ.get("ONLY", "").split()], verbosity=2)
