#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All 92 test programs of OpenCoarrays in Debian's libcoarrays-mpich-dev: Fortran with coarrays, over one-sided
communication of MPICH's library. Each says itself whether its test has passed. A table; exit status 1 when one has not, or
when one that cannot pass ends otherwise than it does on MPICH.

usage: opencoarrays.py EARL [--on BACK_END] [--alone] [--short] [--again] [PROGRAM...]
(--alone: not on MPICH; --short: without those that take seconds; --again: recorded, too, and replayed;
exit 77: not installed)
"""
import argparse
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

PROGRAMS = pathlib.Path("/usr/lib/x86_64-linux-gnu/open-coarrays/mpich/bin/OpenCoarrays-2.10.1-tests")
LIMIT = 60  # seconds a program
PASSED = re.compile(r"Test passed", re.IGNORECASE)

# How many images a program wants; the others get 4.
IMAGES = {"alloc_comp_multidim_shape": 2, "get_array": 2, "send_array": 2, "issue-515-mimic-mpi-gatherv": 2,
          "issue-552-send_by_ref-singleton": 2, "issue-488-multi-dim-cobounds": 8, "sync_team": 8, "team_number": 8}
WORDS = {"issue-488-multi-dim-cobounds": ["true"]}
# Those that take seconds.
LONG = {"alloc_comp_multidim_shape", "coarray_distributed_transpose", "get_array", "send_array"}
# Their output is no function of their messages: seeds from the kernel, which no replay has again; a time.
RANDOM = {"issue-552-send_by_ref-singleton", "random_init"}
TIMED = {"coarray_distributed_transpose"}
# They print memory that they have not set, as valgrind says.
UNSET = {"get_convert_char_array"}

# Those whose images race, and their exit status when their test has failed. increment_my_neighbor: no barrier between the
# initial values of an image and what its neighbours read there; of 60 runs on MPICH, 22 fail. coarray_burgers_pde: an image
# assigns its values while a neighbour still reads those of the step before (it synchronizes only afterwards, and its first
# and last image, which are neighbours in a periodic field, not at all).
RACES = {"increment_my_neighbor": 1, "coarray_burgers_pde": 0}

# The library's sendget uses the data of an MPI_Get before it has completed that: right where the origin reaches the memory
# itself, wrong in recordings, where a get is a message, and on MPICH.
SENDGET = {"sendget_convert_char_array", "sendget_convert_nums"}

# Those that cannot pass, on MPICH neither: what they print, and why.
FAILED_IMAGES = ("IMAGE FAILED!", 137, "Debian has built OpenCoarrays without failed images")
STOPS = "it stops before its test"
CANNOT = {
    "image_fail_and_failed_images_test_1": FAILED_IMAGES, "image_fail_and_get_test_1": FAILED_IMAGES,
    "image_fail_and_status_test_1": FAILED_IMAGES, "image_fail_and_sync_test_1": FAILED_IMAGES,
    "image_fail_and_sync_test_2": FAILED_IMAGES, "image_fail_and_sync_test_3": FAILED_IMAGES,
    "image_fail_test_1": FAILED_IMAGES,
    "image_fail_and_stopped_images_test_1": ("STOP 0", 0, STOPS),
    "issue-493-coindex-slice": ("STOP", 0, STOPS),
}

Ending = collections.namedtuple("Ending", "passed seconds code output errors")


def run(command, folder):
    """A program that is not over in time is ended with all that it has started."""
    begun = time.monotonic()
    with open(folder / "output", "w+b") as output, open(folder / "errors", "w+b") as errors, \
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, cwd=folder,
                             start_new_session=True) as job:
        try:
            job.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGTERM)
            try:
                job.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
    texts = [(folder / name).read_text(errors="replace") for name in ("output", "errors")]
    return Ending(bool(PASSED.search(texts[0])), time.monotonic() - begun, job.returncode, *texts)


def measured(command, program, folder):
    return run([*command, "-n", str(IMAGES.get(program.name, 4)), str(program), *WORDS.get(program.name, [])], folder)


def is_good(program, ending):
    if program.name in RACES and not ending.passed:
        return ending.code == RACES[program.name] and "Test failed" in ending.errors
    if program.name not in CANNOT:
        return ending.passed and ending.code == 0
    says, code, _ = CANNOT[program.name]
    return not ending.passed and ending.code == code and says in ending.output + ending.errors


def to_text(ending):
    return f"{'passed' if ending.passed else 'not passed'}, exit {ending.code}, {ending.seconds:.1f} s"


def replayed(earl, on, program, folder):
    """Null, or how the replay is another one."""
    trace = str(folder / "t.earl")
    then = measured([earl, "record", "--on", on, "-o", trace], program, folder)
    if not is_good(program, then):
        return "recorded: " + to_text(then) + "\n" + then.errors[-1000:]
    now = run([earl, "replay", *(["--contents", "ignore"] if program.name in RANDOM else []), trace], folder)
    # Lines of several images come in any order.
    alike = program.name in RANDOM | TIMED | UNSET or sorted(now.output.split()) == sorted(then.output.split())
    if (now.code, now.passed) != (then.code, then.passed) or not alike:
        return f"replayed: {to_text(now)} after {to_text(then)}\n{then.output[-500:]}{now.output[-500:]}{now.errors[-1000:]}"
    return None


def main():
    arguments = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n", maxsplit=1)[0], description=__doc__)
    arguments.add_argument("earl")
    arguments.add_argument("--on", default="shm")
    arguments.add_argument("--alone", action="store_true")
    arguments.add_argument("--short", action="store_true")
    arguments.add_argument("--again", action="store_true")
    arguments.add_argument("programs", nargs="*")
    given = arguments.parse_intermixed_args()
    earl = os.path.abspath(given.earl)
    left_out = LONG if given.short else set()
    programs = sorted(path for path in PROGRAMS.iterdir() if path.name not in left_out
                      and (not given.programs or path.name in given.programs)) if PROGRAMS.exists() else []
    if not programs:
        print("libcoarrays-mpich-dev is not installed")
        return 77
    wrong = passed = 0
    for program in programs:
        with tempfile.TemporaryDirectory(prefix="earl-coarrays-") as name:
            folder = pathlib.Path(name)
            ours = measured([earl, "run", "--on", given.on], program, folder)
            good = is_good(program, ours)
            passed += ours.passed
            line = f"{program.name:40} {to_text(ours)}"
            if not good:
                print((ours.output + ours.errors)[-2000:])
            if not given.alone:
                line += f"; MPICH: {to_text(measured(['mpiexec.mpich'], program, folder))}"
            if program.name in CANNOT:
                line += f"; {CANNOT[program.name][2]}"
            elif given.again and good and program.name not in SENDGET and (difference := replayed(earl, given.on, program, folder)):
                good = False
                print(difference)
        wrong += not good
        print(line + ("" if good else "   <-- wrong"), flush=True)
    print(f"{len(programs)} programs on {given.on}, {passed} passed, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
