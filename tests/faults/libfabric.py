# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on libfabric that cannot begin, or lose a process: each says why in one sentence."""

import os
import signal
import tempfile
import unittest

from job import ACTOR, JobTest

OLD = os.environ["OLD_LIBFABRIC"]
LONG = os.environ["LONG_RING"]


class Libfabric(JobTest):
    def start(self, *words, **options):
        name, value = self.token.split("=")
        # Meson's leads to the old one.
        inherited = {word: text for word, text in os.environ.items() if word != "LD_LIBRARY_PATH"}
        settings = {**inherited, "EARL_OFI_PROVIDER": "net", name: value,
                    "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null", **options.pop("variables", {})}
        return super().start("run", "--on", "libfabric", "-n", "2", *words, **{"env": settings, **options})

    def expect_failure(self, sentence, **variables):
        self.expect(self.earl(ACTOR, "who", variables=variables), 1, sentence)


class Refusing(Libfabric):
    def test_an_unknown_provider(self):
        self.expect_failure("libfabric's provider nonsense cannot be opened: No data available",
                     EARL_OFI_PROVIDER="nonsense")

    def test_a_library_that_is_too_old(self):
        self.expect_failure("this libfabric is 1.4, and Earl needs 1.17 or later", LD_LIBRARY_PATH=OLD)

    def test_no_library(self):
        with tempfile.TemporaryDirectory(prefix="earl-libfabric-") as place:
            with open(os.path.join(place, "libfabric.so.1"), "w", encoding="utf-8") as file:
                file.write("no library\n")
            self.expect_failure("apt-get install libfabric1", LD_LIBRARY_PATH=place)


class Losing(Libfabric):
    def test_a_process_that_is_killed_with_long_messages_under_way(self):
        for provider in ("net", "tcp;ofi_rxm", "shm"):
            for _ in range(3):
                with self.subTest(provider):
                    job = self.start(LONG, variables={"EARL_OFI_PROVIDER": provider})
                    victim = int(job.stdout.readline())
                    os.kill(victim, signal.SIGKILL)
                    ended = self.finish(job)
                    self.expect(ended, 128 + 9, "rank 1 (long_ring, nx) was killed by SIGKILL")
                    self.assertNotIn("has lost", ended.err)
                    self.assertEqual([name for name in os.listdir("/dev/shm")
                                      if name.startswith(f"{victim}:")], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
