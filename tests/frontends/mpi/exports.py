#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""libmpich has each function of mpi.h by two names, and besides them only those that name themselves
(frontends/mpi/absent) and what libmpichfort needs; nothing that Debian's libmpich has is missing.
libmpichfort has each routine by eight names; nothing of Debian's libmpichfort for mpif.h is missing.

usage: exports.py LIBRARY...
"""
import pathlib
import re
import subprocess
import sys

import exported

SOURCES = pathlib.Path(__file__).parents[3] / "frontends/mpi"
DECLARED = re.compile(r"^(?:int|double|MPI_Aint) (MPIR?_\w+)\(", re.M)
ABSENT = re.compile(r"^EARL_MPI_ABSENT\((\w+),", re.M)
ABSENT_VARIABLE = re.compile(r"^EARL_MPI_VARIABLE\([^,]+, (\w+),", re.M)
ROUTINES = re.compile(r"^(?:ROUTINE|ABSENT|OTHER_NAMES)\((?:double, )?(\w+), (\w+)[,)]", re.M)
FOR_LIBMPICHFORT = {"earl_mpi_fortran_code"}
VARIABLES = {"mpipriv1_", "mpipriv2_", "mpiprivc_", "mpifcmb5_", "mpifcmb9_"}


def found(pattern, files):
    return {name for path in files for name in pattern.findall(path.read_text(encoding="utf-8"))}


def debians(library, letters="TW"):
    """Functions of Debian's library of that name, or symbols of other kinds; none: it is not installed."""
    listing = subprocess.run(["ldconfig", "-p"], check=False, capture_output=True, text=True).stdout
    paths = re.findall(rf"\b{library}\.so\.12 .*=> (/\S+)", listing)
    return {name for name, (_, letter) in exported.symbols(paths[0]).items()
            if letter in letters} if paths else set()


def absent_variables():
    return found(ABSENT_VARIABLE, [SOURCES / "absent/variables.cpp"])


def names_in_c(there):
    declared = found(DECLARED, (SOURCES / "include").glob("mpi*.h"))
    absent = found(ABSENT, (SOURCES / "absent").glob("*.cpp"))
    # A function of MPICH's own that the standard has as a constant.
    first = {name for name in declared if name in there or name.startswith("MPI_")} | absent
    wanted = first | {"P" + name for name in first if not name.startswith("MPIR_")} | FOR_LIBMPICHFORT
    wanted |= absent_variables()
    native = {name for name in debians("libmpich") | debians("libmpich", "BDR") if re.match("P?MPIX?_", name)}
    return wanted, native


def names_in_fortran(_):
    wanted = set(VARIABLES)
    for lower, upper in found(ROUTINES, (SOURCES / "fortran").glob("*.c")):
        wanted |= {f"{p}mpi_{lower}{end}" for p in ("", "p") for end in ("", "_", "__")}
        wanted |= {f"{p}MPI_{upper}" for p in ("", "P")}
    # Fortran 90's modules do not exist here.
    native = {name for name in debians("libmpichfort")
              if re.match("p?mpi_|P?MPI_", name) and not re.search(r"_f08|_large|_cdesc|_f_|f08$|F_SYNC", name)}
    return wanted, native


def unlike(library):
    """A sentence for each MPI_X that is no weak name of a strong PMPI_X, of those that are written."""
    absent = found(ABSENT, (SOURCES / "absent").glob("*.cpp")) | absent_variables()
    letters = {name: letter for name, (_, letter) in exported.symbols(library).items()}
    for name in sorted(name for name in letters if name.startswith("MPI_") and name not in absent):
        if (letters[name], letters.get("P" + name)) not in (("W", "T"), ("V", "D")):
            yield f"{name} is {letters[name]}, P{name} is {letters.get('P' + name)}: not W and T"


def main():
    library = pathlib.Path(sys.argv[1])
    there = exported.symbols(str(library)).keys()
    names = names_in_fortran if library.name.startswith("libmpichfort") else names_in_c
    wanted, native = names(there)
    bad = list(exported.complaints(str(library), wanted, "no source has"))
    if names is names_in_c:
        bad += list(unlike(str(library)))
    bad += [f"{library.name} lacks {name}, which Debian's has" for name in sorted(native - set(there))]
    exported.report(bad, f"{len(wanted)} names, {len(native)} of Debian's")


if __name__ == "__main__":
    main()
