# SPDX-License-Identifier: BSD-3-Clause
"""Every routine that these libraries export is called by a program that some test runs: usage:
called.py BUILD LIBRARY...

A program calls what its table of dynamic symbols leaves undefined; a library's variable may have been
copied into the program, which then defines it.
"""
import json
import pathlib
import sys

import tree

DATA = "BDV"


def introspected(build, what):
    """Meson's description of this build."""
    return json.loads((build / "meson-info" / f"intro-{what}.json").read_text(encoding="utf-8"))


def programs(build):
    """The executables of this build that tests run."""
    wanted = {target for test in introspected(build, "tests") for target in test["depends"]}
    return sorted(target["filename"][0] for target in introspected(build, "targets")
                  if target["type"] == "executable" and target["id"] in wanted)


def uses(files):
    """(functions and variables they have from libraries, variables they may have copies of)"""
    there = tree.rows_of_symbols(files)
    return ({name for name, letter in there if letter in tree.UNDEFINED},
            {name for name, letter in there if letter in DATA})


def complaints(library, used, copied):
    for name, letter in sorted(tree.exports(library).items()):
        if name not in used and not (letter in DATA and name in copied):
            yield f"{pathlib.Path(library).name}: no test's program calls {name}"


def main(build, libraries):
    used, copied = uses(programs(build))
    tree.report([line for library in libraries for line in complaints(library, used, copied)],
                sum(len(tree.exports(library)) for library in libraries))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
