# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of several hosts: they run, they end, and failures are reported in one sentence."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from job import ACTOR, EARL, JobTest, marked, name_of, sleeping, wait_until
from network import ADDRESSES, OWN_FOLDER, network_or_skip

NETWORK = network_or_skip()
HOST = os.environ["ACTOR_HOST"]
SAMPLE_TOOLS = os.environ["SAMPLE_TOOLS"]
SLOTS = "a:2,b:2,c:2"
SLOWER = int(os.environ.get("TESTS_SLOWER", "1"))
A_SECOND = 1.0 * SLOWER
LISTENS = "0A"  # as the system writes the state of a socket
TRIES = 10
LOST = r"rank \d (broke, and messages under way are lost|cannot be reached at 10[.]77[.]0[.])"


def tearDownModule():
    NETWORK.close()


def arguments_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


def network_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return ""


class Hosts(JobTest):
    def setUp(self):
        super().setUp()
        # Not in self.folder, which must be empty in the end.
        self.place = tempfile.TemporaryDirectory(prefix="earl-hosts-")
        self.addCleanup(self.place.cleanup)
        self.launcher = NETWORK.launcher(os.path.join(self.place.name, "launch"))

    def start(self, *words, **options):
        """EXEC runs on a host of its own; the job is as anywhere."""
        command, *rest = words
        inside = NETWORK.exec_host.inside(EARL)
        options["executable"] = "/usr/bin/nsenter"
        return super().start(*inside[1:], command, *rest, **options)

    def run_words(self, *words, hosts=SLOTS, launcher=None):
        return ("run", "--launcher", launcher or self.launcher, "--hosts", hosts, *words)

    def run_hosts(self, *words, hosts=SLOTS, launcher=None, **options):
        return self.earl(*self.run_words(*words, hosts=hosts, launcher=launcher), **options)

    def agent_of(self, host):
        """The agent there; its watchdog has another name."""
        found = [pid for pid in marked(self.token)
                 if network_of(pid) == network_of(NETWORK.hosts[host].pid)
                 and arguments_of(pid)[1:2] == [b"agent"] and name_of(pid) == "earl"]
        return found[0] if found else None

    def waiting(self, *back_end, launcher=None):
        """A job whose processes are all there, and communicate."""
        job = self.start(*self.run_words(*back_end, ACTOR, "say", "there", "gsync", "ring", launcher=launcher))
        for _ in range(6):
            if job.stdout.readline() != b"there\n":
                self.fail(f"not all are there: {self.finish(job)}")
        return job

    def lose_agent(self, job):
        os.kill(self.agent_of("b"), signal.SIGKILL)
        self.expect(self.finish(job), 1, "host b is gone", "the job is terminated")

    def lose_host(self, job):
        try:
            NETWORK.cut("b")
            self.expect(self.finish(job), 1, "host b is gone", "the job is terminated")
            # That host detects it by itself.
            wait_until(lambda: not marked(self.token), "the end of the lost host's processes")
        finally:
            NETWORK.mend("b")

    def had_again(self, *words):
        """The output of such a recording's replays on these hosts and on one."""
        folder = os.path.join(self.place.name, "run.earl")
        hosts = ("--launcher", self.launcher, "--hosts", SLOTS)
        seen = self.earl("record", "-o", folder, *hosts, *words)
        self.assertEqual(seen.code, 0, seen)
        for where in (hosts, ()):
            with self.subTest(where):
                again = self.earl("replay", *where, folder)
                self.assertEqual(again.code, 0, again)
                self.assertEqual(sorted(again.out.splitlines()), sorted(seen.out.splitlines()))


class Tools(Hosts):
    def test_notes_of_all_hosts_reach_the_half_in_exec(self):
        seen = self.run_hosts("--tool", os.path.join(SAMPLE_TOOLS, "busiest.so"), ACTOR, "only", "3", "send", "0")
        self.expect(seen, 0)
        idle = [f"rank {rank}: 0 sent, 0 received, 0 bytes" for rank in (0, 1, 2, 4, 5)]
        self.assertEqual(sorted(seen.err.splitlines()), sorted([*idle, "rank 3: 1 sent, 0 received, 0 bytes"]))


