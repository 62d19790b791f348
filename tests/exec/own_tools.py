# SPDX-License-Identifier: BSD-3-Clause
"""Tools of one's own: shared libraries against earl/tool.h, by `earl run --tool ./mine.so:ARGUMENT`."""

import os
import re
import shutil
import signal
import subprocess
import unittest

from job import ACTOR, JobTest, environment, state_of, wait_until

SAMPLES = environment("SAMPLE_TOOLS")
PROGRAMS = environment("PROGRAMS")
SOURCES = environment("TOOL_SOURCES")
JOINS = os.path.join(PROGRAMS, "joins_pvm")
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


class InExec(JobTest):
    """The half of a tool that a job has once."""

    def watched(self, argument, *words, tool="job_events"):
        return self.earl(*words[:-1], "--tool", f"{os.path.join(PROGRAMS, tool)}.so:{argument}", "-n", RANKS,
                         words[-1])

    def recorded(self, *words):
        folder = os.path.join(self.folder, "steered")
        self.addCleanup(shutil.rmtree, folder, True)
        return folder, self.watched("downwards", "record", "-o", folder, *words)

    def test_one_table_for_the_whole_job(self):
        for back_end in ("shm", "fibers", "tcp"):
            with self.subTest(back_end):
                taken = (RANKS - 1) * MESSAGES
                ended = self.earl("run", "--on", back_end, "--tool", sample("busiest"), "-n", RANKS, program("nx"))
                self.expect(ended, 0)
                rows = [f"rank 0: 0 sent, {taken} received, {4 * taken} bytes"]
                rows += [f"rank {rank}: {MESSAGES} sent, 0 received, {4 * MESSAGES} bytes" for rank in range(1, RANKS)]
                self.assertEqual(ended.err.splitlines(), rows)

    def test_the_events(self):
        for back_end in ("shm", "fibers", "tcp"):
            with self.subTest(back_end):
                ended = self.watched("", "run", "--on", back_end, JOINS)
                self.expect(ended, 0)
                lines = ended.err.splitlines()
                self.assertEqual(lines[0], f"job of {RANKS} on {back_end}")
                self.assertEqual(lines[-2:], ["over 0", "destroyed"])
                for rank in range(RANKS):
                    order = [f"rank {rank}", f"note of {rank} begins", f"served group_join of {rank}",
                             f"served group_barrier of {rank}", f"note of {rank} ends", f"died {rank} 0"]
                    places = [lines.index(line) for line in order]
                    self.assertEqual(places, sorted(places), ended)

    def test_a_library_with_this_half_only(self):
        for back_end in BACK_ENDS:
            ended = self.watched("", "run", "--on", back_end, JOINS, tool="job_events_only")
            self.expect(ended, 0, "served group_join of 0\n", "over 0\n")
            self.assertNotIn("note", ended.err)

    def test_notes_reach_the_same_use_only(self):
        events = os.path.join(PROGRAMS, "job_events.so")
        ended = self.earl("run", "--tool", events, "--tool", sample("busiest"), "--tool", events, "-n", RANKS, JOINS)
        self.expect(ended, 0)
        for rank in range(RANKS):
            self.assertEqual(ended.err.count(f"note of {rank} begins\n"), 2, ended)
            self.assertEqual(ended.err.count(f"note of {rank} ends\n"), 2, ended)
        self.assertEqual(ended.err.count("note of "), 4 * RANKS, ended)

    def test_it_orders_requests_and_a_replay_has_their_order(self):
        expected = [f"{rank} is {RANKS - 1 - rank}" for rank in range(RANKS)]
        for back_end in BACK_ENDS:
            with self.subTest(back_end):
                folder, ended = self.recorded("--on", back_end, JOINS)
                self.expect(ended, 0)
                self.assertEqual(sorted(ended.out.splitlines()), expected)
                again = self.earl("replay", folder)
                self.expect(again, 0)
                self.assertEqual(sorted(again.out.splitlines()), expected)
                self.assertEqual(again.err, "")
                again = self.earl("replay", "--tool", os.path.join(PROGRAMS, "job_events.so"), folder)
                self.expect(again, 0, "note of 0 begins", "served group_join of 0", "over 0")
                self.assertEqual(sorted(again.out.splitlines()), expected)
                shutil.rmtree(folder)

    def test_a_request_waits_for_notes(self):
        ended = self.watched("after notes", "run", JOINS)
        self.expect(ended, 0)
        self.assertLess(ended.err.rindex(" begins\n"), ended.err.index("served group_join"))

    def test_a_standstill(self):
        """A tool that lets no request pass makes one; the judge is Earl's."""
        for back_end in BACK_ENDS:
            ended = self.watched("never", "run", "--on", back_end, JOINS)
            self.expect(ended, 86, "standstill 86 deadlock\n", "over 86\n")

    def test_a_failure_may_wait_for_the_others(self):
        job = self.start("run", "--tool", os.path.join(PROGRAMS, "job_events.so:later"), "-n", 1, ACTOR, "cat", ":",
                         "-n", 1, ACTOR, "badsend", stdin=subprocess.PIPE)
        seen = b""
        while b"failure of 1\n" not in seen:
            seen = job.stderr.readline()
            self.assertTrue(seen, "it ends the job")
        # Rank 0 has not been ended, and ends when it has read all.
        ended = self.finish(job, b"late\n")
        self.expect(ended, 1, "died 0 0\n", "failed 1 ", "over 1\n")
        self.assertEqual(ended.out, "late\n")

    def test_the_exit_code_is_its_own(self):
        for back_end in BACK_ENDS:
            self.expect(self.watched("take", "run", "--on", back_end, JOINS), 77, "over 0\ndestroyed\n")
            self.expect(self.watched("stop", "run", "--on", back_end, JOINS), 77,
                        "job_events.so ends the job: not this time\n")

    def test_it_ends_with_exec(self):
        job = self.start("run", "--tool", os.path.join(PROGRAMS, "job_events.so"), "-n", 2, ACTOR, "say", "there",
                         "gsync", "ring")
        self.assertEqual(job.stdout.readline(), b"there\n")
        self.assertEqual(len(self.named("earl-tool")), 1)
        job.kill()
        self.assertEqual(self.finish(job).code, -9)

    def test_ctrl_c_is_for_the_job(self):
        job = self.start("run", "--tool", os.path.join(PROGRAMS, "job_events.so"), "-n", 2, ACTOR, "say", "there",
                         "gsync", "ring", start_new_session=True)
        self.assertEqual(job.stdout.readline(), b"there\n")
        os.killpg(job.pid, signal.SIGINT)
        self.expect(self.finish(job), 130, "over 130\ndestroyed\n")

    def test_its_process_is_killed(self):
        """Between two events, of which the next is the end of a rank."""
        job = self.start("run", "--tool", os.path.join(PROGRAMS, "job_events.so"), "-n", 2, ACTOR, "ring")
        notes = 0
        while notes != 2:
            line = job.stderr.readline()
            self.assertTrue(line, "the job has ended")
            notes += line.startswith(b"note of ")
        # It has returned from that event when it waits for the next.
        wait_until(lambda: state_of(self.named("earl-tool")[0]) == "S", "it waits")
        self.kill("earl-tool")
        job.send_signal(signal.SIGTERM)
        self.expect(self.finish(job), 143, "in EXEC: SIGKILL (Killed)")


