# SPDX-License-Identifier: BSD-3-Clause
"""Missing packages break nothing: here a mount namespace hides MPI, PVM, libfabric and the launchers, and
each that is asked for says which package has it."""

import re
import subprocess
import sys
import unittest

from job import ACTOR, EARL, JobTest, environment

GENERATIONS = environment("GENERATIONS")
# On top of /usr, so that files can be taken away from it.
HIDDEN = ("lib/*/libfabric.so*", "lib/*/libmpi*", "bin/mpi*", "bin/orte*", "bin/hydra*", "lib/pvm3/lib", "bin/pvm*",
          "lib/libpvm3*", "lib/*/libpvm3*", "bin/ssh", "bin/srun", "lib/*/libdw*", "lib/*/libunwind*",
          "lib/*/libedit*", "lib/*/libopen-trace-format2*", "lib/*/libhwloc*")
HIDE = " && ".join((
    "mount -t tmpfs hidden /run", "mkdir /run/upper /run/work",
    "mount -t overlay hidden -o lowerdir=/usr,upperdir=/run/upper,workdir=/run/work /usr",
    "rm -rf " + " ".join(f"/usr/{pattern}" for pattern in HIDDEN)))
INSIDE = ("unshare", "--mount", "sh", "-c", f'{HIDE} && exec "$0" "$@"')
OPTIONAL = {
    ("mpi",): r"there is no mpiexec\S* here, .* \(apt-get install mpich\)",
    ("pvm",): r"there is no pvmd here, PVM's daemon; .* \(apt-get install pvm\)",
    ("libfabric",): r"libfabric.*apt-get install libfabric",
}


def possible():
    """Whether this system lets a test hide files."""
    tried = subprocess.run([*INSIDE, "true"], capture_output=True, text=True, timeout=60, check=False,
                           stdin=subprocess.DEVNULL)
    return "" if tried.returncode == 0 else tried.stderr.strip()


def built():
    """The parts of this build, as doctor lists them for the whole system."""
    return subprocess.run([EARL, "doctor"], capture_output=True, text=True, timeout=60, check=False,
                          stdin=subprocess.DEVNULL).stdout


class Absent(JobTest):
    def start(self, *words, **options):
        options["executable"] = "/usr/bin/unshare"
        return super().start(*INSIDE[1:], *words, **options)

    def earl(self, *words, **options):
        variables = [word for word in words if re.match(r"[A-Z_]+=", word)]
        rest = [word for word in words if word not in variables]
        return super().earl("env", *variables, EARL, *rest, **options)

    def test_commands_that_need_none_of_it_run(self):
        for back_end in ("shm", "myrinet", "tcp"):
            with self.subTest(back_end):
                self.expect(self.earl("run", "--on", back_end, "-n", "2", ACTOR, "gsync"), 0)

    def test_a_requested_feature_names_its_package(self):
        for (back_end, *variables), sentence in OPTIONAL.items():
            with self.subTest(back_end):
                if f"back end {back_end} " not in built():
                    continue
                ended = self.earl(*variables, "run", "--on", back_end, "-n", "2", ACTOR, "gsync")
                self.assertEqual(ended.code, 1, ended)
                self.assertRegex(ended.err, sentence)

    def test_no_launcher(self):
        self.expect(self.earl("run", "--hosts", "elsewhere", "-n", "1", ACTOR), 2,
                    "--launcher ssh: there is no such command here; apt-get install openssh-client")

    def test_the_ranks_of_fibers_need_no_hwloc_to_stay_unbound(self):
        if " CPU binding " not in built():
            self.skipTest("built without hwloc")
        self.expect(self.earl("EARL_BIND_TO=core", "run", "-n", "2", ACTOR, "gsync"), 1, "--bind-to: the cores of this host are unknown: ")
        self.expect(self.earl("EARL_BIND_TO=core", "run", "--on", "fibers", GENERATIONS, "100"), 0)

    def test_doctor_lists_missing_packages(self):
        ended = self.earl("doctor")
        self.expect(ended, 0)
        for what, package in (("back end pvm", ""), ("MPICH", "apt-get install mpich"),
                              ("Open MPI", "apt-get install openmpi-bin"),
                              ("libfabric", "apt-get install libfabric"),
                              ("launcher ssh", "apt-get install openssh-client"),
                              ("launcher mpiexec", "apt-get install mpich"),
                              ("launcher mpirun", "apt-get install openmpi-bin"),
                              ("launcher srun", "apt-get install slurm-client"),
                              ("source lines", "apt-get install libdw-dev"),
                              ("stacks", "apt-get install libunwind-dev"),
                              ("line editing", "apt-get install libedit-dev"),
                              ("CPU binding", "apt-get install libhwloc-dev"),
                              ("OTF2", "apt-get install libopen-trace-format2-dev")):
            with self.subTest(what):
                if f" {what} " in built():
                    self.assertRegex(ended.out, rf"(?m)^limit  {what} .*\n +-> .*{package}")


if __name__ == "__main__":
    if why := possible():
        print(f"nothing can be hidden here: {why}")
        sys.exit(77)
    unittest.main()
