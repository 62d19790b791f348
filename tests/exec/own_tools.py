# SPDX-License-Identifier: BSD-3-Clause
"""Tools of one's own: shared libraries against earl/tool.h, by `earl run --tool ./mine.so:ARGUMENT`."""

import os
import re
import shutil
import subprocess
import unittest

from job import ACTOR, JobTest, environment

SAMPLES = environment("SAMPLE_TOOLS")
PROGRAMS = environment("PROGRAMS")
SOURCES = environment("TOOL_SOURCES")
BACK_ENDS = ("shm", "fibers")
APIS = ("nx", "pvm", "mpi")
RANKS = 4
MESSAGES = 6  # that each rank but the first sends, of an int


def program(api):
    return os.path.join(PROGRAMS, "arrivals_" + api)


def sample(name):
    return os.path.join(SAMPLES, name + ".so")


class Counting(JobTest):
    def test_it_counts_for_each_rank(self):
        for api in ("nx", "mpi"):
            for back_end in BACK_ENDS:
                with self.subTest(api=api, back_end=back_end):
                    ended = self.earl("run", "--on", back_end, "--tool", sample("count"), "-n", RANKS,
                                      program(api))
                    self.expect(ended, 0)
                    taken = (RANKS - 1) * MESSAGES
                    self.assertIn(f"rank 0: 0 sent (0 bytes), {taken} received ({4 * taken} bytes)\n",
                                  ended.err)
                    for rank in range(1, RANKS):
                        self.assertIn(f"rank {rank}: {MESSAGES} sent ({4 * MESSAGES} bytes), 0 received",
                                      ended.err)

    def test_two_at_a_time_and_with_a_recorder(self):
        recording = os.path.join(self.folder, "counted")
        self.addCleanup(shutil.rmtree, recording)
        ended = self.earl("record", "-o", recording, "--tool", sample("count"), "--tool", sample("count"),
                          "-n", RANKS, program("nx"))
        self.expect(ended, 0)
        self.assertEqual(ended.err.count("rank 0: 0 sent"), 2, ended)
        # It watched that run, not the program.
        ended = self.earl("replay", recording)
        self.expect(ended, 0)
        self.assertEqual(ended.err, "")
        self.expect(self.earl("replay", "--tool", sample("count"), recording), 0, "rank 0: 0 sent")


class Ordering(JobTest):
    def run_with(self, how, *words):
        ended = self.earl("run", *words[:-1], "--tool", f"{sample('order')}:{how}", "-n", RANKS, words[-1])
        self.expect(ended, 0)
        return ended.out

    def record(self, *words):
        folder = os.path.join(self.folder, "order")
        self.addCleanup(shutil.rmtree, folder, True)
        shutil.rmtree(folder, True)
        return folder, self.run_with(f"record={folder}", *words)

    def test_a_replay_has_the_recorded_order(self):
        """Of two seeds that give different orders, one's is reproduced with the other, and on processes."""
        for api in APIS:
            with self.subTest(api):
                orders = {}
                for seed in range(1, 20):
                    folder, out = self.record("--on", "fibers", "--seed", seed, program(api))
                    orders[out] = seed
                    if len(orders) == 2:
                        break
                self.assertEqual(len(orders), 2, "each seed gives the same order")
                for other in orders.values():
                    self.assertEqual(self.run_with(f"replay={folder}", "--on", "fibers", "--seed", other,
                                                   program(api)), out)
                self.assertEqual(self.run_with(f"replay={folder}", "--on", "shm", program(api)), out)

    def test_events_of_processes_are_complete_on_fibers(self):
        for api in APIS:
            with self.subTest(api):
                folder, out = self.record("--on", "shm", program(api))
                for back_end in BACK_ENDS:
                    self.assertEqual(self.run_with(f"replay={folder}", "--on", back_end, program(api)), out)

    def test_another_program_is_reported(self):
        folder, _ = self.record(program("nx"))
        ended = self.earl("run", "--tool", f"{sample('order')}:replay={folder}", "-n", RANKS, program("pvm"))
        self.expect(ended, 87, "ends the job: the recorded run has no such ")

    def test_arguments_that_will_not_do(self):
        for how in ("", ":", ":play=x", f":replay={self.folder}/none"):
            for back_end in BACK_ENDS:
                ended = self.earl("run", "--on", back_end, "--tool", sample("order") + how, "-n", 1,
                                  program("nx"))
                self.expect(ended, 1, "order.so refuses: ")


