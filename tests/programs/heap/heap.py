#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A program's heap is as fresh as without Earl: at the start of main and after some messages, on each
back end, in run, record and replay; also with another malloc, with little address space, under valgrind.

usage: heap.py EARL NATIVE PROGRAM BACK_ENDS     what the native program finds, PROGRAM finds on BACK_ENDS
       heap.py EARL NATIVE PROGRAM around       likewise in unusual surroundings
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

if __name__ == "__main__":
    EARL, NATIVE, PROGRAM, WHERE = sys.argv[1:]
LIMIT = 60 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds

# Meson's tests run with a malloc that fills its blocks.
os.environ.pop("MALLOC_PERTURB_", None)
ROW = re.compile(r"HEAP (\d+) (\d+) (\d+) then (\d+) (\d+) (\d+)")


def found(command, **environment):
    """The counts of each process."""
    done = subprocess.run([str(word) for word in command], text=True, timeout=LIMIT, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, "EARL_CONFIG": "/dev/null", **environment})
    rows = [[int(number) for number in row] for row in ROW.findall(done.stdout)]
    if done.returncode or not rows:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return rows


class Fresh(unittest.TestCase):
    def setUp(self):
        self.native = found([NATIVE])[0]

    def compare(self, what, rows, processes=2):
        self.assertEqual(len(rows), processes, what)
        for row in rows:
            for number, native in zip(row, self.native):
                self.assertLessEqual(number, native, f"{what}: {rows}, natively {self.native}")
            print(what, row, flush=True)

    def test_on_back_ends(self):
        for back_end in WHERE.split(",") if WHERE != "around" else []:
            with self.subTest(back_end), tempfile.TemporaryDirectory(prefix="heap-") as folder:
                recording = pathlib.Path(folder) / "r.earl"
                job = ["--on", back_end, "-n", "2", PROGRAM]
                self.compare(f"{back_end} run", found([EARL, "run", *job]))
                self.compare(f"{back_end} record", found([EARL, "record", "-o", recording, *job]))
                self.compare(f"{back_end} replay", found([EARL, "replay", recording]))

    @unittest.skipUnless(WHERE == "around", "on back ends")
    def test_with_little_address_space(self):
        self.compare("300 MB", found([EARL, "run", "-n", "2", "prlimit", f"--as={3 * 10**8}", PROGRAM]))

    @unittest.skipUnless(WHERE == "around", "on back ends")
    def test_under_valgrind(self):
        if not shutil.which("valgrind"):
            self.skipTest("no valgrind")
        watched = ["valgrind", "-q", "--undef-value-errors=no", "--error-exitcode=9", PROGRAM]
        try:
            rows = found([EARL, "run", "-n", "2", *watched])
        except AssertionError as failed:
            if "Valgrind: debuginfo reader" not in str(failed):
                raise
            self.skipTest("this valgrind cannot read the debug information of this compiler")
        self.compare("valgrind", rows)

    @unittest.skipUnless(WHERE == "around", "on back ends")
    def test_with_another_malloc(self):
        """One that marks its blocks and refuses those of others."""
        with tempfile.TemporaryDirectory(prefix="heap-") as folder:
            library = pathlib.Path(folder) / "marking.so"
            source = pathlib.Path(__file__).with_name("marking.c")
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", source, "-o", library], check=True,
                           timeout=LIMIT)
            rows = found([EARL, "run", "-n", "2", PROGRAM], LD_PRELOAD=str(library))
        self.assertEqual(len(rows), 2)

    @unittest.skipUnless(WHERE == "around", "on back ends")
    def test_with_address_sanitizer(self):
        """The program's own; libasan replaces operator new, too."""
        with tempfile.TemporaryDirectory(prefix="heap-") as folder:
            program = pathlib.Path(folder) / "fresh"
            source = pathlib.Path(__file__).with_name("fresh_nx.c")
            wrapper = pathlib.Path(EARL).with_name("earlcc")
            built = subprocess.run([wrapper, "-api", "nx", "-w", "-fsanitize=address", source, "-o", program],
                                   check=False, timeout=LIMIT)
            if built.returncode:
                self.skipTest("no address sanitizer")
            rows = found([EARL, "run", "-n", "2", program], ASAN_OPTIONS="detect_leaks=0:max_malloc_fill_size=0")
        self.assertEqual(len(rows), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
