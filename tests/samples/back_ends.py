#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The examples of the manuals and of their time on a back end: recorded there, and replayed there and on
shared memory.

usage: back_ends.py EARL SAMPLES BACK-END NAME      SAMPLES: the folder of the built samples
"""
import os
import subprocess
import sys
import tempfile

EXAMPLES = {
    # BIP's manual; figures 1 to 4 of the MPI1 draft
    "token": "-n 3 token",
    "shallow": "-n 6 shallow",
    "circuit": "-n 26 circuit",
    "transpose": "-n 4 transpose",
    # NX hosts that load their nodes
    "hmult": "hmult_host 4 60",
    "cell": "cell_host 4 20",
    "tester": "tester_host 2",
    # jobs of two systems
    "farm": "-n 1 farm_nx 3 : -n 3 farm_pvm",
    "watch": "-n 4 ring_bip : -n 1 ring_watch 4",
}
SECONDS = 100


def run(folder, *words):
    return subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=SECONDS)


def failed(what, done):
    return f"{what} ended with {done.returncode}\n{done.stdout}{done.stderr}"


def check(earl, samples, back_end, name, folder):
    """Nothing, or the fault."""
    words = [os.path.join(samples, word) if os.path.exists(os.path.join(samples, word)) else word
             for word in EXAMPLES[name].split()]
    then = run(folder, earl, "record", "--on", back_end, "-o", "t.earl", *words)
    if then.returncode:
        return failed("the recorded run", then)
    if not then.stdout:
        return "it prints nothing"
    for other in (back_end, "shm"):
        now = run(folder, earl, "replay", "--on", other, "t.earl")
        if now.returncode:
            return failed(f"the replay on {other}", now)
        if sorted(now.stdout.splitlines()) != sorted(then.stdout.splitlines()):
            return f"recorded:\n{then.stdout}\non {other} again:\n{now.stdout}"
    return None


def main():
    earl, samples, back_end, name = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="earl-samples-") as folder:
        if wrong := check(os.path.abspath(earl), os.path.abspath(samples), back_end, name, folder):
            sys.exit(wrong)


if __name__ == "__main__":
    main()
