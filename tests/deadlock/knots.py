#!/usr/bin/env python3
"""Runs a program that can never end, or only looks like it, and compares what Earl says of it.

usage: knots.py CASE EARL KNOTS MACHINE
"""
import json
import os
import re
import subprocess
import sys
import tempfile

DEADLOCK, TIMEOUT = 86, 124

# The program, the options, the exit code, and what standard error must have, in order.
CASES = {
    "ring": ("ring", [], DEADLOCK, [
        r"deadlock: no process can go on: rank 0 waits for rank 1, which waits for rank 2, "
        r"which waits for rank 3, which waits for rank 0\n",
        r"ranks 0-3 \(knots\): crecvx at knots\.c:\d+ .*waits for a message \(source 1, tag 1\)",
        r"ring at knots\.c:\d+\n",
        r"main at knots\.c:\d+\n"]),
    "wrong_type": ("wrong_type", [], DEADLOCK, [
        r"crecv at knots\.c:\d+ .*waits for a message \(any source, tag 7\)",
        r"rank 1 has 1 message nobody asked for: from rank 0, tag 6, 4 bytes\n"]),
    "ended": ("ended", [], DEADLOCK, [
        r"rank 1 waits for what nobody will do",
        r"source 0, tag 3\); it has ended",
        r"and 2 processes that cannot go on either"]),
    "barrier": ("barrier", [], DEADLOCK, [
        r"gsync at knots\.c:\d+ .*waits for rank \d in the same collective",
        r"rank 1 \(knots\): crecv at knots\.c:\d+ waits for a message \(any source, tag 9\)"]),
    "requests": ("requests", [], DEADLOCK, [r"msgwait at knots\.c:\d+ .*\(any source, tag 2\)"]),
    # It may wait for the outside world: that is said, and the job goes on.
    "polling": ("polling", ["--timeout", "10"], TIMEOUT, [
        r"probable livelock: no process can go on",
        r"iprobe at knots\.c:\d+ .*asks again and again for a message \(any source, tag 4\)",
        r"the job goes on"]),
    "polling_ends": ("polling", ["--tool", "deadlock"], DEADLOCK, [r"probable livelock"]),
    "alarm": ("alarm", [], 0, []),
    "slow": ("slow", [], 0, []),
    "said": ("ring", ["--deadlock", "say", "--timeout", "2"], TIMEOUT,
             [r"deadlock: ", r"the job goes on"]),
    "off": ("ring", ["--deadlock", "off", "--timeout", "2"], TIMEOUT, []),
    "hazard": ("exchange", ["--send", "synchronous"], DEADLOCK, [
        r"deadlock: no process can go on: rank 0 waits for rank 1, which waits for rank 2, ",
        r"csend at knots\.c:\d+ .*waits for rank \d to take its message"]),
    "buffered": ("exchange", [], 0, []),
    "no_hazard": ("careful_exchange", ["--send", "synchronous"], 0, []),
    "no_such_send": ("exchange", ["--send", "eager"], 2, [r"buffered or synchronous is needed"]),
    "dot": ("ring", ["--tool", "deadlock=graph.dot"], DEADLOCK, [r"the graph is in .*graph\.dot"]),
    "json": ("ring", ["--tool", "deadlock=graph.json"], DEADLOCK, [r"the graph is in .*graph\.json"]),
    "png": ("ring", ["--tool", "deadlock=graph.png"], 1, [r"a file named \*\.dot or \*\.json"]),
    "full": ("ring", ["--tool", "deadlock=/dev/full/x.dot"], DEADLOCK,
             [r"the graph could not be written to /dev/full/x\.dot: Not a directory"]),
}


def wrong_in_files(case, folder):
    """What is wrong in the files that a case has written; null: nothing."""
    if case == "dot":
        with open(os.path.join(folder, "graph.dot"), encoding="utf-8") as file:
            dot = file.read()
        return None if dot.count(" -> ") == 4 and "r3 -> r0;" in dot else dot
    if case == "json":
        with open(os.path.join(folder, "graph.json"), encoding="utf-8") as file:
            graph = json.load(file)
        right = graph["cycle"] == [0, 1, 2, 3] and graph["processes"][2]["needs"][0]["from"] == [3]
        return None if right else graph
    return None


def wrong(case, job, folder):
    """What is wrong with a run; null: nothing."""
    _, _, code, sentences = CASES[case]
    if job.returncode != code:
        return f"the job ended with {job.returncode}, not {code}"
    at = 0
    for sentence in sentences:
        found = re.compile(sentence).search(job.stderr, at)
        if not found:
            return f"it does not say {sentence}"
        at = found.end()
    if not sentences and re.search("deadlock:|livelock:", job.stderr):
        return "it takes this for a deadlock"
    return wrong_in_files(case, folder)


def main():
    case, machine = sys.argv[1], sys.argv[4]
    earl, knots = map(os.path.abspath, sys.argv[2:4])
    program, options, _, _ = CASES[case]
    with tempfile.TemporaryDirectory(prefix="earl-knots-") as folder:
        job = subprocess.run([earl, "run", "--on", machine, "-n", "4", *options, knots, program], cwd=folder,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        print(job.stderr)
        found = wrong(case, job, folder)
    if found:
        print(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
