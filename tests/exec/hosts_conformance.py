"""What every machine must do, over three hosts: usage: hosts_conformance.py PROGRAM:SIZE..."""

import os
import sys
import unittest

from hosts import Hosts, NETWORK

PROGRAMS = [word.rsplit(":", 1) for word in sys.argv[1:]]


class Conformance(Hosts):
    # What a machine that keeps nothing cannot do, as its Limits say.
    LOSES = {"EARL_TEST_LOSES": "1"}

    def judge(self, *machine):
        for program, size in PROGRAMS:
            with self.subTest(f"{os.path.basename(program)} {size}"):
                os.environ.update(self.LOSES)
                seen = self.run_hosts(*machine, "-n", size, program)
                self.assertEqual(seen.code, 0, seen)

    def test_on_shared_memory_within_and_tcp_between_hosts(self):
        self.judge()

    def test_on_tcp_everywhere(self):
        self.judge("--on", "tcp")


def load_tests(loader, _, __):
    return loader.loadTestsFromTestCase(Conformance)


def tearDownModule():
    NETWORK.close()


if __name__ == "__main__":
    assert PROGRAMS
    unittest.main(argv=sys.argv[:1], verbosity=2)
