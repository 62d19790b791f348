# SPDX-License-Identifier: BSD-3-Clause
"""Programs linked with -nx are whole applications: -sz is their number of nodes, and they do not see the switches.

usage: application.py FOLDER-OF-COMMANDS
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMMANDS = pathlib.Path(sys.argv[1]).resolve()
SOURCE = r"""
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  long rows = 0, columns = 0;
  int i;
  char line[500];
  nx_app_rect(&rows, &columns);
  i = sprintf(line, "%ld of %ld, %ldx%ld:", mynode(), numnodes(), rows, columns);
  while (*++argv) i += sprintf(line + i, " %s", *argv);
  printf("%s\n", line);
  return 0;
}
"""


class Application(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        pathlib.Path(cls.folder.name, "prog.c").write_text(SOURCE, encoding="ascii")
        for name, options in {"whole": ["-nx"], "plain": [], "host": ["-nx", "-host"]}.items():
            cls.run_command(COMMANDS / "earlcc", *options, "-api", "nx", "-o", name, "prog.c")

    @classmethod
    def run_command(cls, *words, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("CC", "NX_DFLT_SIZE", "EARL_NX_RECT", "EARL_NX_NODES")}
        return subprocess.run([*map(str, words)], cwd=cls.folder.name, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60, check=False,
                              env={**environment, "EARL_CONFIG": "/dev/null", **variables})

    def lines(self, *words, **variables):
        done = self.run_command(*words, **variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return sorted(done.stdout.splitlines())

    def test_the_size_is_that_of_the_command_line(self):
        self.assertEqual(self.lines("./whole", "a b", "-sz", "3", "-plk", "-pn", "open", "-x"),
                         [f"{node} of 3, 1x3: a b -x" for node in range(3)])

    def test_a_rectangle_has_its_shape(self):
        self.assertEqual(self.lines("./whole", "-sz", "3x2"), [f"{node} of 6, 3x2:" for node in range(6)])

    def test_else_it_is_that_of_the_environment(self):
        self.assertEqual(self.lines("./whole", NX_DFLT_SIZE="2"), ["0 of 2, 1x2:", "1 of 2, 1x2:"])
        self.assertEqual(self.lines("./whole", "-sz", "1", NX_DFLT_SIZE="2"), ["0 of 1, 1x1:"])
        self.assertEqual(self.lines("./whole", "-plk", "a"), ["0 of 1, 1x1: a"])

    def test_in_a_job_the_switches_only_go(self):
        self.assertEqual(self.lines(COMMANDS / "earl", "run", "-n", 2, "./whole", "-sz", "5", "a", NX_DFLT_SIZE="4"),
                         ["0 of 2, 1x2: a", "1 of 2, 1x2: a"])

    def test_on_fibers_the_switches_stay(self):
        done = self.run_command(COMMANDS / "earl", "run", "--on", "fibers", "-n", 2, "./whole", "-sz", "5")
        if done.returncode != 0:
            self.skipTest(done.stderr)
        self.assertEqual(sorted(done.stdout.splitlines()), ["0 of 2, 1x2: -sz 5", "1 of 2, 1x2: -sz 5"])

    def test_a_recorded_run_is_replayed(self):
        self.lines(COMMANDS / "earl", "record", "-o", "r.earl", "-n", 2, "./whole", "-sz", "5", "a")
        self.assertEqual(self.lines(COMMANDS / "earl", "replay", "r.earl"), ["0 of 2, 1x2: a", "1 of 2, 1x2: a"])

    def test_other_programs_see_all(self):
        for program in ("./plain", "./host"):
            done = self.run_command(program, "-sz", "4", "a", NX_DFLT_SIZE="3")
            self.assertNotIn(" of 4", done.stdout)
        self.assertEqual(self.lines("./plain", "-sz", "4", "a", NX_DFLT_SIZE="3"), ["0 of 1, 1x1: -sz 4 a"])

    def test_a_wrong_size_is_refused(self):
        for size in ("x", "0x2", "99999999"):
            done = self.run_command("./whole", "-sz", size)
            self.assertEqual(done.returncode, 1, done)
            self.assertTrue(done.stderr.startswith("earl: "), done)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