class Listening(Hosts):
    def listeners(self, host):
        """The listening addresses there."""
        with open(f"/proc/{host.pid}/net/tcp", encoding="ascii") as table:
            rows = [line.split() for line in list(table)[1:]]
        return {socket.inet_ntoa(bytes.fromhex(row[1].split(":")[0])[::-1]) for row in rows if row[3] == LISTENS}

    def check(self, expected, *options):
        job = self.waiting(*options)
        found = {name: self.listeners(host) for name, host in
                 (("exec", NETWORK.exec_host), ("a", NETWORK.hosts["a"]), ("b", NETWORK.hosts["b"]))}
        job.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(job).code, 143)
        self.assertEqual(found, {"exec": {expected}, "a": {ADDRESSES["a"]}, "b": {ADDRESSES["b"]}})

    def test_only_where_other_hosts_of_the_job_call(self):
        self.check(ADDRESSES["exec"])

    def test_everywhere_if_the_user_asks_for_it(self):
        self.check("0.0.0.0", "--listen", "any")

    def test_at_the_loopback_for_jobs_of_this_host(self):
        job = self.start("run", "--hosts", "localhost", "-n", 1, ACTOR, "say", "there", "ring")
        self.assertEqual(job.stdout.readline(), b"there\n")
        found = self.listeners(NETWORK.exec_host)
        job.send_signal(signal.SIGTERM)
        self.finish(job)
        self.assertEqual(found, {"127.0.0.1"})

    def test_an_address_of_another_host_is_refused(self):
        self.refuse("--listen", "10.99.0.1", words="listening at 10.99.0.1:0: Cannot assign requested address")

    def refuse(self, *options, words):
        seen = self.run_hosts(*options, ACTOR, "gsync")
        self.expect(seen, 1, words)


