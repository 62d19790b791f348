# SPDX-License-Identifier: BSD-3-Clause
"""The options of `earl run`, from the outside: where processes run, their environment, and where their
words go; and Ctrl-Z."""

import os
import re
import shutil
import signal
import unittest

from job import ACTOR, EARL, JobTest, marked, nodes_of, state_of, wait_until

READY = ("gsync", "say", "ready", "wait")


def state_if_there(pid):
    """R, S, T...; None: it has gone."""
    try:
        return state_of(pid)
    except OSError:
        return None


class Surroundings(JobTest):
    def lines(self, *words, **options):
        ended = self.earl("run", *words, **options)
        self.expect(ended, 0)
        return sorted(ended.out.splitlines())

    def test_each_program_has_a_folder_of_its_own(self):
        words = ["--wdir", "/tmp", ACTOR, "gsync", "where", ":", "-wdir", "/usr", ACTOR, "gsync",
                 "where", ":", ACTOR, "gsync", "where"]
        self.assertEqual(self.lines(*words, cwd="/"), sorted([os.path.realpath("/tmp"), "/usr", "/"]))

    def test_a_name_is_looked_up_where_the_user_is(self):
        name = "./" + os.path.basename(ACTOR)
        self.assertEqual(self.lines("-wdir", "/", name, "where", cwd=os.path.dirname(ACTOR)), ["/"])

    def test_no_such_folder(self):
        ended = self.earl("run", "-wdir", "/no/such", ACTOR)
        self.expect(ended, 2, "earl: --wdir /no/such: there is no such directory")

    def test_variables(self):
        here = {**os.environ, "EARL_CONFIG": "/dev/null", "FROM_HERE": "1", "LEFT": "2"}
        words = ["-x", "GIVEN=a b", ACTOR, "gsync", "variable", "GIVEN", "variable", "LEFT", ":",
                 "--env", "none", "-x", "FROM_HERE", ACTOR, "gsync", "variable", "GIVEN",
                 "variable", "LEFT", "variable", "FROM_HERE"]
        self.assertEqual(self.lines(*words, env=here),
                         sorted(["GIVEN=a b", "LEFT=2", "no GIVEN", "no LEFT", "FROM_HERE=1"]))

    def test_a_variable_that_is_not_there(self):
        ended = self.earl("run", "-x", "NO_SUCH_VARIABLE", ACTOR)
        self.expect(ended, 2, "-x NO_SUCH_VARIABLE: there is no such variable here")

    def test_processors(self):
        one = min(os.sched_getaffinity(0))
        self.assertEqual(self.lines("--cpus", one, "-n", 3, ACTOR, "gsync", "processors"), ["1"] * 3)

    def test_a_pinned_earl_runs_too(self):
        one = min(os.sched_getaffinity(0))
        pin = lambda: os.sched_setaffinity(0, {one})
        self.assertEqual(self.lines("-n", 4, ACTOR, "gsync", "processors", preexec_fn=pin), ["1"] * 4)

    def test_binding(self):
        shown = self.earl("run", "--dry-run", "--bind-to", "core", "-n", 3, ACTOR, "gsync")
        if "built without hwloc" in shown.err:
            self.expect(shown, 1)
            return
        self.expect(shown, 0)
        bound = dict(re.findall(r"^  rank (\d) on processors ([\d,-]+)$", shown.out, re.MULTILINE))
        self.assertEqual(sorted(bound), ["0", "1", "2"])
        ended = self.earl("run", "--bind-to", "core", "--tag-output", "-n", 3, "sh", "-c",
                          "grep Cpus_allowed_list /proc/self/status; exec " + ACTOR + " gsync")
        self.expect(ended, 0)
        self.assertEqual(dict(re.findall(r"^\[rank (\d)[^\]]*\] Cpus_allowed_list:\s*(\S+)$", ended.out, re.MULTILINE)), bound)
        shown = self.earl("run", "--dry-run", "--bind-to", "core", "--cpus", min(os.sched_getaffinity(0)), "-n", 2, ACTOR)
        self.expect(shown, 0)
        self.assertNotRegex(shown.out, "rank . on processors")

    def test_binding_that_is_not_there(self):
        self.expect(self.earl("run", "--bind-to", "socket", ACTOR), 2, "--bind-to socket: core, numa or none is needed")
        self.expect(self.earl("run", "--map-by", "none", ACTOR), 2, "--map-by none: core or numa is needed")

    def test_no_such_processor(self):
        self.expect(self.earl("run", "--cpus", 1023, ACTOR), 2, "--cpus 1023: of this host's")

    def test_a_recording_keeps_them(self):
        recording = os.path.join(self.folder, "r.earl")
        self.addCleanup(shutil.rmtree, recording, ignore_errors=True)
        self.expect(self.earl("record", "-o", recording, "-wdir", "/usr", "-x", "A=1", ACTOR, "where",
                              "variable", "A"), 0)
        again = self.earl("replay", recording)
        self.assertEqual((again.code, again.out), (0, "/usr\nA=1\n"), again)


