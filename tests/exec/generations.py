"""A job that replaces its tasks has no end: ranks grow, places are used again, EXEC and the master keep nothing of
those that have ended."""

import os
import unittest

from job import EARL, LIMIT, JobTest, environment, marked, name_of, wait_until

GENERATIONS = environment("GENERATIONS")
BACK_END = os.environ.get("BACK_END", "shm")
PLACES = 64
MANY = 2000


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


class Generations(JobTest):
    limit = 4 * LIMIT  # thousands of processes, one after another: on a loaded machine a minute is not enough

    def run_farm(self, spawns, *options):
        return self.earl("run", "--on", BACK_END, "--max-processes", PLACES, *options, GENERATIONS, spawns)

    def test_many_more_tasks_than_places(self):
        ended = self.run_farm(MANY)
        self.assertEqual(ended.code, 0, ended)
        self.assertIn("EARL-OK", ended.out)

    def test_nothing_of_ended_tasks_is_kept(self):
        job = self.start("run", "--on", BACK_END, "--max-processes", PLACES, GENERATIONS, MANY)
        figures = []
        def over():
            alive, zombies = children_of(job.pid)
            # The guard, and then the master, or the process that it lives in.
            figures.append(([megabytes(pid) for pid in (job.pid, *sorted(alive)[:2])], zombies))
            return job.poll() is not None
        wait_until(over, "the farm has ended", self.limit)
        ended = self.finish(job)
        self.assertEqual(ended.code, 0, ended)
        self.assertLessEqual(max(zombies for _, zombies in figures), PLACES)
        early = max(max(sizes) for sizes, _ in figures[: max(1, len(figures) // 4)])
        self.assertLess(max(max(sizes) for sizes, _ in figures), early + 8)

    def test_a_farm_is_recorded_and_replayed(self):
        recording = os.path.join(self.folder, "farm.earl")
        try:
            for _ in range(2):
                ended = self.earl("record", "--on", BACK_END, "--force", "-o", recording, "--max-processes", PLACES, GENERATIONS, 400)
                if "--force" in ended.err:
                    ended = self.earl("record", "--on", BACK_END, "-o", recording, "--max-processes", PLACES, GENERATIONS, 400)
                self.assertEqual(ended.code, 0, ended)
                again = self.earl("replay", recording)
                self.assertEqual(again.code, 0, again)
                self.assertEqual(again.out, ended.out)
        finally:
            if os.path.isdir(recording):
                for name in os.listdir(recording):
                    os.remove(os.path.join(recording, name))
                os.rmdir(recording)

    @unittest.skipIf(BACK_END == "tcp", "the answer depends on how soon tasks end")
    def test_few_places(self):
        """The master begins with six tasks. On fibers each has ended before the next is spawned, and its place is
        free; on shm only when the master has looked for messages since, which it does not while it spawns."""
        ended = self.earl("run", "--on", BACK_END, "--max-processes", 4, GENERATIONS, 40)
        self.assertEqual(ended.code == 0, BACK_END == "fibers", ended)

    def test_a_back_end_that_uses_places_once_reports_it(self):
        ended = self.earl("run", "--on", "myrinet", "--max-processes", 10, GENERATIONS, 40)
        self.assertNotEqual(ended.code, 0, ended)


if __name__ == "__main__":
    unittest.main()
