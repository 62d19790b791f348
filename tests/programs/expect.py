#!/usr/bin/env python3
"""Runs a command and checks how it ends: exit status, lines on standard output, text on either.
It runs in a folder of its own, which is gone afterwards."""
import argparse
import os
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--status", type=int, default=0)
    parser.add_argument("--ok", type=int, help="how many times EARL-OK must be printed")
    parser.add_argument("--says", action="append", default=[], help="text that must appear")
    parser.add_argument("--never", action="append", default=[], help="text that must not appear")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    wanted = parser.parse_args()
    command = [os.path.abspath(word) if "/" in word and os.path.exists(word) else word
               for i, word in enumerate(wanted.command) if i or word != "--"]
    try:
        with tempfile.TemporaryDirectory(prefix="earl-expect-") as folder:
            ran = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                                 timeout=wanted.seconds)
    except subprocess.TimeoutExpired as late:
        sys.exit(f"no end after {late.timeout} s; it said:\n{late.stdout}\n{late.stderr}")
    said = ran.stdout + ran.stderr
    wrong = []
    if ran.returncode != wanted.status:
        wrong.append(f"exit status {ran.returncode}, expected {wanted.status}")
    count = ran.stdout.splitlines().count("EARL-OK")
    if wanted.ok is not None and count != wanted.ok:
        wrong.append(f"EARL-OK {count} times, expected {wanted.ok}")
    wrong += [f"does not say {text!r}" for text in wanted.says if text not in said]
    wrong += [f"says {text!r}" for text in wanted.never if text in said]
    if wrong:
        sys.exit("; ".join(wrong) + f"\n--- stdout\n{ran.stdout}\n--- stderr\n{ran.stderr}")


if __name__ == "__main__":
    main()
