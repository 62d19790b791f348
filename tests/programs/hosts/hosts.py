# SPDX-License-Identifier: BSD-3-Clause
"""Host programs: bare, under `earl run`, recorded and replayed, and with cubes that getcube got.

Environment: EARL, HOSTS (the folder of the built programs).
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import uuid

EARL = os.environ["EARL"]
HOSTS = os.environ["HOSTS"]
LIMIT = 60 * int(os.environ.get("TESTS_SLOWER", "1"))

# How many processes print EARL-OK.
PROGRAMS = {
    "again_host": 37,
    "app_host": 9,
    "app_host_f": 9,
    "farm_host": 5,
    "fork_host": 9,
    "fortran_host": 3,
    "early_host": 5,
    "pids_host": 4,
    "wait_host": 1,
    "attach_host": 1,
    "cube_host": 1,
    "parts_host": 7,
    "second_host": 7,
    "serving_host": 1,
    "shape_host": 2,
    "size_host": 1,
    "errors_host": 1,
}
# Their nodes' receives, or the order of their ends, decide the output.
NODES = {**os.environ, "EARL_NX_NODES": "4"}


def wait_until(condition, what):
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {LIMIT} s: {what}")
        time.sleep(0.01)


class HostTest(unittest.TestCase):
    def setUp(self):
        # Cubes of other tests, and of the user, must not be met.
        self.cube = "t" + uuid.uuid4().hex[:12]
        self.environment = {**NODES, "EARL_CUBE": self.cube}
        self.folder = tempfile.mkdtemp(prefix="earl-hosts-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(self.check_nothing_left)

    def marked(self):
        """Processes of this test, by the cube's name in their environment."""
        token = f"EARL_CUBE={self.cube}".encode()  # or within OF
        found = []
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if token in file.read():
                        found.append(int(name))
            except OSError:
                pass
        return found

    def processes_of(self, program):
        return [pid for pid in self.marked() if os.path.basename(command_of(pid)[0]) == program]

    def exec_that(self, word):
        """The EXEC that was started by this word. Its watchdog is born with its name, and changes it."""
        found = []

        def is_found():
            found[:] = [pid for pid in self.marked() if is_exec(pid, word)]
            return len(found) == 1

        wait_until(is_found, f"there is one `earl {word}`")
        return found[0]

    def check_nothing_left(self):
        wait_until(lambda: not self.marked(), f"no process is left of {self.marked()}")

    def run_command(self, *words, **options):
        return subprocess.run(words, cwd=HOSTS, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT, **options)

    def compat(self, *words):
        return self.run_command(EARL, "compat", *words)

    def expect(self, done, code, *sentences):
        self.assertEqual(done.returncode, code, done)
        for sentence in sentences:
            self.assertIn(sentence, done.stdout + done.stderr, done)

    def expect_ok(self, done, count):
        self.expect(done, 0)
        self.assertEqual([line.strip() for line in done.stdout.splitlines()].count("EARL-OK"), count, done)

    def path(self, name):
        return os.path.join(HOSTS, name)

    def getcube(self, nodes=4):
        self.expect(self.compat("getcube", "-t", str(nodes)), 0, "getcube successful")
        self.addCleanup(self.compat, "relcube")

    def load_silently(self, *words):
        """Loaded nodes print where `load` does, so while they live no pipe of it would end."""
        done = subprocess.run([EARL, "compat", "load", *words], cwd=HOSTS, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=LIMIT, check=False)
        self.assertEqual(done.returncode, 0)


