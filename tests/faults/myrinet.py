"""SIGKILL of a node whose packets may be on their way through switches: nobody waits for a port that
the dead one held, the job ends and leaves nothing."""

import os
import random
import signal
import sys
import time
import unittest

from job import ACTOR, JobTest, marked, name_of, wait_until

TRIALS = int(os.environ.get("TRIALS", "15"))
NODES = 4


class Kills(JobTest):
    def nodes(self):
        return [pid for pid in marked(self.token) if name_of(pid) == "actor"]

    def test_a_node(self):
        for _ in range(TRIALS):
            job = self.start("run", "--on", "myrinet", "-n", NODES, ACTOR, "gsync", "ring")
            wait_until(lambda: len(self.nodes()) == NODES, "all nodes are there")
            time.sleep(random.random() / 20)  # any instant of what they do for ever
            os.kill(random.choice(self.nodes()), signal.SIGKILL)
            self.expect(self.finish(job), 137, "(actor, nx) was killed by SIGKILL (Killed)")

    def test_exec(self):
        job = self.start("run", "--on", "myrinet", "-n", NODES, ACTOR, "gsync", "ring")
        wait_until(lambda: len(self.nodes()) == NODES, "all nodes are there")
        job.kill()
        self.assertEqual(self.finish(job).code, -signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(unittest.main())
