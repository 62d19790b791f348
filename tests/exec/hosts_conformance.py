# SPDX-License-Identifier: BSD-3-Clause
"""Conformance over three hosts: usage: hosts_conformance.py PROGRAM:SIZE..."""

import os
import shutil
import sys
import unittest

from hosts import Hosts, NETWORK, SLOTS
from virtual_machine import ADDRESSES, VirtualMachine

PROGRAMS = [word.rsplit(":", 1) for word in sys.argv[1:]]
MPI = os.environ.get("NATIVE_LIBRARIES", "").split()


class Conformance(Hosts):
    # The programs that a back end that keeps nothing cannot run, by its Limits.
    LOSES = {"EARL_TEST_LOSES": "1"}

    # Where one network carries everything, the hosts make a difference to these: messages of all kinds, ends and what
    # EXEC's agents do.
    OF_THE_NETWORK = ("collectives", "early_exit", "everyone", "exchange", "flood", "killed", "order", "services")

    def judge(self, *back_end, hosts=SLOTS, launcher=None, env=None, only=()):
        name, value = self.token.split("=")
        settings = {**(env or os.environ), **self.LOSES, name: value, "TMPDIR": self.folder,
                    "EARL_CONFIG": "/dev/null"}
        for program, size in PROGRAMS:
            if only and os.path.basename(program).removeprefix("conformance_") not in only:
                continue
            with self.subTest(f"{os.path.basename(program)} {size}"):
                seen = self.run_hosts(*back_end, "-n", size, program, hosts=hosts,
                                      launcher=launcher, env=settings)
                self.assertEqual(seen.code, 0, seen)

    def test_on_shared_memory_within_and_tcp_between_hosts(self):
        self.judge()

    def test_on_tcp_everywhere(self):
        self.judge("--on", "tcp", only=self.OF_THE_NETWORK)

    @unittest.skipUnless(MPI, "no MPI")
    def test_on_native_mpi_everywhere(self):
        for library in MPI:
            with self.subTest(library):  # it does not go on without one that was killed
                self.judge("--on", "mpi", env={**os.environ, "EARL_MPI": library},
                           only=set(self.OF_THE_NETWORK) - {"killed"})

    @unittest.skipUnless(shutil.which("pvmd") and "PVM_MODULE" in os.environ, "no PVM")
    def test_on_pvm_everywhere(self):
        machine = VirtualMachine(NETWORK, "abc")
        self.addCleanup(machine.close)
        self.judge("--on", "pvm", hosts=",".join(f"{one}:2" for one in ADDRESSES.values()),
                   launcher=f"{machine.shell} %h", env=machine.env, only=self.OF_THE_NETWORK)


def load_tests(loader, _, __):
    return loader.loadTestsFromTestCase(Conformance)


def tearDownModule():
    NETWORK.close()


if __name__ == "__main__":
    assert PROGRAMS
    unittest.main(argv=sys.argv[:1], verbosity=2)
