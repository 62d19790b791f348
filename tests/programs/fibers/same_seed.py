#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""On fibers a seed gives the run: the same one the same log each time, byte for byte.

usage: same_seed.py EARL PROCESSES TIMES [--racing] PROGRAM [ARGUMENTS]

With --racing other seeds must give other logs, too.
"""
import pathlib
import subprocess
import sys
import tempfile

EARL, PROCESSES, TIMES, *COMMAND = sys.argv[1:]
RACING = COMMAND[0] == "--racing"
HEADER = 64  # bytes in front of a file's events: the recording's own number is there


def log_of(folder, seed):
    """The events of one run, by file."""
    subprocess.run([EARL, "record", "-o", folder, "--on", "fibers", "--seed", str(seed), "-n",
                    PROCESSES, *COMMAND[RACING:]], check=True, capture_output=True, timeout=60)
    return {file.name: file.read_bytes()[HEADER:] for file in folder.glob("*.ert")}


def main():
    with tempfile.TemporaryDirectory() as place:
        def run(name, seed):
            return log_of(pathlib.Path(place) / name, seed)

        first = run("first", 7)
        if len(first) < 2 or not any(first.values()):
            sys.exit(f"nothing was recorded: {first}")
        for i in range(int(TIMES)):
            again = run(f"again{i}", 7)
            if again != first:
                differ = [name for name in first | again if first.get(name) != again.get(name)]
                sys.exit(f"run {i} with the same seed differs in {', '.join(sorted(differ))}")
        if RACING and all(run(f"other{seed}", seed) == first for seed in range(1, 6)):
            sys.exit("five other seeds give the same order")


if __name__ == "__main__":
    main()
