# SPDX-License-Identifier: BSD-3-Clause
"""`earl run` from the outside: exit codes, sentences, output, signals, spawn."""

import fcntl
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import unittest

from job import (ACTOR, EARL, LIMIT, JobTest, default_signals, environment, has_unread, marked, name_of,
                 nodes_of, state_of, wait_until)

HOST = environment("ACTOR_HOST")
SPAWNER = environment("SPAWNER")


def held(pipe):
    """How many bytes wait in it."""
    return int.from_bytes(fcntl.ioctl(pipe.fileno(), termios.FIONREAD, bytes(4)), sys.byteorder)


def status_of(pid):
    """State and signals of a process, from the kernel; empty when it has gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return [line.rstrip() for line in file
                    if line.startswith(("State", "SigPnd", "ShdPnd", "SigBlk", "SigIgn"))]
    except OSError:
        return []


class WrongCommands(JobTest):
    def refused(self, code, sentence, *words, command="run"):
        ended = self.earl(command, *words)
        self.expect(ended, code, sentence)
        self.assertEqual(ended.err.count("\n"), 1, ended)
        self.assertEqual(ended.out, "")

    def test_no_such_program(self):
        self.refused(127, "there is no program ./nope", "-n", 2, "./nope")
        self.refused(127, "there is no program nope in PATH", "nope")

    def test_not_executable(self):
        self.refused(126, "is a directory", "-n", 2, self.folder)
        text = os.path.join(self.folder, "text")
        self.addCleanup(lambda: os.path.exists(text) and os.remove(text))
        with open(text, "w", encoding="ascii") as file:
            file.write("hello\n")
        self.refused(126, "is not executable (chmod +x", text)
        os.chmod(text, 0o755)
        self.refused(126, "is neither an ELF program nor a script", text)
        os.remove(text)

    def test_a_program_that_the_loader_cannot_load(self):
        """Not the others, which wait for it, are to blame."""
        broken = os.path.join(self.folder, "broken")
        self.addCleanup(lambda: os.path.exists(broken) and os.remove(broken))
        with open(ACTOR, "rb") as program, open(broken, "wb") as copy:
            copy.write(program.read().replace(b"libc.so.6", b"libq.so.6"))
        os.chmod(broken, 0o755)
        for options in ((), ("--on", "tcp"), ("--launcher", "env HOST=%h", "--hosts", "localhost,127.0.0.2")):
            with self.subTest(options):
                ended = self.earl("run", *options, "-n", 1, ACTOR, "gsync", ":", "-n", 1, broken)
                self.assertEqual(ended.code, 127, ended)
                self.assertIn("libq.so.6: cannot open shared object file", ended.err)
                self.assertRegex(ended.err, r"rank 1 \(broken, nx\).* ended with code 127 before it reached main")
                self.assertNotIn("deadlock", ended.err)
        os.remove(broken)

    def test_not_linked_with_earl(self):
        self.refused(88, "is not linked with a front end of Earl (libnx.so, ", "-n", 2, "/bin/cat")
        ended = self.earl("run", "/bin/cat")
        self.assertIn("libc.so.6", ended.err)

    def test_counts(self):
        self.refused(2, "-n 0: a job has at least one process", "-n", 0, ACTOR)
        self.refused(2, "-n 65537: a job has at most 65536 processes", "-n", 65537, ACTOR)
        self.refused(2, "-n many: a number of processes is needed", "-n", "many", ACTOR)

    def test_unknown_words(self):
        self.refused(2, "there is no option --frobnicate", "--frobnicate", ACTOR)
        self.refused(2, "there is no command `earl frobnicate`", command="frobnicate")
        self.refused(2, "--on moon: there is no such back end", "--on", "moon", ACTOR)
        self.refused(2, "net", "--on", "nett", ACTOR)
        self.refused(2, "--tool moon: there is no such debugger", "--tool", "moon", ACTOR)
        self.refused(2, "a file named *.dot or *.json", "--tool", "deadlock=graph.txt", ACTOR)
        self.refused(2, "no directory is named", "--tool", "events", ACTOR)
        self.refused(2, "it takes no argument", "--tool", "synchronous=x", ACTOR)
        self.refused(2, "it takes no argument", "--tool", "empty=x", ACTOR)

    def test_too_few_descriptors(self):
        import resource

        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
            # Root may raise the limit again, which is as good.
        if os.geteuid() == 0:
            self.skipTest("root can raise the limit")
        ended = self.earl("run", "-n", 100, ACTOR, preexec_fn=few)
        self.expect(ended, 2, "100 processes need 364 open files in EXEC and the limit is 128")

    def test_help_and_version(self):
        for words in (["-h"], ["run", "-h"], ["record", "-h"], ["version"]):
            ended = self.earl(*words)
            self.assertEqual((ended.code, ended.err), (0, ""), ended)
            self.assertGreater(len(ended.out), 10)


class Refused(JobTest):
    def test_nodes_started_together_get_a_hint_how_to_fork_nodes(self):
        ended = self.earl("run", "-n", 2, ACTOR, "only", 1, "nfork")
        self.expect(ended, 0, "nx_nfork: no cube is attached: these nodes were started together, by `earl run -n`; "
                              "start them in a cube (`getcube` and `load`)")
        self.assertEqual(ended.out, "EQCUBENOTATTCH\n")


class Endings(JobTest):
    def test_rank_0_gives_the_exit_code(self):
        self.expect(self.earl("run", "-n", 3, ACTOR, "only", 0, "exit", 7), 7)

    def test_other_ranks_do_not(self):
        self.expect(self.earl("run", "-n", 3, ACTOR, "only", 2, "exit", 7), 0)

    def test_a_signal_ends_the_job(self):
        ended = self.earl("run", "-n", 4, ACTOR, "gsync", "only", 2, "signal", 11, "wait")
        # Nodes other than 2 have nothing more to do and may have ended already.
        self.expect(ended, 139, "earl: rank 2 (actor, nx) was killed by SIGSEGV (Segmentation fault)")

    def test_the_others_are_ended(self):
        ended = self.earl("run", "-n", 1, ACTOR, "gsync", "signal", 6, ":", "-n", 3, ACTOR,
                          "gsync", "wait")
        self.expect(ended, 134, "rank 0 (actor, nx) was killed by SIGABRT (Aborted): in raise_plainly at "
                                "actor.c:", "; the other 3 processes are ended")

    def test_one_that_ignores_sigterm_is_ended_too(self):
        ended = self.earl("run", "-n", 1, ACTOR, "gsync", "signal", 6, ":", "-n", 1, ACTOR,
                          "ignore", 15, "gsync", "wait")
        self.expect(ended, 134, "the other process is ended")

    def test_a_native_error_is_reported_with_its_reason(self):
        ended = self.earl("run", "-n", 1, ACTOR, "gsync", "badsend", ":", "-n", 2, ACTOR, "gsync",
                          "wait")
        self.assertNotEqual(ended.code, 0)
        self.assertRegex(ended.err, r"earl: rank 0 \(actor, nx\) ended with code \d+: .+; the other "
                                    r"2 processes are ended")

    def test_so_is_one_of_a_process_that_ends_before_it_has_read_all(self):
        """EXEC has asked whether it moves, and takes its last words only when it has ended."""
        job = self.start("run", "-n", 1, ACTOR, "gsync", "cat", "badsend", ":", "-n", 2, ACTOR, "gsync", "wait",
                         stdin=subprocess.PIPE, to_its_end=True)
        wait_until(lambda: len(self.named("actor")) == 3, "all are there")
        first = self.named("actor")[0]
        wait_until(lambda: has_unread(first), "EXEC has asked")
        os.kill(job.pid, signal.SIGSTOP)
        job.stdin.close()
        wait_until(lambda: state_of(first) == "Z", "rank 0 has ended")
        os.kill(job.pid, signal.SIGCONT)
        job.stdin = None
        self.expect(self.finish(job), 1, "earl: rank 0 (actor, nx) ended with code 1: ",
                    "the other 2 processes are ended")

    def test_killing_the_group_kills_nodes_and_not_exec(self):
        ended = self.earl("run", "-n", 4, ACTOR, "gsync", "only", 1, "killgroup", "wait")
        self.expect(ended, 137, "was killed by SIGKILL (Killed)")

    def test_time_is_up(self):
        ended = self.earl("run", "--timeout", "0.005m", "--deadlock", "off", "-n", 2, ACTOR, "wait")
        self.expect(ended, 124, "has not ended after 0.3 seconds")

    def test_a_forked_child_of_a_node_is_not_left(self):
        self.expect(self.earl("run", "-n", 2, ACTOR, "fork"), 0)

    def test_children_of_another_job_are_left_alone(self):
        shell = f"sleep 60 >/dev/null 2>&1 & echo $!; exec {EARL} run {ACTOR} fork say done"
        ended = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=60, check=False)
        sleeper, said = ended.stdout.split()
        self.assertEqual((ended.returncode, said), (0, b"done"), ended)
        os.kill(int(sleeper), signal.SIGKILL)  # throws when it has ended

    def test_garbage_on_the_control_channel(self):
        ended = self.earl("run", "-n", 2, ACTOR, "gsync", "only", 1, "garbage", "wait")
        self.expect(ended, 1, "earl: rank 1 (actor, nx) wrote bytes that are no control message "
                              "into its control channel, which is closed now")

    def test_garbage_alone_ends_no_process(self):
        ended = self.earl("run", "-n", 2, ACTOR, "only", 1, "garbage", "exit", 0)
        self.assertIn("into its control channel", ended.err)

    def test_a_job_of_one_needs_no_exec(self):
        ended = subprocess.run([ACTOR, "who"], capture_output=True, timeout=60, check=False)
        self.assertEqual((ended.returncode, ended.stdout), (0, b"0 of 1\n"), ended)

    def test_a_host_alone_may_end_the_nodes_that_it_has_not_loaded_yet(self):
        for words in (["killcube"], ["waitall"], ["killcube", "waitall"]):
            ended = subprocess.run([HOST, *words, "say", "done"], capture_output=True, timeout=60, check=False)
            self.assertEqual((ended.returncode, ended.stdout), (0, b"done\n"), ended)


class Interrupts(JobTest):
    def interrupted(self, number, *words):
        process = self.start("run", "-n", 3, ACTOR, *words, "gsync", "say", "ready", "wait")
        for _ in range(3):
            self.assertEqual(process.stdout.readline(), b"ready\n")
        process.send_signal(number)
        return self.finish(process)

    def test_ctrl_c(self):
        self.expect(self.interrupted(signal.SIGINT), 130)

    def test_nodes_that_ignore_it_are_asked_harder(self):
        self.expect(self.interrupted(signal.SIGINT, "ignore", 2), 130)
        self.expect(self.interrupted(signal.SIGINT, "ignore", 2, "ignore", 15), 130)

    def test_other_signals(self):
        self.expect(self.interrupted(signal.SIGTERM), 143)
        self.expect(self.interrupted(signal.SIGHUP), 129)

    def test_nodes_die_with_exec(self):
        self.expect(self.interrupted(signal.SIGKILL), -9)
        wait_until(lambda: not marked(self.token), "all nodes have ended")


class Printing(JobTest):
    def test_lines_are_never_torn(self):
        ranks, count, length = 60, 200, 300
        ended = self.earl("run", "-n", ranks, ACTOR, "lines", count, length)
        self.expect(ended, 0)
        lines = ended.out.splitlines()
        self.assertEqual(len(lines), ranks * count)
        next_line = [0] * ranks
        for line in lines:
            rank, number, text = line.split(" ")
            self.assertEqual(text, chr(ord("a") + int(rank) % 26) * length)
            self.assertEqual(int(number), next_line[int(rank)])
            next_line[int(rank)] += 1

    def test_two_streams_into_one_file_are_not_torn_either(self):
        process = self.start("run", "-n", 8, ACTOR, "lines", 50, 3000, "complain", "x" * 70,
                             stderr=subprocess.STDOUT)
        out, _ = process.communicate(timeout=LIMIT)
        for line in out.decode().splitlines():
            self.assertRegex(line, r"^(x{70}|\d \d+ ([a-h])\2{2999})$")

    def test_a_line_without_an_end_comes_at_last(self):
        process = self.start("run", ACTOR, "prompt", "name? ", "cat", stdin=subprocess.PIPE)
        self.assertEqual(os.read(process.stdout.fileno(), 100), b"name? ")
        ended = self.finish(process, b"fine\n")
        self.assertEqual(ended.out, "fine\n")

    def test_a_very_long_line_passes_in_bounded_memory(self):
        ended = self.earl("run", ACTOR, "lines", 1, 1_000_000)
        self.assertEqual(ended.out, "0 0 " + "a" * 1_000_000 + "\n")

    def test_only_rank_0_reads(self):
        ended = self.earl("run", "-n", 3, ACTOR, "cat", input=b"one\ntwo\n")
        self.assertEqual((ended.code, ended.out), (0, "one\ntwo\n"), ended)

    def test_a_reader_that_leaves(self):
        process = self.start("run", "-n", 2, ACTOR, "lines", 100000, 100)
        process.stdout.close()
        process.stdout = None
        self.assertEqual(self.finish_without_output(process), 141)

    def finish_without_output(self, process):
        process.stderr.read()
        return process.wait(timeout=LIMIT)

    def test_a_reader_that_sleeps_does_not_stop_the_signals(self):
        # 20 MB for a pipe without a reader.
        process = self.start("run", "-n", 2, ACTOR, "lines", 100000, 100)
        self.wait_for(process, lambda: held(process.stdout) > 0, "the nodes print")
        process.send_signal(signal.SIGINT)
        self.wait_for(process, lambda: not nodes_of(self.token, process), "the nodes have ended")
        self.wait_for(process, lambda: self.ended_by(process, signal.SIGINT), "EXEC has ended, too")
        self.assertEqual(process.returncode, 130, self.state_of_job(process))

    @staticmethod
    def ended_by(process, number):
        """An impatient user: interrupts again and again, also while EXEC is leaving."""
        if process.poll() is None:
            process.send_signal(number)
        return process.poll() is not None

    def wait_for(self, process, condition, what):
        try:
            wait_until(condition, what)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.state_of_job(process)}") from None

    def state_of_job(self, process):
        """The data by which a failed wait is understood from its log alone."""
        os.set_blocking(process.stderr.fileno(), False)
        return "\n".join([f"exit code {process.returncode}",
                          *(f"{pid} {name_of(pid)} {status_of(pid)}" for pid in marked(self.token)),
                          f"the pipe holds {held(process.stdout)} bytes",
                          (process.stderr.read() or b"").decode()])

    def test_v_names_each_process(self):
        ended = self.earl("run", "-v", "-n", 2, ACTOR, ":", "sh", "-c", f"{ACTOR} say x; true")
        self.expect(ended, 0, "earl: 3 processes started on shm\n", "earl: 3 processes ended, exit code 0\n")
        self.assertRegex(ended.err, rf"earl: rank 0 \(actor, nx\) is {ACTOR}, pid \d+\n")
        self.assertRegex(ended.err, rf"earl: rank 1 \(actor, nx\) is {ACTOR}, pid \d+\n")
        self.assertRegex(ended.err, r"earl: rank 2 \(sh[^)]*\) is \S+/sh, pid \d+\n")

    def test_dry_run_starts_nothing(self):
        ended = self.earl("run", "--dry-run", "-n", 2, ACTOR, "say", "hello", ":", "-n", 3, "sh",
                          "-c", ACTOR)
        self.expect(ended, 0)
        self.assertIn(f"ranks 0-1 on shm (nx): {ACTOR} say hello\n", ended.out)
        self.assertRegex(ended.out, rf"\nranks 2-4 on shm \(nx\): \S+/sh -c {re.escape(ACTOR)}\n")
        self.assertNotIn("hello", ended.out.splitlines())


class Bare(JobTest):
    """Programs that were not started as part of a job."""

    def alone(self, *words, **options):
        return self.finish(self.start(*words, to_its_end=True, **{"executable": ACTOR, **options}))

    def test_a_wait_for_no_process_is_reported(self):
        ended = self.alone("say", "there", "wait")
        self.expect(ended, 86, "runs alone and waits for a message that no process can send; a host loads its nodes")
        self.assertEqual(ended.out, "there\n")

    def test_the_advice_to_a_task_is_in_words_of_pvm(self):
        # No virtual machine that runs here has the name.
        ended = self.alone("waits", executable=SPAWNER,
                           env={**self.job_environment(), "PVM_VMID": f"none{os.getpid()}"})
        self.expect(ended, 86, "waits for a message that no process can send; a task that a master spawns",
                    "start the master, or `earl run -n N`")
        self.assertNotIn("node", ended.err)

    def test_a_deadlock_names_the_processes_that_have_ended_before(self):
        ended = self.earl("run", "-n", 3, ACTOR, "only", 1, "wait")
        self.expect(ended, 86, "deadlock: ", "rank 0 (actor, nx) ended with code 0 before",
                    "rank 2 (actor, nx) ended with code 0 before")

    def test_one_that_does_not_wait_is_a_job_of_one(self):
        self.assertEqual(self.alone("gsync", "who").out, "0 of 1\n")

    def test_a_wait_that_a_timer_may_end_is_no_deadlock(self):
        self.assertEqual(self.alone("alarm", "1", "wait").code, -signal.SIGALRM)


class Wrappers(JobTest):
    def test_a_shell_passes_the_job_on(self):
        ended = self.earl("run", "-n", 3, "sh", "-c", f"{ACTOR} who")
        self.expect(ended, 0)
        self.assertEqual(sorted(ended.out.splitlines()), ["0 of 3", "1 of 3", "2 of 3"])

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "a sanitizer does not run under valgrind")
    def test_valgrind_passes_the_job_on(self):
        ended = self.earl("run", "-n", 2, "valgrind", "-q", "--tool=none", ACTOR, "gsync", "who")
        if "debuginfo reader" in ended.err:
            self.skipTest("this valgrind cannot read what this compiler writes")
        self.expect(ended, 0)
        self.assertEqual(sorted(ended.out.splitlines()), ["0 of 2", "1 of 2"], ended)

    def test_a_wrapper_knows_the_rank_and_its_program_does_not(self):
        ended = self.earl("run", "-n", 3, "sh", "-c", f'echo $EARL_RANK; {ACTOR} variable EARL_RANK')
        self.expect(ended, 0)
        self.assertEqual(sorted(ended.out.splitlines()), ["0", "1", "2"] + ["no EARL_RANK"] * 3)

    def test_an_argument_may_be_a_socket(self):
        path = os.path.join(self.folder, "socket")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(path)
        self.addCleanup(os.remove, path)
        self.expect(self.earl("run", "sh", "-c", f"{ACTOR} who", path), 0)

    def test_a_rank_registers_once(self):
        ended = self.earl("run", "-n", 2, "sh", "-c", f"{ACTOR} gsync; {ACTOR} who")
        self.expect(ended, 0)
        self.assertEqual(ended.out.splitlines(), ["0 of 1", "0 of 1"])

    def test_several_programs_are_one_job(self):
        ended = self.earl("run", "-n", 1, ACTOR, "gsync", "who", ":", "-n", 2, ACTOR, "gsync")
        self.assertEqual((ended.code, ended.out), (0, "0 of 3\n"), ended)


class Terminals(JobTest):
    """Standard input is a terminal, and the job is in its foreground."""

    def on_terminal(self, *words):
        self.master, slave = os.openpty()
        self.addCleanup(os.close, self.master)

        def take_terminal():
            default_signals()
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        process = self.start("run", "-n", 3, ACTOR, *words, stdin=slave, preexec_fn=take_terminal)
        os.close(slave)
        return process

    def test_rank_0_reads_typed_input(self):
        process = self.on_terminal("cat")
        os.write(self.master, b"hello\n\x04")
        ended = self.finish(process)
        self.assertEqual((ended.code, ended.out), (0, "hello\n"), ended)

    def shown_on_terminal(self, *words, **variables):
        """Standard error, which is a terminal."""
        control, terminal = os.openpty()
        with open(control, "rb", buffering=0) as shown:
            subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, stderr=terminal, check=False, timeout=LIMIT,
                           env=os.environ | {"TERM": "xterm", "NO_COLOR": ""} | variables)
            os.close(terminal)
            text = b""
            try:
                while part := shown.read(4096):
                    text += part
            except OSError:  # Linux's end of file
                pass
        return text.decode()

    def test_errors_are_in_color_on_a_terminal_that_has_colors(self):
        red = "\x1b[1;31mearl:\x1b[0m "
        for words in (("frobnicate",), ("run", "--timeout", "0.1", ACTOR, "wait")):
            with self.subTest(words):
                shown = self.shown_on_terminal(*words)
                self.assertTrue(shown.startswith(red), shown)
                for variable in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                    plain = self.shown_on_terminal(*words, **variable)
                    self.assertTrue(plain.startswith("earl: "), plain)
                    self.assertNotIn("\x1b", plain)

    def test_ctrl_c_reaches_all(self):
        process = self.on_terminal("gsync", "say", "ready", "wait")
        for _ in range(3):
            self.assertEqual(process.stdout.readline(), b"ready\n")
        os.write(self.master, b"\x03")
        self.expect(self.finish(process), 130)


class Recordings(JobTest):
    def setUp(self):
        super().setUp()
        self.recording = os.path.join(self.folder, "run.earl")
        self.addCleanup(shutil.rmtree, self.recording, ignore_errors=True)

    def test_a_recorded_job_runs_again_as_it_was_typed(self):
        words = ["-n", 2, ACTOR, "gsync", "say", "one", ":", "-n", 1, ACTOR, "gsync", "say", "two"]
        self.expect(self.earl("record", "-o", self.recording, *words), 0)
        again = self.earl("replay", self.recording)
        self.expect(again, 0)
        self.assertEqual(sorted(again.out.splitlines()), ["one", "one", "two"])
        shown = self.earl("show", self.recording)
        self.expect(shown, 0)
        self.assertIn("3 processes recorded on shm", shown.out)

    def test_a_replay_runs_in_the_folder_of_the_recording(self):
        elsewhere = os.path.dirname(ACTOR)
        name = "./" + os.path.basename(ACTOR)
        self.expect(self.earl("record", "-o", self.recording, name, "who", cwd=elsewhere), 0)
        again = self.earl("replay", self.recording, cwd="/")
        self.assertEqual((again.code, again.out), (0, "0 of 1\n"), again)

    def test_a_directory_that_is_no_recording(self):
        for command in ("replay", "show"):
            ended = self.earl(command, os.path.join(self.folder, "nothing"))
            self.assertEqual((ended.code, ended.err.count("\n")), (1, 1), ended)
            self.expect(self.earl(command, cwd=self.folder), 2, "no recording is named")


class Spawning(JobTest):
    def test_children_speak_on_standard_error_with_their_names(self):
        ended = self.earl("run", SPAWNER, "spawner", 3)
        self.assertEqual((ended.code, ended.out), (0, "spawned 3\n"), ended)
        self.assertEqual(sorted(ended.err.splitlines()),
                         [f"[rank {r} spawner] a child's line" for r in (1, 2, 3)])

    def test_a_program_that_is_missing_or_not_ours(self):
        for program in ("no-such-task", "/no/such/task", "/bin/cat"):
            ended = self.earl("run", SPAWNER, program, 1)
            self.assertEqual(ended.code, 0, ended)
            self.assertRegex(ended.out, r"spawned (0|-\d+)\nerror -\d+\n")

    def test_a_job_has_an_end(self):
        ended = self.earl("run", "-n", 1, SPAWNER, "spawner", 300)
        self.assertEqual(ended.code, 0, ended)
        self.assertRegex(ended.out, r"^spawned 255\nerror -\d+\n$")

    def test_tasks_of_pvm_die_alone(self):
        ended = self.earl("run", SPAWNER, "kill")
        self.assertEqual((ended.code, ended.out), (0, "killed 0\nstill here\n"), ended)
        self.assertRegex(ended.err, r"rank 2 \(spawner, pvm3\) was killed by SIGABRT \(Aborted\)")
        self.assertIsNone(re.search("rank 1 ", ended.err), ended)

    def test_pvm_halt_ends_all(self):
        ended = self.earl("run", SPAWNER, "halt")  # as it was asked to
        self.assertEqual((ended.code, ended.out), (0, "halts\n"), ended)

    def test_a_program_is_searched_in_pvm_path(self):
        there = os.path.join(self.folder, "elsewhere")
        shutil.copy(SPAWNER, there)
        self.addCleanup(os.remove, there)
        for path, said in (("/nowhere", "spawned 0\nerror -7\n"),
                           (f"/nowhere:{self.folder}", "spawned 1\n")):
            ended = self.earl("run", SPAWNER, "elsewhere", 1, env={**os.environ, "PVM_PATH": path})
            self.assertEqual((ended.code, ended.out), (0, said), ended)

    def test_tasks_that_wait_for_each_other_are_reported(self):
        has_pvm = shutil.which("pvmd") and "PVM_MODULE" in os.environ
        for back_end in ("shm", "pvm") if has_pvm else ("shm",):
            with self.subTest(back_end):
                ended = self.earl("run", "--on", back_end, SPAWNER, "deadlock")
                self.expect(ended, 86, "deadlock: ", "rank 0 (spawner): pvm_recv",
                            "rank 1 (spawner): pvm_recv", "waits for a message (any source, tag 77)")

    def check_turns(self, rounds, said):
        """A line of the task is behind those that its spawner had printed when it asked for it."""
        lines = said.splitlines()
        self.assertEqual((lines[:2], lines[-2:]), (["parent", "[t40002] BEGIN"],
                                                   ["[t40002] EOF", "parent"]), said)
        asked = answered = 0
        for line in lines[2:-2]:
            if line == "[t40002] task":
                answered += 1
            else:
                self.assertEqual(line, f"parent {asked}")
                asked += 1
            self.assertLessEqual(answered, asked, said)
        self.assertEqual((asked, answered), (rounds + 1, rounds))

    def test_caught_output_stays_behind_earlier_output(self):
        for back_end in environment("BACK_ENDS_OF_PROCESSES").split():
            with self.subTest(back_end), tempfile.TemporaryFile("w+", encoding="ascii") as file:
                words = ("run", "--on", back_end, SPAWNER, "alternate", 20)
                ended = self.earl(*words)
                self.assertEqual(ended.code, 0, ended)
                self.check_turns(20, ended.out)
                self.assertEqual(self.start(*words, stdout=file).wait(LIMIT), 0)
                file.seek(0)
                self.check_turns(20, file.read())

    def test_a_runaway_task_loses_no_line_and_costs_no_memory(self):
        lines = 100000  # of 1,000 characters
        for caught, mark in (((), "[rank 1 spawner] "), (("caught",), "[t40002] ")):
            with self.subTest(mark), tempfile.TemporaryFile("w+", encoding="ascii") as out:
                job = self.start("run", SPAWNER, "flood", lines, *caught, stdout=out, stderr=out)
                _, status, used = os.wait4(job.pid, 0)
                job.returncode = os.waitstatus_to_exitcode(status)
                out.seek(0)
                self.assertEqual(job.returncode, 0)
                left = lines  # no list of them: this process's memory counts in the next one's figure
                for line in out:
                    if line.startswith(mark + "0"):
                        self.assertEqual(int(line.removeprefix(mark)), left)
                        left -= 1
                self.assertEqual(left, 0)
                if "ASAN_OPTIONS" not in os.environ:  # which keeps freed memory
                    self.assertLess(used.ru_maxrss, 60000, "kilobytes for EXEC")


if __name__ == "__main__":
    unittest.main(verbosity=2)
