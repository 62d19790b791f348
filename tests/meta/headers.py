# SPDX-License-Identifier: BSD-3-Clause
"""Every installed header compiles alone, as C89, C99 and C++.

Arguments: the C compiler and the C++ compiler, each as one word list separated by '--'.
"""
import subprocess
import sys

import tree

STRICT = ["-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]


def compile_alone(compiler, language, standard, header):
    folder = next(parent for parent in header.parents if parent.name == "include")
    name = header.relative_to(folder)
    command = [*compiler, "-x", language, f"-std={standard}", *STRICT, "-I", str(tree.ROOT / folder), "-"]
    source = f"#include <{name}>\n#include <{name}>\nextern int alone;\n"
    done = subprocess.run(command, input=source, text=True, capture_output=True, timeout=60,
                          check=False)
    return done.stderr if done.returncode else None


def main():
    split = sys.argv.index("--")
    c, cpp = sys.argv[1:split], sys.argv[split + 1:]
    complaints, checked = [], 0
    for header in tree.files(".h"):
        if "include" not in header.parts or header.parts[0] not in ("frontends", "debug"):
            continue
        # The files Fortran programs include carry C's suffix too, as they did then.
        if header.name.startswith(("f", "mpif")) and "#" not in tree.read(header):
            continue
        for compiler, language, standard in ((c, "c", "c89"), (c, "c", "c99"), (cpp, "c++", "c++20")):
            checked += 1
            wrong = compile_alone(compiler, language, standard, header)
            if wrong:
                complaints.append(f"{header} as {standard}:\n{wrong}")
    tree.report(complaints, checked)


main()
