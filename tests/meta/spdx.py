# SPDX-License-Identifier: BSD-3-Clause
"""Each source file of Earl itself names its licence in one of its first two lines, or in the last: programs whose line
numbers appear in pages and expected outputs have it there."""
import pathlib

import tree

LINE = "SPDX-License-Identifier: BSD-3-Clause"
SUFFIXES = (".cpp", ".hpp", ".c", ".h", ".f", ".inc", ".py", ".sh", ".build", ".mk", ".fish")
# Scripts and options without such a name.
SCRIPTS = {
    "bootstrap", "meson_options.txt", ".ci/run", "tests/python3", "tests/hooks/commit-msg", "exec/completion/earl",
    "exec/completion/_earl",
}


def is_source(path):
    """Installed headers look like those that old programs were written for."""
    if "include" in path.parts:
        return False
    return path.suffix in SUFFIXES or path.as_posix() in SCRIPTS


def names_licence(text):
    lines = text.splitlines()
    return any(LINE in line for line in [*lines[:2], *lines[-1:]])


def main():
    sources = [path for path in tree.files("", ".txt", *SUFFIXES) if is_source(path)]
    complaints = [f"{path}: neither its first two lines nor its last has {LINE}" for path in sources
                  if not names_licence(tree.read(path))]
    complaints += [f"{name} is not there: take it out of SCRIPTS" for name in sorted(SCRIPTS)
                   if pathlib.Path(name) not in sources]
    tree.report(complaints, len(sources))


main()
