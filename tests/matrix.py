#!/usr/bin/env python3
"""The table of front ends and back ends in README, from a run of the tests.

usage: tests/matrix.py BUILD            prints it, from the last `meson test` in BUILD
       tests/matrix.py BUILD --write    puts it into README.md
A test names its cell in EARL_TEST_CELL: front end, back end, what is tested. `core` is conformance.
"""
import argparse
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BEGIN, END = "<!-- matrix: written by tests/run.sh --matrix -->", "<!-- end of matrix -->"
FRONT_ENDS = {"nx": "Intel NX", "pvm3": "PVM 3", "pvm2": "PVM 2", "mpi1draft": "MPI1 draft",
              "mpi": "MPI-1",
              "bip": "BIP", "core": "conformance"}
BACK_ENDS = sorted((path.parent.name for path in ROOT.glob("backends/**/meson.build")
                   if "back_end_rows +=" in path.read_text(encoding="utf-8")),
                  key=lambda name: (name != "shm", name))
KINDS = ("run", "replayed", "moved")
# Members of Limits: the missing ability where they are false, and their values when a port is silent.
LIMITS = {"spawns": ("spawn processes", True),
          "forks": ("have ranks created by fork", False),
          "outlives_a_death": ("continue after the death of a rank", True),
          "packets_outlive_sender": ("deliver unsent data of a killed rank", False)}


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


def cannot(back_end):
    """The Limits that the back end's port declares."""
    shared = "net" if back_end == "myrinet" else "hosted"
    ports = [*ROOT.glob(f"backends/**/{back_end}/port.cpp"), ROOT / "backends" / shared / "port.cpp"]
    source = ports[0].read_text(encoding="utf-8")
    said = dict(re.findall(r"\.(\w+) = (true|false)\b", source))
    return "; ".join(words for name, (words, usual) in LIMITS.items()
                     if said.get(name, str(usual).lower()) == "false")


def cell_text(counts):
    """`counts`: subject -> whether each test passed."""
    if not counts:
        return "no rows"
    shown = [(sum(counts[kind]), len(counts[kind]), kind) for kind in KINDS if counts[kind]]
    return ", ".join(f"{all_} {kind}" if good == all_ else f"{good} of {all_} {kind}"
                     for good, all_, kind in shown)


def table(cells, passed):
    """Its lines. `cells`: test -> cell; `passed`: test -> bool."""
    counts = collections.defaultdict(lambda: collections.defaultdict(list))
    for test, (front_end, back_end, kind) in cells.items():
        counts[front_end, back_end][kind].append(passed(test))
    yield "| | " + " | ".join(f"`{back_end}`" for back_end in BACK_ENDS) + " |"
    yield "|---" * (len(BACK_ENDS) + 1) + "|"
    untitled = {cell[0]: cell[0] for cell in cells.values() if cell[0] not in FRONT_ENDS}
    for front_end, title in (FRONT_ENDS | untitled).items():
        texts = [cell_text(counts.get((front_end, back_end))) for back_end in BACK_ENDS]
        yield f"| {title} | " + " | ".join(texts) + " |"
    yield "| cannot | " + " | ".join(cannot(back_end) or "-" for back_end in BACK_ENDS) + " |"


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
    absent = set(BACK_ENDS) - {back_end for _, back_end, _ in cells.values()}
    if absent:
        sys.exit(f"this build has no tests on {', '.join(sorted(absent))}: see earl doctor")
    lines = list(table(cells, lambda test: ran[test] == "OK"))
    if wanted.write:
        write(lines)
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
