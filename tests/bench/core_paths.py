# SPDX-License-Identifier: BSD-3-Clause
"""Instructions that one message costs in the core, for each way it can take: core_paths.py BUILD...

Several builds are printed side by side. Callgrind counts the same each time, however busy the machine is.
"""
import pathlib
import subprocess
import sys

from costs import instructions_of

TIMES = 2000


def per_message(program, name):
    few, many = (instructions_of([str(program), name, str(times)]) for times in (TIMES, 2 * TIMES))
    return (many - few) / TIMES


def main():
    programs = [pathlib.Path(build) / "tests" / "bench" / "core_paths" for build in sys.argv[1:]]
    names = subprocess.run([programs[0]], text=True, capture_output=True, check=True).stdout.split()
    for name in names:
        counts = [per_message(program, name) for program in programs]
        print(f"{name:12}", *(f"{count:10.1f}" for count in counts))


if __name__ == "__main__":
    main()
