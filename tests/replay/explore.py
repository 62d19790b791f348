#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `earl explore` finds in programs of which all outcomes are known.

usage: explore.py EARL BACK-END ORDERS orders.json [FRAGILE-NX FRAGILE-PVM FRAGILE-MPI FRAGILE-DRAFT FRAGILE-BIP
RACING-PVM WRONG-MPI]
"""
import glob
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

EARL, BACK_END, ORDERS, KNOWN = sys.argv[1:5]
EARL, ORDERS = os.path.abspath(EARL), os.path.abspath(ORDERS)  # some tests run in another folder
FRAGILE = sys.argv[5:]
ENGINES = ("fork", "rerun") if BACK_END == "fibers" else ("rerun",)
# Outcomes of a program, so that the test does not take long. On fibers a run costs least.
MOST, DEADLOCKS, REPLAYS = (20, 19, 10) if BACK_END == "fibers" else (4, 18, 3)
MOST_OF_BOTH_ENGINES = 16
SLOWER = int(os.environ.get("TESTS_SLOWER", "1"))
LIMIT = 200 * SLOWER  # seconds for one command
SEARCH_LIMIT = ("--seconds", str(190 * SLOWER))

with open(KNOWN, encoding="ascii") as text:
    PROGRAMS = {program["name"]: program for program in json.load(text)}


def run(*words, **more):
    return subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=LIMIT, check=False, **more)


def outcome(path):
    """What each rank has learned, as orders.json names it."""
    with open(path, encoding="ascii") as text:
        lines = text.read().splitlines()
    ranks = sorted({line.split()[0] for line in lines})
    text = "\n".join("\n".join(x for x in lines if x.startswith(rank + " ")) for rank in ranks)
    return hashlib.md5(text.encode()).hexdigest()[:8]


class Explored(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def wait_until(self, condition):
        deadline = time.monotonic() + 60 * SLOWER
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def explore(self, *words, code=None, **more):
        found = run("explore", "--json", *SEARCH_LIMIT, *words, **more)
        self.assertIn(found.returncode, (0, 3) if code is None else (code,), found.stderr)
        return json.loads(found.stdout)

    def orders_of(self, program, *options):
        """What explore finds, and the outcomes by exit code."""
        name = program["name"]
        report = self.explore("--on", BACK_END, "-o", self.path(name), "--outputs",
                              self.path(name + ".out"), *options, "-n",
                              str(len(program["ranks"])), ORDERS, *program["ranks"])
        outcomes = {}
        for path in glob.glob(self.path(name + ".out", "*.out")):
            code = int(re.search(r"-(\d+)\.out$", path).group(1))
            outcomes.setdefault(code, set()).add(outcome(path))
        return report, outcomes


def content(path):
    with open(path, "rb") as file:
        return file.read()


def contents(folder):
    """Of all files there, by name."""
    return {name: content(os.path.join(folder, name)) for name in os.listdir(folder)}


def processes_with(word):
    """Those that name it in their command line or environment."""
    found = []
    for path in glob.glob("/proc/[0-9]*"):
        try:
            text = b"".join(content(os.path.join(path, name))
                            for name in ("cmdline", "environ"))
        except OSError:
            continue  # it has ended
        if os.fsencode(word) in text and os.path.basename(path) != str(os.getpid()):
            found.append(path)
    return found


def replayed(command, times):
    """The exit codes of so many replays by the line that explore has printed."""
    words = shlex.split(command)
    assert words[:2] == ["earl", "replay"], command
    return [run(*words[1:]).returncode for _ in range(times)]


class Oracle(Explored):
    def test_it_finds_all_outcomes_and_no_other(self):
        deadlocks = 0
        for program in PROGRAMS.values():
            if len(program["healthy"]) + len(program["stuck"]) > MOST:
                continue
            with self.subTest(program["name"]):
                report, outcomes = self.orders_of(program)
                self.assertTrue(report["all_tried"], report)
                self.assertEqual(outcomes.get(0, set()), set(program["healthy"]), report)
                self.assertEqual(outcomes.get(86, set()), set(program["stuck"]), report)
                deadlocks += bool(program["stuck"])
                for failure in report["failures"]:
                    self.assertEqual(replayed(failure["command"], 1), [86], failure)
        self.assertGreaterEqual(deadlocks, DEADLOCKS)


class Fragile(Explored):
    """Programs that fail in one order, which is not the usual one."""

    CASES = [(0, "pool", 86, "pool waits here"), (0, "answer", 86, "answer waits here"),
             (0, "first", 1, None), (1, "tried", 86, "tried waits here"),
             (1, "given", 86, "given waits here"), (2, "either", 86, "either waits here"),
             (2, "gather", 3, None), (3, "last", 86, "last waits here"),
             (4, "swapped", 86, "swapped waits here")]

    def test_the_order_is_found_and_its_line_replays_it(self):
        for program, case, code, _ in self.CASES:
            with self.subTest(case):
                report = self.explore("--on", BACK_END, "-o", self.path(case), "-n", "4",
                                      FRAGILE[program], case, code=3)
                codes = [failure["exit_code"] for failure in report["failures"]]
                self.assertIn(code, codes, report)
                failure = report["failures"][codes.index(code)]
                self.assertEqual(replayed(failure["command"], REPLAYS), [code] * REPLAYS, failure)
                self.assertEqual(run("replay", failure["recording"]).returncode, code)
                self.assertLessEqual(len(failure["path"].split(",")), 2, failure)


class Bounds(Explored):
    def pair(self, *options, code):
        return self.explore("--on", BACK_END, "-o", self.path("r"), *options, "-n", "3", ORDERS,
                            "r-1,1,0;r-1,1,1", "s0,1,1,0", "s0,1,2,0", code=code)

    def test_it_stops_at_a_bound_and_says_so(self):
        report = self.pair("--runs", "1", code=0)
        self.assertEqual((report["runs"], report["stopped_by"]), (1, "--runs"))
        self.assertFalse(report["all_tried"])
        found = run("explore", "--runs", "1", self.path("r"))
        self.assertIn("stopped by --runs", found.stdout)

    def test_a_recording_is_explored_from_its_run(self):
        report = self.pair(code=0)
        self.assertTrue(report["all_tried"])
        again = self.explore(self.path("r"), code=0)
        self.assertEqual((again["orders"], again["all_tried"]), (2, True))
        text = run("explore", self.path("r")).stdout
        self.assertIn("all orders have been tried", text)
        self.assertIn("2 orders, 0 failures", text)

    def test_a_command_judges_what_was_written(self):
        check = ["--check", "sort | grep -q '@0 r 0 1'"]
        report = self.pair(*check, code=3)
        (failure,) = report["failures"]
        self.assertEqual(failure["what"], "--check: exit code 1")
        last = subprocess.run(["sh", "-c", check[1]], check=False, text=True, input=run(
            *shlex.split(failure["command"])[1:]).stdout)
        self.assertEqual(last.returncode, 1)

    def test_other_output_is_a_failure_when_asked_for(self):
        (failure,) = self.pair("--same-output", code=3)["failures"]
        self.assertEqual(failure["what"], "another output than the first run's")

    def test_bounds_and_programs_that_make_no_sense_are_refused(self):
        for words, sentence in [
                (["--runs", "0", "-n", "2", ORDERS], "--runs 0: a number from 1 is needed"),
                (["--failures", "x", "-n", "2", ORDERS], "--failures x: a number from 1"),
                (["--seconds", "-1", "-n", "2", ORDERS], "a duration above 0"),
                (["--seconds", "nan", "-n", "2", ORDERS], "a duration above 0"),
                ([], "no program is named"),
                (["--dry-run", ORDERS], "earl run --dry-run")]:
            with self.subTest(words):
                ended = run("explore", *words, cwd=self.folder.name)
                self.assertEqual(ended.returncode, 2, ended.stderr)
                self.assertIn(sentence, ended.stderr)
        ended = run("explore", "-o", self.path("none"), "-n", "2", "./missing",
                    cwd=self.folder.name)
        self.assertNotIn(ended.returncode, (0, 3))
        self.assertIn("missing", ended.stderr)


class Ended(Explored):
    def end_by(self, number, engine):
        """A search in its midst; gives its exit code."""
        place = self.path("temporary" + engine)
        os.mkdir(place)
        many = ";".join(["r-1,1,0"] * 12)  # in so many orders that no search ends before it is ended
        with subprocess.Popen(
                [EARL, "explore", "--on", BACK_END, "--engine", engine, "-o", self.path(engine), "-n", "4",
                 ORDERS, many, *[";".join(["s0,1,0,0"] * 4)] * 3], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                env={**os.environ, "TMPDIR": place}) as searching:
            self.wait_until(lambda: glob.glob(os.path.join(place, "*", "1", "*")))
            self.assertIsNone(searching.poll())
            if number == signal.SIGKILL:
                searching.kill()
            else:
                os.killpg(searching.pid, number)
            code = searching.wait()
        self.wait_until(lambda: not os.listdir(place))
        self.wait_until(lambda: not processes_with(self.folder.name))
        return code

    def test_nothing_is_left_of_a_search_that_is_killed(self):
        for engine in ENGINES:
            self.assertEqual(self.end_by(signal.SIGKILL, engine), -signal.SIGKILL)

    def test_nothing_is_left_of_a_search_that_the_user_ends(self):
        for engine in ENGINES:
            self.assertEqual(self.end_by(signal.SIGINT, engine), 0)


@unittest.skipUnless(BACK_END == "fibers", "each rank is a process here")
class Engines(Explored):
    """Forks of one process and jobs that start anew do the same."""

    def by_both(self, *words):
        """The reports of both engines, less what must differ."""
        reports = {}
        for engine in ENGINES:
            with tempfile.TemporaryDirectory() as folder:
                report = self.explore("--on", BACK_END, "-o", os.path.join(folder, "r"), "--engine", engine,
                                      *words)
            reports[engine] = report
            for key in ("seconds", "recording"):
                del report[key]
            for failure in report["failures"]:
                failure.update(what=re.sub(r"\d+", "#", failure["what"]), command=None, recording=None)
        forked = [reports[engine].pop("forked") for engine in ENGINES]
        self.assertEqual(*(reports[engine] for engine in ENGINES))
        self.assertEqual(forked[1], 0)
        return reports["fork"], forked[0]

    def test_they_find_the_same_orders_in_as_many_runs(self):
        all_forked = 0
        for name in sorted(PROGRAMS)[::8]:
            program = PROGRAMS[name]
            if len(program["healthy"]) + len(program["stuck"]) > MOST_OF_BOTH_ENGINES:
                continue
            with self.subTest(name):
                report, forked = self.by_both("-n", str(len(program["ranks"])), ORDERS, *program["ranks"])
                self.assertLess(forked, report["runs"])
                all_forked += forked
        self.assertGreater(all_forked, 20)

    def test_what_they_write_is_the_same(self):
        program = ["r-1,1,0;r-1,1,1;p-1,1,2", "s0,1,1,0;s0,1,3,0", "s0,1,2,0"]
        for engine in ENGINES:
            report = self.explore("--on", BACK_END, "-o", self.path(engine), "--engine", engine, "--outputs",
                                  self.path(engine + ".out"), "-n", "3", ORDERS, *program, code=0)
        self.assertGreater(report["orders"], 2)
        self.assertEqual(*(contents(self.path(engine + ".out")) for engine in ENGINES))

    def test_a_run_that_fails_is_made_anew_and_named(self):
        report, forked = self.by_both("-n", "4", FRAGILE[0], "first")
        self.assertEqual([failure["exit_code"] for failure in report["failures"]], [1])
        self.assertLess(forked, report["runs"] - 1)

    def test_a_run_that_does_not_end_is_one_that_takes_too_long(self):
        report, forked = self.by_both("--timeout", str(SLOWER), "-n", "3", ORDERS, "r-1,1,0;r-1,1,1;?0,1,1,4;j5;j4",
                                      "s0,1,1,0", "s0,1,2,0")
        self.assertEqual([failure["exit_code"] for failure in report["failures"]], [124])
        self.assertFalse(report["all_tried"])
        self.assertEqual(forked, 0)

    def begun(self, opening):
        """How many of the runs that are forks began where the job begins."""
        with tempfile.TemporaryDirectory() as folder:
            report = self.explore("--on", BACK_END, "--engine", "fork", "-o", os.path.join(folder, "r"), "-n", "4", ORDERS,
                                  opening + ";s1,90,0,0;r1,90,0" + ";r-1,1,0" * 6, "r0,90,0;s0,90,0,0;s0,1,0,0;s0,1,0,0",
                                  "s0,1,0,0;s0,1,0,0", "s0,1,0,0;s0,1,0,0", code=0, cwd=folder)
            self.assertEqual((report["orders"], report["all_tried"]), (90, True))
            self.assertEqual(report["forked"], report["runs"] - 1)
            return os.path.getsize(os.path.join(folder, "began")) - 1, report["forked"]

    def test_what_all_runs_begin_with_is_done_once(self):
        begun, forked = self.begun("f0")
        self.assertLess(begun, forked / 4)

    def test_a_program_with_an_open_file_is_forked_at_its_begin_only(self):
        begun, forked = self.begun("f1")
        self.assertGreaterEqual(begun, forked)

    def test_runs_of_a_slow_program_may_take_longer(self):
        report = self.explore("--on", BACK_END, "-o", self.path("r"), "-n", "3", FRAGILE[6], "slow", code=0)
        self.assertEqual((report["orders"], report["failures"], report["all_tried"]), (2, [], True))

    def test_only_exec_knows_its_answers(self):
        report, forked = self.by_both("-n", "3", FRAGILE[5], "pair")
        self.assertEqual((report["orders"], report["all_tried"], forked), (2, True, 0))

    def test_its_own_input_is_not_shared(self):
        with open(self.path("input"), "w+", encoding="ascii") as text:
            text.write("nothing of interest\n" * 100)
            text.seek(0)
            subprocess.run([EARL, "record", "--on", BACK_END, "-o", self.path("r"), "-n", "3", ORDERS,
                            "r-1,1,0;r-1,1,1", "s0,1,1,0", "s0,1,2,0"], stdin=text, check=True,
                           stdout=subprocess.DEVNULL)
        report = self.explore(self.path("r"), code=0)
        self.assertEqual((report["orders"], report["forked"]), (2, 0))
        asked = run("explore", "--engine", "fork", self.path("r"))
        self.assertIn("earl: --engine fork: no run is a fork, because it reads standard input", asked.stderr)

    def test_the_report_says_which_made_a_run(self):
        text = run("explore", "--on", BACK_END, "-o", self.path("r"), "-n", "3", ORDERS,
                   "r-1,1,0;r-1,1,1", "s0,1,1,0", "s0,1,2,0")
        self.assertRegex(text.stdout, r"^2 runs \(1 by fork\) of ")


class OtherBackEnds(Explored):
    def test_forks_are_refused_with_a_reason_where_ranks_are_processes(self):
        words = ["-n", "3", ORDERS, "r-1,1,0;r-1,1,1", "s0,1,1,0", "s0,1,2,0"]
        asked = run("explore", "--on", "shm", "--engine", "fork", "-o", self.path("r"), *words)
        self.assertEqual(asked.returncode, 0)
        self.assertIn("no run is a fork, because on shm each rank is a process", asked.stderr)
        refused = run("explore", "--engine", "forks", *words)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--engine forks: fork or rerun is needed", refused.stderr)


class Answers(Explored):
    def test_a_path_chooses_what_a_poll_finds(self):
        program = ["p-1,1,0;r-1,2,1;p-1,1,2", "s0,1,1,0;s0,2,1,0"]
        run("record", "--on", BACK_END, "-o", self.path("r"), "-n", "2", ORDERS, *program)
        for path, lines in [("0?0=no", ["@0 p -1 -1 -1", "@0 p 1 -1 -1"]),
                            ("0?0=1#0", ["@0 p 1 -1 -1", "@0 p 1 -1 -1"]),
                            ("0?0=yes,0?1=no", ["@0 p 1 -1 -1", "@0 p -1 -1 -1"])]:
            with self.subTest(path):
                ended = run("replay", "--path", path, self.path("r"))
                self.assertEqual(ended.returncode, 0, ended.stderr)
                found = [line for line in ended.stdout.splitlines() if " p " in line]
                self.assertEqual(found, lines)

    def test_a_path_that_names_nothing_is_refused(self):
        run("record", "-o", self.path("r"), "-n", "2", ORDERS, "p-1,1,0", "s0,1,1,0")
        for path, code, sentence in [("0?9=no", 1, "no such receive or question"),
                                     ("7?0=no", 1, "no such receive or question"),
                                     ("0?0=maybe", 2, "RANK?QUESTION=ANSWER"),
                                     ("0@1", 1, "each step names a message or an answer")]:
            with self.subTest(path):
                ended = run("replay", "--path", path, self.path("r"))
                self.assertEqual(ended.returncode, code, ended.stderr)
                self.assertIn(sentence, ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
