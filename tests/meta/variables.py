# SPDX-License-Identifier: BSD-3-Clause
"""Every variable that users may set is in a manual page, and the code reads each one of these.

Variables of options are spelled out of the options' names; earl-config(1) says how."""
import re

import tree

SOURCES = ("exec", "backends", "debug", "frontends", "generic")
READ = re.compile(r'getenv\("(EARL_\w+)"\)')
SHOWN = re.compile(r"^\.(?:It )?Ev (EARL_\w+(?: , EARL_\w+)*)", re.M)
OPTION = re.compile(r"\.(?:It )?Fl -?([\w-]+)")


def main():
    complaints, read, shown, words, options = [], {}, {}, "", set()
    for path in tree.files(".c", ".cpp", ".hpp", ".h", ".1"):
        if path.parts[0] not in SOURCES:
            continue
        text = tree.read(path)
        if path.suffix == ".1":
            for names in SHOWN.findall(text):
                shown |= {name: path for name in names.split(" , ")}
            options |= {name.upper().replace("-", "_") for name in OPTION.findall(text)}
        else:
            read |= {name: path for name in READ.findall(text)}
            words += text
    for name, path in read.items():
        if name not in shown and name.removeprefix("EARL_") not in options:
            complaints.append(f"{path}: no manual page names {name}")
    for name, path in shown.items():
        if f'"{name}' not in words and name.removeprefix("EARL_") not in options:
            complaints.append(f"{path}: nothing reads {name}")
    tree.report(complaints, len(read) + len(shown))


main()
