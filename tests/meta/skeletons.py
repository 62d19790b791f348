# SPDX-License-Identifier: BSD-3-Clause
"""The commands in the README of each skeleton make a copy that compiles, and that the registry has.

Arguments: the C++ compiler, as words.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tree

MOST_LINES = 120
FLAGS = ["-std=c++20", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O0", "-DFMT_HEADER_ONLY"]


def run(words, folder):
    """What it says, if it fails."""
    ended = subprocess.run(words, cwd=folder, text=True, capture_output=True, timeout=100, check=False)
    return ended.stdout + ended.stderr if ended.returncode else ""


def compiled(compiler, folder, source):
    return run([*compiler, *FLAGS, "-I", ".", "-c", source, "-o", "part.o"], folder)


def defined(folder, name):
    names = subprocess.run(["nm", "-C", folder / "part.o"], text=True, capture_output=True, timeout=60, check=True).stdout
    return re.search(rf" [BDR] {name}$", names, re.MULTILINE) is not None


def steps(skeleton):
    """The commands of its README."""
    return re.findall(r"^    (\S.*)$", tree.read(skeleton / "README.md"), re.MULTILINE)


def copy_made(skeleton, folder):
    """A tree in which the commands have been run; what is wrong with them, if they fail."""
    for top in {"backends", "debug"}:
        shutil.copytree(tree.ROOT / top, folder / top)
    (folder / "generic").symlink_to(tree.ROOT / "generic")
    return run(["sh", "-ec", "\n".join(steps(skeleton))], folder)


def wrong_back_end(compiler, folder):
    yield compiled(compiler, folder, "backends/mine/back_end.cpp")
    if not defined(folder, "earl::mine_back_end"):
        yield "there is no earl::mine_back_end"
    if "\n  'mine': ['mine'],\n" not in (folder / "backends/meson.build").read_text(encoding="utf-8"):
        yield "backends/meson.build has no folder 'mine'"
    if "\nback_end_rows += 'mine_back_end'\n" not in (folder / "backends/mine/meson.build").read_text(encoding="utf-8"):
        yield "backends/mine/meson.build adds no row to back_end_rows"


def wrong_debugger(compiler, folder):
    yield compiled(compiler, folder, "debug/mine/mine.cpp")
    if not defined(folder, "earl::mine_tool"):
        yield "there is no earl::mine_tool"
    if "\ntool_rows += 'mine_tool'\n" not in (folder / "debug/mine/meson.build").read_text(encoding="utf-8"):
        yield "debug/mine/meson.build adds no row to tool_rows"
    if "\nsubdir('mine')\n" not in (folder / "debug/meson.build").read_text(encoding="utf-8"):
        yield "debug/meson.build has no subdir('mine')"


def complaints(compiler):
    for skeleton, judge in (("backends/null", wrong_back_end), ("debug/empty", wrong_debugger)):
        path = pathlib.Path(skeleton)
        lines = sum(tree.read(file).count("\n") for file in tree.files(".cpp", ".hpp") if file.parent == path)
        if lines > MOST_LINES:
            yield f"{skeleton}: {lines} lines, a skeleton has at most {MOST_LINES}"
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            failed = copy_made(path, folder)
            for wrong in [failed] if failed else judge(compiler, folder):
                if wrong:
                    yield f"{skeleton}/README.md: {wrong}"


tree.report(list(complaints(sys.argv[1:])), 2)
