# SPDX-License-Identifier: BSD-3-Clause
"""No mutable globals in the core, the front ends and the debuggers: on some back ends a thousand
processes live in one. A front end's exports.map names the variables of its API, which are written
through Process::cell(); whatever else is allowed is listed in globals.txt, with its reason.

Argument: the build folder.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

import tree

PLACES = ("generic", "frontends", "debug")
# Address, seven flag letters, section, size, name. Relocated constants (.data.rel.ro) do not change.
# DW.ref.* are the compiler's own references for exception handling.
SYMBOL = re.compile(r"^[0-9a-f]+ .{6}O (\.t?bss\S*|\.t?data\S*|\*COM\*)\s+[0-9a-f]+ (?:\.hidden )?(.*)$",
                    re.MULTILINE)


def allowed():
    for line in tree.read(pathlib.Path("tests/meta/globals.txt")).splitlines():
        if line and not line.startswith("#"):
            place, name, *why = line.split("|")
            assert "".join(why).strip(), f"globals.txt gives no reason for {name}"
            yield place.strip(), name.strip()


def is_of_an_api(where, name):
    folder = tree.ROOT.joinpath(*pathlib.Path(where).parts[:2])
    return any(re.search(rf"\b{re.escape(name)}\b", script.read_text(encoding="utf-8"))
               for script in folder.glob("*.map"))


def is_allowed(rows, where, name):
    if is_of_an_api(where, name):
        return True
    return any(fnmatch.fnmatch(where, place + "/*") and fnmatch.fnmatchcase(name, pattern)
               for place, pattern in rows)


def mutable(path):
    table = subprocess.run(["objdump", "-t", "-C", path], text=True, capture_output=True,
                           timeout=60, check=True).stdout
    return [name for section, name in SYMBOL.findall(table)
            if not section.startswith(".data.rel.ro") and not name.startswith("DW.ref.")]


def main():
    build = pathlib.Path(sys.argv[1])
    rows = list(allowed())
    complaints, checked = [], 0
    for place in PLACES:
        for path in sorted((build / place).rglob("*.o")):
            checked += 1
            where = path.relative_to(build).as_posix()
            complaints += [f"{where}: {name} can change" for name in mutable(path)
                           if not is_allowed(rows, where, name)]
    tree.report(complaints, checked)


main()