class Programs(HostTest):
    def test_bare(self):
        for name, count in PROGRAMS.items():
            with self.subTest(name):
                done = self.run_command(self.path(name))
                self.expect_ok(done, count)
                self.assertEqual(done.stderr, "", done)

    def test_under_earl_run(self):
        for name, count in PROGRAMS.items():
            with self.subTest(name):
                self.expect_ok(self.run_command(EARL, "run", self.path(name)), count)

    def test_recorded_and_replayed(self):
        for name, count in PROGRAMS.items():
            trace = os.path.join(self.folder, name + ".earl")
            with self.subTest(name):
                self.expect_ok(self.run_command(EARL, "record", "-o", trace, self.path(name)), count)
                for _ in range(3):
                    again = self.run_command(EARL, "replay", trace)
                    self.expect_ok(again, count)
                    self.assertNotIn("diverged", again.stderr)

    def test_the_size_of_an_unrequested_cube_is_recorded(self):
        """On fewer CPUs, and where the environment says otherwise."""
        for said in ("4", None):
            trace = os.path.join(self.folder, f"{said}.earl")
            self.environment.pop("EARL_NX_NODES", None)
            if said:
                self.environment["EARL_NX_NODES"] = said
            then = self.run_command(EARL, "record", "-o", trace, self.path("early_host"))
            self.expect(then, 0)
            count = then.stdout.count("EARL-OK")
            self.assertGreater(count, 1)
            self.environment["EARL_NX_NODES"] = "1" if said else ""
            for wrapper in ([], ["taskset", "-c", str(min(os.sched_getaffinity(0)))]):
                again = self.run_command(*wrapper, EARL, "replay", trace)
                self.expect_ok(again, count)

    def test_a_recorded_host_gets_as_many_nodes_as_the_shell_s_cube(self):
        self.environment.pop("EARL_NX_NODES")
        self.getcube(8)
        trace = os.path.join(self.folder, "cube.earl")
        then = self.run_command(EARL, "record", "-o", trace, self.path("early_host"))
        self.expect_ok(then, 9)
        self.expect(then, 0, "a cube of its own, of 8 nodes")
        self.expect(self.compat("relcube"), 0)
        self.expect_ok(self.run_command(EARL, "replay", trace), 9)

    def test_a_host_that_was_counted_is_a_node(self):
        done = self.run_command(EARL, "run", "-n", "1", self.path("early_host"))
        self.expect(done, 1, "load: no cube is attached")


