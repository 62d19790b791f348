# SPDX-License-Identifier: BSD-3-Clause
"""Each front-end library exports exactly the names that its exports.map lists.

Argument: the build folder. The map of a library is the one its link command names.
"""
import fnmatch
import pathlib
import re
import sys

import tree

# Marks the linker itself puts into a library's table.
LINKERS_OWN = {"_init", "_fini", "__bss_start", "_edata", "_end"}


def libraries(build):
    """Every front-end library and its version script, as build.ninja links them."""
    rules = (build / "build.ninja").read_text(encoding="utf-8")
    for target, arguments in re.findall(
            r"^build (frontends/\S+?\.so[.\d]*): \S*LINKER\b.*?\n((?: .*\n)*)", rules, re.MULTILINE):
        script = re.search(r"--version-script=([^\s'\"]+)", arguments)
        yield build / target, pathlib.Path(script.group(1)) if script else None


def listed(script):
    """The global names of a version script, comments taken out."""
    text = re.sub(r"/\*.*?\*/|#[^\n]*", "", script.read_text(encoding="utf-8"), flags=re.DOTALL)
    names = set()
    for body in re.findall(r"\{(.*?)\}", text, re.DOTALL):
        visible = body.split("local:")[0].replace("global:", "")
        names |= {name.strip() for name in visible.split(";") if name.strip()}
    return names


def named_by(wanted, name):
    """Whether the script has it in a pattern."""
    return any("*" in pattern and fnmatch.fnmatch(name, pattern) for pattern in wanted)


def versions(script):
    return set(re.findall(r"^\s*([\w.]+)\s*\{", script.read_text(encoding="utf-8"), re.MULTILINE))


def main():
    complaints, checked = [], 0
    for library, script in libraries(pathlib.Path(sys.argv[1])):
        if script is None:
            complaints.append(f"{library.name}: linked without an exports.map")
            continue
        there = set(tree.exports(library)) - versions(script) - LINKERS_OWN
        wanted = listed(script)
        checked += len(wanted)
        complaints += [f"{library.name}: exports {name}, which {script.name} does not list"
                       for name in sorted(there - wanted) if not named_by(wanted, name)]
        complaints += [f"{library.name}: {script.name} lists {name}, which it does not export"
                       for name in sorted(wanted - there) if not fnmatch.filter(there, name)]
    tree.report(complaints, checked)


main()
