# SPDX-License-Identifier: BSD-3-Clause
"""Counts the results of `meson test` for each run of it: a folder of NAME.json, NAME.status and NAME.times.

Prints the time that each build, each suite and the slowest tests took, the skipped ones, and the failed ones with the
end of its output; the last line is `N passed, N failed[, N skipped][, N not run]`. Where time was up, NAME.planned has the names of
all tests, and those without a result did not run.
"""
import collections
import json
import pathlib
import sys

GOOD = {"OK", "EXPECTEDFAIL"}
LINES = 25  # of a failed test's output
SLOWEST = 20
TIME_WAS_UP = "time was up"  # what run.sh writes into NAME.status


def outcomes(log):
    if not log.exists():
        return []
    lines = (json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line)
    return [(entry["name"], entry["result"], entry) for entry in lines]


def error_summary(entry):
    said = (entry.get("stdout") or "") + (entry.get("stderr") or "")
    return "".join(f"\n    {line}" for line in said.splitlines()[-LINES:])


def print_times(folder):
    """Summed over all tests: several run at once."""
    suites, tests = collections.Counter(), []
    for log in sorted(folder.glob("*.json")):
        for name, _, entry in outcomes(log):
            suite, _, test = name.partition(" / ")
            suites[f"{log.stem}: {suite}"] += entry["duration"]
            tests.append((entry["duration"], f"{log.stem}: {test or name}"))
    for what, seconds in suites.most_common():
        print(f"{seconds:8.0f} s  {what}")
    print(f"the {SLOWEST} slowest:")
    for seconds, what in sorted(tests, reverse=True)[:SLOWEST]:
        print(f"{seconds:8.1f} s  {what}")
    for times in sorted(folder.glob("*.times")):
        print(f"{times.stem}: {', '.join(times.read_text(encoding='utf-8').splitlines())}")


def not_run(planned, tests):
    """The names in the file `planned` that have no result, or whose test was ended: how many of each suite. Without the
    file nothing was built."""
    if not planned.exists():
        return collections.Counter(["all, for it was not built"])
    seen = {name for name, result, _ in tests if result != "INTERRUPT"}
    names = [name for name in planned.read_text(encoding="utf-8").splitlines() if name and name not in seen]
    return collections.Counter(name.partition(" / ")[0] for name in names)


def main(folder):
    print_times(folder)
    passed, failed, skipped, missed = 0, [], [], collections.Counter()
    for status in sorted(folder.glob("*.status")):
        tests = outcomes(status.with_suffix(".json"))
        said = status.read_text(encoding="utf-8").strip()
        if said == TIME_WAS_UP:
            missed += collections.Counter({f"{status.stem}: {suite}": count for suite, count in
                                           not_run(status.with_suffix(".planned"), tests).items()})
            tests = [one for one in tests if one[1] != "INTERRUPT"]
        bad = [f"{status.stem}: {name} ({result}){error_summary(entry)}" for name, result, entry in tests
               if result not in GOOD | {"SKIP"}]
        passed += sum(result in GOOD for _, result, _ in tests)
        skipped += [f"{status.stem}: {name}" for name, result, _ in tests if result == "SKIP"]
        if said != TIME_WAS_UP and (not tests or (said != "0" and not bad)):
            why = said if not said.isdigit() else f"meson test ended with {said}"
            bad.append(f"{status.stem}: no usable result ({why})")
        failed += bad
    for what, names in ("skipped", skipped), ("FAILED", failed):
        for name in names:
            print(f"{what} {name}")
    for suite, count in missed.most_common():
        print(f"time was up before {count} of {suite}")
    print(f"{passed} passed, {len(failed)} failed" + (f", {len(skipped)} skipped" if skipped else "")
          + (f", {missed.total()} not run" if missed else ""))
    return 1 if failed or not passed else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
