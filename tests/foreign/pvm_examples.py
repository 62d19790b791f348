#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs of Debian's package pvm-examples, as Debian compiled them, run by `earl run`.

usage: pvm_examples.py earl sequence name-of-a-case [BACK-END | again | moved]
`again`: recorded, replayed and compared; `moved`: on fibers and on shared memory. Exit 77: the program is not installed.
"""
import os
import re
import subprocess
import sys
import tempfile
import threading

from cases import CASES

LIMIT = 50  # seconds


def raise_flag(stream, pattern, flag, lines):
    """Reads all that is printed; once it is like the pattern, makes the file."""
    for line in stream:
        lines.append(line)
        if pattern and re.match(pattern, line):
            open(flag, "w", encoding="ascii").close()


def run(command, case, folder):
    # A fixed, empty search path: the slave is found next to its master.
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("PVM") and key != "DISPLAY"}
    environment |= {"FLAG": folder + "/flag", "MENU": folder + "/menu"}
    for name, text in {"menu": case.get("menu", ""), "input": case.get("input", "")}.items():
        with open(f"{folder}/{name}", "w", encoding="ascii") as file:
            file.write(text)
    with open(folder + "/input", encoding="ascii") as given:
        process = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.PIPE, cwd="/", env=environment)
    printed, errors = [], []
    readers = [threading.Thread(target=raise_flag, args=arguments) for arguments in (
        (process.stdout, case.get("flag"), environment["FLAG"], printed),
        (process.stderr, None, None, errors))]
    for reader in readers:
        reader.start()
    try:
        process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        process.terminate()
        errors.append(f"not ended after {LIMIT} seconds\n")
    for reader in readers:
        reader.join()
    return process.wait(), "".join(printed), "".join(errors)


def complaints(case, code, printed, errors):
    """The differences from the case; empty lines of the program do not count."""
    lines = [line for line in printed.splitlines() if line.strip()]
    if "output" in case:
        for n, (pattern, line) in enumerate(zip(case["output"], lines), 1):
            if not re.fullmatch(pattern, line):
                yield f"line {n} is not like {pattern!r}: {line!r}"
        if len(lines) != len(case["output"]):
            yield f"{len(lines)} lines where {len(case['output'])} belong"
    for pattern in case.get("contains", []):
        if not any(re.fullmatch(pattern, line) for line in lines):
            yield f"no line is like {pattern!r}"
    for pattern in case.get("says", []):
        if not re.search(pattern, errors):
            yield f"no task says {pattern!r}"
    if case.get("status", 0) not in (code, None):
        yield f"exit status {code}, not {case.get('status', 0)}"
    if "libpvm [" in errors and not case.get("complains") and not case.get("status"):
        yield "PVM complained"


def said(case, printed):
    """Lines of several tasks mix as they come. Times that a program takes itself are its own; a rate
    over no time at all is infinite, or no number, with a sign."""
    lines = printed.splitlines()
    if noise := case.get("noise"):
        lines = [line for line in lines if not re.search(noise, line)]
    if case.get("clocks"):
        lines = [re.sub(r"(?:[ \d.]|inf|-?nan)+", " 0 ", line) for line in lines]
    return sorted(lines)


def again(earl, case, command, folder, there="shm", here="shm"):
    """The fault of the recorded run or its replay."""
    trace = f"{folder}/{there}-{here}.earl"
    then = run([earl, "record", "-o", trace, "--on", there, *case.get("options", []), *command],
               case, folder)
    bad = [f"recorded: {line}" for line in complaints(case, *then)]
    if os.path.exists(folder + "/flag"):
        os.remove(folder + "/flag")
    now = run([earl, "replay", "--on", here, *case.get("replaying", []), trace], case, folder)
    bad += [f"replayed: {line}" for line in complaints(case, *now)]
    if said(case, now[1]) != said(case, then[1]):
        bad.append("the replay printed something else than the recorded run")
    if "diverged" in now[2]:
        bad.append("the replay diverged")
    if bad:
        bad += ["--- recorded", *then[1:], "--- replayed", *now[1:]]
    return bad


def main():
    earl, sequence, name, back_end = (*sys.argv[1:], "shm")[:4]
    earl = os.path.abspath(earl)
    case = CASES[name]
    command = [os.path.abspath(sequence) if word == "SEQUENCE" else word for word in case["command"]]
    for word in command:
        if word.startswith("/usr/bin/") and not os.path.exists(word):
            print(f"{word} is not installed (package pvm-examples)")
            return 77
    with tempfile.TemporaryDirectory() as folder:
        if back_end == "again":
            bad = again(earl, case, command, folder)
        elif back_end == "moved":
            bad = [*again(earl, case, command, folder, "fibers", "shm"),
                   *again(earl, case, command, folder, "shm", "fibers")]
        else:
            ended = run([earl, "run", "--on", back_end, *case.get("options", []), *command], case, folder)
            bad = list(complaints(case, *ended))
            if bad:
                bad += ["--- its output", ended[1], "--- its errors", ended[2]]
    print("\n".join(bad), end="")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
