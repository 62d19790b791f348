#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds one program of this folder with MPICH's own header and runs it twice: on Earl's library (the
binary that MPICH's compiler made), and on MPICH's, by its mpiexec. The programs say EARL-OK in each
process; what MPICH does differently is left out where NATIVE is defined.

usage: three_ways.py earl PROCESSES SOURCE      (exit 77: there is no MPICH here)
       three_ways.py --covered HEADER SOURCE... (whether these call all functions of mpi.h)
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LIMIT = 100 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds
COMPILERS = {".c": ["mpicc.mpich", "-std=gnu89", "-fcommon"],
             ".f": ["mpif77.mpich", "-std=legacy", "-fallow-argument-mismatch"]}
# It ends the process: mpi_dies calls it.
ELSEWHERE = {"MPI_Abort"}
FUNCTION = re.compile(r"^(?:int|double|MPI_Aint) (MPI_\w+)\(", re.M)
# Names that MPI-1 does not have: in the header by these names.
LATER = re.compile(r"MPI_(Type_(count|create|dup|get|set|match)|Comm_(create_|free_|set_|get_|delete_|call_)|"
                   r"Get_address|Get_library|Init_thread|Query|Is_thread|Finalized|Alloc|Free|\w+_[cf]2[cf])")


def run(folder, *words):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=LIMIT)


def build(folder, source, name, *flags):
    compiler = COMPILERS[source.suffix]
    made = run(folder, *compiler, "-w", *flags, source, "-o", name)
    if made.returncode != 0:
        sys.exit(f"{compiler[0]} has not compiled {source.name}:\n{made.stderr}")
    return folder / name


def check(way, done, processes):
    """All processes must have said that all is well."""
    good = done.stdout.count("EARL-OK")  # mpiexec may put several on a line
    if done.returncode != 0 or good != processes:
        sys.exit(f"{way}: exit status {done.returncode}, EARL-OK {good} times, expected {processes}\n"
                 f"--- its output\n{done.stdout}\n--- its errors\n{done.stderr}")


def both_ways(earl, processes, source):
    if not all(shutil.which(name) for name in (COMPILERS[source.suffix][0], "mpiexec.mpich")):
        print("MPICH's compiler or mpiexec is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="earl-three-ways-") as place:
        folder = pathlib.Path(place)
        ours = build(folder, source, "ours")
        check("MPICH's header, Earl's library", run(folder, earl, "run", "-n", processes, ours), processes)
        native = build(folder, source, "native", "-DNATIVE")
        check("MPICH's header and library", run(folder, "mpiexec.mpich", "-n", processes, native),
              processes)


def covered(header, sources):
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    functions = [name for name in FUNCTION.findall(header.read_text(encoding="utf-8"))
                 if not LATER.match(name)]
    absent = [name for name in functions if name not in ELSEWHERE and not re.search(rf"\b{name}\b", text)]
    if absent:
        sys.exit("no program calls " + ", ".join(absent))
    print(f"{len(functions)} functions")


if __name__ == "__main__":
    if sys.argv[1] == "--covered":
        covered(pathlib.Path(sys.argv[2]), [pathlib.Path(path) for path in sys.argv[3:]])
    else:
        both_ways(pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve())
