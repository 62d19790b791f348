#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of front ends and back ends in README, from a run of the tests.

usage: tests/matrix.py BUILD            prints it, from the last `meson test` in BUILD
       tests/matrix.py BUILD --write    puts it into README.md
A test names its cell in EARL_TEST_CELL: front end, back end, what is tested. `core` is conformance.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BEGIN, END = "<!-- matrix: written by tests/run.sh --matrix -->", "<!-- end of matrix -->"
KINDS = ("run", "replayed", "moved")


def suites(test):
    """As Meson's log joins them: the project once, before the first."""
    first, *others = test["suite"]
    return [first, *(suite.split(":")[1] for suite in others)]


def listed(build):
    """The tests that Meson knows in this build: name as in its log -> cell."""
    known = build / "meson-info/intro-tests.json"
    if not known.exists():
        sys.exit(f"{build} is no folder that Meson has configured: see bootstrap")
    tests = json.loads(known.read_text(encoding="utf-8"))
    cells = {f"{'+'.join(suites(test))} / {test['name']}": test["env"].get("EARL_TEST_CELL")
             for test in tests}
    return {name: tuple(cell.split()) for name, cell in cells.items() if cell}


def results(build):
    """The last run's result of each test: name -> OK, FAIL, SKIP..."""
    log = build / "meson-logs/testlog.json"
    if not log.exists():
        return {}
    entries = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return {entry["name"]: entry["result"] for entry in entries}


def asked(build, *words):
    """What this build's earl says."""
    ended = subprocess.run([build / "exec" / "earl", *words, "--json"], capture_output=True, text=True, timeout=60, check=False)
    if ended.returncode != 0:
        sys.exit(f"`earl {' '.join(words)} --json` of {build} ended with {ended.returncode}: {ended.stderr}")
    return json.loads(ended.stdout)


def front_ends(build):
    """Name -> title: the table's rows. `core` is conformance."""
    return {row["name"]: row["summary"]
            for row in asked(build, "version")["front_ends"]} | {"core": "conformance"}


def back_ends(build):
    """Name -> what its jobs cannot: the table's columns, shared memory first."""
    rows = sorted(asked(build, "info", "--backends"), key=lambda row: (row["name"] != "shm", row["name"]))
    return {row["name"]: "; ".join(row["cannot"]) for row in rows if row["listed"]}


def cell_text(counts):
    """`counts`: subject -> whether each test passed."""
    if not counts:
        return "no rows"
    shown = [(sum(counts[kind]), len(counts[kind]), kind) for kind in KINDS if counts[kind]]
    return ", ".join(f"{all_} {kind}" if good == all_ else f"{good} of {all_} {kind}"
                     for good, all_, kind in shown)


def table(build, cells, passed):
    """Its lines. `cells`: test -> cell; `passed`: test -> bool."""
    columns, rows = back_ends(build), front_ends(build)
    counts = collections.defaultdict(lambda: collections.defaultdict(list))
    for test, (front_end, back_end, kind) in cells.items():
        counts[front_end, back_end][kind].append(passed(test))
    yield "| | " + " | ".join(f"`{back_end}`" for back_end in columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    untitled = {cell[0]: cell[0] for cell in cells.values() if cell[0] not in rows}
    for front_end, title in (rows | untitled).items():
        texts = [cell_text(counts.get((front_end, back_end))) for back_end in columns]
        yield f"| {title} | " + " | ".join(texts) + " |"
    yield "| cannot | " + " | ".join(cannot or "-" for cannot in columns.values()) + " |"


def written():
    """The lines between README's markers."""
    text = README.read_text(encoding="utf-8")
    return text.partition(BEGIN)[2].partition(END)[0].strip().splitlines()


def write(lines):
    text = README.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"README.md lacks the line {END if begin else BEGIN}")
    README.write_text("\n".join([before + BEGIN, "", *lines, "", END]) + after, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    wanted = parser.parse_args()
    cells, ran = listed(wanted.build), results(wanted.build)
    missing = [test for test in cells if test not in ran]
    if missing or not cells:
        sys.exit(f"{len(missing)} of the {len(cells)} tests of the table did not run, the first is "
                 f"'{missing[0] if missing else '-'}': run the suites conformance, programs and replay")
    absent = set(back_ends(wanted.build)) - {back_end for _, back_end, _ in cells.values()}
    if absent:
        sys.exit(f"this build has no tests on {', '.join(sorted(absent))}: see earl doctor")
    lines = list(table(wanted.build, cells, lambda test: ran[test] == "OK"))
    if wanted.write:
        write(lines)
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
