#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Our pvm3.h agrees with the native one: every constant, every structure, every prototype. Our
fpvm3.h has the same parameters.

usage: same_header.py compiler include-folder   (exit 77: the native header is not installed)
"""
import os
import re
import subprocess
import sys
import tempfile

NATIVE = "/usr/include"
STRUCTURES = {
    "pvmhostinfo": "hi_tid hi_name hi_arch hi_speed hi_dsig",
    "pvmtaskinfo": "ti_tid ti_ptid ti_host ti_flag ti_a_out ti_pid",
    "pvmminfo": "len ctx tag wid enc crc src dst",
    "pvmmboxinfo": "mi_name mi_nentries mi_indices mi_owners mi_flags",
}
# The native header declares them and the native library lacks them; and it gives pvm_recvf a result
# that takes a function, where the library returns one that takes three ints.
DIFFERENT = {"pvm_getmwid", "pvm_setmwid", "pvm_recvf"}


def preprocessed(compiler, folder, *options):
    source = '#include <stdio.h>\n#include <pvm3.h>\n'
    return subprocess.run([compiler, "-E", "-I", folder, *options, "-x", "c++", "-"], input=source,
                          check=True, capture_output=True, text=True).stdout


def constants(compiler, folder):
    """Names of the object-like macros and of the macros with one argument."""
    text = preprocessed(compiler, folder, "-dM")
    macros = re.findall(r"^#define ((?:Pvm|PVM)\w+)(\(\w+\))? \S", text, re.M)
    return ({name for name, argument in macros if not argument},
            {name for name, argument in macros if argument and name.startswith("Pvm")})


def routines(compiler, folder):
    text = preprocessed(compiler, folder, "-P")
    return set(re.findall(r"\b(pvm_?\w+|Pvm(?:Max|Min|Sum|Product))\s*\(", text)) - DIFFERENT


def program(names, functions, calls):
    lines = ["#include <cstddef>", "#include <cstdio>", "#include <iostream>", "#include <typeinfo>",
             "#include <pvm3.h>", "int main() {"]
    lines += [f'  std::cout << "{name} = " << ({name}) << "\\n";' for name in names]
    lines += [f'  std::cout << "{name} {n} = " << {name}({n}) << "\\n";'
              for name in functions for n in (0, 1, 5, 3077)]
    for structure, members in STRUCTURES.items():
        lines.append(f'  std::cout << "{structure} " << sizeof({structure}) << "\\n";')
        lines += [f'  std::cout << "{structure}.{member} " << offsetof({structure}, {member}) << " "'
                  f' << typeid(decltype({structure}::{member})).name() << "\\n";'
                  for member in members.split()]
    lines += [f'  std::cout << "{call} " << typeid(decltype({call})).name() << "\\n";'
              for call in calls]
    return "\n".join(lines + ["}", ""])


def answers(compiler, folder, source):
    with tempfile.TemporaryDirectory() as work:
        binary = os.path.join(work, "program")
        subprocess.run([compiler, "-w", "-I", folder, "-x", "c++", "-", "-o", binary], input=source,
                       check=True, text=True)
        return subprocess.run([binary], check=True, capture_output=True, text=True,
                              timeout=20).stdout.splitlines()


def fortran_parameters(folder):
    with open(f"{folder}/fpvm3.h", encoding="ascii") as file:
        text = file.read()
    found = re.findall(r"parameter\s*\(\s*(\w+)\s*=\s*(-?\d+)\s*\)", text, re.I)
    return {name.upper(): int(value) for name, value in found}


def main():
    compiler, ours = sys.argv[1], sys.argv[2]
    if not os.path.exists(f"{NATIVE}/pvm3.h"):
        print("no native pvm3.h to compare with (package pvm-dev)")
        return 77
    names, functions = constants(compiler, NATIVE)
    calls = routines(compiler, NATIVE)
    lacking = sorted(name for name in calls - routines(compiler, ours))
    source = program(sorted(names), sorted(functions), sorted(calls - set(lacking)))
    native, mine = answers(compiler, NATIVE, source), answers(compiler, ours, source)
    differing = [f"native: {a}\n  ours: {b}" for a, b in zip(native, mine) if a != b]
    fortran = fortran_parameters(NATIVE).items() ^ fortran_parameters(ours).items()
    differing += [f"fpvm3.h differs in {name} ({value})" for name, value in sorted(fortran)]
    print("\n".join([f"our header lacks {name}" for name in lacking] + differing)
          or f"{len(names)} constants and {len(calls)} routines as natively")
    return 1 if lacking or differing or len(native) != len(mine) else 0


if __name__ == "__main__":
    sys.exit(main())
