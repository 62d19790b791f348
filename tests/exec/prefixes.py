# SPDX-License-Identifier: BSD-3-Clause
"""Profilers and debuggers that run a command: perf and rr before `earl`, and before the program of each rank or of one."""

import functools
import os
import re
import shutil
import subprocess
import unittest

from job import ACTOR, EARL, JobTest


@functools.cache
def objection_to(*words):
    """Why such a command cannot run here, as it or the kernel says; empty: it can."""
    if not shutil.which(words[0]):
        return f"there is no {words[0]} here"
    if "ASAN_OPTIONS" in os.environ:
        return "not under a sanitizer"
    tried = subprocess.run([*words, "true"], capture_output=True, text=True, timeout=60, check=False,
                           stdin=subprocess.DEVNULL)
    return "" if tried.returncode == 0 else f"{words[0]} cannot run here: {tried.stderr.strip()[-300:]}"


class Prefixes(JobTest):
    def command(self, *words):
        return self.finish(self.start_command(*words))

    def place(self, name):
        """A path in the test's folder, removed at its end."""
        path = os.path.join(self.folder, name)
        self.addCleanup(lambda: shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path))
        return path

    def programs_in(self, data):
        """The names under which processes were executed while perf recorded."""
        said = self.command("perf", "script", "-i", data, "-f", "--show-task-events", "-F", "comm,pid,tid,event")
        self.expect(said, 0)
        return re.findall(r"PERF_RECORD_COMM exec: (\S+?):", said.out)

    def require(self, *words):
        if why := objection_to(*words):
            self.skipTest(why)

    def test_perf_around_the_job(self):
        self.require("perf", "record", "-q", "-o", "/dev/null")
        data = self.place("perf.data")
        seen = self.command("perf", "record", "-q", "-o", data, EARL, "run", "-n", 3, ACTOR, "gsync", "who")
        self.assertEqual((seen.code, sorted(seen.out.splitlines())), (0, ["0 of 3", "1 of 3", "2 of 3"]), seen)
        self.assertEqual(self.programs_in(data).count("actor"), 3)
        seen = self.command("perf", "record", "-q", "-o", self.place("failed.data"), EARL, "run", "-n", 2, ACTOR, "gsync", "exit", 7)
        self.expect(seen, 7)

    def test_perf_in_each_rank(self):
        self.require("perf", "record", "-q", "-o", "/dev/null")
        data = [self.place(f"seen.{rank}") for rank in range(2)]
        seen = self.earl("run", "-n", 2, "sh", "-c", f'exec perf record -q -o {self.folder}/seen.$EARL_RANK "$0" "$@"',
                         ACTOR, "gsync", "who")
        self.assertEqual((seen.code, sorted(seen.out.splitlines())), (0, ["0 of 2", "1 of 2"]), seen)
        for file in data:
            self.assertEqual(self.programs_in(file).count("actor"), 1)

    def test_rr_around_the_job(self):
        trace = self.place("probe")
        self.require("rr", "record", "-o", trace)
        trace = self.place("trace")
        seen = self.command("rr", "record", "-o", trace, EARL, "run", "-n", 2, ACTOR, "gsync", "who")
        self.assertEqual((seen.code, sorted(seen.out.splitlines())), (0, ["0 of 2", "1 of 2"]), seen)
        again = self.command("rr", "replay", "-a", trace)
        self.assertEqual((again.code, sorted(again.out.splitlines())), (0, ["0 of 2", "1 of 2"]), again)

    def test_rr_around_one_process_of_a_recording(self):
        trace = self.place("probe")
        self.require("rr", "record", "-o", trace)
        recording, trace = self.place("r.earl"), self.place("trace")
        self.expect(self.earl("record", "-o", recording, "-n", 3, ACTOR, "gsync", "crowd", 20), 0)
        seen = self.earl("replay", "--alone", 0, "--with", f"rr record -o {trace}", recording)
        self.expect(seen, 0)
        again = self.command("rr", "replay", "-a", trace)
        self.assertEqual((again.code, again.out), (0, seen.out), again)


if __name__ == "__main__":
    unittest.main()
