#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every function of the C library that ranks get another version of is called by a program that is run.

usage: hooks.py FOLDER PROGRAM...   (of the tables of hooks)
"""
import pathlib
import re
import subprocess
import sys

# Names that only programs compiled otherwise import (of another time, of 32-bit file offsets) or libstdc++.so.
NOT_CALLED = {"__fxstat", "__fxstat64", "__sysv_signal", "_longjmp", "__longjmp_chk", "atexit",
              "freopen", "fstat", "lseek", "__cxa_thread_atexit_impl", "__pthread_key_create",
              "cfree", "__getdelim", "__strdup", "__strndup",
              "dlsym", "dlvsym"}  # by the wrappers of tests/exec


def hooks(folder):
    """Their names, from the tables."""
    return {name for path in pathlib.Path(folder).glob("hooks_*.cpp")
            for name in re.findall(r'hook\("(\w+)"', path.read_text(encoding="utf-8"))}


def imported(program):
    listing = subprocess.run(["nm", "-D", "--undefined-only", program], check=True,
                             capture_output=True, text=True).stdout
    return {word.split("@")[0] for word in re.findall(r" [Uw] (\S+)", listing)}


def main():
    known = hooks(sys.argv[1])
    if len(known) < 50:
        sys.exit(f"only {len(known)} hooks were found")
    called = set().union(*map(imported, sys.argv[2:]))
    missing = sorted(known - called - NOT_CALLED)
    for name in missing:
        print(f"no program of tests/programs/fibers calls {name}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
