# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL of a bare host, its EXEC, a session server, or a node of theirs at a random instant: every process that waits
learns of it, and nothing is left.

Environment: EARL, HOSTS (the folder of the host programs), TRIALS, SEED.
"""

import os
import random
import signal
import subprocess
import sys
import time
import unittest
import uuid

from job import EARL, LIMIT, JobTest, default_signals

HOSTS = os.environ["HOSTS"]
TRIALS = int(os.environ.get("TRIALS", "30"))
SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
LONGEST_DELAY = 0.2


class Kills(JobTest):
    def setUp(self):
        super().setUp()
        name, value = self.token.split("=")
        self.environment = {**os.environ, name: value, "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null",
                            "EARL_DEADLOCK": "off", "EARL_NX_NODES": "3", "EARL_CUBE": "t" + uuid.uuid4().hex[:12]}

    def spawn(self, *words):
        process = subprocess.Popen(words, cwd=HOSTS, env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=default_signals)
        self.addCleanup(self.end, process)
        return process

    def compat(self, *words):
        return subprocess.run([EARL, "compat", *words], cwd=HOSTS, env=self.environment, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=LIMIT).returncode

    def kill_one(self, name):
        """False: there is none of that name yet, or any more."""
        there = self.named(name)
        if not there:
            return False
        try:
            os.kill(min(there), signal.SIGKILL)  # a watchdog is born with EXEC's name
        except ProcessLookupError:
            return False
        return True

    def bare_host(self, chance):
        """Its EXEC is called `earl`, its nodes wait for ever, so that only the kill ends them."""
        host = self.spawn(os.path.join(HOSTS, "stuck_host"))
        time.sleep(chance.choice([0, chance.uniform(0, LONGEST_DELAY)]))
        whom = chance.choice(["stuck_host", "ready_node", "earl", "earl-watchdog"])
        while not self.kill_one(whom):
            self.assertIsNone(host.poll(), f"the host ended before {whom} was killed")
        if whom == "earl-watchdog":
            host.kill()
        self.assertNotEqual(self.finish(host).code, 0, whom)

    def session_server(self, chance):
        self.assertEqual(self.compat("getcube", "-t", "2"), 0)
        self.assertEqual(self.compat("load", "wait_node"), 0)
        host = self.spawn(os.path.join(HOSTS, "hand_host"))  # for 4 nodes, so that it ends or waits
        time.sleep(chance.choice([0, chance.uniform(0, LONGEST_DELAY)]))
        whom = chance.choice(["hand_host", "wait_node", "earl", "earl-watchdog"])
        self.kill_one(whom)
        self.compat("relcube")  # of a session server that has been killed there is nothing to release
        host.kill()
        self.finish(host)

    def test_at_random_instants(self):
        print(f"seed {SEED}, {TRIALS} trials (SEED={SEED} does the same again)", file=sys.stderr)
        for number in range(TRIALS):
            chance = random.Random(f"{SEED}/{number}")
            with self.subTest(trial=number, seed=SEED):
                chance.choice([self.bare_host, self.session_server])(chance)
                self.check_nothing_left()


if __name__ == "__main__":
    unittest.main(verbosity=2)
