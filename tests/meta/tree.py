# SPDX-License-Identifier: BSD-3-Clause
"""Shared by all tests of the tree: its files, and reporting."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = {".c", ".cpp", ".f", ".h", ".hpp", ".in", ".map", ".md", ".build", ".txt", ".py", ".sh", ""}


def is_ours(folder):
    return not folder.startswith("build") and folder not in {".git", ".cache", "__pycache__"}


def folders():
    """Every folder below the root, as a path relative to it."""
    for at, below, _ in os.walk(ROOT):
        below[:] = sorted(folder for folder in below if is_ours(folder) and
                          not folder.endswith(".earl"))
        if pathlib.Path(at) != ROOT:
            yield pathlib.Path(at).relative_to(ROOT)


def is_program(path):
    """README's first lines compile some in samples/."""
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def files(*suffixes):
    """Every text file, or those with one of the suffixes, relative to the root."""
    for folder in [pathlib.Path("."), *folders()]:
        for path in sorted((ROOT / folder).iterdir()):
            if path.is_file() and path.name != ".git" and path.suffix in (suffixes or TEXT) and not is_program(path):
                yield path.relative_to(ROOT)


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


UNDEFINED = "Uwv"  # as nm says it


def rows_of_symbols(files):
    """(name, nm's letter) of each name that one of these libraries and programs exports or lacks."""
    lines = subprocess.run(["nm", "-D", *files], text=True, capture_output=True, timeout=60,
                           check=True).stdout.splitlines()
    # nm prints a headline for each of several files.
    return [(row[-1].split("@")[0], row[-2]) for row in map(str.split, lines) if len(row) > 1]


def symbols(file):
    """name -> nm's letter, of the names that a library or program exports or lacks."""
    return dict(rows_of_symbols([file]))


def exports(library):
    """name -> nm's letter, of the names that others can use."""
    return {name: letter for name, letter in symbols(library).items() if letter not in UNDEFINED}


def report(complaints, checked):
    """Ends the test. One that looked at nothing has failed."""
    for complaint in complaints:
        print(complaint)
    print(f"{checked} checked, {len(complaints)} wrong")
    sys.exit(1 if complaints or not checked else 0)
