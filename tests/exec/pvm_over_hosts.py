# SPDX-License-Identifier: BSD-3-Clause
"""PVM programs in jobs of several hosts: each host of the job is one of the virtual machine."""

import os
import shutil
import unittest
import unittest.mock

from hosts import Hosts, NETWORK

PROGRAM = os.environ["PVM_HOSTS"]
OUTPUT = os.environ["PVM_OUTPUT"]
SPAWNER = os.environ["SPAWNER"]
THREE = "a:2,b:2,c:2"
# Debian's programs end without freeing memory that a sanitizer would report.
os.environ["LSAN_OPTIONS"] = "detect_leaks=0"
# The output of the same program on PVM 3.4.6, where the group server has a turn, too.
SEEN = """3 hosts
40000 a LINUX64
80000 b LINUX64
c0000 c LINUX64
master on a
anywhere: b b c c a a
one: b
here: a
a: a
b: b
c: c
there: error -6
elsewhere: c b
alike: c a b
other: error -6
last: c a
7 on a
6 on b
6 on c
EARL-OK
"""
MASTER = "/usr/bin/master1"


def tearDownModule():
    NETWORK.close()


class PvmOverHosts(Hosts):
    def run_hosts(self, *words, hosts=THREE, **options):
        return super().run_hosts(*words, hosts=hosts, **options)

    def expect_seen(self, seen, *also):
        self.assertEqual((seen.code, seen.out), (0, SEEN), seen)
        self.expect(seen, 0, *also)

    def expect_output(self, seen):
        self.assertEqual((seen.code, seen.out), (0, "EARL-OK\n"), seen)
        self.expect(seen, 0, "] for the user\n")


class Seeing(PvmOverHosts):
    def test_tasks_see_the_hosts_and_choose_among_them(self):
        for back_end in ((), ("--on", "tcp")):
            with self.subTest(back_end):
                self.expect_seen(self.run_hosts(*back_end, PROGRAM))

    def test_a_host_that_is_this_one_has_its_name(self):
        seen = self.run_hosts("-n", "1", PROGRAM, hosts="localhost,a")
        self.expect(seen, 0)
        self.assertIn("40000 exec LINUX64\n80000 a LINUX64\nmaster on exec\nanywhere: a a exec exec\n", seen.out)
        self.assertIn("EARL-OK", seen.out)

    def test_one_host_is_one_host(self):
        seen = self.run_hosts(PROGRAM, hosts="b:4")
        self.expect(seen, 0)
        self.assertIn("1 hosts\n40000 b LINUX64\nmaster on b\nanywhere: b b\n", seen.out)
        self.assertIn("11 on b\nEARL-OK", seen.out)

    def test_a_program_that_one_host_has_not_is_spawned_on_the_others(self):
        folder = os.path.join(self.place.name, "programs")
        os.mkdir(folder)
        program = shutil.copy(SPAWNER, folder)
        b = NETWORK.hosts["b"]
        b.run("mount", "-t", "tmpfs", "none", folder)
        self.addCleanup(b.run, "umount", folder)
        for wanted, got in ((5, 2), (4, 2), (1, 0)):
            seen = self.run_hosts("-n", "1", SPAWNER, program, str(wanted), hosts="a,b")
            self.assertEqual((seen.code, seen.out), (0, f"spawned {got}\nerror -7\n"), seen)
            self.assertEqual(seen.err.count("a child's line\n"), got, seen)
            self.assertNotIn("cannot be started", seen.err)

    def test_caught_output_names_its_task(self):
        seen = self.run_hosts(SPAWNER, "flood", "2", "caught", hosts="a,b")
        self.expect(seen, 0)
        self.assertIn("it has ended\n", seen.out)
        self.assertIn("[t80002] BEGIN\n", seen.out)
        self.assertIn("[t80002] EOF\n", seen.out)
        self.assertNotIn("does not lend", seen.err)

    def test_output_of_tasks_of_other_hosts_comes_as_messages(self):
        self.expect_output(self.run_hosts(OUTPUT))

    @unittest.skipUnless(os.path.exists(MASTER), "no package pvm-examples")
    def test_debian_s_own_programs(self):
        seen = self.run_hosts("-v", MASTER)
        self.expect(seen, 0, "rank 1 (slave1, pvm3) on host b is /usr/bin/slave1",
                    "rank 4 (slave1, pvm3) on host c is /usr/bin/slave1", "on host a")
        self.assertIn("Spawning 9 worker tasks ... SUCCESSFUL\n", seen.out)
        self.assertEqual(seen.out.count("I got "), 9, seen)


class Replaying(PvmOverHosts):
    def setUp(self):
        super().setUp()
        # The recorded program finds this name in its environment, the replayed one the file, too.
        self.moved = os.path.join(self.place.name, "moved")
        patched = unittest.mock.patch.dict(os.environ, MOVED=self.moved)
        patched.start()
        self.addCleanup(patched.stop)

    def replay(self, *words):
        with open(self.moved, "w", encoding="ascii"):
            return self.earl("replay", *words)

    def test_tids_of_a_recorded_run_come_again_there_and_on_one_host(self):
        folder = os.path.join(self.place.name, "run.earl")
        three = ("--launcher", self.launcher, "--hosts", THREE)
        two = ("--launcher", self.launcher, "--hosts", "c,a")
        self.expect_seen(self.earl("record", "-o", folder, *three, PROGRAM))
        for where in (three, two, ()):
            with self.subTest(where):
                self.expect_seen(self.replay(*where, folder))

    def test_output_of_tasks_is_replayed_in_the_same_pieces(self):
        folder = os.path.join(self.place.name, "run.earl")
        three = ("--launcher", self.launcher, "--hosts", THREE)
        self.expect_output(self.earl("record", "-o", folder, *three, OUTPUT))
        for where in (three, ()):
            with self.subTest(where):
                self.expect_output(self.earl("replay", *where, folder))

    def test_a_run_of_one_host_is_had_again_on_three(self):
        folder = os.path.join(self.place.name, "run.earl")
        then = self.earl("record", "-o", folder, PROGRAM)
        self.expect(then, 0)
        again = self.replay("--launcher", self.launcher, "--hosts", THREE, folder)
        self.assertEqual((again.code, again.out), (0, then.out), again)


def load_tests(loader, _, __):
    suite = unittest.TestSuite()
    for one in (Seeing, Replaying):
        suite.addTests(loader.loadTestsFromTestCase(one))
    return suite


if __name__ == "__main__":
    unittest.main(verbosity=2)
