#!/usr/bin/env python3
"""Records a run, replays it, and compares their output and their ends.

usage: record_replay.py [--times N] [--status N] [--send HOW] [--record-on MACHINE] [--replay-on MACHINE]
                        EARL PROCESSES PROGRAM [ARGUMENT...]
TESTS_REPLAYS: at most so many replays. Exit code 77: the program is not installed.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile


def said(done):
    """Lines of different processes mix as they come; those of one keep their order in both."""
    return sorted(done.stdout.splitlines())


def run(command, folder):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60)


def compare(name, then, now):
    if now.returncode != then.returncode:
        yield f"{name} ended with {now.returncode}, the recorded run with {then.returncode}"
    if said(now) != said(then):
        yield f"{name} printed something else than the recorded run"
    if "diverged" in now.stderr:
        yield f"{name} diverged"


def check(wanted, folder):
    size = ["-n", wanted.processes]
    program = [wanted.program, *wanted.arguments]
    trace = os.path.join(folder, "t.earl")
    send = ["--send", wanted.send] if wanted.send else []
    then = run([wanted.earl, "record", "--on", wanted.record_on, *send, "-o", trace, *size,
                *program], folder)
    if then.returncode != wanted.status:
        return f"the recorded run ended with {then.returncode}, not {wanted.status}\n{then.stderr}"
    for n in range(min(wanted.times, int(os.environ.get("TESTS_REPLAYS", wanted.times)))):
        now = run([wanted.earl, "run", "--on", wanted.replay_on, f"--tool=replay={trace}", *size,
                   *program], folder)
        for complaint in compare(f"replay {n + 1}", then, now):
            return "\n".join([complaint, "--- recorded", then.stdout, "--- replayed", now.stdout,
                              "--- errors", now.stderr])
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--status", type=int, default=0)
    parser.add_argument("--send", help="how the recorded run sends")
    parser.add_argument("--record-on", default="shm")
    parser.add_argument("--replay-on", default="shm")
    parser.add_argument("earl", type=os.path.abspath)
    parser.add_argument("processes")
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    wanted = parser.parse_args()
    if not os.path.exists(wanted.program):
        print(f"{wanted.program} is not installed")
        return 77
    folder = tempfile.mkdtemp(prefix="earl-replay-")
    try:
        wrong = check(wanted, folder)
    finally:
        shutil.rmtree(folder)
    if wrong:
        print(wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
