#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""libnx has every routine of the four machines' manuals by its three names: C, C with errors
returned (a leading underscore), and Fortran (a trailing one, and two where the name has one inside).

usage: exports.py libnx.so
"""
import sys

import exported

ROUTINES = """
    csend crecv isend irecv csendrecv isendrecv crecvx irecvx gsendx
    cprobe iprobe cprobex iprobex flushmsg
    msgwait msgdone msgcancel msgignore msgmerge
    infocount infonode infopid infoptype infotype
    hrecv hsend hsendrecv hrecvx hsendx masktrap
    gsync gdsum gdprod gdhigh gdlow gssum gsprod gshigh gslow gisum giprod gihigh gilow
    giand gior gixor gland glor glxor gcol gcolx gopf
    mynode numnodes nodedim mypid myptype myhost setpid setptype mclock dclock hwclock led flick
    gray ginv mypart mydirect availmem restrictvol handler killproc killcube
    getcube attachcube relcube load waitall waitone cubeinfo newserver setsyslog killsyslog
    ctohd ctohf ctohl ctohs htocd htocf htocl htocs
    gopen setiomode iomode cread cwrite iread iwrite iowait iodone iseof lsize esize eseek
    creadv cwritev ireadv iwritev readvoff writevoff ireadvoff iwritevoff estat festat
    readoff writeoff ireadoff iwriteoff eadd eadd1 esub esub1 emul ediv emod ecmp stoe etos
"""
# Facts about files are structures of C.
C_ONLY = """
    lestat statpfs fstatpfs getpfsinfo
"""
# The manuals have fewer names of these: no form returns the error of printing an error, and the C
# library has the C lseek.
OTHERS = "_gopf_ _fork nx_perror nx_perror_ nx_perror__ lseek_ msginfo msginfo_ _gfortran_mclock " \
    "earl_nx_perror earl_nx_strerror " \
    "_gfortran_etime _gfortran_etime_sub _gfortran_second _gfortran_cpu_time_4 _gfortran_cpu_time_8"
# Paragon's own return -1 themselves.
PARAGON = """
    nx_initve nx_initve_rect nx_initve_attr nx_load nx_loadve nx_nfork nx_waitall nx_app_rect
    nx_app_nodes nx_pri nx_pspart
    nx_mkpart nx_mkpart_rect nx_mkpart_map nx_rmpart
    nx_chpart_epl nx_chpart_mod nx_chpart_name nx_chpart_owner nx_chpart_rq nx_chpart_sched
"""
# The calls of a program of 4-byte words under the names of nxlong32.h.
LONG32 = """
    gisum giprod gihigh gilow giand gior gixor gland glor glxor gcol gcolx gsendx crecvx irecvx
    cprobex iprobex waitone mypart
"""
LONG32_STDIO = """
    printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf
    scanf fscanf sscanf vscanf vfscanf vsscanf
"""
LONG32_PARAGON = "nx_app_rect nx_app_nodes nx_load nx_loadve nx_nfork"
PARAGON_C_ONLY = "nx_mkpart_attr"


def names():
    yield from OTHERS.split()
    for name in C_ONLY.split():
        yield from (name, "_" + name)
    for name in ROUTINES.split():
        yield from (name, "_" + name, name + "_")
    for name in PARAGON.split():
        yield from (name, "_" + name, name + "_", name + "__")
    for name in PARAGON_C_ONLY.split():
        yield from (name, "_" + name)
    for name in LONG32.split():
        yield from (f"earl_nx32_{name}", f"earl_nx32__{name}")
    for name in (LONG32_PARAGON + LONG32_STDIO).split():
        yield f"earl_nx32_{name}"


def main():
    wanted = set(names())
    bad = list(exported.complaints(sys.argv[1], wanted, "no manual has"))
    exported.report(bad, f"{len(wanted)} names")


if __name__ == "__main__":
    main()
