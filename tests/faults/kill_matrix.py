# SPDX-License-Identifier: BSD-3-Clause
"""A random signal to a random process of a job, of any kind, at a random instant, in every mode:
the job ends within seconds (or goes on, and ends when EXEC is asked to), and nothing of it is left, no
process and no file.

usage: kill_matrix.py [CLASS]...
Environment: besides that of job.py BACK_ENDS (back ends to try), HOSTS (the folder of the host programs),
LOST_FARM, SHELL_TASK; DRAWS (trials of each scenario) or MATRIX=1 (all signals for each), SEED.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

from job import ACTOR, EARL, JobTest, environment, in_shared_memory, marked, name_of, wait_until

LIMIT = 5 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds: ends take less than one
DRAWS = int(os.environ.get("DRAWS", "2"))
MATRIX = os.environ.get("MATRIX")
SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
BACK_ENDS = environment("BACK_ENDS").split()
HOSTS = environment("HOSTS")
FARM = [environment("LOST_FARM"), "3", "1000000", "1"]  # its tasks are killed and started again
LETHAL = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT]
SIGNALS = [*LETHAL, signal.SIGSTOP]  # SIGCONT follows
GRACE = 0.7  # seconds for a job that need not end to end
RING = [ACTOR, "gsync", "ring"]


def has_console(pid):
    """Whether the job listens for consoles: on an abstract socket that has its process in its name."""
    with open("/proc/net/unix", encoding="ascii", errors="replace") as sockets:
        return any(re.search(rf"@earl-.*job\.{pid}$", line.rstrip()) for line in sockets)


class Killing(JobTest):
    def setUp(self):
        self.here, self.runtime, self.place = (tempfile.mkdtemp(prefix="earl-kill-") for _ in range(3))
        for folder in (self.here, self.runtime, self.place):
            self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        super().setUp()  # its clean-up comes first
        self.users = []  # of consoles
        name, value = self.token.split("=")
        self.environment = {**os.environ, name: value, "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null",
                            "XDG_RUNTIME_DIR": self.runtime, "EARL_DEADLOCK": "off",
                            "EARL_NX_NODES": "3", "EARL_CUBE": "t" + uuid.uuid4().hex[:12]}
        self.before = in_shared_memory()

    def begin(self, *words, stdin=subprocess.DEVNULL, **settings):
        """Its output is not read: it may be much."""
        return self.start_command(*words, cwd=self.here, env={**self.environment, **settings}, stdin=stdin,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run_job(self, *words, **settings):
        return self.begin(EARL, *words, **settings)

    def left(self):
        """The remains of a job: nothing, in the end."""
        files = [name for folder in (self.folder, self.here, self.runtime) for name in os.listdir(folder)]
        return [(pid, name_of(pid)) for pid in marked(self.token)], files, in_shared_memory() - self.before

    def check_nothing_left(self):
        deadline = time.monotonic() + LIMIT
        while any(self.left()) and time.monotonic() < deadline:
            time.sleep(0.005)
        self.assertFalse(any(self.left()), f"left after {LIMIT} s: {self.left()}")

    def kinds(self, job):
        """The job's processes by kind; the one that was started is EXEC, or a bare host."""
        kinds = {}
        for pid in marked(self.token):
            kinds.setdefault("first" if pid == job.pid else name_of(pid), []).append(pid)
        return kinds

    def hit(self, job, number, chance):
        """Gives the kind of process that has got the signal; null: the job has ended before."""
        while job.poll() is None:
            kinds = self.kinds(job)
            if not kinds:
                continue
            kind = chance.choice(sorted(kinds))
            victim = chance.choice(kinds[kind])
            try:
                os.kill(victim, number)
                if number == signal.SIGSTOP:
                    time.sleep(chance.uniform(0, 0.1))
                    os.kill(victim, signal.SIGCONT)
                return kind
            except ProcessLookupError:
                continue
        return None

    def ends(self, job, limit):
        try:
            job.wait(limit)
            return True
        except subprocess.TimeoutExpired:
            return False

    def trial(self, begin, number, mortal, chance):
        """`mortal`: kinds of processes that the job cannot lose."""
        job = begin()
        time.sleep(chance.choice([0, chance.uniform(0, 0.05), chance.uniform(0, 0.3), 0.4]))
        kind = self.hit(job, number, chance)
        must_end = number in LETHAL and kind in ("first", *mortal)
        sent = f"{signal.Signals(number).name} to {kind}"
        if not self.ends(job, LIMIT if must_end else GRACE):
            self.assertFalse(must_end, f"the job goes on {LIMIT} s after {sent}")
            job.terminate()
            self.assertTrue(self.ends(job, LIMIT), f"the job does not end by SIGTERM, {sent} before")
        if must_end:
            self.assertNotEqual(job.returncode, 0, sent)
        for user in self.users:
            user.stdin.close()  # it waits for words
        with self.subTest(after=sent):
            self.check_nothing_left()

    def trials(self, name, begin, mortal=("actor",)):
        numbers = SIGNALS * int(MATRIX) if MATRIX else [None] * DRAWS
        for trial, number in enumerate(numbers):
            chance = random.Random(f"{SEED}/{name}/{trial}")
            number = number or chance.choice(SIGNALS)
            with self.subTest(scenario=name, trial=trial, signal=signal.Signals(number).name, seed=SEED):
                self.trial(begin, number, mortal, chance)

    def recorded(self, *words):
        """As run_job, into a folder of its own."""
        return lambda: self.run_job("record", "-o", os.path.join(self.place, uuid.uuid4().hex + ".earl"), *words)

    def need(self, back_end):
        if back_end not in BACK_ENDS:
            self.skipTest(f"this build does not run {back_end}")


