# SPDX-License-Identifier: BSD-3-Clause
"""What comments and pages name is there: files of the tree, and members of its classes.

A file is named by its path from the root, by its path from a folder above the place that names it, or by its name alone
if the folder is the same. `Class::member` in a comment is looked for in the header that declares the class."""
import pathlib
import re

import tree

SOURCE = (".cpp", ".hpp", ".c", ".h")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
FILE = re.compile(r"(?<![\w/.<{*$~-])((?:[\w-]+/)*[\w-]+\.(?:cpp|hpp|py|md|sh|c|h))(?![\w/*])")
MEMBER = re.compile(r"(?<![\w:])([A-Z]\w*)::([a-z]\w*)(?![\w:])")
# Files of others that comments and pages speak of, and such as users write.
FOREIGN = {
    "thing.cpp",
    "mpi.h", "mpif.h", "nx.h", "cube.h", "pvm3.h", "fpvm3.h", "pvmsdpro.h", "pvmtev.h", "bip.h", "xdr.h", "file.c", "a.c",
}
FOREIGN_CLASSES = {"Generic", "MPI"}


def names_in(path, text):
    """Where names are looked for: all of a page, comments of a source."""
    if path.suffix == ".md":
        return re.findall(r"`([^`\n]+)`", text)
    return COMMENT.findall(text)


def resolves(name, path, everything, basenames):
    if name in everything:
        return True
    if "/" not in name:
        return name in FOREIGN or name in basenames
    return any(str(folder / name) in everything for folder in [path.parent, *path.parent.parents]) or \
        any(one.endswith("/" + name) for one in everything)


def main():
    everything = {str(path) for path in tree.files()}
    basenames = {pathlib.Path(name).name for name in everything}
    sources = {path: tree.read(path) for path in tree.files(*SOURCE)}
    members = {}
    for text in sources.values():
        for name in re.findall(r"\b(?:class|struct|union|enum class|namespace)\s+(?:\[\[.*?\]\]\s*)?(\w+)", text):
            members.setdefault(name, set()).update(re.findall(r"\w+", text))
    complaints, checked = [], 0
    pages = {path: tree.read(path) for path in tree.files(".md")}
    for path, text in {**sources, **pages}.items():
        if "include" in path.parts and path.suffix == ".h":
            continue
        for part in names_in(path, text):
            for name in FILE.findall(part):
                checked += 1
                if not resolves(name, path, everything, basenames):
                    complaints.append(f"{path}: there is no file {name}")
            for owner, member in MEMBER.findall(part):
                checked += 1
                if owner in members and member not in members[owner]:
                    complaints.append(f"{path}: {owner} has no member {member}")
                if owner not in members and owner not in FOREIGN_CLASSES and path.suffix != ".md":
                    complaints.append(f"{path}: there is no {owner}, of which {owner}::{member} is named")
    tree.report(sorted(set(complaints)), checked)


main()
