#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Follows a sample's page: runs its indented lines in a copy of the samples, and compares
what they print with its fenced blocks (but for times, and numbers of more than six digits) and replays with
what was recorded.

usage: pages.py SAMPLES COMMANDS PAGE      the folder of the samples, those of Earl's commands as in PATH;
                                           PAGE may be a tutorial beside it: ../docs/tutorial-nx.md
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NUMBER = r"\d+(?:\.\d+)?(?:E[-+]\d+)?"
VARIES = re.compile(rf"(?<![\d.]){NUMBER}(?= (?:s|ms|us|seconds|microseconds)\b)|(?<![\d.])\d{{7,}}\b")
SECONDS = 100 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds


def steps(page):
    """(command, its output or None) in the order of the page."""
    found, block = [], None
    for line in page.splitlines():
        if line.startswith("```"):
            if block is not None:
                found[-1][1] = block
            block = [] if block is None else None
        elif block is not None:
            block.append(line)
        elif line.startswith("    "):
            found.append([line.strip(), None])
    return found


def pattern(line):
    """The pattern of a printed line: times and long numbers may differ, as may blanks; ... is anything."""
    text = VARIES.sub("\0", " ".join(line.split()))
    words = [".*" if word == "..." else NUMBER.join(map(re.escape, word.split("\0"))) for word in text.split()]
    return r"\s*".join(["", *words, ""])


def run(command, folder, commands):
    paths = f"{commands}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=SECONDS, env={**os.environ, "PATH": paths})


def unlike(printed, expected):
    """Why these lines differ from the page, or nothing."""
    if len(printed) != len(expected):
        yield f"{len(printed)} lines, the page shows {len(expected)}"
    for said, shown in zip(printed, expected):
        if not re.fullmatch(pattern(shown), said):
            yield f"says {said!r}, the page shows {shown!r}"


def complaints(page, folder, commands):
    recorded = {}
    for command, expected in steps(page):
        done = run(command, folder, commands)
        printed = done.stdout.splitlines()
        if done.returncode:
            yield f"{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
            return
        if expected is not None:
            yield from (f"{command}: {why}" for why in unlike(printed, expected))
        if made := re.match(r"earl record -o (\S+)", command):
            recorded[made.group(1)] = sorted(printed)
        if again := re.match(r"earl replay (?:.* )?(\S+\.earl)", command):
            if sorted(printed) != recorded[again.group(1)]:
                yield f"{command}: printed another thing than the recorded run\n{done.stdout}"


def main():
    samples, commands, name = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    page = (samples / name).read_text(encoding="utf-8")
    wrong = []
    index = (samples / name).parent / "README.md"
    listed = f"({name})" if index.parent == samples else f"({pathlib.Path(name).name})"
    if listed not in index.read_text(encoding="utf-8"):
        wrong.append(f"{index} has no row for {name}")
    if not steps(page):
        wrong.append(f"{name} has no commands")
    with tempfile.TemporaryDirectory(prefix="earl-samples-") as folder:
        for source in samples.iterdir():
            if source.suffix in {".c", ".h", ".f", ".inc", ".mk"}:
                shutil.copy(source, folder)
        wrong += complaints(page, folder, commands)
    print("\n".join(wrong) or f"{len(steps(page))} commands work")
    sys.exit(1 if wrong else 0)


main()