class Launched(JobTest):
    """As one of several processes that a launcher has started."""

    def as_task(self, rank, command, *words, **variables):
        name, value = self.token.split("=")
        return self.earl(command, *words, ACTOR, "who", env={
            **os.environ, name: value, "EARL_CONFIG": "/dev/null", **variables,
            **({"PMI_RANK": str(rank)} if "PMI_SIZE" in variables else {"SLURM_PROCID": str(rank)})})

    def test_a_job_of_each_process_is_refused_once(self):
        for variables, found in (({"SLURM_STEP_NUM_TASKS": "4"}, "srun (SLURM_STEP_NUM_TASKS=4)"),
                                 ({"PMI_SIZE": "4"}, "mpiexec (by PMI_SIZE or its like)")):
            for command in ("run", "record"):
                self.expect(self.as_task(0, command, **variables), 2,
                            f"earl: {found} has started 4 processes, and `earl {command}` would start a job in each",
                            "run it once, with -n", "`earl exec` in its place", "with --hosts none")
                other = self.as_task(3, command, **variables)
                self.assertEqual((other.code, other.out, other.err), (2, "", ""), other)
            alone = self.as_task(3, "run", "--hosts", "none", **variables)
            self.assertEqual((alone.code, alone.out), (0, "0 of 1\n"), alone)

    def test_tasks_of_slurm_need_no_pmi(self):
        name, value = self.token.split("=")
        tasks = [self.start_command(EARL, "exec", ACTOR, "gsync", "who", "variable", "SLURM_PROCID", env={
            **os.environ, name: value, "EARL_CONFIG": "/dev/null", "SLURM_STEP_NUM_TASKS": "3",
            "SLURM_PROCID": str(rank)}) for rank in range(3)]
        ends = [self.finish(task) for task in tasks]
        self.assertEqual([end.code for end in ends], [0, 0, 0], ends)
        self.assertEqual(sorted("".join(end.out for end in ends).splitlines()),
                         ["0 of 3", "1 of 3", "2 of 3"] + 3 * ["no SLURM_PROCID"], ends)
        self.assertEqual([end.err for end in ends], ["", "", ""], ends)

    def test_a_program_that_srun_starts_by_itself_mentions_it_once(self):
        name, value = self.token.split("=")
        for rank, count in ((0, 1), (1, 0)):
            seen = self.finish(self.start_command(ACTOR, "who", env={
                **os.environ, name: value, "SLURM_STEP_NUM_TASKS": "3", "SLURM_PROCID": str(rank)}))
            self.assertEqual((seen.code, seen.out), (0, "0 of 1\n"), seen)
            self.assertEqual(seen.err.count("a launcher has started 3 processes, and each is a job of its own"), count,
                             seen)

    def test_a_batch_script_a_single_task_and_a_terminal_are_no_such_process(self):
        for variables in ({"SLURM_NTASKS": "4"}, {"SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "1"},
                          {"SLURM_STEP_NUM_TASKS": "4", "SLURM_PTY_PORT": "1"}):
            for command in ("run", "exec"):
                seen = self.as_task(0, command, **variables)
                self.assertEqual((seen.code, seen.out, seen.err), (0, "0 of 1\n", ""), seen)


class StandardInput(JobTest):
    def read(self, *words):
        ended = self.earl("run", *words, "-n", 3, ACTOR, "cat", "who", input=b"typed\n")
        self.expect(ended, 0)
        return ended.out.splitlines()

    def test_another_rank_reads(self):
        lines = self.read("--stdin", 2, "--tag-output")
        self.assertIn("[rank 2 actor] typed", lines)
        self.assertEqual(len(lines), 4)

    def test_no_process_reads(self):
        self.assertNotIn("typed", self.read("--stdin", "none"))

    def test_no_such_rank(self):
        self.expect(self.earl("run", "--stdin", 1, "-n", 1, ACTOR), 2,
                    "stdin: there is no rank 1; this job has ranks 0 to 0")

    def test_a_node_that_a_host_loads_finds_it_empty(self):
        ended = self.earl("run", ACTOR, "cube", 2, "load", "cat who", "waitall", "cat", input=b"typed\n")
        self.expect(ended, 0)
        self.assertEqual(sorted(ended.out.splitlines()), ["0 of 2", "1 of 2", "typed"])
        self.assertEqual(ended.out.splitlines()[-1], "typed")

    def test_a_node_that_a_host_loads_reads_on_request(self):
        ended = self.earl("run", "--stdin", 2, ACTOR, "cube", 2, "load", "only 1 cat", "waitall", "cat", "say", "host",
                          input=b"typed\n")
        self.expect(ended, 0)
        self.assertEqual(ended.out.splitlines(), ["typed", "host"])


class Files(JobTest):
    def content(self, name):
        with open(os.path.join(self.folder, "out", name), encoding="ascii") as file:
            return file.read()

    def setUp(self):
        super().setUp()
        self.out = os.path.join(self.folder, "out")
        self.addCleanup(shutil.rmtree, self.out, ignore_errors=True)

    def test_each_process_has_its_files(self):
        for _ in range(2):  # the second run writes over the first
            ended = self.earl("run", "--output-dir", self.out, "-n", 2, ACTOR, "who", "complain", "oh")
            self.assertEqual((ended.code, ended.out, ended.err), (0, "", ""), ended)
            self.assertEqual(sorted(os.listdir(self.out)),
                             ["rank0.err", "rank0.out", "rank1.err", "rank1.out"])
            self.assertEqual(self.content("rank1.out"), "1 of 2\n")
            self.assertEqual(self.content("rank0.err"), "oh\n")

    def test_messages_of_exec_still_appear(self):
        ended = self.earl("run", "--output-dir", self.out, ACTOR, "signal", 9)
        self.expect(ended, 137, "earl: rank 0 (actor, nx) was killed by SIGKILL (Killed)")

    def test_no_folder_there(self):
        self.expect(self.earl("run", "--output-dir", "/dev/null/x", ACTOR), 2,
                    "output-dir /dev/null/x cannot be made: Not a directory")

    def test_a_file_that_cannot_be_written(self):
        os.makedirs(os.path.join(self.out, "rank1.out"))
        ended = self.earl("run", "--output-dir", self.out, "-n", 2, ACTOR, "gsync")
        self.expect(ended, 1, "rank1.out cannot be written: Is a directory")


class Limits(JobTest):
    def test_a_plan_is_complete(self):
        ended = self.earl("run", "--dry-run", "--timeout", 5, "--stdin", "none", "-wdir", "/usr",
                          "--output-dir", "/usr/out", "--tool", "record=t.earl", "-x", "A=1",
                          "--cpus", 0, "--env", "none", ACTOR, "who")
        self.expect(ended, 0)
        for line in (f"rank 0 on shm (nx): {ACTOR} who", "  in /usr", "  with A=1", "  on processors 0",
                     "  without earl's own environment", "standard input: none",
                     "ended after 5 seconds", "output into /usr/out", "debugger record t.earl"):
            self.assertIn(line, ended.out.splitlines())

    def test_one_file_for_both_streams_tagged(self):
        ended = self.earl("run", "--tag-output", "-n", 2, ACTOR, "complain", "oh", "say", "yes")
        self.assertEqual(sorted(ended.out.splitlines()),
                         ["[rank 0 actor] yes", "[rank 1 actor] yes"])
        self.assertEqual(sorted(ended.err.splitlines()), ["[rank 0 actor] oh", "[rank 1 actor] oh"])


class Stopping(JobTest):
    """Ctrl-Z and fg. EXEC has a group of its own, as a shell with job control gives it."""

    def job(self, *words):
        process = self.start("run", *words, "-n", 3, ACTOR, *READY, preexec_fn=own_group)
        for _ in range(3):
            self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def wait_for(self, wanted, what):
        wait_until(lambda: all(wanted(state_if_there(pid)) for pid in marked(self.token)), what)

    def test_all_stop_and_all_go_on(self):
        process = self.job()
        self.assertEqual(len(nodes_of(self.token, process)), 3)
        process.send_signal(signal.SIGTSTP)
        self.wait_for(lambda state: state == "T", "all have stopped")
        process.send_signal(signal.SIGCONT)
        self.wait_for(lambda state: state in "RS", "all go on")
        process.send_signal(signal.SIGINT)
        self.expect(self.finish(process), 130)

    def test_a_stopped_job_is_ended_by_its_exec_s_end(self):
        process = self.job()
        process.send_signal(signal.SIGTSTP)
        self.wait_for(lambda state: state == "T", "all have stopped")
        process.kill()
        self.expect(self.finish(process), -9)


def own_group():
    os.setpgid(0, 0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)


if __name__ == "__main__":
    unittest.main(verbosity=2)
