# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL of a node whose packets may be on their way through switches: no process waits for a port that
the dead one held, the job ends and leaves nothing. Likewise where switches are processes; and SIGKILL
of these, and an unauthenticated peer at their sockets."""

import os
import random
import signal
import socket
import sys
import time
import unittest

from job import ACTOR, LIMIT, JobTest, wait_until

TRIALS = int(os.environ.get("TRIALS", "15"))
NODES = 4


class Kills(JobTest):
    def nodes(self):
        return self.named("actor")

    def test_a_node(self):
        for _ in range(TRIALS):
            job = self.start("run", "--on", "myrinet", "-n", NODES, ACTOR, "gsync", "ring")
            wait_until(lambda: len(self.nodes()) == NODES, "all nodes are there")
            time.sleep(random.random() / 20)  # any instant of their endless loop
            os.kill(random.choice(self.nodes()), signal.SIGKILL)
            self.expect(self.finish(job), 137, "(actor, nx) was killed by SIGKILL (Killed)")

    def test_exec(self):
        job = self.start("run", "--on", "myrinet", "-n", NODES, ACTOR, "gsync", "ring")
        wait_until(lambda: len(self.nodes()) == NODES, "all nodes are there")
        job.kill()
        self.assertEqual(self.finish(job).code, -signal.SIGKILL)


class Cables(Kills):
    """The same, and more, where switches are processes."""

    def setUp(self):
        super().setUp()
        os.environ["EARL_MYRINET_LINK"] = "cables"
        self.addCleanup(os.environ.pop, "EARL_MYRINET_LINK")

    def switches(self):
        return self.named("earl-myrisw")

    def ring(self, *options):
        job = self.start("run", *options, "--on", "myrinet", "-n", NODES, ACTOR, "gsync", "ring")
        wait_until(lambda: len(self.nodes()) == NODES and self.switches(), "all are there")
        return job

    def test_a_switch(self):
        for _ in range(TRIALS):
            job = self.ring()
            time.sleep(random.random() / 20)  # any instant of their endless loop
            os.kill(self.switches()[0], signal.SIGKILL)
            self.expect(self.finish(job), 1,
                        "switch 0 was killed by signal 9 (Killed); the job cannot go on without it")

    def test_the_watchdog_of_the_switches(self):
        job = self.ring()
        self.kill("earl-myrinet")
        self.expect(self.finish(job), 1, "; the job cannot go on without it")

    def test_an_unauthenticated_peer_at_a_switch(self):
        os.environ["EARL_MYRINET_COUNTERS"] = "-"
        self.addCleanup(os.environ.pop, "EARL_MYRINET_COUNTERS")
        job = self.ring()
        port = port_of(self.switches()[0])
        for _ in range(2):  # the first has been counted when the second is
            self.assertEqual(said_to_other(port), "nothing more")
        self.assertIsNone(job.poll())
        job.terminate()
        ended = self.finish(job)
        # A node that ended within its own handshake counts too.
        self.assertRegex(ended.err, r"(?m)^[1-9]\d* connections rejected$")


def said_to_other(port):
    """After the challenge."""
    with socket.create_connection(("127.0.0.1", port), LIMIT) as connection:
        connection.sendall(b"x" * 200)
        said = b""
        try:
            while part := connection.recv(1000):
                said += part
        except ConnectionResetError:
            pass
    return "nothing more" if len(said) <= 24 else said


def port_of(pid):
    """Where it listens."""
    mine = set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        mine.add(os.readlink(f"/proc/{pid}/fd/{name}"))
    with open("/proc/net/tcp", encoding="ascii") as file:
        for line in list(file)[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in mine:
                return int(fields[1].split(":")[1], 16)
    raise AssertionError(f"process {pid} does not listen")


if __name__ == "__main__":
    sys.exit(unittest.main())
