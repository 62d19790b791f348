#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All 100 programs of Debian's scalapack-mpi-test, which MPICH's compiler wrappers linked, on 4 processes each: what each
finds of its own residuals on Earl, and on MPICH. A table; exit status 1 when a program finds a fault, or another number
of tests than on MPICH.

usage: scalapack.py EARL [--on BACK_END] [--alone] [--short] [PROGRAM...]
(--alone: not on MPICH; --short: each routine in one of its precisions, and none that takes seconds; exit 77: not installed)
"""
import argparse
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAMS = pathlib.Path("/usr/lib/x86_64-linux-gnu/scalapack/mpich-tests")
DATA = pathlib.Path("/usr/share/scalapack")
LIMIT = 300  # seconds a program
# Without it xsllt goes wrong more often than not, on MPICH too: members of a process column disagree about a sum, and one
# waits for a message where the other is in a collective. Earl reports that deadlock; MPICH hangs.
SAME_ADDRESSES = ["setarch", "-R"]
# Those that take seconds, of which the first two have tests of their own, and xsllt, see above.
LEFT_OUT = {"xCbtest", "xFbtest", "xcheevr", "xdsyevr", "xssyevr", "xzheevr", "xsllt"}

# By program, in this order: a summary; tables of the PBLAS and the BLACS (name, then how many tests there were, passed,
# failed and were skipped; N TESTS; N PASSED ... N FAILED); a word for each test; timings alone.
PASSED = re.compile(r"(\d+) +tests completed and passed")
FAILED = re.compile(r"(\d+) +tests completed and failed|(\d+) FAILED\.")
ROW = re.compile(r"^ *\| +P\w+ +(\d+) +(\d+) +(\d+) +(\d+) *$", re.MULTILINE)
TABLES = re.compile(r"(\d+) TESTS;")
PRECISION = re.compile(r"^(x?)[sdcz]")
ONE_PASSED = re.compile(r"^ ?Passed |PASSED *$", re.MULTILINE)
ONE_FAILED = re.compile(r"^ ?Failed |FAILED *$", re.MULTILINE)
TIMED = re.compile(r"Test number +\d+ completed")


def verdict(output):
    """How many tests (passed, failed)."""
    rows = [[int(n) for n in row] for row in ROW.findall(output)]
    passed = sum(int(n) for n in PASSED.findall(output) + TABLES.findall(output)) + sum(row[1] for row in rows)
    failed = sum(int(one or other) for one, other in FAILED.findall(output)) + sum(row[2] for row in rows)
    if passed + failed == 0:
        passed, failed = len(ONE_PASSED.findall(output)), len(ONE_FAILED.findall(output))
    return passed or len(TIMED.findall(output)), failed


def run(command, folder):
    """(verdict, seconds, exit status, output); a program that is not over in time is ended with all it has started."""
    begun = time.monotonic()
    with open(folder / "output", "wb") as output, \
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=folder,
                             start_new_session=True) as job:
        try:
            job.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGTERM)
            try:
                job.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
    # Some write their tables into files.
    texts = [path.read_text(errors="replace") for path in folder.iterdir() if path.suffix not in (".dat", ".DAT")]
    return verdict("\n".join(texts)), time.monotonic() - begun, job.returncode, (folder / "output").read_text(errors="replace")


def measured(command, program):
    with tempfile.TemporaryDirectory(prefix="earl-scalapack-") as name:
        folder = pathlib.Path(name)
        for data in DATA.rglob("*.dat"):
            shutil.copy(data, folder)
        return run([*SAME_ADDRESSES, *command, str(program)], folder)


def to_text(result):
    found, seconds, code, _ = result
    return f"{found[0]} passed, {found[1]} failed, exit {code}, {seconds:.1f} s"


def one_precision(programs):
    """Of the programs that test one routine in single, double, complex and double complex numbers one, by turns."""
    routines = itertools.groupby(sorted(programs, key=routine), routine)
    chosen = []
    for turn, (_, alike) in enumerate(routines):
        alike = list(alike)
        chosen.append(alike[turn % len(alike)])
    return chosen


def routine(program):
    return PRECISION.sub(r"\1", program.name)


def main():
    arguments = argparse.ArgumentParser(usage="scalapack.py EARL [--on BACK_END] [--alone] [--short] [PROGRAM...]", description=__doc__)
    arguments.add_argument("earl")
    arguments.add_argument("--on", default="shm")
    arguments.add_argument("--alone", action="store_true")
    arguments.add_argument("--short", action="store_true")
    arguments.add_argument("programs", nargs="*")
    given = arguments.parse_intermixed_args()
    earl = os.path.abspath(given.earl)
    programs = sorted(path for path in PROGRAMS.rglob("*") if path.is_file() and not path.is_symlink() and os.access(path, os.X_OK)
                      and (not given.programs or path.name in given.programs)
                      and not (given.short and path.name in LEFT_OUT)) if PROGRAMS.exists() else []
    if given.short:
        programs = one_precision(programs)
    if not programs:
        print("scalapack-mpi-test is not installed")
        return 77
    wrong = 0
    for program in programs:
        if given.on == "fibers" and program.name.endswith("btest"):
            print(f"{program.name:10} no: it waits in a loop without a call for another rank's abort")
            continue
        ours = measured([earl, "run", "--on", given.on, "-n", "4"], program)
        line = f"{program.name:10} {to_text(ours)}"
        # The BLACS's programs test their abort at last.
        good = ours[2] == (255 if program.name.endswith("btest") else 0) and ours[0][0] > 0 and ours[0][1] == 0
        if not given.alone:
            native = measured(["mpiexec.mpich", "-n", "4"], program)
            line += f"; MPICH: {to_text(native)}"
            good = good and ours[0] == native[0]
        wrong += not good
        if not good:
            print(ours[3][-2000:])
        print(line + ("" if good else "   <-- differs" if not given.alone else "   <-- wrong"), flush=True)
    print(f"{len(programs)} programs on {given.on}, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
