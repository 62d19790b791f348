# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of several hosts that libfabric joins: usage: libfabric_hosts.py PROGRAM:SIZE..."""

import os
import sys
import unittest

from hosts import Hosts, NETWORK, SLOTS
from job import ACTOR

PROGRAMS = [word.rsplit(":", 1) for word in sys.argv[1:]]


class Libfabric(Hosts):
    SETTINGS = {"EARL_NET_LINK": "libfabric"}
    PROVIDER = "net"

    def start(self, *words, **options):
        name, value = self.token.split("=")
        settings = {**os.environ, **self.SETTINGS, "EARL_OFI_PROVIDER": self.PROVIDER, name: value,
                    "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null", "EARL_TEST_LOSES": "1",
                    **options.pop("variables", {})}
        return super().start(*words, **{"env": settings, **options})

    def judge(self, *back_end, only=""):
        for program, size in PROGRAMS:
            name = os.path.basename(program).removeprefix("conformance_")
            if only and name not in only.split():
                continue
            with self.subTest(f"{name} {size}"):
                # As few processes as there are hosts (exchange: all send 10 MiB to all) are one on each.
                seen = self.run_hosts(*back_end, "-n", size, program, hosts="a,b,c" if size == "3" else SLOTS)
                self.assertEqual(seen.code, 0, seen)


class BetweenHosts(Libfabric):
    def test_conformance(self):
        """What depends on the link: room, order, long messages, ends. Matching has its tests on tcp."""
        self.judge(only="early_exit everyone exchange flood killed never_taken offers_to_the_dead order recalls")

    def test_the_transport_and_the_reason_are_reported(self):
        seen = self.run_hosts("-v", ACTOR, "gsync", "who")
        self.assertIn("on shm within a host, on libfabric between hosts (EARL_NET_LINK asks for it)", seen.err)
        self.assertEqual(sorted(seen.out.splitlines()), [f"{n} of 6" for n in range(6)], seen)

    def test_a_deadlock_is_reported(self):
        self.expect(self.run_hosts(ACTOR, "gsync", "wait"), 86)

    def test_a_recorded_run_is_had_again_there_and_on_one_host(self):
        self.had_again(ACTOR, "gsync", "crowd", "1000", "who")


class BetweenHostsOverConnections(Libfabric):
    PROVIDER = "tcp;ofi_rxm"

    def test_conformance(self):
        self.judge(only="exchange killed order")


class Everywhere(Libfabric):
    SETTINGS = {}

    def test_conformance(self):
        self.judge("--on", "libfabric", only="exchange killed order")

    def test_the_transport_is_reported(self):
        seen = self.run_hosts("-v", "--on", "libfabric", ACTOR, "gsync", "who")
        self.assertEqual(seen.code, 0, seen)
        self.assertIn("6 processes started on libfabric", seen.err)


class Older(Libfabric):
    """Libfabric was a link of the back end myrinet."""
    SETTINGS = {"EARL_MYRINET_LINK": "ofi"}

    def test_it_joins_all_processes(self):
        seen = self.run_hosts("-v", "--on", "myrinet", ACTOR, "gsync", "who")
        self.assertEqual(seen.code, 0, seen)
        self.assertIn("6 processes started on libfabric", seen.err)

    def test_it_joins_hosts(self):
        seen = self.run_hosts("-v", ACTOR, "gsync", "who")
        self.assertIn("on shm within a host, on libfabric between hosts (EARL_MYRINET_LINK asks for it)", seen.err)


class Net(Libfabric):
    """`--on net`, and its setting."""

    def test_libfabric_joins_all_processes(self):
        seen = self.run_hosts("-v", "--on", "net", ACTOR, "gsync", "who")
        self.assertEqual(seen.code, 0, seen)
        self.assertIn("6 processes started on libfabric", seen.err)

    def test_without_it_or_with_tcp_it_is_tcp(self):
        for link in ("", "tcp"):
            seen = self.run_hosts("-v", "--on", "net", ACTOR, "gsync", "who", variables={"EARL_NET_LINK": link})
            self.assertEqual(seen.code, 0, seen)
            self.assertIn("6 processes started on tcp", seen.err)

    def test_another_word_is_refused(self):
        seen = self.run_hosts("--on", "net", ACTOR, variables={"EARL_NET_LINK": "carrier"})
        self.assertEqual((seen.code, seen.err), (1, 'earl: EARL_NET_LINK is "carrier"; it can be tcp or libfabric\n'))


class Unasked(Libfabric):
    SETTINGS = {}

    def test_without_the_hardware_it_is_tcp(self):
        seen = self.run_hosts("-v", ACTOR, "gsync", "who")
        self.assertEqual(seen.code, 0, seen)
        # Where there is such hardware it is taken, of course.
        has = any(os.path.isdir(path) and os.listdir(path)
                  for path in ("/sys/class/infiniband", "/sys/class/cxi"))
        self.assertIn("on libfabric between hosts (all hosts have what it takes: " if has else
                      "on tcp between hosts (no host has a faster network)", seen.err)


def load_tests(loader, _, __):
    cases = (BetweenHosts, BetweenHostsOverConnections, Everywhere, Older, Net, Unasked)
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


def tearDownModule():
    NETWORK.close()


if __name__ == "__main__":
    assert PROGRAMS
    unittest.main(argv=sys.argv[:1], verbosity=2)
