#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs one of README's transcripts in a copy of the samples: each command after a "$", standard output and
error together, prints what README shows, numbers and blanks apart; places in sources (racy.c:9) are as shown.

usage: readme.py SAMPLES COMMANDS WHICH      the directory of the samples, that of the earl command;
                                             the first transcript, 0, or a later one
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

NUMBER = re.compile(r"\d+")
PLACE = re.compile(r"\b\w+\.[cf]:\d+")
SECONDS = 100


def steps(page, which):
    """(command, the lines it prints) of one of the blocks that have a prompt; without remarks."""
    blocks = [block for block in re.findall(r"^```\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
              if block.startswith("$ ")]
    found = []
    for line in blocks[which].splitlines():
        if line.startswith("$ "):
            found.append((re.sub(r" +#.*", "", line[2:]), []))
        else:
            found[-1][1].append(line)
    return found


def plain(line):
    return " ".join(line.split())


def unlike(printed, shown):
    if len(printed) != len(shown):
        yield f"{len(printed)} lines, README shows {len(shown)}: {printed}"
    for said, expected in zip(map(plain, printed), map(plain, shown)):
        pattern = NUMBER.pattern.join(map(re.escape, NUMBER.split(expected)))
        if not re.fullmatch(pattern, said) or PLACE.findall(said) != PLACE.findall(expected):
            yield f"says {said!r}, README shows {expected!r}"


def main():
    samples, commands, which = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    page = (samples.parent / "README.md").read_text(encoding="utf-8")
    wrong, count = [], 0
    with tempfile.TemporaryDirectory(prefix="earl-readme-") as folder:
        shutil.copytree(samples, f"{folder}/samples")
        environment = {**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}"}
        for command, shown in steps(page, which):
            if command.startswith("export PATH"):
                continue
            count += 1
            done = subprocess.run(["bash", "-c", command], cwd=f"{folder}/samples", env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
            said = done.stdout.replace(socket.gethostname(), "vm")  # a greeting names the host
            wrong += [f"{command}: {why}" for why in unlike(said.splitlines(), shown)]
    if count < 5:
        wrong.append("README's transcript was not found")
    print("\n".join(wrong) or f"{count} commands print what README shows")
    sys.exit(1 if wrong else 0)


main()
