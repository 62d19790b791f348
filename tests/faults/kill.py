# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL of a node or of EXEC itself at a random instant: the job ends, names the process, leaves nothing."""

import os
import random
import signal
import sys
import time
import unittest

from job import (ACTOR, EARL, JobTest, default_signals, fields_of, in_shared_memory, marked, nodes_of, sleeping, state_of,
                 wait_until)

TRIALS = int(os.environ.get("TRIALS", "50"))
SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
NODES = 6
BUILD = os.path.dirname(os.path.dirname(EARL))  # which may itself be in a shared place


def named_memory(pid):
    """Files with a name in a shared place that a process has mapped or open."""
    found = set()
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
            words = [line.split(None, 5) for line in maps]
        found.update(w[5].strip() for w in words if len(w) == 6)
        for fd in os.listdir(f"/proc/{pid}/fd"):
            found.add(os.readlink(f"/proc/{pid}/fd/{fd}"))
    except OSError:
        pass  # it has ended meanwhile
    return {name for name in found if name.startswith(("/dev/shm/", "/tmp/"))}


def program_of(pid):
    """Empty: it has ended meanwhile."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


class Kills(JobTest):
    limit = 5 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds; it takes less than one

    def setUp(self):
        super().setUp()
        self.before = in_shared_memory()
        self.addCleanup(lambda: self.assertEqual(in_shared_memory() - self.before, set()))

    def waiting_children(self, job):
        return [pid for pid in nodes_of(self.token, job) if parent_of(pid) == job.pid
                and b"waits" in arguments_of(pid)]

    def victim(self, job, chance):
        """A node: not EXEC's watchdog, and no forked child of a node."""
        def nodes_now():
            return [pid for pid in nodes_of(self.token, job)
                    if parent_of(pid) == job.pid and program_of(pid) == ACTOR]

        nodes = nodes_now()
        while not nodes and job.poll() is None:
            nodes = nodes_now()
        return chance.choice(nodes)

    def check_files(self, job):
        for pid in marked(self.token):
            shared = {name for name in named_memory(pid) if not name.startswith(BUILD)}
            self.assertEqual(shared, set(), f"process {pid} of {job.pid}")

    def one_trial(self, number):
        chance = random.Random(f"{SEED}/{number}")
        what = chance.choice(["node", "node", "exec"])
        delay = chance.choice([0, chance.uniform(0, 0.05), chance.uniform(0, 0.3)])
        start = chance.choice([["ring"], ["gsync", "ring"], ["lines", "100000", "60"], ["fork", "ring"],
                               ["session", "ring"]])
        job = self.start("run", "-n", NODES, ACTOR, *start)
        time.sleep(delay)
        if what == "node":
            victim = self.victim(job, chance)
            self.check_files(job)
            os.kill(victim, signal.SIGKILL)
            self.expect(self.finish(job), 137, "(actor, nx) was killed by SIGKILL (Killed)")
        else:
            job.kill()
            self.assertEqual(self.finish(job).code, -signal.SIGKILL)
        self.check_nothing_left()

    def test_at_random_instants(self):
        print(f"seed {SEED}, {TRIALS} trials (SEED={SEED} does the same again)", file=sys.stderr)
        for number in range(TRIALS):
            with self.subTest(trial=number, seed=SEED):
                self.one_trial(number)

    def test_forked_children_of_nodes_do_not_outlive_exec(self):
        job = self.start("run", "-n", 3, ACTOR, "fork", "ring")
        wait_until(lambda: len(nodes_of(self.token, job)) == 6, "nodes and their children are there")
        job.kill()
        self.assertEqual(self.finish(job).code, -signal.SIGKILL)
        self.check_nothing_left()

    def test_nor_those_in_a_session_of_their_own(self):
        job = self.start("run", "-n", 3, ACTOR, "session", "ring")
        wait_until(lambda: len(self.in_own_sessions(job)) == 3, "the nodes' children are there")
        job.kill()
        self.assertEqual(self.finish(job).code, -signal.SIGKILL)
        self.check_nothing_left()

    def test_nor_those_that_also_cleared_their_environment(self):
        length = f"600.{os.getpid()}{random.randrange(10**6)}"
        self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in sleeping(length)])
        job = self.start("run", "-n", 3, "sh", "-c", 'env -i setsid sleep "$1" & exec "$0" ring', ACTOR, length)
        wait_until(lambda: len(sleeping(length)) == 3, "the nodes' children are there")
        job.kill()
        self.assertEqual(self.finish(job).code, -signal.SIGKILL)
        wait_until(lambda: not sleeping(length), "they have ended")
        self.check_nothing_left()

    def test_other_processes_survive(self):
        job, other = (self.start("run", "--deadlock", "off", "-n", 2, ACTOR, "session", "wait") for _ in range(2))
        wait_until(lambda: len(self.in_own_sessions(job)) == len(self.in_own_sessions(other)) == 2,
                   "the children of both are there")
        theirs = self.in_own_sessions(other)
        ours = self.in_own_sessions(job)
        job.kill()
        self.assertEqual(self.finish(job).code, -signal.SIGKILL)
        wait_until(lambda: not set(ours) & set(marked(self.token)), "ours have ended")
        self.assertEqual(self.in_own_sessions(other), theirs)
        other.terminate()
        self.expect(self.finish(other), 143)
        self.check_nothing_left()

    def in_own_sessions(self, job):
        """The forked children of the job's nodes."""
        return [pid for pid in nodes_of(self.token, job) if session_of(pid) == pid
                and parent_of(parent_of(pid)) == job.pid]

    def test_nor_that_of_a_stopped_job(self):
        job = self.start("run", "-n", 3, ACTOR, "fork", "ring", preexec_fn=own_group)
        wait_until(lambda: len(nodes_of(self.token, job)) == 6, "nodes and their children are there")
        job.send_signal(signal.SIGTSTP)
        wait_until(lambda: all(state_of(pid) == "T" for pid in marked(self.token)), "all have stopped")
        job.kill()
        self.assertEqual(self.finish(job).code, -signal.SIGKILL)
        self.check_nothing_left()

    def test_a_task_of_pvm_dies_and_the_others_live(self):
        job = self.start("run", os.environ["SPAWNER"], "survive")
        self.assertEqual(job.stdout.readline(), b"spawned\n")
        # "spawned" may come before the child has become its program.
        wait_until(lambda: self.waiting_children(job), "the child is not there")
        os.kill(self.waiting_children(job)[0], signal.SIGKILL)
        ended = self.finish(job)
        self.expect(ended, 0, "rank 1 (spawner, pvm3) was killed by SIGKILL (Killed); the job goes on")
        self.assertEqual(ended.out, "still here\n")


def arguments_of(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read()


def own_group():
    """As a shell with job control gives it, in which Ctrl-Z stops."""
    os.setpgid(0, 0)
    default_signals()


def session_of(pid):
    try:
        return int(fields_of(pid)[3])
    except OSError:
        return None  # it has ended meanwhile


def parent_of(pid):
    try:
        return int(fields_of(pid)[1])
    except OSError:
        return None  # it has ended meanwhile


if __name__ == "__main__":
    unittest.main(verbosity=2)
