# SPDX-License-Identifier: BSD-3-Clause
"""Which library answers a program that was linked with an MPI: MPICH's names are Earl's, others are not."""

import subprocess
import unittest

from job import JobTest, environment

OURS = "1.3 of 2\n"


class Names(JobTest):
    def test_a_folder_written_into_the_program(self):
        program = environment("WITH_RPATH")
        bare = subprocess.run([program], capture_output=True, text=True, check=False, timeout=self.limit)
        self.assertEqual(bare.stdout, "9.9 of 99\n", "this test cannot fail: it has no MPI elsewhere")
        for back_end in ("shm", "fibers"):
            ended = self.earl("run", "--on", back_end, "-n", 2, program)
            self.expect(ended, 0)
            self.assertEqual(ended.out, 2 * OURS)
        self.assertIn("frontends/mpi/libmpich.so.12", self.earl("info", program).out)

    def test_the_name_in_other_systems(self):
        for back_end in ("shm", "fibers"):
            ended = self.earl("run", "--on", back_end, "-n", 2, environment("WITH_LINK"))
            self.expect(ended, 0)
            self.assertEqual(ended.out, 2 * OURS)
        self.assertIn("frontends/mpi/libmpi.so.12", self.earl("info", environment("WITH_LINK")).out)

    def test_open_mpi_is_another(self):
        ended = self.earl("run", "-n", 2, environment("FOR_OPEN_MPI"))
        self.expect(ended, 88, "is a program for Open MPI (libmpi.so.40), and Earl stands in for MPICH")
        self.assertIn("a program for Open MPI (libmpi.so.40)", self.earl("info", environment("FOR_OPEN_MPI")).out)


if __name__ == "__main__":
    unittest.main()
