"""Counts what `meson test` wrote for each build: a folder of NAME.json and NAME.status.

Names what failed and what was skipped; the last line is `N passed, N failed[, N skipped]`.
"""
import json
import pathlib
import sys

GOOD = {"OK", "EXPECTEDFAIL"}


def outcomes(log):
    if not log.exists():
        return []
    lines = (json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line)
    return [(entry["name"], entry["result"]) for entry in lines]


def main(folder):
    passed, failed, skipped = 0, [], []
    for status in sorted(folder.glob("*.status")):
        tests = outcomes(status.with_suffix(".json"))
        said = status.read_text(encoding="utf-8").strip()
        bad = [f"{status.stem}: {name} ({result})" for name, result in tests
               if result not in GOOD | {"SKIP"}]
        passed += sum(result in GOOD for _, result in tests)
        skipped += [f"{status.stem}: {name}" for name, result in tests if result == "SKIP"]
        if not tests or (said != "0" and not bad):
            why = said if not said.isdigit() else f"meson test ended with {said}"
            bad.append(f"{status.stem}: no usable result ({why})")
        failed += bad
    for what, names in ("skipped", skipped), ("FAILED", failed):
        for name in names:
            print(f"{what} {name}")
    print(f"{passed} passed, {len(failed)} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
