#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How waiting holds on a host that is busy: as it comes, and as the user may set it.

  tests/bench/waits.py BUILD [BUILD...] [--quick] [--on shm,myrinet,tcp]   compares builds, in turns
"""
import argparse
import os
import pathlib
import signal
import statistics
import subprocess
import sys

import bounded
from rounds import in_rounds, second_words

LIMIT = 120
RINGS = (2, 8, 16, 64)
WAYS = ("auto", "block", "spin")
ENOUGH_FOR_SPIN = 2  # processes on one CPU: each hop of more takes time slices


class Hog:
    """A program that computes, on any CPU."""

    def __enter__(self):
        self.child = subprocess.Popen([sys.executable, "-c", "while True: pass"])

    def __exit__(self, *_):
        os.kill(self.child.pid, signal.SIGKILL)
        self.child.wait()


def one_processor():
    return ["taskset", "-c", str(min(os.sched_getaffinity(0)))]


def hop(build, nodes, laps, way="auto", back_end="shm", before=()):
    """ns of one hop of a token, all hops together."""
    words = [*before, str(build / "exec" / "earl"), "run", "--on", back_end, "-n", str(nodes),
             str(build / "tests" / "bench" / "turns"), str(laps)]
    return second_words(bounded.run(words, LIMIT, {"EARL_WAIT": way}), "hop")[""]


def laps_for(nodes, way, alone):
    if way == "spin":
        return max(1, 8 // nodes) if alone else max(1, 200 // nodes)
    return max(20, 6000 // nodes)


def measure_crowd(build, quick, back_end="shm"):
    """Rings on one CPU and on all, by how they wait."""
    takes = {}
    for where, before in (("one", one_processor()), ("all", [])):
        for nodes in RINGS:
            for way in WAYS:
                if way == "spin" and nodes > ENOUGH_FOR_SPIN * (where == "all") + ENOUGH_FOR_SPIN:
                    continue  # minutes
                laps = laps_for(nodes, way, where == "one")
                takes[f"{nodes} on {where}, {way}"] = (
                    lambda nodes=nodes, laps=laps, way=way, before=before:
                    {"": hop(build, nodes, laps, way, back_end, before)})
    return in_rounds(2 if quick else 5, takes)


def measure_beside_hog(build, quick, back_end="shm"):
    """Jobs of two that nothing binds, one after the other, beside a program that computes."""
    def take():
        with Hog():
            return {"": hop(build, 2, 5000 if quick else 20000, "auto", back_end)}
    return in_rounds(7 if quick else 20, {f"2 beside a hog on {back_end}": take})


def measure(build, quick):
    seen, troubles = measure_crowd(build, quick)
    more, trouble = measure_beside_hog(build, quick)
    return seen | more, troubles | trouble


def line(name, figures):
    worst = figures["most"] / figures["median"]
    return (f"{name:28} {figures['median'] / 1e3:9.2f} [{figures['least'] / 1e3:.2f} - "
            f"{figures['most'] / 1e3:.2f}]   worst by median {worst:.1f}")


def compare(builds, quick, back_end):
    """All builds take turns in each round."""
    rounds = {build: {"2, calm": [], "2, hog": []} for build in builds}
    for _ in range(5 if quick else 20):
        for build in builds:
            rounds[build]["2, calm"].append(hop(build, 2, 10000, "auto", back_end))
        with Hog():
            for build in builds:
                rounds[build]["2, hog"].append(hop(build, 2, 5000, "auto", back_end))
    for where, before in (("one", one_processor()), ("all", [])):
        for nodes in RINGS:
            for way in ("auto", "block"):
                for build in builds * (3 if quick else 7):
                    rounds[build].setdefault(f"{nodes} on {where}, {way}", []).append(
                        hop(build, nodes, laps_for(nodes, way, where == "one"), way, back_end, before))
    for name in rounds[builds[0]]:
        for build in builds:
            values = rounds[build][name]
            print(f"{back_end:8}{str(build)[-24:]:26}", line(name, {
                "median": statistics.median(values), "least": min(values), "most": max(values)}),
                flush=True)


def main():
    words = argparse.ArgumentParser(description=__doc__,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("builds", type=pathlib.Path, nargs="+")
    words.add_argument("--quick", action="store_true", help="fewer rounds: for development")
    words.add_argument("--on", default="shm", help="back ends, with commas")
    words = words.parse_args()
    for back_end in words.on.split(","):
        compare(words.builds, words.quick, back_end)
    print("load", *os.getloadavg())


if __name__ == "__main__":
    main()
