# SPDX-License-Identifier: BSD-3-Clause
"""Too little of something: memory, descriptors, processes. One sentence, an exit code, nothing left."""

import os
import resource
import shutil
import subprocess
import unittest

from job import ACTOR, JobTest, default_signals

OTHER_USER = 65534
SANITIZED = "ASAN_OPTIONS" in os.environ  # reserves terabytes of address space for itself


def limited(number, most, user=None):
    def prepare():
        default_signals()
        resource.setrlimit(number, (most, most))
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)

    return prepare


class Shortages(JobTest):
    def refused(self, ended, *words):
        """It failed by its own will, and one of its own sentences says why."""
        self.assertGreater(ended.code, 0, ended)
        self.assertNotIn(ended.code, (128 + 7, 128 + 11, 128 + 6), ended)
        said = [line for line in ended.err.splitlines() if line.startswith("earl: ")]
        self.assertTrue(any(word in line for line in said for word in words), ended)

    @unittest.skipIf(SANITIZED, "a sanitizer needs more address space than any limit worth testing")
    def test_address_space(self):
        for megabytes in (40, 60, 90, 130, 200, 400):
            with self.subTest(megabytes=megabytes):
                ended = self.earl("run", "-n", 2, ACTOR, "gsync", "exit", 0,
                                  preexec_fn=limited(resource.RLIMIT_AS, megabytes << 20))
                if ended.code == 127 and "shared librar" in ended.err:
                    continue  # not even the loader had enough
                if ended.code != 0:
                    self.refused(ended, "memory", "cannot allocate", "Cannot allocate", "address space")
                self.check_nothing_left()

    @unittest.skipIf(SANITIZED, "a sanitizer needs more address space than any limit worth testing")
    def test_messages(self):
        little = {"preexec_fn": limited(resource.RLIMIT_AS, 400 << 20)}
        asked = self.earl("run", "-n", 1, ACTOR, "hoard", "say", "it goes on", **little)
        self.assertEqual((asked.code, asked.out), (0, "EQMEM\nit goes on\n"), asked)
        self.refused(self.earl("run", "-n", 1, ACTOR, "hoard-plainly", **little),
                     "csend: no memory for a message of 8388608 bytes")

    def test_descriptors(self):
        for most in (8, 12, 20, 40):
            with self.subTest(descriptors=most):
                ended = self.earl("run", "-n", 2, ACTOR, "gsync",
                                  preexec_fn=limited(resource.RLIMIT_NOFILE, most, self.somebody()))
                if ended.code != 0:
                    self.refused(ended, "open files", "Too many open files", "descriptor")

    def somebody(self):
        """A user with limits; root raises them."""
        return OTHER_USER if os.getuid() == 0 else None

    def test_processes(self):
        if os.getuid() == 0 and not os.access(os.path.dirname(ACTOR), os.X_OK):
            self.skipTest("another user may not see the build folder")
        ended = self.earl("run", "-n", 4, ACTOR, "gsync",
                          preexec_fn=limited(resource.RLIMIT_NPROC, 2, self.somebody()))
        self.refused(ended, "no room for one more process (ulimit -u)")

    def test_a_full_disk_for_output(self):
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        self.addCleanup(os.rmdir, disk)
        if not shutil.which("mount") or subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True,
                check=False).returncode != 0:
            self.skipTest("no tmpfs can be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        ended = self.earl("run", "--output-dir", os.path.join(disk, "out"), "-n", 2, ACTOR, "gsync",
                          "lines", 2000, 100)
        self.assertEqual(ended.code, 1, ended)
        self.refused(ended, f"the disk that holds --output-dir {disk}/out is full")

    def test_file_size(self):
        ended = self.earl("run", "-n", 2, ACTOR, "gsync", preexec_fn=limited(resource.RLIMIT_FSIZE, 1 << 20))
        self.refused(ended, "ulimit -f")


if __name__ == "__main__":
    unittest.main(verbosity=2)