class Running(Hosts):
    def test_each_host_gets_as_many_as_it_takes(self):
        seen = self.run_hosts("--tag-output", "sh", "-c", 'uname -n; exec "$0" gsync', ACTOR)
        self.assertEqual(seen.code, 0, seen)
        lines = sorted(seen.out.splitlines())
        self.assertEqual([line.split()[-1] for line in lines], ["a", "a", "b", "b", "c", "c"], seen)

    def test_loaded_nodes_go_to_hosts_as_started_ones_do(self):
        seen = self.run_hosts("-n", "1", HOST, "cube", "5", "load", "host gsync", "waitall")
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual(sorted(seen.out.splitlines()), ["a", "b", "b", "c", "c"], seen)

    def test_killcube_reaches_nodes_on_other_hosts(self):
        seen = self.run_hosts("--timeout", "60", "-n", "1", HOST, "cube", "5", "load", "wait",
                              "killcube", "waitall", "load", "gsync who", "waitall")
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual(sorted(seen.out.splitlines()), [f"{n} of 5" for n in range(5)], seen)

    def test_this_host_needs_no_launcher(self):
        seen = self.run_hosts("--tag-output", "sh", "-c", 'uname -n; exec "$0" gsync', ACTOR,
                              hosts="localhost,a")
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual([line.split()[-1] for line in sorted(seen.out.splitlines())],
                         ["exec", "a"], seen)

    def test_more_processes_than_places_begin_again_with_the_first_host(self):
        seen = self.run_hosts("--tag-output", "-n", "4", "sh", "-c", 'uname -n; exec "$0" gsync',
                              ACTOR, hosts="a,b")
        self.assertEqual([line.split()[-1] for line in sorted(seen.out.splitlines())],
                         ["a", "b", "a", "b"], seen)

    def test_processes_know_each_other_on_either_back_end(self):
        for back_end in ((), ("--on", "tcp")):
            with self.subTest(back_end):
                seen = self.run_hosts(*back_end, ACTOR, "gsync", "who")
                self.assertEqual(seen.code, 0, seen)
                self.assertEqual(sorted(seen.out.splitlines()), [f"{n} of 6" for n in range(6)])

    def test_the_transport_is_reported(self):
        seen = self.run_hosts("-v", ACTOR, "who")
        self.assertIn("on shm within a host, on tcp between hosts", seen.err)
        self.assertIn("on host b", seen.err)

    def test_a_console_sees_the_hosts_and_chooses_among_them(self):
        job = self.start(*self.run_words("--console", "-n", "2", ACTOR, "wait", hosts="a,b"))
        number = str(job.pid)
        wait_until(lambda: self.earl("console", number, input=b"id\n").code == 0, "a door for consoles")
        words = f"conf\nps -a\nspawn -b -> {ACTOR} say hello-from-there\nspawn -c y\npstat t80002 t40002\n"
        seen = self.earl("console", number, input=words.encode())
        self.assertEqual(seen.code, 0, seen)
        for pattern in (r"2 hosts, 1 data format\n", r" a    40000  LINUX64 ", r" b    80000  LINUX64 ",
                        r"\n  t40001        -            a +\d+        nx  actor\n  t80002        -            b ",
                        r"1 successful\nt8000\d\n", r"hello-from-there\n", r"spawn -c: here are -N",
                        r"t80002 is there\nt40002: there is no such task; `ps` lists them\n"):
            self.assertRegex(seen.out, pattern)
        self.assertEqual(self.earl("console", number, input=b"halt\n").code, 0)
        self.expect(self.finish(job), 128 + 15)

    def test_a_host_file(self):
        path = os.path.join(self.place.name, "hosts")
        with open(path, "w", encoding="utf-8") as file:
            file.write("# ours\na:2\n\nb slots=1 # and this\nc\n")
        seen = self.earl("run", "--launcher", self.launcher, "-f", path, ACTOR, "who")
        self.assertEqual(sorted(seen.out.splitlines()), [f"{n} of 4" for n in range(4)], seen)

    def test_standard_input_gets_to_its_reader(self):
        text = b"".join(b"line %d of many\n" % n for n in range(20_000))
        seen = self.run_hosts("--stdin", "5", ACTOR, "only", "5", "cat", input=text)
        self.assertEqual(seen.code, 0, seen)
        self.assertEqual(seen.out.encode(), text)

    def test_much_output_comes_whole(self):
        seen = self.run_hosts(ACTOR, "lines", "2000", "50")
        self.assertEqual(seen.code, 0)
        self.assertEqual(len(seen.out.splitlines()), 12_000)
        self.assertEqual({len(line.split()) for line in seen.out.splitlines()}, {3})

    def test_an_exec_that_does_not_read_for_a_while_loses_no_host(self):
        lines = 20_000
        job = self.start(*self.run_words(ACTOR, "lines", lines, "50"), bufsize=0)
        out = job.stdout.read(1).decode()
        os.kill(job.pid, signal.SIGSTOP)
        time.sleep(2)
        os.kill(job.pid, signal.SIGCONT)
        seen = self.finish(job)
        self.assertEqual((seen.code, seen.err), (0, ""), seen.err)
        self.assertEqual(len((out + seen.out).splitlines()), 6 * lines)

    def test_files_of_ranks(self):
        folder = os.path.join(self.place.name, "out")
        seen = self.run_hosts("--output-dir", folder, ACTOR, "who")
        self.assertEqual(seen.code, 0, seen)
        for rank in range(6):
            with open(os.path.join(folder, f"rank{rank}.out"), encoding="utf-8") as file:
                self.assertEqual(file.read(), f"{rank} of 6\n")


