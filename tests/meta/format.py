# SPDX-License-Identifier: BSD-3-Clause
"""Each C++ file is as clang-format leaves it: usage: format.py. Skipped without clang-format 14, which is
Debian 12's: others lay some lines out otherwise."""
import re
import shutil
import subprocess
import sys

import tree

VERSION = "14"
SKIPPED = 77


def complaint_of_version():
    if shutil.which("clang-format") is None:
        return "there is no clang-format here"
    said = subprocess.run(["clang-format", "--version"], text=True, capture_output=True, check=True).stdout
    found = re.search(r"version (\d+)", said)
    if found is None or found[1] != VERSION:
        return f"clang-format {VERSION} is needed, and this one is: {said.strip()}"
    return None


def main():
    if why := complaint_of_version():
        print(why)
        sys.exit(SKIPPED)
    names = [str(path) for path in tree.files(".cpp", ".hpp")]
    done = subprocess.run(["clang-format", "--dry-run", *names], text=True, capture_output=True,
                          cwd=tree.ROOT, timeout=100, check=False)
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: warning:", done.stderr, re.MULTILINE)))
    if done.returncode != 0:
        wrong.append(f"clang-format ended with {done.returncode}: {done.stderr[-500:]}")
    tree.report([f"{name}: run clang-format -i on it" for name in wrong], len(names))


main()
