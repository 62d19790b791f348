#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many orders a second earl explore tries, with each engine and on each back end.

  tests/bench/explored.py BUILD [--rounds N]
"""
import argparse
import json
import os
import pathlib
import tempfile

import bounded
from rounds import in_rounds

LIMIT = 300
WAYS = {"fork on fibers": ("fibers", "fork"), "rerun on fibers": ("fibers", "rerun"), "rerun on shm": ("shm", "rerun")}
# For tests/replay/orders: 90 orders.
RING = ["s1,90,0,0;r3,90,0;" + ";".join(["r-1,1,0"] * 6), "s2,90,0,0;r0,90,0;s0,1,0,1;s0,1,0,1",
        "s3,90,0,0;r1,90,0;s0,1,0,1;s0,1,0,1", "s0,90,0,0;r2,90,0;s0,1,0,1;s0,1,0,1"]


def rate(build, back_end, engine):
    """Runs a second, the first run and what comes before the others included."""
    with tempfile.TemporaryDirectory() as folder:
        report = json.loads(bounded.run(
            [str(build / "exec" / "earl"), "explore", "--json", "--engine", engine, "--on", back_end, "-o",
             os.path.join(folder, "r"), "-n", str(len(RING)), str(build / "tests" / "replay" / "orders"), *RING],
            LIMIT))
    if not report["all_tried"] or report["orders"] != 90:
        raise bounded.Failed(f"{report['orders']} orders, not 90; all tried: {report['all_tried']}")
    return report["runs"] / report["seconds"]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build", type=pathlib.Path)
    words.add_argument("--rounds", type=int, default=10)
    words = words.parse_args()
    seen, troubles = in_rounds(words.rounds, {
        name: lambda way=way: {"": rate(words.build.absolute(), *way)} for name, way in WAYS.items()})
    for name, keys in seen.items():
        figures = keys[""]
        print(f"{name:18} {figures['median']:6.0f} runs/s [{figures['least']:.0f} - {figures['most']:.0f}]")
    for name, trouble in troubles.items():
        print(f"{name:18} {trouble}")
    print("load", *os.getloadavg())


if __name__ == "__main__":
    main()
