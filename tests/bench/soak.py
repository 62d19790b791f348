#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs jobs for minutes and looks whether their memory stays flat.

usage: soak.py BUILD

SOAK_SECONDS (600) is how long it takes in all; SOAK_ON names back ends, else those that this build has.
"""
import json
import os
import statistics
import subprocess
import sys
import time

import bounded

LIMIT = 64 << 20
# Sockets, rings, and the memory of the programs and of Earl itself.
BESIDES = 64 << 20
# Growth that is allowed with time: free lists, the C library's arenas.
GROWTH, SOME = 1.05, 1 << 20


def children_of(pid):
    """All processes below a process."""
    parents = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="latin-1") as file:
                parents.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(entry))
        except OSError:
            continue
    found, rest = [], [pid]
    while rest:
        found.append(rest.pop())
        rest += parents.get(found[-1], [])
    return found


def resident(pid):
    """Bytes of a process's own memory and, once for the job, of the largest share of the shared memory."""
    own = shared = 0
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("RssAnon:"):
                    own = int(line.split()[1]) << 10
                if line.startswith("RssShmem:"):
                    shared = int(line.split()[1]) << 10
    except OSError:
        pass
    return own, shared


def job_memory(pid):
    sizes = [resident(one) for one in children_of(pid)]
    return sum(own for own, _ in sizes) + max((shared for _, shared in sizes), default=0)


def watch(command, seconds):
    """The exit code, the output, and the job's memory each half a second."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job:
        sizes, end = [], time.monotonic() + 3 * seconds + 60
        while job.poll() is None and time.monotonic() < end:
            sizes.append(job_memory(job.pid))
            time.sleep(0.5)
        if job.poll() is None:
            job.terminate()
        return job.wait(), job.stdout.read().strip(), sizes


def to_text(size):
    return f"{size / (1 << 20):.1f} MiB"


def soak(earl, folder, back_end, seconds):
    """The faults; empty: none."""
    command = [earl, "run", "--on", back_end, "-n", "4", os.path.join(folder, "soak"), str(seconds)]
    code, said, sizes = watch(command, seconds)
    tenth = max(1, len(sizes) // 10)
    early = statistics.median(sizes[tenth:3 * tenth] or sizes)
    late = statistics.median(sizes[-2 * tenth:-tenth] or sizes)
    print(f"{back_end:8} soak     {seconds:4} s: {said}; {to_text(early)}, then {to_text(late)}", flush=True)
    if code != 0:
        return f"{back_end}: soak ended with {code}: {said}"
    if late > GROWTH * early + SOME:
        return f"{back_end}: memory grew from {to_text(early)} to {to_text(late)}"
    return ""


def endless(earl, folder, back_end, seconds):
    command = [earl, "run", "--on", back_end, "-n", "2", "--message-memory", str(LIMIT),
               os.path.join(folder, "endless"), str(seconds)]
    code, said, sizes = watch(command, seconds)
    most = max(sizes, default=0)
    print(f"{back_end:8} endless  {seconds:4} s: {said}; at most {to_text(most)}", flush=True)
    if code != 0:
        return f"{back_end}: endless ended with {code}: {said}"
    if most > LIMIT + BESIDES:
        return f"{back_end}: {to_text(most)} with a memory limit of {to_text(LIMIT)}"
    return ""


def usable_back_ends(earl):
    """Memory below a native library is that library's."""
    rows = json.loads(bounded.run([earl, "info", "--backends", "--json"], 60))
    return [row["name"] for row in rows if row["listed"] and row["can_run"] and not row["libraries"]]


def main():
    build = os.path.abspath(sys.argv[1])
    earl, folder = os.path.join(build, "exec", "earl"), os.path.join(build, "tests", "bench")
    back_ends = os.environ.get("SOAK_ON", "").split() or usable_back_ends(earl)
    total = int(os.environ.get("SOAK_SECONDS", "600"))
    each = max(2, total // len(back_ends))
    wrong = []
    for back_end in back_ends:
        wrong.append(soak(earl, folder, back_end, max(1, each * 3 // 4)))
        wrong.append(endless(earl, folder, back_end, max(1, each // 4)))
    wrong = [one for one in wrong if one]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
