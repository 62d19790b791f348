# SPDX-License-Identifier: BSD-3-Clause
"""No text of this repository leans on a place outside it: absolute paths are the system's own, and
relative ones stay inside."""
import re

import tree

# Where a Debian machine and its users keep things; anything else is a private directory.
SYSTEM = {"bin", "dev", "etc", "lib", "lib64", "opt", "proc", "run", "sbin", "sys", "tmp", "usr",
          "var",
          "cfs", "pfs",  # where NX's machines had their file systems; EARL_CFS_ROOT goes in front
          "no", "nowhere"}  # names of tests for places that do not exist
# Appended parts (+ "/bin") begin elsewhere.
ABSOLUTE = re.compile(r'(?<!\+ ")(?<![\w.~/*@$)}\]>:<\\%+-])/(\w[\w.-]*)/[\w.*-]')
UPWARDS = re.compile(r"(?<![\w./])((?:\.\./)+)")


def main():
    complaints, checked = [], 0
    for path in tree.files():
        checked += 1
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            for top in ABSOLUTE.findall(line):
                if top not in SYSTEM:
                    complaints.append(f"{path}:{number}: names a path below /{top}")
            for up in UPWARDS.findall(line):
                if up.count("../") > len(path.parts) - 1:
                    complaints.append(f"{path}:{number}: {up} leaves the repository")
    tree.report(complaints, checked)


main()
