# SPDX-License-Identifier: BSD-3-Clause
"""Libraries that wrap a front end's calls, several at once: `earl run --tool ./a.so --tool ./b.so`."""

import itertools
import os
import shutil
import subprocess
import unittest

from job import ACTOR, JobTest, environment

FOLDER = environment("WRAPPERS")
BACK_ENDS = ("shm", "fibers")


def program(name):
    return os.path.join(FOLDER, name)


def tools(*names):
    return [word for name in names for word in ("--tool", os.path.join(FOLDER, name + ".so"))]


class Order(JobTest):
    def runs(self, wrappers, *words):
        for back_end in BACK_ENDS:
            with self.subTest(back_end=back_end, wrappers=wrappers):
                ended = self.earl("run", "--on", back_end, *tools(*wrappers), *words)
                self.expect(ended, 0)
                yield ended.out

    def test_wrappers_that_ask_for_the_next_one(self):
        for order in itertools.permutations("abc"):
            wrappers = [f"next_{letter}" for letter in order]
            for out in self.runs(wrappers, "-n", 1, program("sends")):
                self.assertTrue(out.startswith("".join(order) + " EARL-OK\n"), out)

    def test_wrappers_that_go_on_by_second_names(self):
        for order in itertools.permutations("abc"):
            wrappers = [f"second_{letter}" for letter in order]
            for out in self.runs(wrappers, "-n", 1, program("steps")):
                self.assertEqual(out, 3 * "".join(order) + " 112\n")

    def test_a_program_that_wraps_its_calls_stands_before_them(self):
        """Its own call by the second name goes to the next one, too."""
        for out in self.runs(["second_b", "second_a"], "-n", 1, program("own_steps")):
            self.assertEqual(out, 3 * "pba" + "ba 112\n")

    def test_profiling_libraries_of_mpi(self):
        """In all orders; they see a Fortran program's calls, too."""
        for order in itertools.permutations("abc"):
            wrappers = [f"profile_{letter}" for letter in order]
            for name in ("exchange", "exchange_f"):
                for out in self.runs(wrappers, "-n", 1, program(name)):
                    self.assertEqual(out, 2 * "".join(order) + " 7\n", name)

    def test_each_rank_has_its_own(self):
        for out in self.runs(["next_c", "next_a"], "-n", 3, program("sends")):
            for letter in "ac":
                for count in (1, 2, 3):
                    self.assertIn(f"{letter} {count}\n", out)

    def test_a_replay_has_them_again(self):
        for back_end, other in (BACK_ENDS, BACK_ENDS[::-1]):
            recording = os.path.join(self.folder, back_end)
            self.addCleanup(shutil.rmtree, recording)
            self.expect(self.earl("record", "-o", recording, "--on", back_end,
                                  *tools("next_b", "next_a"), "-n", 1, program("sends")), 0)
            for again in (back_end, other):
                ended = self.earl("replay", "--on", again, recording)
                self.expect(ended, 0)
                self.assertTrue(ended.out.startswith("ba EARL-OK\n"), ended)


class Identity(JobTest):
    """EXEC does not wait for a program that has the front end from a wrapper only."""

    def test_a_shell_passes_it_on(self):
        ended = self.earl("run", *tools("linked"), "-n", 2, "sh", "-c",
                          f"echo shell; {program('sends')} 2")
        self.expect(ended, 0)
        self.assertEqual(ended.out.count("EARL-OK"), 2, ended)
        self.assertEqual(ended.out.count("shell"), 2, ended)

    @unittest.skipIf("libasan" in os.environ.get("LD_PRELOAD", ""), "python would need libasan first")
    def test_an_interpreter_takes_it_with_its_first_call(self):
        ended = self.earl("run", *tools("linked"), "-n", 2, "python3", "-c",
                          "import ctypes; print(ctypes.CDLL('libnx.so').numnodes())")
        self.expect(ended, 0)
        self.assertEqual(ended.out, "2\n2\n", ended)


class Refused(JobTest):
    def copy(self, name):
        path = os.path.join(self.folder, name)
        shutil.copy(os.path.join(FOLDER, "next_a.so"), path)
        self.addCleanup(os.remove, path)
        return path

    def refused(self, sentence, tool):
        ended = self.earl("run", "--tool", tool, "-n", 1, ACTOR)
        self.expect(ended, 2, sentence)
        self.assertEqual(ended.err.count("\n"), 1, ended)

    def test_files_that_are_none(self):
        missing = os.path.join(self.folder, "missing.so")
        self.refused(f"--tool {missing}: there is no such file", missing)
        self.refused(f"--tool {self.folder} is no file", self.folder)
        self.refused("is no shared library: link it with -shared", "/etc/passwd")
        self.refused("is no tool: it defines neither earl_tool (see `earl tools`) nor a call of a front "
                     "end of Earl (libnx.so, ",
                     os.path.join(FOLDER, "nothing.so"))

    def test_one_for_another_mpi(self):
        stub, tool = os.path.join(self.folder, "libmpi.so.40"), os.path.join(self.folder, "other.so")
        for made, words in (stub, ["-Wl,-soname,libmpi.so.40"]), (tool, ["-Wl,--no-as-needed", stub]):
            subprocess.run(["cc", "-shared", "-o", made, "-x", "c", "/dev/null", "-x", "none", *words], timeout=60, check=True)
            self.addCleanup(os.remove, made)
        self.refused(f"--tool {tool} is a library for Open MPI (libmpi.so.40): link it again", tool)

    def test_a_program(self):
        self.refused("is a program: a tool is a shared library", ACTOR)

    def test_a_path_that_cannot_be_preloaded(self):
        self.refused("its path has a space or a colon; move it", self.copy("a b.so"))

    def test_a_file_without_a_folder_is_taken_for_a_debugger(self):
        self.copy("mine.so")
        ended = self.earl("run", "--tool", "mine.so", "-n", 1, ACTOR, cwd=self.folder)
        self.expect(ended, 2, "there is no such debugger", "; of a file say ./mine.so")


if __name__ == "__main__":
    unittest.main()
