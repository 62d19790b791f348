# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on the hosts that the user has added to a PVM virtual machine."""

import os
import shutil
import signal
import subprocess
import sys
import unittest

from job import ACTOR, EARL, JobTest, marked, name_of
from network import network_or_skip
from virtual_machine import ADDRESSES, VirtualMachine

MASTER = "/usr/bin/master1"
PROGRAM = os.environ["PVM_HOSTS"]
NETWORK = network_or_skip()


def tearDownModule():
    NETWORK.close()


class PvmHosts(JobTest):
    HOSTS = "ab"

    def setUp(self):
        super().setUp()
        self.machine = VirtualMachine(NETWORK, self.HOSTS)
        self.addCleanup(self.machine.close)
        name, value = self.token.split("=")
        self.env = {**self.machine.env, name: value, "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null"}

    def start(self, *words, **options):
        command, *rest = words
        inside = NETWORK.exec_host.inside(EARL)
        settings = {"env": self.env, **options, "executable": "/usr/bin/nsenter"}
        return super().start(*inside[1:], command, "--launcher", f"{self.machine.shell} %h", *rest,
                             **settings)

    def run_there(self, *words, **options):
        return self.earl("run", "--on", "pvm", *words, **options)

    def waiting(self):
        job = self.start("run", "--on", "pvm", "-n", "3", ACTOR, "say", "there", "gsync", "ring")
        for _ in range(3):
            if job.stdout.readline() != b"there\n":
                self.fail(f"not all are there: {self.finish(job)}")
        return job


class Running(PvmHosts):
    def test_each_host_gets_a_process(self):
        seen = self.run_there("-n", "3", "sh", "-c", 'uname -n; exec "$0" gsync who', ACTOR)
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual(sorted(seen.out.splitlines()),
                         ["0 of 3", "1 of 3", "2 of 3", "a", "b", "exec"], seen)

    @unittest.skipUnless(os.path.exists(MASTER), "no package pvm-examples")
    def test_spawned_tasks_go_round(self):
        """One master, because no more were requested: its children are on the next hosts."""
        seen = self.run_there("-v", MASTER)
        self.expect(seen, 0, "on host exec is /usr/bin/master1\n", "on host 10.77.0.2", "on host 10.77.0.3")
        self.assertIn("I got 300.000000 from 2; (expecting 300.000000)\n", seen.out)

    def test_tasks_see_the_hosts_of_the_machine(self):
        seen = self.run_there(PROGRAM, env={**self.env, "MOVED": "/"})
        self.assertEqual(seen.code, 0, seen)
        self.assertIn("3 hosts\n40000 ", seen.out)
        self.assertIn("80000 10.77.0.2 LINUX64\nc0000 10.77.0.3 LINUX64\nmaster on ", seen.out)
        self.assertIn("elsewhere: 10.77.0.3 10.77.0.2\n", seen.out)
        self.assertIn("EARL-OK\n", seen.out)

    def test_the_transport_is_reported(self):
        seen = self.run_there("-v", "-n", "4", ACTOR, "gsync")
        self.expect(seen, 0, "rank 0 (actor, nx) on host exec is ", "on host 10.77.0.2 is ",
                    "4 processes started on pvm\n")
        self.assertNotIn("rejected", seen.err)

    def test_hosts_may_be_chosen_of_them(self):
        seen = self.run_there("--hosts", "10.77.0.3:2", "--tag-output", "sh", "-c",
                              'uname -n; exec "$0" gsync', ACTOR)
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual([line.split()[-1] for line in seen.out.splitlines()], ["b", "b"])

    def test_a_host_that_is_not_of_it_is_named(self):
        seen = self.run_there("--hosts", "10.77.0.2,10.77.0.4", ACTOR, "gsync")
        self.expect(seen, 1, "host 10.77.0.4 cannot do its part: no PVM daemon of yours is running "
                    "on this host", "start one with `pvm`")

    def test_a_recorded_run_is_had_again_there_and_on_one_host(self):
        folder = os.path.join(self.machine.place.name, "run.earl")
        seen = self.earl("record", "-o", folder, "--on", "pvm", "-n", "3", ACTOR,
                         "gsync", "who")
        self.assertEqual(seen.code, 0, seen)
        for back_end in ("pvm", "shm"):
            with self.subTest(back_end):
                again = self.earl("replay", "--on", back_end, folder)
                self.assertEqual(again.code, 0, again)
                self.assertEqual(sorted(again.out.splitlines()), sorted(seen.out.splitlines()))


class Two(PvmHosts):
    HOSTS = "a"

    def test_hosts_of_two_virtual_machines_are_distinguished(self):
        there = NETWORK.hosts["b"]
        other = subprocess.Popen(
            there.inside("pvmd", f"-n{ADDRESSES['b']}"), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**self.machine.env, "PVM_TMP": self.machine.folder(ADDRESSES["b"])})
        try:
            other.stdout.readline()
            # Each virtual machine's first tasks have the same ids.
            seen = self.run_there("--hosts", f"localhost,{ADDRESSES['b']}:4", ACTOR, "gsync")
        finally:
            other.terminate()
            other.wait()
            other.stdout.close()
        self.expect(seen, 1, "they are not of one virtual machine")


class Ends(PvmHosts):
    def test_the_death_of_a_daemon_is_reported(self):
        job = self.waiting()
        os.kill(self.machine.daemon_of("b"), signal.SIGKILL)
        seen = self.finish(job)
        self.assertNotEqual(seen.code, 0, seen)
        self.assertIn("(pvmd)", seen.err, seen)

    def test_a_machine_that_is_halted_ends_the_job(self):
        job = self.waiting()
        self.machine.daemon.terminate()
        seen = self.finish(job)
        self.assertNotEqual(seen.code, 0, seen)
        self.assertTrue("(pvmd)" in seen.err or "killed by SIGTERM" in seen.err, seen)

    def test_a_process_that_is_killed_is_named(self):
        job = self.waiting()
        victim = self.actor_of("b")
        os.kill(victim, signal.SIGKILL)
        seen = self.finish(job)
        self.assertEqual(seen.code, 137, seen)
        self.assertRegex(seen.err, r"rank 2 \(actor, nx\) on host \S+ was killed by SIGKILL")
        self.assertIsNone(self.machine.daemon.poll())

    def actor_of(self, host):
        there = os.readlink(f"/proc/{NETWORK.hosts[host].pid}/ns/net")
        found = [pid for pid in marked(self.token)
                 if name_of(pid) == "actor" and os.readlink(f"/proc/{pid}/ns/net") == there]
        return found[0]


if __name__ == "__main__":
    if not shutil.which("pvmd") or "PVM_MODULE" not in os.environ:
        print("PVM is not installed, or was not when Earl was built")
        sys.exit(77)
    unittest.main(verbosity=2)