class Faults(JobTest):
    """Each is refused with one sentence, on each back end."""

    def faulty(self, name, code, sentence, lines=1, after=program("nx")):
        for back_end in BACK_ENDS:
            with self.subTest(name, back_end=back_end):
                tool = os.path.join(PROGRAMS, name + ".so")
                ended = self.earl("run", "--on", back_end, "--tool", tool, "-n", 2, after)
                self.expect(ended, code, sentence)
                self.assertLessEqual(ended.err.count("\n"), lines, ended)

    def test_those_seen_before_anything_starts(self):
        self.faulty("of_another_version", 2, "was compiled for version 7 of earl/tool.h")
        self.faulty("of_another_size", 2, "gives 8 as its size")
        self.faulty("of_unknown_flags", 2, "has flags 0x40, which this Earl does not know")
        self.faulty("without_event", 2, "has no function `event`")
        self.faulty("without_symbol", 2, "cannot be loaded: undefined symbol: not_there")
        self.faulty("crashes_when_loaded", 2, "loading it fails: Aborted")
        self.faulty("ends_when_loaded", 2, "loading it ends the process with exit code 3")

    def test_those_of_create(self):
        self.faulty("refuses", 1, "refuses: no reason", lines=2)
        self.faulty("throws_in_create", 1, "threw an exception out of create", lines=2)

    def test_those_of_event(self):
        self.faulty("throws", 1, "threw an exception out of event at EARL_SEND", lines=2)
        self.faulty("crashes", 134, "SIGABRT", lines=4)
        self.faulty("stops", 9, "stops.so ends the job: enough", lines=2)
        self.faulty("answers_wrongly", 1, "returned 17 at EARL_SEND, where that is no verdict", lines=2)
        self.faulty("steers_without_saying", 1, "it does not set EARL_TOOL_STEERS", lines=2)
        self.faulty("steers_wrongly", 1, "returned 3 at EARL_POST, where that is no verdict", lines=2)
        self.faulty("demands_another_position", 1, "returned 3 at EARL_TEST", lines=2)

    def test_a_wrapper_takes_no_argument(self):
        path = os.path.join(self.folder, "none.so")
        self.expect(self.earl("run", "--tool", path + ":x", "-n", 1, ACTOR), 2,
                    f"--tool {path}: there is no such file")

    def test_a_name_of_a_row(self):
        self.expect(self.earl("run", "--tool", "outside=/x", "-n", 1, ACTOR), 2, "no such debugger")


class Described(JobTest):
    def test_earl_tools_lists_the_built_in_ones_and_how_to_compile_one(self):
        ended = self.earl("tools")
        self.expect(ended, 0)
        for name in ("record", "replay", "deadlock", "events"):
            self.assertIn(f"\n{name} ", "\n" + ended.out)
        flag = re.search(r"-I\S+", ended.out).group()
        for name in ("count", "order"):
            library = os.path.join(self.folder, name + ".so")
            subprocess.run(["cc", "-std=gnu99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
                            flag, "-o", library, os.path.join(SOURCES, name + ".c")], check=True, timeout=60)
            self.addCleanup(os.remove, library)
        self.expect(self.earl("run", "--tool", os.path.join(self.folder, "count.so"), "-n", 2, program("nx")), 0,
                    "rank 1: 6 sent")

    def test_the_example_of_the_page_is_the_sample(self):
        page = os.path.join(SOURCES, "..", "..", "docs", "writing-a-tool.md")
        with open(page, encoding="utf-8") as text, open(os.path.join(SOURCES, "count.c"), encoding="utf-8") as source:
            code = source.read().replace("/* SPDX-License-Identifier: BSD-3-Clause */\n", "")
            self.assertIn(f"```c\n{code}```\n", text.read())


if __name__ == "__main__":
    unittest.main()
