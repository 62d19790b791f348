"""Jobs of several hosts that libfabric joins: usage: libfabric_hosts.py PROGRAM:SIZE..."""

import os
import signal
import sys
import unittest

from hosts import Hosts, NETWORK
from job import ACTOR

PROGRAMS = [word.rsplit(":", 1) for word in sys.argv[1:]]
BETWEEN = "on shm within a host, on libfabric between hosts"


class Libfabric(Hosts):
    WISH = {"EARL_MYRINET_LINK": "ofi"}
    PROVIDER = "net"

    def start(self, *words, **options):
        name, value = self.token.split("=")
        settings = {**os.environ, **self.WISH, "EARL_OFI_PROVIDER": self.PROVIDER, name: value,
                    "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null", "EARL_TEST_LOSES": "1",
                    **options.pop("variables", {})}
        return super().start(*words, **{"env": settings, **options})

    def judge(self, programs, *machine):
        for program, size in programs:
            with self.subTest(f"{os.path.basename(program)} {size}"):
                seen = self.run_hosts(*machine, "-n", size, program)
                self.assertEqual(seen.code, 0, seen)

    def there(self, job):
        for _ in range(6):
            if job.stdout.readline() != b"there\n":
                self.fail(f"not all are there: {self.finish(job)}")
        return job


class OverTcpOfLibfabric(Libfabric):
    def test_what_every_machine_must_do(self):
        self.judge(PROGRAMS)

    def test_the_way_is_told(self):
        seen = self.run_hosts("-v", ACTOR, "gsync", "who")
        self.assertIn(BETWEEN, seen.err)
        self.assertEqual(sorted(seen.out.splitlines()), [f"{n} of 6" for n in range(6)], seen)

    def test_without_the_wish_and_the_hardware_it_is_tcp(self):
        seen = self.run_hosts("-v", ACTOR, "who", variables={"EARL_MYRINET_LINK": ""})
        # Where there is such hardware it is taken, of course.
        has = any(os.path.isdir(path) and os.listdir(path)
                  for path in ("/sys/class/infiniband", "/sys/class/cxi"))
        self.assertIn("on libfabric between hosts" if has else "on tcp between hosts", seen.err)


class OverConnections(Libfabric):
    PROVIDER = "tcp;ofi_rxm"

    def test_what_every_machine_must_do(self):
        self.judge([one for one in PROGRAMS if "exchange" in one[0] or "killed" in one[0]])


class Everywhere(Libfabric):
    WISH = {}

    def test_what_every_machine_must_do(self):
        self.judge([one for one in PROGRAMS if "exchange" in one[0] or "killed" in one[0]],
                   "--on", "myrinet")

    def test_the_way_is_told(self):
        seen = self.run_hosts("-v", "--on", "myrinet", ACTOR, "gsync", "who")
        self.assertEqual(seen.code, 0, seen)
        self.assertIn("on libfabric", seen.err)


class Losing(Libfabric):
    def test_an_agent_that_is_killed(self):
        job = self.there(self.start(*self.run_words(ACTOR, "say", "there", "gsync", "ring")))
        os.kill(self.agent_of("b"), signal.SIGKILL)
        self.expect(self.finish(job), 1, "host b is gone", "the job is ended")

    def test_a_deadlock_is_told(self):
        self.expect(self.run_hosts(ACTOR, "gsync", "wait"), 86)


class Refusing(Libfabric):
    def on_b(self, name, value):
        return ("sh", "-c", f'if [ "$(uname -n)" = b ]; then export {name}="{value}"; fi; '
                            'exec "$0" gsync who', ACTOR)

    def test_a_provider_that_is_missing_on_one_host(self):
        self.expect(self.run_hosts(*self.on_b("FI_PROVIDER", "udp")), 1,
                    "libfabric's provider net cannot be opened: ")

    def test_hosts_with_different_providers(self):
        self.expect(self.run_hosts(*self.on_b("EARL_OFI_PROVIDER", "tcp;ofi_rxm")), 1,
                    "EARL_OFI_PROVIDER can name one that all hosts have")

    def test_a_provider_that_reaches_nobody_else(self):
        self.expect(self.run_hosts(ACTOR, "who", variables={"EARL_OFI_PROVIDER": "shm"}), 1,
                    "libfabric's provider shm does not reach other hosts")

    def test_switches_in_software(self):
        seen = self.run_hosts("--on", "myrinet", ACTOR, "who",
                              variables={"EARL_MYRINET_LINK": "fabric"})
        self.expect(seen, 2, "myrinet does not reach other hosts")


def load_tests(loader, _, __):
    cases = (OverTcpOfLibfabric, OverConnections, Everywhere, Losing, Refusing)
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


def tearDownModule():
    NETWORK.close()


if __name__ == "__main__":
    assert PROGRAMS
    unittest.main(argv=sys.argv[:1], verbosity=2)
