#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many orders a second earl explore tries, with each engine and on each back end.

  tests/bench/explored.py BUILD [--rounds N]
  tests/bench/explored.py BUILD --compare    both engines on all programs of tests/replay/orders.json find the same
"""
import argparse
import json
import os
import pathlib
import re
import tempfile

import bounded
from rounds import in_rounds

LIMIT = 300
PROGRAMS = pathlib.Path(__file__).parents[1] / "replay" / "orders.json"
# For tests/replay/orders: 90 orders.
RING = ["s1,90,0,0;r3,90,0;" + ";".join(["r-1,1,0"] * 6), "s2,90,0,0;r0,90,0;s0,1,0,1;s0,1,0,1",
        "s3,90,0,0;r1,90,0;s0,1,0,1;s0,1,0,1", "s0,90,0,0;r2,90,0;s0,1,0,1;s0,1,0,1"]
COMPUTING = ["c10;" + RING[0], *RING[1:]]  # before the first race
WAYS = {"fork on fibers": ("fibers", "fork", RING), "rerun on fibers": ("fibers", "rerun", RING),
        "rerun on shm": ("shm", "rerun", RING), "fork after computing": ("fibers", "fork", COMPUTING),
        "rerun after computing": ("fibers", "rerun", COMPUTING)}


def explore(build, back_end, engine, ranks, *options):
    """The report. Exit code 3, of failures that were found, is none here."""
    with tempfile.TemporaryDirectory() as folder:
        return json.loads(bounded.run(
            ["sh", "-c", "\"$@\" || test $? = 3", "sh", str(build / "exec" / "earl"), "explore", "--json", "--engine", engine,
             "--on", back_end, "-o", os.path.join(folder, "r"), *options, "-n", str(len(ranks)),
             str(build / "tests" / "replay" / "orders"), *ranks], LIMIT))


def rate(build, back_end, engine, ranks):
    """Runs a second, the first run and what comes before the others included."""
    report = explore(build, back_end, engine, ranks)
    if not report["all_tried"] or report["orders"] != 90:
        raise bounded.Failed(f"{report['orders']} orders, not 90; all tried: {report['all_tried']}")
    return report["runs"] / report["seconds"]


def same_part(report):
    """Without what two searches of one program may differ in."""
    failures = [{key: re.sub(r"\d+", "#", str(value)) for key, value in failure.items() if key not in ("command", "recording")}
                for failure in report["failures"]]
    return {**{key: value for key, value in report.items() if key not in ("seconds", "recording", "forked")},
            "failures": failures}


def compare(build):
    """Both engines on each program of which all outcomes are known. Gives the number of those they differ in."""
    programs = json.loads(PROGRAMS.read_text(encoding="ascii"))
    differ = runs = forked = failures = 0
    for one in programs:
        fork, rerun = (explore(build, "fibers", engine, one["ranks"], "--runs", "100000", "--seconds", str(LIMIT))
                       for engine in ("fork", "rerun"))
        runs, forked, failures = runs + fork["runs"], forked + fork["forked"], failures + len(fork["failures"])
        if same_part(fork) != same_part(rerun) or not fork["all_tried"]:
            differ += 1
            print(f"{one['name']}: by fork {same_part(fork)}, by re-execution {same_part(rerun)}", flush=True)
    print(f"{len(programs)} programs, {runs} runs, {forked} of them by fork, {failures} failures; engines differ in {differ}")
    return differ


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build", type=pathlib.Path)
    words.add_argument("--rounds", type=int, default=10)
    words.add_argument("--compare", action="store_true")
    words = words.parse_args()
    if words.compare:
        return compare(words.build.absolute()) != 0
    seen, troubles = in_rounds(words.rounds, {
        name: lambda way=way: {"": rate(words.build.absolute(), *way)} for name, way in WAYS.items()})
    for name, keys in seen.items():
        figures = keys[""]
        print(f"{name:21} {figures['median']:6.0f} runs/s [{figures['least']:.0f} - {figures['most']:.0f}]")
    for name, trouble in troubles.items():
        print(f"{name:21} {trouble}")
    print("load", *os.getloadavg())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
