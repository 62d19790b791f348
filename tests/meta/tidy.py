# SPDX-License-Identifier: BSD-3-Clause
"""clang-tidy finds nothing in the C++ files that are changed and not committed, or in a sample where none is: usage:
tidy.py BUILD [FILE... | --all]. A file takes some 5 s of CPU time: at most MOST are looked at, without FILE or
--all. Skipped without clang-tidy 14."""
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import zlib

import tree

VERSION = "14"
SKIPPED = 77
MOST = 8
ONE_OF = 48  # files: the sample
LAYERS = ("backends", "debug", "exec", "frontends", "generic")
FOUND = re.compile(r"^(\S+?:\d+:\d+: (?:warning|error): .*)$", re.MULTILINE)


def skip(why):
    print(why)
    sys.exit(SKIPPED)


def complaint_of_version():
    if shutil.which("clang-tidy") is None:
        return "there is no clang-tidy here"
    said = subprocess.run(["clang-tidy", "--version"], text=True, capture_output=True, check=True).stdout
    found = re.search(r"version (\d+)", said)
    return None if found and found[1] == VERSION else f"clang-tidy {VERSION} is needed, and this one is: {said.strip()}"


def changed():
    """None in a clean clone."""
    if shutil.which("git") is None:
        return []
    done = subprocess.run(["git", "diff", "--name-only", "--diff-filter=d", "HEAD", "--", *LAYERS], text=True,
                          capture_output=True, cwd=tree.ROOT, check=False)
    return [] if done.returncode else done.stdout.split()


def sample(names):
    """The same files each time: the outcome must not depend on what the last commit was."""
    return [name for name in names if zlib.crc32(name.encode()) % ONE_OF == 0]


def sources(compiled):
    """The files themselves, where Meson compiles several as one (-Dunity=on)."""
    if not re.search(r"-unity\d+\.cpp$", compiled.name):
        return [compiled.resolve()]
    included = re.findall(r"^#include<(.+)>$", compiled.read_text(encoding="utf-8"), re.MULTILINE)
    return [pathlib.Path(name).resolve() for name in included]


def flags(build):
    """file -> its directories and definitions; the precompiled headers are the other compiler's."""
    known = {}
    for row in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = [re.sub(r"^(-I|-isystem)(?!/)", rf"\1{row['directory']}/", word) for word in shlex.split(row["command"])
                 if re.match(r"-(I|isystem|D|std=)\S", word)]
        for path in sources(pathlib.Path(row["directory"]) / row["file"]):
            if path.suffix == ".cpp" and tree.ROOT in path.parents:
                known[str(path.relative_to(tree.ROOT))] = words
    return known


def complaints(name, words):
    done = subprocess.run(["clang-tidy", "--quiet", name, "--", *words, "-Wno-everything"], text=True,
                          capture_output=True, cwd=tree.ROOT, timeout=300, check=False)
    found = [line.replace(f"{tree.ROOT}/", "") for line in FOUND.findall(done.stdout)]
    if done.returncode and not found:
        found = [f"{name}: clang-tidy ended with {done.returncode}: {done.stderr[-300:]}"]
    return found


def main():
    build, chosen = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if why := complaint_of_version():
        skip(why)
    known = flags(build)
    every = sorted(name for name in known if name.split("/")[0] in LAYERS)
    assert len(every) > 300, f"compile_commands.json has {len(every)} files"
    if chosen == ["--all"]:
        names = every
    else:
        names = [name for name in chosen or changed()[:MOST] if name in known] or sample(every)
    assert names, "no file is looked at"
    found = set()
    for name in names:
        found.update(complaints(name, known[name]))
    tree.report(sorted(found), len(names))


main()