class Recording(Hosts):
    def test_a_recorded_run_is_had_again_there_and_on_one_host(self):
        self.had_again(ACTOR, "gsync", "who")

    def record_at_home(self):
        """Where only EXEC's host sees it."""
        return ("record", "-o", self.home(), "--launcher", self.launcher, "--hosts", SLOTS)

    def home(self):
        return f"{OWN_FOLDER}/{os.path.basename(self.folder)}.earl"

    def test_hosts_need_not_share_files(self):
        seen = self.earl(*self.record_at_home(), ACTOR, "gsync", "crowd", "4000", "who")
        self.assertEqual(seen.code, 0, seen)
        self.expect(self.earl("show", self.home()), 0)
        for host in NETWORK.hosts.values():
            self.assertEqual(os.listdir(f"/proc/{host.pid}/root{OWN_FOLDER}"), [])
        for where in ((), ("--launcher", self.launcher, "--hosts", SLOTS)):
            with self.subTest(where):
                again = self.earl("replay", *where, self.home())
                self.assertEqual((again.code, again.err), (0, ""), again)
                self.assertEqual(sorted(again.out.splitlines()), sorted(seen.out.splitlines()))

    def test_a_recording_too_large_to_be_brought(self):
        """It may be there already; else that is said."""
        self.expect(self.earl(*self.record_at_home(), ACTOR, "gsync"), 0)
        with open(f"/proc/{NETWORK.exec_host.pid}/root{self.home()}/notes", "wb") as file:
            file.truncate(13 << 20)
        self.expect(self.earl("replay", "--launcher", self.launcher, "--hosts", SLOTS, self.home()), 1,
                    "cannot do its part", "is not here, and with more than 12 MiB it is not brought")

    def test_a_recording_of_a_lost_host_has_the_transferred_part(self):
        job = self.start(*self.record_at_home(), ACTOR, "say", "there", "gsync", "ring")
        try:
            wait_until(lambda: all(self.receives_at_home(rank) for rank in (2, 3)), "some of what host b recorded")
            NETWORK.cut("b")
            self.expect(self.finish(job), 1, "host b is gone")
        finally:
            NETWORK.mend("b")
        for rank in (2, 3):
            self.assertTrue(self.receives_at_home(rank))
        self.assertIn("incomplete: it can be replayed up to where each record ends",
                      self.earl("show", self.home()).out)
        again = self.earl("replay", self.home())
        self.assertNotEqual(again.code, 87, again)

    def test_an_agent_that_is_killed_leaves_no_record_behind(self):
        job = self.start(*self.record_at_home(), ACTOR, "say", "there", "gsync", "ring")
        wait_until(lambda: os.listdir(self.folder), "the folders of agents")
        wait_until(lambda: self.receives_at_home(2), "some of host b's record")
        os.kill(self.agent_of("b"), signal.SIGKILL)
        self.expect(self.finish(job), 1, "host b is gone")
        # That all is gone again is looked at after each test.

    def receives_at_home(self, rank):
        """Whether there are some, and no end of the record."""
        shown = self.earl("show", "--rank", str(rank), self.home())
        return re.search(rf"rank {rank}: .* calls, [1-9][0-9,]* wildcard receives?.*, cut \(the process was killed",
                         shown.out)


class Ending(Hosts):
    def test_an_exit_code_is_rank_0_s(self):
        self.expect(self.run_hosts(ACTOR, "gsync", "only", "0", "exit", "7"), 7)

    def test_a_signal_ends_the_job_and_is_reported(self):
        seen = self.run_hosts(ACTOR, "only", "3", "signal", "11")
        self.expect(seen, 128 + 11, "rank 3 (actor, nx) on host b was killed by SIGSEGV")

    def test_an_interrupt_ends_all(self):
        job = self.waiting()
        job.send_signal(signal.SIGINT)
        self.expect(self.finish(job), 128 + 2)

    def test_a_timeout_ends_all(self):
        self.expect(self.run_hosts("--timeout", "1", ACTOR, "ring"), 124, "--timeout")

    def test_orphans_of_processes_are_ended(self):
        self.expect(self.run_hosts(ACTOR, "fork"), 0)

    def test_a_deadlock_is_reported(self):
        self.expect(self.run_hosts(ACTOR, "gsync", "wait"), 86)


