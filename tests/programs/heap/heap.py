#!/usr/bin/env python3
"""A program's heap is as fresh as without Earl: at the start of main and after some messages, on each
machine, in run, record and replay; also with another malloc, with little address space, under valgrind.

usage: heap.py EARL NATIVE PROGRAM MACHINES     what the native program finds, PROGRAM finds on MACHINES
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
LIMIT = 60  # seconds

# Words at main's start in each mix that are not Earl's: remains of the system's loader after loading a
# native library. The native MPI libraries leave some thousand: no limit.
LEFT_BY_OTHERS = {"pvm": 100, "nx": 250}
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

    def compare(self, what, rows, processes=2, left=0):
        self.assertEqual(len(rows), processes, what)
        for row in rows:
            for number, native in zip(row, self.native):
                self.assertLessEqual(number, native + left, f"{what}: {rows}, natively {self.native}")
            print(what, row, flush=True)

    def test_on_machines(self):
        for machine in WHERE.split(",") if WHERE != "around" else []:
            left = LEFT_BY_OTHERS.get(machine, 0)
            with self.subTest(machine), tempfile.TemporaryDirectory(prefix="heap-") as folder:
                recording = pathlib.Path(folder) / "r.earl"
                job = ["--on", machine, "-n", "2", PROGRAM]
                self.compare(f"{machine} run", found([EARL, "run", *job]), left=left)
                self.compare(f"{machine} record", found([EARL, "record", "-o", recording, *job]), left=left)
                self.compare(f"{machine} replay", found([EARL, "replay", recording]), left=left)

    @unittest.skipUnless(WHERE == "around", "on machines")
    def test_with_little_address_space(self):
        self.compare("300 MB", found([EARL, "run", "-n", "2", "prlimit", f"--as={3 * 10**8}", PROGRAM]))

    @unittest.skipUnless(WHERE == "around", "on machines")
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

    @unittest.skipUnless(WHERE == "around", "on machines")
    def test_with_another_malloc(self):
        """One that marks its blocks and refuses those of others."""
        with tempfile.TemporaryDirectory(prefix="heap-") as folder:
            library = pathlib.Path(folder) / "marking.so"
            source = pathlib.Path(__file__).with_name("marking.c")
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", source, "-o", library], check=True,
                           timeout=LIMIT)
            rows = found([EARL, "run", "-n", "2", PROGRAM], LD_PRELOAD=str(library))
        self.assertEqual(len(rows), 2)

    @unittest.skipUnless(WHERE == "around", "on machines")
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
