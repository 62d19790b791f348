# SPDX-License-Identifier: BSD-3-Clause
"""SIGSTOP of nodes and of EXEC: a continued process has missed nothing, a killed one is marked as ended."""

import os
import signal
import unittest

from job import ACTOR, JobTest, nodes_of, state_of, wait_until


class Stops(JobTest):
    def nodes_of(self, job, count):
        there = []

        def look():
            there[:] = nodes_of(self.token, job)
            return len(there) >= count
        wait_until(look, "the nodes are there")
        return there  # by now they may have ended

    def wait_for_sleep(self, job, stopped):
        """Until each other node sleeps, as it needs the stopped process, or has ended."""
        def waits(pid):
            try:
                return state_of(pid) in "SZ"
            except OSError:
                return True
        wait_until(lambda: all(waits(pid) for pid in nodes_of(self.token, job) if pid != stopped),
                   f"the others wait for {stopped}")

    def stop(self, pid):
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: state_of(pid) == "T", f"{pid} has stopped")

    def test_a_stopped_node_goes_on(self):
        job = self.start("run", "-n", 3, ACTOR, "gsync", "lines", 20000, 20)
        first = self.nodes_of(job, 1)[0]
        try:
            self.stop(first)
        except (ProcessLookupError, FileNotFoundError, AssertionError):
            pass  # it was faster
        else:
            self.wait_for_sleep(job, first)
            os.kill(first, signal.SIGCONT)
        ended = self.finish(job)
        self.expect(ended, 0)
        self.assertEqual(len(ended.out.splitlines()), 3 * 20000)

    def test_a_stopped_node_is_killed(self):
        job = self.start("run", "-n", 3, ACTOR, "ring")
        victim = self.nodes_of(job, 3)[0]
        self.stop(victim)
        os.kill(victim, signal.SIGKILL)
        self.expect(self.finish(job), 137, "was killed by SIGKILL (Killed)")

    def test_a_job_with_a_stopped_node_ends(self):
        job = self.start("run", "-n", 3, ACTOR, "ring")
        stopped, victim = self.nodes_of(job, 3)[:2]
        self.stop(stopped)
        os.kill(victim, signal.SIGKILL)
        self.expect(self.finish(job), 137, "was killed by SIGKILL (Killed)")

    def test_exec_stops_and_goes_on(self):
        job = self.start("run", "-n", 3, ACTOR, "lines", 5000, 60, "exit", 3)
        self.stop(job.pid)
        self.wait_for_sleep(job, job.pid)
        os.kill(job.pid, signal.SIGCONT)
        ended = self.finish(job)
        self.expect(ended, 3)
        self.assertEqual(len(ended.out.splitlines()), 3 * 5000)

    def test_a_stopped_exec_is_killed(self):
        job = self.start("run", "-n", 3, ACTOR, "ring")
        self.nodes_of(job, 3)
        self.stop(job.pid)
        job.kill()
        self.assertEqual(self.finish(job).code, -signal.SIGKILL)
        self.check_nothing_left()


if __name__ == "__main__":
    unittest.main(verbosity=2)