class Losing(Hosts):
    def test_an_agent_that_is_killed(self):
        self.lose_agent(self.waiting())

    def test_children_without_an_environment_end_with_their_agent(self):
        length = f"600.{os.getpid()}{random.randrange(10**6)}"
        self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in sleeping(length)])
        job = self.start(*self.run_words("sh", "-c", 'env -i setsid sleep "$1" & exec "$0" ring', ACTOR, length))
        wait_until(lambda: len(sleeping(length)) == 6, "the children of all processes are there")
        self.lose_agent(job)
        wait_until(lambda: not sleeping(length), "they have ended")

    def test_a_host_that_cannot_be_reached_any_more(self):
        for back_end in ((), ("--on", "tcp")):
            with self.subTest(back_end):
                self.lose_host(self.waiting(*back_end))

    def test_a_lost_host_is_named_within_a_second(self):
        """Also where its launcher, as ssh, goes on waiting for it."""
        ways = {
            "its agent is killed": lambda: os.kill(self.agent_of("b"), signal.SIGKILL),
            "its cable is cut": lambda: NETWORK.cut("b"),
            "it falls silent": lambda: NETWORK.silence("b"),
        }
        for way, lose in ways.items():
            with self.subTest(way):
                took = []
                # A loaded host gets more than one try.
                while not took or took[-1] > A_SECOND and len(took) < TRIES:
                    took.append(self.seconds_without_b(lose))
                self.assertLessEqual(took[-1], A_SECOND, took)

    def seconds_without_b(self, lose):
        patient = os.path.join(self.place.name, "patient")
        with open(patient, "w", encoding="utf-8") as file:
            launch = self.launcher.replace("%h", '"$@"')
            file.write(f"test $1 = b || exec {launch}\nexec 3<&0\n{launch} <&3 &\nexec sleep 300\n")
        job = self.waiting(launcher=f"sh {patient} %h")
        try:
            since = time.monotonic()
            lose()
            self.expect(self.finish(job), 1, "host b is gone", "the job is terminated")
            took = time.monotonic() - since
            wait_until(lambda: not marked(self.token), "the end of the lost host's processes")
        finally:
            NETWORK.mend("b")
        return took

    def test_two_hosts_that_lose_each_others_messages(self):
        """EXEC reaches both. They may have been connected before, or not."""
        job = self.waiting()
        NETWORK.part("a", "b")
        try:
            self.assertRegex(self.finish(job).err, LOST)
        finally:
            NETWORK.join_again("a", "b")

    def test_exec_killed(self):
        job = self.waiting()
        job.kill()
        job.wait()
        wait_until(lambda: not marked(self.token), "the end of all agents and processes")


class Meddling(Hosts):
    """A proxy between an agent and EXEC changes a byte."""

    def meddle(self, who, place):
        meddler = os.path.join(os.path.dirname(os.path.abspath(__file__)), "meddler.py")
        return self.run_hosts("-n", "4", ACTOR, "gsync", "who", hosts="a:2,b:2",
                              launcher=f"{sys.executable} {meddler} {who} {place} {self.launcher}")

    def test_a_byte_that_is_changed_ends_the_job(self):
        for who, place in (("agent", 0), ("agent", 8), ("agent", 30), ("agent", 150), ("exec", 4), ("exec", 60)):
            with self.subTest(who=who, place=place):
                seen = self.meddle(who, place)
                self.assertEqual(seen.code, 1, seen)
                self.assertRegex(seen.err, r"host [ab] is gone \((data on its connection was altered in transit|"
                                           "the other end closed the connection)")

    def test_a_line_through_a_proxy_that_changes_nothing_works(self):
        seen = self.meddle("none", 0)
        self.assertEqual(seen.code, 0, seen)


