#!/usr/bin/env python3
"""What libpvm3 and libgpvm3 export is what the native libraries' users import, and nothing else. Where
those are installed, too, `nm` says the same of them.

usage: exports.py libpvm3.so.3 libgpvm3.so.3 libfpvm3.so libfpvm3.a
"""
import glob
import os
import subprocess
import sys

import exported

# The documented routines and what else begins with pvm_ in PVM 3.4.6 for Linux.
ROUTINES = """
    pvm_addhosts pvm_addmhf pvm_alloc pvm_archcode pvm_bufinfo pvm_catchout pvm_config
    pvm_delete pvm_delhosts pvm_delinfo pvm_delmhf pvm_errlist pvm_errno pvm_exit pvm_export
    pvm_fd_add pvm_fd_delete pvm_free pvm_freebuf pvm_freecontext pvm_getcontext pvm_getfds
    pvm_getmboxinfo pvm_getminfo pvm_getnoresets pvm_getopt pvm_getrbuf pvm_getsbuf pvm_gettmask
    pvm_halt pvm_hostsync pvm_initsend pvm_inprecv pvm_insert pvm_kill pvm_lookup pvm_mcast
    pvm_mkbuf pvm_mstat pvm_mytid pvm_nerr pvm_newcontext pvm_notify pvm_nrecv pvm_packf
    pvm_parent pvm_perror pvm_pkbyte pvm_pkcplx pvm_pkdcplx pvm_pkdouble pvm_pkfloat pvm_pkint
    pvm_pklong pvm_pkmesg pvm_pkmesgbody pvm_pkshort pvm_pkstr pvm_pkuint pvm_pkulong
    pvm_pkushort pvm_precv pvm_probe pvm_psend pvm_pstat pvm_putinfo pvm_realloc pvm_recv
    pvm_recvf pvm_recvinfo pvm_reg_hoster pvm_reg_rm pvm_reg_tasker pvm_reg_tracer pvm_send
    pvm_sendsig pvm_setcontext pvm_setminfo pvm_setopt pvm_setrbuf pvm_setsbuf pvm_settmask
    pvm_siblings pvm_spawn pvm_start_pvmd pvm_strerror pvm_tasks pvm_tc_noop pvm_tc_settmask
    pvm_tc_settrace pvm_tc_settrcbuf pvm_tc_settrcopt pvm_tc_siblings pvm_tickle pvm_tidtohost
    pvm_trecv pvm_unexport pvm_unpackf pvm_upkbyte pvm_upkcplx pvm_upkdcplx pvm_upkdouble
    pvm_upkfloat pvm_upkint pvm_upklong pvm_upkmesg pvm_upkshort pvm_upkstr pvm_upkuint
    pvm_upkulong pvm_upkushort pvm_useruid pvm_version pvm_vpackf pvm_vunpackf
"""
# Internals that programs are known to use.
INTERNALS = """
    lpvmerr pvmautoerr pvmctrc pvmdebmask pvmdisplaymhfinfo pvmendtask pvmgetclock pvmgetrsh
    pvmgettmp pvmmyctx pvmmytid pvmnametag pvmputenv pvmreset pvmsleep pvmstrtoi pvmtmpnam pvmtoplvl
    pvmtrc
"""
GROUP_ROUTINES = """
    PvmMax PvmMin PvmProduct PvmSum pvm_barrier pvm_bcast pvm_freezegroup pvm_gather pvm_getinst
    pvm_gettid pvm_grphostinfo pvm_grpvhostinfo pvm_gsdump pvm_gsize pvm_joingroup pvm_lvgroup
    pvm_reduce pvm_scatter pvmgs_tmout gstid
"""
FORTRAN_ROUTINES = """
    addhost addmhf archcode barrier bcast bufinfo catchout config delhost delinfo delmhf exit freebuf
    freecontext freezegroup gather getcontext getinst getmboxinfo getopt getrbuf getsbuf gettid gsize
    halt hostsync initsend joingroup kill lvgroup mcast mkbuf mstat mytid newcontext notify nrecv
    pack parent perror precv probe psend pstat putinfo recv recvinfo reduce scatter send sendsig
    setcontext setopt setrbuf setsbuf siblings sleep spawn startpvmd tasks tidtohost trecv unpack
"""
FORTRAN = {f"pvmf{name}_" for name in FORTRAN_ROUTINES.split()} | {
    "pvmmax_", "pvmmin_", "pvmsum_", "pvmproduct_"}