class Faults(JobTest):
    """Each is refused with one sentence, on each back end."""

    def faulty(self, name, code, sentence, lines=1, after=program("nx"), back_ends=BACK_ENDS):
        for back_end in back_ends:
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

    def test_those_of_a_half_in_exec(self):
        self.faulty("job_of_another_version", 2, "was compiled for version 7 of earl/job_tool.h")
        self.faulty("job_of_another_size", 2, "its earl_job_tool gives 8 as its size")
        self.faulty("job_of_unknown_flags", 2, "its earl_job_tool has flags 0x40")
        self.faulty("job_without_create", 2, "its earl_job_tool has no function `create`")
        self.faulty("job_refuses", 1, "job_refuses.so refuses: no reason")
        self.faulty("job_throws_in_create", 1, "threw an exception out of create")
        self.faulty("job_crashes_in_create", 1, "crashed in create in EXEC: SIGSEGV")

    def test_those_of_its_events(self):
        def faulty(name, code, sentence, **options):
            self.faulty(name, code, f"{name}.so {sentence}", lines=2, after=JOINS, **options)
        faulty("job_throws", 1, "threw an exception out of event at EARL_JOB_DIED")
        faulty("job_aborts", 1, "crashed in event at EARL_JOB_RANK in EXEC: SIGABRT")
        faulty("job_crashes", 1, "crashed in event at EARL_JOB_SERVED in EXEC: SIGSEGV")
        faulty("job_crashes_at_the_end", 1, "crashed in event at EARL_JOB_OVER in EXEC: SIGFPE")
        faulty("job_crashes_in_destroy", 1, "crashed in destroy in EXEC: SIGBUS")
        faulty("job_exits", 1, "ended its process in EXEC in event at EARL_JOB_DIED with exit code 3")
        faulty("job_stops", 9, "ends the job: enough")
        faulty("job_answers_wrongly", 1, "returned 17 at EARL_JOB_DIED, where that is no verdict")
        faulty("job_steers_without_saying", 1, "returned 1 at EARL_JOB_OVER, where that is no verdict; it does not set")
        faulty("job_steers_wrongly", 1, "returned 1 at EARL_JOB_DEATH, where that is no verdict")
        faulty("job_loops", 1, "has not returned from event at EARL_JOB_RANK in EXEC within 10 seconds",
               back_ends=("shm",))

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
        self.assertIn("earl/job_tool.h", ended.out)
        flag = re.search(r"-I\S+", ended.out).group()
        for name in ("busiest", "count", "order"):
            library = os.path.join(self.folder, name + ".so")
            subprocess.run(["cc", "-std=gnu99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
                            flag, "-o", library, os.path.join(SOURCES, name + ".c")], check=True, timeout=60)
            self.addCleanup(os.remove, library)
        self.expect(self.earl("run", "--tool", os.path.join(self.folder, "count.so"), "-n", 2, program("nx")), 0,
                    "rank 1: 6 sent")

    def test_the_table_of_the_page(self):
        page = os.path.join(SOURCES, "..", "..", "docs", "writing-a-tool.md")
        with open(page, encoding="utf-8") as text:
            words, table = re.search(r"^\$ earl (run .*) > arrived\n(.*?)^```", text.read(), re.MULTILINE | re.DOTALL).groups()
        ended = self.earl(*words.split(), cwd=SAMPLES)
        self.expect(ended, 0)
        self.assertEqual(ended.err, table)

    def test_the_example_of_the_page_is_the_sample(self):
        page = os.path.join(SOURCES, "..", "..", "docs", "writing-a-tool.md")
        with open(page, encoding="utf-8") as text, open(os.path.join(SOURCES, "count.c"), encoding="utf-8") as source:
            code = source.read().replace("/* SPDX-License-Identifier: BSD-3-Clause */\n", "")
            self.assertIn(f"```c\n{code}```\n", text.read())


if __name__ == "__main__":
    unittest.main()
