# SPDX-License-Identifier: BSD-3-Clause
"""Networks of switches that run on their own (earl-myrinet): jobs use them, one after the other, and
their failures are reported."""

import ctypes
import os
import re
import signal
import socket
import subprocess
import sys
import unittest

from job import ACTOR, JobTest, environment, marked, wait_until
from myrinet import port_of

NETWORK_COMMAND = environment("EARL_MYRINET")
SWITCH = os.path.join(os.path.dirname(NETWORK_COMMAND), "earl-myrisw")
BIPROUTE = environment("BIPROUTE")
TOPOLOGY = """switch left 4
switch right 4
cable left:3 right:3
host a left:0
host b left:1
host c right:0
"""
ROUTES = """3
a 0
256
129
131 189
b 0
191
256
130 189
c 0
131 189
131 190
256
"""
# The second and the third host, with the routes there are.
TWO_OF_THEM = "2\nb 0\n256\n130 189\nc 0\n131 190\n256\n"
PIDFD_OPEN, PIDFD_GETFD = 434, 438


class Networks(JobTest):
    def setUp(self):
        super().setUp()
        self.name = f"test-{os.path.basename(self.folder)}"
        self.addCleanup(os.environ.pop, "EARL_MYRINET_NETWORK", None)
        os.environ["EARL_MYRINET_NETWORK"] = self.name
        self.topology = self.file("net", TOPOLOGY)

    def file(self, name, text):
        """Beside the folder that must be empty in the end."""
        path = f"{self.folder}.{name}"
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        self.addCleanup(os.unlink, path)
        return path

    def start_network(self, *words):
        name, value = self.token.split("=")
        network = subprocess.Popen([NETWORK_COMMAND, *(words or (self.name, self.topology))], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env={**os.environ, name: value})
        self.addCleanup(self.end, network)
        return network

    def running_network(self):
        network = self.start_network()
        self.assertEqual(network.stdout.readline().decode(), f"network {self.name}: 2 switches, 3 hosts\n")
        wait_until(lambda: len(self.switches()) == 2, "both switches")
        return network

    def job(self, *words, count=3):
        return self.earl("run", "--on", "myrinet", "-n", count, ACTOR, *words)

    def ring(self):
        job = self.start("run", "--on", "myrinet", "-n", 3, ACTOR, "gsync", "say", "there", "ring")
        for _ in range(3):
            self.assertEqual(job.stdout.readline(), b"there\n")
        return job

    def switches(self):
        return self.named("earl-myrisw")

    def route(self, *hosts):
        return subprocess.run([BIPROUTE, *hosts], capture_output=True, text=True, timeout=60, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, "HOME": self.folder})

    def test_jobs_and_biproute_use_it_one_after_the_other(self):
        network = self.running_network()
        for _ in range(2):
            self.expect(self.job("gsync", "who"), 0)
            self.assertEqual(self.route("a", "b", "c").stderr, "")
            found = os.path.join(self.folder, ".bip", "bipdatabase")
            with open(found, encoding="ascii") as file:
                self.assertEqual(file.read().partition("\n")[2], ROUTES)
            os.unlink(found)
            os.rmdir(os.path.dirname(found))
        self.assertIn("names no host d", self.route("a", "d").stderr)
        network.terminate()
        self.assertEqual(self.finish(network).code, 0)

    def test_a_configuration_of_bip_orders_its_hosts(self):
        self.running_network()
        os.environ["BIPCONF"] = self.file("conf", TWO_OF_THEM)
        self.addCleanup(os.environ.pop, "BIPCONF")
        os.environ["EARL_MYRINET_COUNTERS"] = "-"
        self.addCleanup(os.environ.pop, "EARL_MYRINET_COUNTERS")
        seen = self.job("gsync", count=2)
        self.assertEqual(seen.code, 0, seen)
        self.assertRegex(seen.err, r"port 1 +host b")
        self.assertNotIn("host a", seen.err)
        self.expect(self.job("gsync", count=3), 1, "has 2 hosts, and the job needs 3")
        os.environ["BIPCONF"] = self.file("other", TWO_OF_THEM.replace("b 0", "x 0"))
        self.expect(self.job("gsync", count=2), 1, "names host x with board 0, which the network lacks")
        os.environ["BIPCONF"] = ""
        self.expect(self.job("gsync"), 0)

    def test_a_job_that_comes_while_another_uses_it(self):
        self.running_network()
        job = self.ring()
        self.expect(self.job("who"), 1, f"the network {self.name}: a job uses it already")
        self.assertIn("a job uses it already", self.route("a", "b").stderr)
        job.terminate()
        self.expect(self.finish(job), 128 + signal.SIGTERM)
        self.expect(self.job("gsync"), 0)

    def test_a_job_that_is_too_large(self):
        self.running_network()
        self.expect(self.job("who", count=4), 1, "has 3 hosts, and the job needs 4")

    def test_a_switch_that_is_killed(self):
        network = self.running_network()
        os.kill(self.switches()[0], signal.SIGKILL)
        self.expect(self.finish(network), 1, f"network {self.name}: switch left was killed by signal 9 (Killed)")
        self.expect(self.job("who"), 1, f"there is no network {self.name}")
        network = self.running_network()
        job = self.ring()
        os.kill(self.switches()[1], signal.SIGKILL)
        words = "switch right was killed by signal 9 (Killed)"
        self.expect(self.finish(job), 1, f"{words}; the job cannot go on without it")
        self.expect(self.finish(network), 1, words)

    def test_a_network_that_ends_while_a_job_uses_it(self):
        for number, words in ((signal.SIGTERM, "was asked to end"),
                              (signal.SIGKILL, f"the watchdog of the network {self.name} has ended")):
            with self.subTest(number):
                network = self.running_network()
                job = self.ring()
                network.send_signal(number)
                self.expect(self.finish(job), 1, words, "the job cannot go on without it")
                self.finish(network)
                wait_until(lambda: not marked(self.token), "the end of its switches")

    def test_a_cable_that_breaks_between_living_switches(self):
        network = self.running_network()
        job = self.ring()
        left, right = self.switches()
        break_cable(left, port_of(right))
        words = r"switch (left|right): the connection with switch (right|left) broke, and messages under way are lost"
        self.assertRegex(self.finish(job).err, words + ".*; the job cannot go on without it")
        self.assertRegex(self.finish(network).err, words)

    def test_mistakes(self):
        for words, code, sentence in (((), 2, "usage: earl-myrinet NAME TOPOLOGY"),
                                      (("a/b", self.topology), 2, "'a/b' is not a valid name of a network"),
                                      ((self.name, "/nowhere"), 2, "/nowhere: No such file"),
                                      ((self.name, self.file("bad", "switch a 99\n")), 2, "line 1")):
            with self.subTest(words):
                network = self.start_network(*(words or ("alone",)))
                self.expect(self.finish(network), code, sentence)
        self.running_network()
        self.expect(self.finish(self.start_network()), 2, f"cannot create the network {self.name}: it exists")
        os.environ["EARL_MYRINET_LINK"] = "fabric"
        self.addCleanup(os.environ.pop, "EARL_MYRINET_LINK")
        self.expect(self.job("who"), 1, "EARL_MYRINET_NETWORK names a network of cables")

    def test_a_switch_that_no_job_has_started(self):
        """It closes the descriptors that it is given, and needs one to report the fault."""
        for words, sentence in ((("2", "3", "4", "0"), "descriptor 2 is not of a job"),
                                (("x", "3", "4", "0"), "'x' is no number"),
                                (("9", "2", "4", "0"), "descriptor 9"), (("1",), "jobs start theirs")):
            with self.subTest(words):
                ended = subprocess.run([SWITCH, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                       check=False, timeout=60)
                self.assertIn(ended.returncode, (1, 2), ended)
                self.assertIn(sentence, ended.stderr)


def break_cable(pid, port):
    """Ends the connection that the process has made to that port."""
    libc = ctypes.CDLL(None, use_errno=True)
    process = libc.syscall(PIDFD_OPEN, pid, 0)
    for name in os.listdir(f"/proc/{pid}/fd"):
        if not re.match("socket", os.readlink(f"/proc/{pid}/fd/{name}")):
            continue
        with socket.socket(fileno=libc.syscall(PIDFD_GETFD, process, int(name), 0)) as end:
            try:
                found = end.getpeername()[1] == port
            except OSError:  # it listens
                continue
            if found:
                end.shutdown(socket.SHUT_RDWR)
                os.close(process)
                return
    raise AssertionError(f"process {pid} is not connected to port {port}")


if __name__ == "__main__":
    sys.exit(unittest.main())
