# SPDX-License-Identifier: BSD-3-Clause
"""A job that replaces its tasks has no end: ranks grow, places are used again, EXEC and the master keep nothing of
those that have ended."""

import os
import shutil
import unittest
import unittest.mock

from job import EARL, LIMIT, JobTest, environment, marked, name_of, wait_until

GENERATIONS = environment("GENERATIONS")
KILLED_TASKS = environment("KILLED_TASKS")
BACK_END = os.environ.get("BACK_END", "shm")
# Two names of this computer: the second one's agent is started by a command as any host's is.
HOSTS = os.environ.get("HOSTS", "")
JOB = ("--on", BACK_END, *(("--launcher", "env HOST=%h", "--hosts", HOSTS) if HOSTS else ()))
OFI = os.environ.get("EARL_NET_LINK") == "libfabric"
PLACES = 8 if OFI else 16 if HOSTS else 32
MANY = int(os.environ.get("SPAWNS", "800"))
SOME = min(MANY, 400)


def megabytes(pid):
    """In memory; nothing of a process that has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            words = dict(line.split(":", 1) for line in file if ":" in line)
        return int(words["VmRSS"].split()[0]) / 1024
    except (OSError, KeyError):
        return 0


def children_of(parent):
    """Those that live, and how many are zombies."""
    alive, zombies = [], 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) != parent:
            continue
        if fields[0] == "Z":
            zombies += 1
        else:
            alive.append(int(name))
    return alive, zombies


@unittest.skipIf(BACK_END == "pvm" and not shutil.which("pvmd"), "no PVM")
class Generations(JobTest):
    limit = 4 * LIMIT  # thousands of processes, one after another: on a loaded host a minute is not enough

    @unittest.skipUnless(OFI, "elsewhere the next test does that, too")
    def test_many_more_tasks_than_places(self):
        ended = self.earl("run", *JOB, "--max-processes", PLACES, GENERATIONS, MANY)
        self.assertEqual(ended.code, 0, ended)
        self.assertIn("EARL-OK", ended.out)

    @unittest.skipIf(OFI, "tasks are too few, for libfabric opens slowly, to tell what grows from what begins")
    def test_nothing_of_ended_tasks_is_kept(self):
        job = self.start("run", *JOB, "--max-processes", PLACES, GENERATIONS, MANY)
        figures = []
        def over():
            alive, zombies = children_of(job.pid)
            zombies += sum(children_of(pid)[1] for pid in alive)  # agents have children of their own
            # The watchdog, and then the master, or the process that it lives in.
            figures.append(([megabytes(pid) for pid in (job.pid, *sorted(alive)[:2])], zombies))
            return job.poll() is not None
        wait_until(over, "the farm has ended", self.limit)
        ended = self.finish(job)
        self.assertEqual(ended.code, 0, ended)
        self.assertIn("EARL-OK", ended.out)
        self.assertLessEqual(max(zombies for _, zombies in figures), PLACES)
        early = max(max(sizes) for sizes, _ in figures[: max(1, len(figures) // 4)])
        self.assertLess(max(max(sizes) for sizes, _ in figures), early + 8)

    def test_nothing_of_killed_tasks_is_kept(self):
        """The process of the master, on fibers that of all, has them by the thousand."""
        ended = self.earl("run", *JOB, "--max-processes", PLACES, KILLED_TASKS, MANY)
        self.assertEqual(ended.code, 0, ended)
        early, late = map(int, ended.out.split()[1:])
        self.assertLess(late, early + 4 * 1024)

    def record_and_replay(self, program, *words):
        """What the replay gives."""
        recording = os.path.join(self.folder, "farm.earl")
        self.addCleanup(shutil.rmtree, recording, ignore_errors=True)
        ended = self.earl("record", *JOB, "--force", "-o", recording, "--max-processes", PLACES, program, *words)
        self.assertEqual(ended.code, 0, ended)
        again = self.earl("replay", recording)
        self.assertEqual(again.code, 0, again)
        return ended, again

    def test_a_farm_is_recorded_and_replayed(self):
        for _ in range(2):
            ended, again = self.record_and_replay(GENERATIONS, SOME)
            self.assertEqual(again.out, ended.out)

    def test_a_replay_counts_the_tasks_that_were_killed(self):
        """Each where it polled, which its record knows no end of."""
        _, again = self.record_and_replay(KILLED_TASKS, min(MANY, 60), "poll")
        lines = again.err.splitlines()
        self.assertLessEqual(len(lines), 1, again)
        for line in lines:
            self.assertRegex(line, r"the recording of rank \d+ ends at event \d+, .* up to here(; \d+ more records? ends? )?")

    @unittest.skipIf(HOSTS or BACK_END not in ("shm", "fibers"), "the answer depends on how soon tasks end")
    def test_few_places(self):
        """The master begins with six tasks. On fibers each has ended before the next is spawned, and its place is
        free; on shm only when the master has looked for messages since, which it does not while it spawns."""
        ended = self.earl("run", *JOB, "--max-processes", 4, GENERATIONS, 40)
        self.assertEqual(ended.code == 0, BACK_END == "fibers", ended)

    def test_a_back_end_that_uses_places_once_reports_it(self):
        with unittest.mock.patch.dict(os.environ, EARL_MYRINET_LINK="cables"):
            ended = self.earl("run", "--on", "myrinet", "--max-processes", 10, GENERATIONS, 40)
        self.assertNotEqual(ended.code, 0, ended)
        self.assertIn("on this back end those of processes that have ended are not used again", ended.err)


if __name__ == "__main__":
    unittest.main()
