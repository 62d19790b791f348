# SPDX-License-Identifier: BSD-3-Clause
"""`earl ps` beside running jobs."""

import json
import os
import shutil
import subprocess
import unittest

from job import ACTOR, EARL, JobTest, wait_until

# Rank 0 reads until its input ends, rank 1 waits for it in a collective call.
PROGRAMS = ("-n", "1", ACTOR, "cat", "gsync", ":", "-n", "1", ACTOR, "gsync")


class Ps(JobTest):
    def start_job(self, *words):
        job = self.start("run", *(words or PROGRAMS), stdin=subprocess.PIPE)
        wait_until(lambda: self.processes(job.pid), "the job is listed")
        return job

    def asked(self, *words):
        ended = self.earl("ps", "--json", *words)
        return json.loads(ended.out) if ended.code == 0 else None

    def processes(self, pid):
        job = self.asked(str(pid))
        return job["processes"] if job else []

    def end_job(self, job):
        self.assertEqual(self.finish(job, b"").code, 0)
        self.expect(self.earl("ps", str(job.pid)), 1, f"there is no job {job.pid} of yours on this host")

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "gdb and the search for leaks exclude each other")
    def test_gdb_joins_the_process_that_it_names(self):
        job = self.start_job()
        wait_until(lambda: any("gsync in " in one["where"] for one in self.processes(job.pid)), "rank 1 waits")
        pid = next(one["pid"] for one in self.processes(job.pid) if one.get("rank") == 1)
        said = subprocess.run(["gdb", "-p", str(pid), "-batch", "-nx", "-ex", "backtrace"], text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=self.limit, check=False)
        self.assertRegex(said.stdout, r"gsync[^\n]*\n(.*\n)*.*main[^\n]* at [^\n]*actor\.c:\d+", said.stderr)
        self.end_job(job)

    def test_each_process_has_its_call(self):
        job = self.start_job()
        places = lambda: {one.get("rank"): (one["state"], one["where"]) for one in self.processes(job.pid)}
        settled = lambda: (set(places()) == {0, 1} and "actor.c" in places()[0][1]
                           and places()[1][1].startswith("gsync in "))
        wait_until(settled, f"both ranks are where they wait: {places()}")
        self.assertRegex(places()[1][1], r"gsync in \w+ at actor\.c:\d+, called by main at actor\.c:\d+")
        listed = self.earl("ps", str(job.pid))
        self.expect(listed, 0)
        head, *rows = listed.out.splitlines()
        self.assertEqual(head.split(), ["RANK", "PID", "STATE", "CPU", "WHERE"])
        self.assertEqual([row.split()[0] for row in rows], ["0", "1"])
        self.end_job(job)

    def test_jobs_are_listed_with_their_commands(self):
        first, second = self.start_job(), self.start_job()
        mine = [one for one in self.asked() if one["job"] in (first.pid, second.pid)]
        self.assertEqual(len(mine), 2)
        for one in mine:
            self.assertTrue(one["command"].startswith("earl run -n 1 "), one["command"])
            self.assertNotIn("where", one["processes"][0])
        lines = [line for line in self.earl("ps").out.splitlines() if int(line.split()[0]) == first.pid]
        self.assertRegex(lines[0], r"^ *\d+ +\d\d:\d\d:\d\d +\d processes +earl run -n 1 ")
        self.end_job(first)
        self.end_job(second)

    def test_ranks_of_one_process_are_one_row(self):
        source, program = (os.path.join(self.folder, name) for name in ("reader.c", "reader"))
        for name in (source, program):
            self.addCleanup(os.remove, name)
        with open(source, "w", encoding="ascii") as file:
            file.write("#include <stdio.h>\nint main(void) { while (getchar() != EOF) ; return 0; }\n")
        self.expect(self.finish(self.start_command(EARL + "cc", "-api", "nx", source, "-o", program)), 0)
        job = self.start_job("--on", "fibers", "-n", "3", program)
        (one,) = self.processes(job.pid)
        self.assertNotIn("rank", one)
        self.assertEqual(one["where"], "")
        self.assertRegex(self.earl("ps", str(job.pid)).out.splitlines()[1], r"^ +all +\d+ ")
        self.end_job(job)

    def test_a_word_that_is_no_process_id_is_refused(self):
        self.expect(self.earl("ps", "ring"), 2, "ring is no process id of an EXEC")
        self.expect(self.earl("ps", "1"), 1, "there is no job 1 of yours on this host")


if __name__ == "__main__":
    unittest.main()
