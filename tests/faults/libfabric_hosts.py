# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of several hosts on libfabric that cannot begin, lose a host, or have consoles."""

import os
import re
import signal
import subprocess
import sys
import unittest

from hosts import NETWORK, Hosts, listening, tearDownModule  # noqa: F401 (the module's end)
from job import ACTOR
from network import ADDRESSES

OLD = os.environ["OLD_LIBFABRIC"]
LONG = os.environ["LONG_RING"]
PROVIDERS = ("net", "tcp;ofi_rxm")
CONNECT = """
import socket, sys
for port in map(int, sys.argv[2:]):
    for words in (b"GET / HTTP/1.0\\r\\n\\r\\n" * 20, bytes(4096), b"\\xff" * 4096):
        with socket.socket() as console:
            console.settimeout(1)
            try:  # after the first, libfabric may listen no more
                console.connect((sys.argv[1], port))
                console.sendall(words)
                console.recv(4096)
            except OSError:
                pass
"""


class Libfabric(Hosts):
    def start(self, *words, **options):
        name, value = self.token.split("=")
        settings = {**os.environ, "EARL_NET_LINK": "libfabric", "EARL_OFI_PROVIDER": "net", name: value,
                    "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null", **options.pop("variables", {})}
        settings.pop("LD_LIBRARY_PATH", None)  # Meson's leads to the old one
        return super().start(*words, **{"env": settings, **options})

    def long_ring(self, provider, *words):
        """Between hosts a and b, once it turns; and the pid of the process on b."""
        job = self.start(*self.run_words(LONG, *words, hosts="a,b"), variables={"EARL_OFI_PROVIDER": provider})
        line = job.stdout.readline()
        if not line:
            self.fail(f"the ring does not turn: {self.finish(job)}")
        return job, int(line)


class Losing(Libfabric):
    def test_a_process_that_is_killed(self):
        for provider in PROVIDERS:
            with self.subTest(provider):
                job, victim = self.long_ring(provider)
                os.kill(victim, signal.SIGKILL)
                ended = self.finish(job)
                self.expect(ended, 128 + 9, "rank 1 (long_ring, nx) on host b was killed by SIGKILL")
                self.assertNotIn("has lost", ended.err)

    def test_an_agent_that_is_killed(self):
        self.lose_agent(self.long_ring("net")[0])

    def test_a_host_that_cannot_be_reached_any_more(self):
        for provider in PROVIDERS:
            with self.subTest(provider):
                self.lose_host(self.long_ring(provider)[0])

    def test_a_library_whose_connections_end(self):
        for provider in PROVIDERS:
            with self.subTest(provider):
                job, _ = self.long_ring(provider, "cut")
                ended = self.finish(job)
                self.assertEqual(ended.code, 1, ended)
                self.assertRegex(ended.err, r"rank [01] \(long_ring, nx\) on host [ab] ended with code 1: .*"
                                 rf"libfabric \({re.escape(provider)}\) ", ended)


class Refusing(Libfabric):
    def on_b(self, name, value, **variables):
        seen = self.run_hosts("sh", "-c", f'if [ "$(uname -n)" = b ]; then export {name}="{value}"; fi; '
                              'exec "$0" gsync who', ACTOR, variables=variables)
        self.assertEqual(seen.code, 1, seen)
        return [line for line in seen.err.splitlines() if "on host b ended with code 1: " in line
                and line.endswith("the other 5 processes are ended")]

    def refused_on_b(self, sentence, name, value):
        self.assertIn(sentence, "".join(self.on_b(name, value)))

    def test_a_library_that_is_too_old(self):
        self.refused_on_b("this libfabric is 1.4, and Earl needs 1.17 or later: apt-get install libfabric1",
                          "LD_LIBRARY_PATH", OLD)

    def test_no_library(self):
        with open(os.path.join(self.place.name, "libfabric.so.1"), "w", encoding="utf-8") as file:
            file.write("no library\n")
        self.refused_on_b("apt-get install libfabric1", "LD_LIBRARY_PATH", self.place.name)

    def test_a_provider_that_is_missing(self):
        self.refused_on_b("libfabric's provider net cannot be opened: No data available; `fi_info -l` of the "
                          "package libfabric-bin names those that are here", "FI_PROVIDER", "udp")

    def test_different_providers(self):
        seen = self.run_hosts("sh", "-c", 'if [ "$(uname -n)" = b ]; then export EARL_OFI_PROVIDER="tcp;ofi_rxm"; fi; '
                              'exec "$0" gsync who', ACTOR)
        self.expect(seen, 1, "EARL_OFI_PROVIDER can name one that all hosts have")
        self.assertRegex(seen.err, r"process \d on host [abc] is reached by libfabric's provider", seen)

    def test_a_provider_that_reaches_no_other_host(self):
        self.expect(self.run_hosts(ACTOR, "who", variables={"EARL_OFI_PROVIDER": "shm"}), 1,
                    "libfabric's provider shm does not reach other hosts")

    def test_switches_in_software(self):
        for link in ("fabric", "cables"):
            with self.subTest(link):
                seen = self.run_hosts("--on", "myrinet", ACTOR, "who", variables={"EARL_MYRINET_LINK": link})
                self.expect(seen, 2, "myrinet does not reach other hosts")


class Visited(Libfabric):
    def test_unauthenticated_peers_on_its_ports(self):
        for provider in PROVIDERS:
            with self.subTest(provider):
                job, pid = self.long_ring(provider)
                ports = listening(NETWORK.hosts["b"].pid)
                self.assertTrue(ports)
                subprocess.run(NETWORK.hosts["a"].inside(sys.executable, "-c", CONNECT, ADDRESSES["b"],
                                                         *map(str, ports)), check=True, timeout=60)
                os.kill(pid, signal.SIGUSR1)
                self.assertEqual(job.stdout.readline(), b"%d\n" % pid, "the ring turns")
                job.send_signal(signal.SIGTERM)
                self.expect(self.finish(job), 128 + 15)


if __name__ == "__main__":
    unittest.main(verbosity=2)