class Startup(HostTest):
    """Hosts that load nothing, and the effect of `earlcc -host`."""

    WITH_NODES = (("flagged_host", ":", "-n", "4", "hand_node"), ("-n", "4", "hand_node", ":", "flagged_host"))

    def words(self, line):
        return [self.path(word) if "_" in word else word for word in line]

    def test_nodes_loaded_by_hand_before(self):
        for host in ("hand_host", "flagged_host"):
            with self.subTest(host):
                self.getcube()
                self.load_silently("hand_node")
                self.expect_ok(self.run_command(self.path(host)), 1)
                self.expect(self.compat("waitcube"), 0)
                self.expect(self.compat("relcube"), 0)

    def test_one_host_after_another(self):
        self.getcube()
        self.expect(self.run_command(self.path("early_host")), 0)
        self.expect(self.compat("waitcube"), 0)
        for _ in range(2):  # these nodes' messages wait for a host
            self.load_silently("hand_node")
            self.expect_ok(self.run_command(self.path("hand_host")), 1)
            self.expect(self.compat("waitcube"), 0)

    def test_nodes_loaded_by_hand_after(self):
        for host in ("hand_host", "flagged_host"):
            with self.subTest(host):
                self.getcube()
                process = subprocess.Popen([self.path(host)], env=self.environment, text=True,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.addCleanup(process.kill)
                wait_until(lambda: "attached" in self.compat("cubeinfo").stdout, "the host is there")
                for node in "3102":
                    self.load_silently(node, "hand_node")
                out, err = process.communicate(timeout=LIMIT)
                self.assertEqual((out.strip(), err, process.returncode), ("EARL-OK", "", 0))
                self.expect(self.compat("relcube"), 0)

    def test_the_command_line_loads_the_nodes(self):
        for line in self.WITH_NODES:
            with self.subTest(line):
                self.expect_ok(self.run_command(EARL, "run", *self.words(line)), 5)

    def test_a_host_does_not_load_over_nodes_of_the_command_line(self):
        done = self.run_command(EARL, "run", *self.words(("flagged_again", ":", "-n", "2", "wait_node")))
        self.expect(done, 1, "load: a process with pid 0 is there already: the command line has started the nodes; "
                             "leave them out of it (earl run ./host)")

    def test_and_is_replayed(self):
        for number, line in enumerate(self.WITH_NODES):
            trace = os.path.join(self.folder, f"{number}.earl")
            with self.subTest(line):
                self.expect_ok(self.run_command(EARL, "record", "-o", trace, *self.words(line)), 5)
                self.expect_ok(self.run_command(EARL, "replay", trace), 5)

    def test_a_flagged_host_may_be_counted(self):
        self.expect_ok(self.run_command(EARL, "run", "-n", "1", self.path("flagged_farm")), 5)

    def test_a_flagged_node_is_no_host(self):
        done = self.run_command(EARL, "run", self.path("flagged_node"))
        self.expect(done, 1, "load: no cube is attached")

    def test_no_nodes(self):
        for start in ([], [EARL, "run"], [EARL, "run", "-n", "1"]):
            with self.subTest(start):
                host = self.path("no_load_host")
                self.expect(self.run_command(*start, host, "plainly"), 1,
                            "crecv: no cube is attached and nothing is loaded: a host program calls load()")
                done = self.run_command(*start, host)
                self.expect(done, 0)
                self.assertIn("EARL-OK", done.stdout)

    def test_more_nodes_than_there_is_room_for(self):
        self.environment["EARL_NX_NODES"] = "30000"
        done = self.run_command(self.path("early_host"))
        self.expect(done, 1, "load: cannot allocate a cube of 30000 nodes")

    def test_the_output_of_info(self):
        for program, side in {"flagged_host": "a host program", "flagged_node": "a node program",
                              "hand_host": "a program"}.items():
            self.expect(self.run_command(EARL, "info", self.path(program)), 0, f": {side} for Intel NX")


class Kept(HostTest):

    def test_from_the_shell(self):
        self.getcube()
        listed = self.compat("cubeinfo")
        self.expect(listed, 0, self.cube)
        load = subprocess.Popen([EARL, "compat", "load", "-p", "3", "early_node"], cwd=HOSTS,
                                env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)
        self.assertEqual(load.wait(LIMIT), 0)
        self.expect(self.compat("load", "-p", "3", "early_node"), 1, "with pid 3 is there already")
        self.expect(self.compat("killcube"), 0)
        self.expect(self.compat("waitcube"), 0)
        out, err = load.communicate(timeout=LIMIT)
        self.assertEqual((out, err), ("", ""))
        self.expect(self.compat("relcube"), 0, "relcube released 1 cube")
        self.expect(self.compat("waitcube"), 1, f"there is no cube {self.cube}")

    def test_a_bare_host_finds_it(self):
        self.getcube()
        done = self.run_command(self.path("early_host"))
        self.expect(done, 0)
        self.expect(self.compat("waitcube"), 0)
        self.assertEqual(done.stdout.count("EARL-OK"), 5, done)
        # Once more: the places are free again.
        self.expect(self.run_command(self.path("early_host")), 0)
        self.expect(self.compat("relcube"), 0)

    def test_a_host_that_means_no_cube_gets_a_list_of_the_cubes(self):
        self.getcube()
        self.environment["EARL_CUBE"] = "another"
        try:
            done = self.run_command(self.path("no_load_host"), "plainly")
        finally:
            self.environment["EARL_CUBE"] = self.cube
        self.expect(done, 1, "crecv: no cube is attached")
        self.assertIn(self.cube, done.stderr)
        self.assertIn("it takes the one that EARL_CUBE or attachcube() names", done.stderr)

    def in_a_session(self, script):
        """As a script in a terminal of its own, whose commands do not name the cube again."""
        environment = {name: value for name, value in self.environment.items() if name != "EARL_CUBE"}
        return subprocess.run(["sh", "-c", script], cwd=HOSTS, env={**environment, "OF": f"EARL_CUBE={self.cube}"},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT,
                              start_new_session=True, check=False)

    def test_a_host_means_the_cube_that_its_shell_has_got(self):
        host, plain = self.path("early_host"), self.path("no_load_host")
        compat = f"{EARL} compat"
        self.addCleanup(self.compat, "relcube")
        done = self.in_a_session(f"{compat} getcube -t 2 -c {self.cube} && {host} && {compat} waitcube")
        self.expect(done, 0)
        self.assertEqual(done.stdout.count("EARL-OK"), 3, done)
        # In another shell it is not meant.
        done = self.in_a_session(host)
        self.expect(done, 0)
        self.assertEqual(done.stdout.count("EARL-OK"), 5, done)
        # None of two is.
        done = self.in_a_session(f"{compat} getcube -t 2 -c {self.cube}a && {compat} getcube -t 2 -c {self.cube}b; "
                                 f"{plain} plainly; code=$?; {compat} relcube -c {self.cube}a; "
                                 f"{compat} relcube -c {self.cube}b; exit $code")
        self.expect(done, 1, "crecv: no cube is attached", "it takes the one that EARL_CUBE or attachcube() names")

    def test_loaded_again(self):
        """The nodes of one load meet each other, not those that were there before them."""
        self.getcube()
        for _ in range(5):
            for nodes in ((), ("3", "0", "2", "1")):
                with self.subTest(nodes):
                    self.expect_ok(self.compat("load", *nodes, "again_node"), 4)
                    self.expect(self.compat("waitcube"), 0)
        self.expect(self.compat("relcube"), 0)

    def test_held(self):
        self.getcube(2)
        self.load_silently("-H", "0", "wait_node")
        self.assertRegex(self.compat("cubeinfo").stdout, self.cube + r" +2 +0 ")
        self.expect(self.compat("startcube"), 0)
        self.assertRegex(self.compat("cubeinfo").stdout, self.cube + r" +2 +1 ")
        self.expect(self.compat("relcube"), 0)

    def test_nodes_pids_and_arguments(self):
        self.expect(self.compat("getcube", "-t", "d2"), 0, f"cube {self.cube} of 4 nodes")
        self.addCleanup(self.compat, "relcube")
        said = self.compat("load", "-c", self.cube, "-p", "5", "3", "1", "echo_node", "one", "-p", "two words")
        self.expect(said, 0)
        self.assertEqual(sorted(said.stdout.splitlines()),
                         [f"node {n} of 4, pid 5: (one) (-p) (two words)" for n in (1, 3)])
        self.load_silently("-p", "5", "wait_node")
        self.load_silently("-p", "6", "3", "wait_node")
        for left, *places in ((5, "2", "6"), (4, "3", "6"), (3, "2"), (0,)):
            self.expect(self.compat("killcube", *places), 0)
            self.expect(self.compat("waitcube", *places), 0)
            self.assertRegex(self.compat("cubeinfo", "-a").stdout, rf"{self.cube} +4 +{left} ")
        self.expect(self.compat("relcube", "-c", self.cube), 0)

    def test_mistakes(self):
        self.expect(self.compat("getcube", "-t", "3"), 2, "3 nodes are no hypercube")
        self.expect(self.compat("getcube", "-t", "0"), 2, "0 nodes are no hypercube")
        self.expect(self.compat("load", "early_node"), 1, f"there is no cube {self.cube}")
        self.expect(self.compat("getcube", "-c", "x" * 16), 1, "16 characters; 1 to 15")
        self.getcube()
        self.expect(self.compat("getcube"), 1, f"there is a cube {self.cube} already")
        self.expect(self.compat("load", "4", "early_node"), 2, "there is no node 4")
        self.expect(self.compat("load", "no_such_node"), 127, "there is no program no_such_node")
        self.expect(self.compat("load"), 2, "no program is named")
        self.expect(self.compat("nothing"), 2, "earl compat needs one of these")

    def test_another_users(self):
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("needs root, to be somebody else")
        self.getcube()
        other_user = ("setpriv", "--reuid", "65534", "--clear-groups")
        done = self.run_command(*other_user, EARL, "compat", "waitcube")
        if "Permission denied" in done.stderr:
            self.skipTest("another user may not run programs of this folder")
        sentence = f"the cube {self.cube} belongs to user 0, not to you (user 65534)"
        self.expect(done, 1, sentence)
        host = self.run_command(*other_user, self.path("dies_host"), "attach the shell's")
        self.expect(host, 1, "(node 0, pid 0) attachcube: " + sentence)

    def test_a_name_that_another_user_holds(self):
        """Any user may take a name of another user's form."""
        if os.geteuid() != 0:
            self.skipTest("needs root, to be somebody else")
        name = f"\0earl-{os.geteuid()}-{self.cube}"
        for listens, sentence in ((False, "by a process that is no session server; choose another"),
                                  (True, "by a process of user 65534, not by a session server of yours; choose another")):
            with self.subTest(listens), socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as held:
                os.seteuid(65534)
                try:
                    held.bind(name)
                    if listens:
                        held.listen()
                finally:
                    os.seteuid(0)
                self.expect(self.compat("getcube"), 1, f"the name {self.cube} is in use on this host " + sentence)

    def test_malformed_bytes_cost_only_their_sender(self):
        self.getcube(2)
        self.load_silently("wait_node")
        for _ in range(20):
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as other:
                other.connect(f"\0earl-{os.geteuid()}-{self.cube}")
                other.send(b"this is no message of anybody's protocol")
        self.assertRegex(self.compat("cubeinfo").stdout, self.cube + r" +2 +2 ")
        self.expect(self.compat("killcube"), 0)
        self.expect(self.compat("waitcube"), 0)
        self.expect(self.compat("relcube"), 0)

    def test_a_host_whose_session_server_is_killed(self):
        self.getcube()
        host = subprocess.Popen([self.path("hand_host")], env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(host.kill)
        wait_until(lambda: "attached" in self.compat("cubeinfo").stdout, "the host is there")
        os.kill(self.exec_that("keep"), signal.SIGKILL)
        _, err = host.communicate(timeout=LIMIT)
        self.assertEqual((host.returncode, err.count("the connection to EXEC is closed")), (1, 1), err)

    def test_a_session_server_that_is_killed(self):
        self.getcube()
        self.load_silently("wait_node")
        wait = subprocess.Popen([EARL, "compat", "waitcube"], env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.kill(self.exec_that("keep"), signal.SIGKILL)
        _, err = wait.communicate(timeout=LIMIT)
        self.assertIn(self.cube, err)
        self.assertEqual(wait.returncode, 1)


def command_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf8") as file:
            return file.read().split("\0")
    except OSError:
        return [""]


def is_exec(pid, word):
    """EXEC itself, not its watchdog."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf8") as file:
            return word in command_of(pid) and file.read() == "earl\n"
    except OSError:
        return False


class Deaths(HostTest):
    def start(self):
        """A host and its nodes, which wait until one of them is killed."""
        host = subprocess.Popen([self.path("stuck_host")], cwd=HOSTS,
                                env={**self.environment, "EARL_DEADLOCK": "off"},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(host.kill)
        self.assertEqual(host.stdout.readline(), "loaded\n")
        return host

    def test_exec_is_killed(self):
        host = self.start()
        os.kill(self.exec_that("serve"), signal.SIGKILL)
        _, err = host.communicate(timeout=LIMIT)
        self.assertEqual(host.returncode, 1)
        self.assertIn("the connection to EXEC is closed", err)

    def test_host_is_killed(self):
        host = self.start()
        host.kill()
        _, err = host.communicate(timeout=LIMIT)
        self.assertIn("has ended without leaving the job (by a signal, _exit or exec); the other 4 processes are ended", err)

    def test_a_node_is_killed(self):
        host = self.start()
        nodes = self.processes_of("ready_node")
        self.assertEqual(len(nodes), 4)
        os.kill(nodes[0], signal.SIGKILL)  # a sanitizer makes an exit code of other signals
        _, err = host.communicate(timeout=LIMIT)
        self.assertIn("was killed by SIGKILL", err)

    def test_forked_nodes(self):
        for how, code, sentence in (
                ("leave", 0, "EARL-OK"),
                ("crash", 139, "was killed by SIGSEGV"),
                ("mistake", 1, "(node 1, pid 0) csend: type -2 is negative"),
                ("wait", 86, "crecv at fork_stuck.c"),
                ("all", 137, "was killed by SIGKILL")):
            with self.subTest(how):
                done = self.run_command(EARL, "run", self.path("fork_stuck"), how)
                self.expect(done, code, sentence)

    def test_exec_of_forked_nodes_is_killed(self):
        host = subprocess.Popen([EARL, "run", self.path("fork_stuck"), "print"], cwd=HOSTS,
                                env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(host.kill)
        self.assertEqual(host.stdout.readline(), "there\n")
        host.kill()
        host.communicate(timeout=LIMIT)  # and nothing is left


class Mistakes(HostTest):
    """A plain call that fails ends a bare host with one sentence, and the job with it."""

    # Before the first cube a host is alone; afterwards its node comes after the two of its cube.
    ALONE = {
        "size 0": "getcube: 0 nodes are no hypercube; their number must be a power of 2",
        "size 3": "getcube: 3 nodes are no hypercube; their number must be a power of 2",
        "type of cube": "getcube: 'many' is no cube type; 8 or d3 is a cube of 8 nodes",
        "long name": "getcube: the cube name 'a name too long for it' has more than 15 characters",
        "attachcube": "attachcube: there is no cube of_others, or its session server has gone",
        "relcube": "relcube: there is no cube of_others, or its session server has gone",
        "negative pid": "setpid: pid -4 is negative",
    }
    WITH_A_CUBE = {
        "second getcube": "getcube: there is a cube 'mine' already",
        "second setpid": "setpid: this process has pid 4 already",
        "node": "csend: node 7 is not in this cube of 2 (0 to 1)",
        "type": "csend: type -9 is negative",
        "load node": "load: node 2 is not in this cube of 2 (0 to 1)",
        "load file": "load: there is no program no_such_node in ",
        "load cat": "load: /bin/cat is not linked with a front end of Earl",
        "waitone": "waitone: no process is left to wait for (node 0, pid 0)",
        "gsync": "gsync: global operations are for nodes, and this is their host",
    }

    def check(self, kind, sentence, *rest):
        with self.subTest(kind):
            done = self.run_command(self.path("dies_host"), kind)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done)
            said = done.stderr.splitlines()
            self.assertEqual(len(said), 1 + len(rest), done)
            self.assertTrue(said[0].startswith(sentence), done)
            for line, expected in zip(said[1:], rest):
                self.assertTrue(line.startswith("earl: ") and line.endswith(expected), done)

    def test_alone(self):
        for kind, sentence in self.ALONE.items():
            self.check(kind, "(node 0, pid 0) " + sentence)

    def test_with_a_cube(self):
        for kind, sentence in self.WITH_A_CUBE.items():
            self.check(kind, "(node 2, pid 4) " + sentence)
        self.check("no pid", "(node 2, pid 0) csend: a host program needs a pid first: call setpid()")

    def test_nodes_go_with_it(self):
        ended = "; the other 2 processes are ended"
        self.check("second load", "(node 2, pid 4) load: a process with pid 0 is there already", ended)
        self.check("with nodes", "(node 2, pid 4) csend: length -8 is negative", ended)


if __name__ == "__main__":
    unittest.main()
