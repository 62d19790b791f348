# SPDX-License-Identifier: BSD-3-Clause
"""Each file that a Fortran program of the tree includes is in meson.build's list, so that its change has effect."""
import pathlib
import re

import tree

INCLUDE = re.compile(r"^ {6,}include *'([^']+)'", re.MULTILINE | re.IGNORECASE)


def included():
    """(program, name of the file that it includes)."""
    for path in tree.files():
        if path.suffix in (".f", ".h", ".inc"):
            for name in INCLUDE.findall(tree.read(path)):
                yield path, pathlib.Path(name).name


def main():
    listing = re.search(r"^included = ''\nforeach file : \[\n(.*?)^\]", tree.read(pathlib.Path("meson.build")),
                        re.MULTILINE | re.DOTALL).group(1)
    listed = {pathlib.Path(name).name for name in re.findall(r"'([^']+)'", listing)}
    found = list(included())
    complaints = [f"meson.build's list lacks {name}, which {path} includes" for path, name in found if name not in listed]
    complaints += [f"meson.build lists {name}, which no program includes" for name in listed - {name for _, name in found}]
    tree.report(complaints, len(found))


main()