# An executable that names a variable holds a copy of it, made with the native size.
SIZES = {
    "pvm_errno": 4, "pvm_nerr": 4, "pvm_errlist": 37 * 8, "pvm_useruid": 4, "pvm_inprecv": 8,
    "pvmautoerr": 4, "pvmdebmask": 4, "pvmmyctx": 4, "pvmmytid": 4, "pvmtoplvl": 4,
    "pvmtrc": 68, "pvmctrc": 68, "gstid": 4, "pvmgs_tmout": 8,
}


def in_archive(library):
    """The routines of an archive, without those of C++."""
    lines = subprocess.run(["nm", "--defined-only", library], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines if " T " in line and "pvm" in line.split()[-1]
            and not line.split()[-1].startswith("_Z")}


def soname(library):
    lines = subprocess.run(["readelf", "-d", library], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return [line.split("[")[1].rstrip("]") for line in lines if "(SONAME)" in line]


def complaints(library, expected, name):
    yield from exported.complaints(library, expected, "the native library's users do not import")
    found = exported.symbols(library)
    for symbol in sorted(SIZES.keys() & found.keys()):
        size, letter = found[symbol]
        if size != SIZES[symbol] or letter not in "BD":
            yield f"{symbol} is {size} bytes of kind {letter}, natively {SIZES[symbol]} of data"
    if soname(library) != [name]:
        yield f"{library} calls itself {soname(library)}, not {name}"


NATIVE = "/usr/lib/x86_64-linux-gnu/"
# Of other packages than pvm-examples, in Debian 12. PVM's own daemon, console and group server use
# its insides, and run natively only.
USERS = ["/usr/bin/NPpvm", "/usr/bin/tablix2", "/usr/bin/tablix2_kernel",
         "/usr/lib/x86_64-linux-gnu/slang/v2/modules/pvm-module.so"]
# Fortran's strings, for the library's own use.
FORTRAN_INTERNALS = {"ctofstr", "ftocstr"}


def examples():
    listed = "/var/lib/dpkg/info/pvm-examples.list"
    if not os.path.exists(listed):
        return []
    with open(listed, encoding="ascii") as file:
        return [line.strip() for line in file if line.startswith("/usr/bin/")]


def imported(program):
    lines = subprocess.run(["nm", "-D", "--undefined-only", program], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


def differences(libraries):
    """Of ours from the installed ones: what is documented, what programs import, what is data."""
    for library, name in zip(libraries, ("libpvm3.so.3", "libgpvm3.so.3")):
        ours, theirs = exported.symbols(library), exported.symbols(NATIVE + name)
        public = {symbol for symbol in theirs if symbol.startswith(("pvm_", "Pvm"))}
        for program in [*examples(), *filter(os.path.exists, USERS)]:
            public |= imported(program) & theirs.keys()
        yield from (f"{name} has {symbol} natively" for symbol in sorted(public - ours.keys()))
        yield from (f"{name} has no {symbol} natively" for symbol in sorted(ours.keys() - theirs))
        yield from (f"{symbol} is {ours[symbol]}, natively {theirs[symbol]}"
                    for symbol in sorted(SIZES.keys() & ours.keys() & theirs.keys())
                    if ours[symbol][0] != theirs[symbol][0])


def fortran_differences(archive):
    for native in glob.glob(NATIVE + "libfpvm3.a"):
        theirs = in_archive(native) - FORTRAN_INTERNALS
        yield from (f"libfpvm3 differs from the installed one in {name}"
                    for name in sorted(theirs ^ in_archive(archive)))


def main():
    routines = set((ROUTINES + INTERNALS).split())
    bad = list(complaints(sys.argv[1], routines, "libpvm3.so.3"))
    bad += complaints(sys.argv[2], set(GROUP_ROUTINES.split()), "libgpvm3.so.3")
    for found in (set(exported.symbols(sys.argv[3])), in_archive(sys.argv[4])):
        if found != FORTRAN:
            bad.append(f"libfpvm3 differs from the native one in {sorted(found ^ FORTRAN)}")
    if all(os.path.exists(NATIVE + name) for name in ("libpvm3.so.3", "libgpvm3.so.3")):
        bad += differences(sys.argv[1:3])
        bad += fortran_differences(sys.argv[4])
    exported.report(
        bad, f"{len(routines)} and {len(set(GROUP_ROUTINES.split()))} symbols as natively")


if __name__ == "__main__":
    main()