class Encrypted(Hosts):
    def test_jobs_run_encrypted(self):
        for back_end in ((), ("--on", "tcp")):
            with self.subTest(back_end):
                seen = self.run_hosts("--secure", *back_end, ACTOR, "gsync", "who")
                self.assertEqual(seen.code, 0, seen)
                self.assertEqual(sorted(seen.out.splitlines()), [f"{n} of 6" for n in range(6)])

    def test_a_transport_that_cannot_encrypt_is_refused(self):
        seen = self.run_hosts("--secure", "--on", "mpi", ACTOR, "gsync")
        self.expect(seen, 2, "--secure: what mpi sends between hosts cannot be encrypted")


class Refusing(Hosts):
    def test_a_launcher_that_fails(self):
        self.expect(self.run_hosts(ACTOR, "who", hosts="a", launcher="false %h"), 1,
                    "host a cannot be reached: `false a", "ended with code 1")

    def test_no_such_launcher(self):
        self.expect(self.run_hosts(ACTOR, "who", launcher="no-such-launcher %h"), 2,
                    "--launcher no-such-launcher: there is no such command")

    def test_an_unknown_host(self):
        self.expect(self.run_hosts(ACTOR, "who", hosts="a,nowhere"), 1,
                    "launcher: no host nowhere", "host nowhere cannot be reached")

    def test_a_wrong_secret(self):
        path = os.path.join(self.place.name, "liar")
        with open(path, "w", encoding="utf-8") as file:
            file.write("read word number secret rest\n"
                       'echo "$word $number 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff $rest" | "$@"\n')
        seen = self.run_hosts(ACTOR, "who", hosts="a",
                              launcher=f"{self.launcher} sh {path}")
        self.expect(seen, 1, "this agent's secret is not that job's", "host a cannot be reached")

    def test_the_secret_is_on_no_command_line(self):
        job = self.waiting()
        words = b" ".join(word for pid in marked(self.token) for word in arguments_of(pid))
        self.assertNotIn(b"earl-agent-1", words)
        job.send_signal(signal.SIGTERM)
        self.finish(job)

    def test_a_program_that_is_not_there(self):
        self.expect(self.run_hosts("./no-such-program"), 127, "no-such-program")

    def test_unauthenticated_peers_on_its_ports(self):
        job = self.waiting()
        connect = ("import socket,sys\n"
                 "for port in map(int, sys.argv[2:]):\n"
                 " s = socket.create_connection((sys.argv[1], port), 10)\n"
                 " s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n' * 20)\n"
                 " s.settimeout(30)\n"
                 " try:\n"
                 "  while s.recv(4096): pass\n"
                 " except ConnectionResetError: pass\n")
        for host, address in ((NETWORK.exec_host, "10.77.0.1"), (NETWORK.hosts["b"], "10.77.0.3")):
            ports = listening(host.pid)
            self.assertTrue(ports)
            subprocess.run(host.inside("python3", "-c", connect, address, *map(str, ports)),
                           check=True, timeout=60)
        self.assertIsNone(job.poll(), "the job goes on")
        job.send_signal(signal.SIGTERM)
        self.expect(self.finish(job), 128 + 15)

    def test_words_that_make_no_sense(self):
        for words, sentence in ((("--hosts", "a:0"), "a number of processes is needed"),
                                (("--hosts", "a,,b"), "a host's name is needed"),
                                (("--hosts", "a,a"), "host a is named twice"),
                                (("--hosts", "-oProxyCommand=x"), "is no host's name"),
                                (("--hosts", "z\u00fcrich"), "is no host's name"),
                                (("--hostfile", "/no/such/file"), "cannot be read"),
                                (("--hosts", "a", "--launcher", " "), "a command is needed"),
                                (("--hosts", "a", "--on", "fibers"), "does not reach other hosts")):
            with self.subTest(words):
                self.expect(self.earl("run", *words, ACTOR, "who"), 2, sentence)


def listening(pid):
    """Listening ports in that process's network namespace."""
    with open(f"/proc/{pid}/net/tcp", encoding="utf-8") as file:
        rows = [line.split() for line in file.readlines()[1:]]
    return [int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A"]


if __name__ == "__main__":
    unittest.main(verbosity=2)