class Jobs(Killing):
    """On one host."""

    def on(self, back_end, **settings):
        self.need(back_end)
        name = " ".join([back_end, *settings.values()])
        self.trials(name, lambda: self.run_job("run", "--on", back_end, "-n", 3, *RING, **settings))

    def test_shm(self):
        self.on("shm")

    def test_verbose(self):
        self.trials("verbose", lambda: self.run_job("run", "-v", "-n", 3, *RING))

    def test_fibers(self):
        self.on("fibers")

    def test_tcp(self):
        self.on("tcp")

    def test_pvm(self):
        self.on("pvm")

    def test_nx(self):
        self.on("nx")

    def test_myrinet_in_memory(self):
        self.on("myrinet")

    def test_myrinet_of_processes(self):
        self.on("myrinet", EARL_MYRINET_LINK="cables")

    def test_recorded(self):
        self.trials("recorded", self.recorded("-n", 3, *RING))

    def test_recorded_on_fibers(self):
        self.need("fibers")
        self.trials("recorded on fibers", self.recorded("--on", "fibers", "-n", 3, *RING))

    def test_recorded_farm(self):
        self.trials("recorded farm", self.recorded(*FARM), mortal=())

    def test_spawned_tasks(self):
        self.trials("spawned tasks", lambda: self.run_job("run", *FARM), mortal=())

    def test_replayed(self):
        # Long enough that no replay is at its end when the signal comes: EXEC then keeps the job's exit code.
        trace = os.path.join(self.place, "whole.earl")
        made = self.run_job("record", "-o", trace, "-n", 3, ACTOR, "crowd", 1000000, "gsync")
        self.assertEqual(made.wait(20 * LIMIT), 0)
        self.trials("replayed", lambda: self.run_job("replay", trace))

    def test_with_a_console(self):
        def begin():
            job = self.run_job("run", "--console", "-n", 2, *RING)
            wait_until(lambda: job.poll() is not None or has_console(job.pid), "the socket for consoles")
            self.users.append(self.begin(EARL, "console", job.pid, stdin=subprocess.PIPE))
            return job
        self.trials("console", begin)

    def test_bare_host(self):
        self.trials("bare host", lambda: self.begin(os.path.join(HOSTS, "stuck_host")),
                    mortal=("stuck_host", "ready_node"))


class SeveralHosts(Killing):
    """Two names of this host: each has its agent."""

    def setUp(self):
        super().setUp()
        launcher = os.path.join(self.place, "launch")
        with open(launcher, "w", encoding="ascii") as file:
            file.write('shift\n"$@"\n')
        self.words = ("--launcher", f"sh {launcher} %h", "--hosts", "localhost:2,127.0.0.2:2", *RING)

    def test_agents(self):
        self.trials("hosts", lambda: self.run_job("run", *self.words))

    def test_recorded(self):
        self.trials("recorded on hosts", self.recorded(*self.words))


class Session(Killing):
    """PVM programs typed at the shell, and the virtual machine that they share: after a signal to any of
    them `halt` ends the rest of it."""

    def pvm(self, lines):
        console = self.start_command(EARL, "compat", "pvm", env=self.environment, cwd=self.here,
                                     stdin=subprocess.PIPE)
        return self.finish(console, lines.encode())

    def setUp(self):
        super().setUp()
        self.environment.update(PVM_TMP=self.place, PVM_VMID="kill")

    def runs(self):
        with open("/proc/net/unix", encoding="utf-8") as file:
            return any(line.split()[-1] == f"@earl-{os.geteuid()}-pvm.kill@{self.place}" for line in file)

    @staticmethod
    def has_joined(task):
        """It has the virtual machine's id table mapped."""
        try:
            with open(f"/proc/{task.pid}/maps", encoding="utf-8") as file:
                return "/memfd:earl-ids" in file.read()
        except OSError:
            return False

    def one(self, number, chance):
        task = environment("SHELL_TASK")
        self.begin(task, "farm", TASKS_WAIT="1").wait(60)
        master = self.begin(task, "wait")
        # One that begins when the virtual machine is gone runs alone, and waits for ever: no deadlock is looked for.
        wait_until(lambda: self.has_joined(master) or master.poll() is not None, "the master has joined")
        time.sleep(chance.uniform(0, 0.2))
        kind = self.hit(master, number, chance)
        sent = f"{signal.Signals(number).name} to {kind}"
        if number in LETHAL and kind == "first":
            self.assertTrue(self.ends(master, LIMIT), f"the master lives on after {sent}")
        time.sleep(chance.uniform(0, 0.2))
        if self.runs():
            self.pvm("halt\n")
        self.assertTrue(self.ends(master, LIMIT), f"the master outlives the back end, {sent} before")
        with self.subTest(after=sent):
            self.check_nothing_left()

    def test_any_of_it(self):
        for trial, number in enumerate(SIGNALS * int(MATRIX) if MATRIX else [None] * DRAWS):
            chance = random.Random(f"{SEED}/session/{trial}")
            number = number or chance.choice(SIGNALS)
            with self.subTest(trial=trial, signal=signal.Signals(number).name, seed=SEED):
                self.one(number, chance)


if __name__ == "__main__":
    print(f"seed {SEED} (SEED={SEED} does the same again)", file=sys.stderr)
    unittest.main(verbosity=2)
