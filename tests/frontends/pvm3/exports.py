#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""libpvm3 and libgpvm3 export the native libraries' names, and call none of the internal ones by
name. Where those are installed, too, `nm` says the same of them.

usage: exports.py libpvm3.so.3 libgpvm3.so.3 libfpvm3.so libfpvm3.a
"""
import glob
import os
import subprocess
import sys

import exported

# The documented routines and the others that begin with pvm_ in PVM 3.4.6 for Linux.
ROUTINES = """
    pvm_addhosts pvm_addmhf pvm_alloc pvm_archcode pvm_bufinfo pvm_catchout pvm_config
    pvm_delete pvm_delhosts pvm_delinfo pvm_delmhf pvm_exit pvm_export pvm_fd_add pvm_fd_delete
    pvm_free pvm_freebuf pvm_freecontext pvm_getcontext pvm_getfds pvm_getmboxinfo pvm_getminfo
    pvm_getnoresets pvm_getopt pvm_getrbuf pvm_getsbuf pvm_gettmask pvm_halt pvm_hostsync
    pvm_initsend pvm_insert pvm_kill pvm_lookup pvm_mcast pvm_mkbuf pvm_mstat pvm_mytid
    pvm_newcontext pvm_notify pvm_nrecv pvm_packf pvm_parent pvm_perror pvm_pkbyte pvm_pkcplx
    pvm_pkdcplx pvm_pkdouble pvm_pkfloat pvm_pkint pvm_pklong pvm_pkmesg pvm_pkmesgbody
    pvm_pkshort pvm_pkstr pvm_pkuint pvm_pkulong pvm_pkushort pvm_precv pvm_probe pvm_psend
    pvm_pstat pvm_putinfo pvm_realloc pvm_recv pvm_recvf pvm_recvinfo pvm_reg_hoster pvm_reg_rm
    pvm_reg_tasker pvm_reg_tracer pvm_send pvm_sendsig pvm_setcontext pvm_setminfo pvm_setopt
    pvm_setrbuf pvm_setsbuf pvm_settmask pvm_siblings pvm_spawn pvm_start_pvmd pvm_strerror
    pvm_tasks pvm_tc_noop pvm_tc_settmask pvm_tc_settrace pvm_tc_settrcbuf pvm_tc_settrcopt
    pvm_tc_siblings pvm_tickle pvm_tidtohost pvm_trecv pvm_unexport pvm_unpackf pvm_upkbyte
    pvm_upkcplx pvm_upkdcplx pvm_upkdouble pvm_upkfloat pvm_upkint pvm_upklong pvm_upkmesg
    pvm_upkshort pvm_upkstr pvm_upkuint pvm_upkulong pvm_upkushort pvm_version pvm_vpackf
    pvm_vunpackf lpvmerr
"""
# Its insides, exported by accident; a program may have functions of its own by these names.
INSIDES = """
    check_for_exit check_routeadd check_routedelete da_new da_ref da_unref debug_flags
    enc_trc_fin enc_trc_hdr errnamecode fr_new fr_snew fr_unref hex_inadport i_choke i_dump
    i_free i_malloc i_realloc inadport_decimal inadport_hex mesg_input midtobuf mroute msendrecv
    ogm_complete pmsg_decmore pmsg_dump pmsg_extend pmsg_new pmsg_pack pmsg_packbody pmsg_setenc
    pmsg_setlen pmsg_unpack pmsg_unref post_routedelete print_fdset pvmbailout pvmbeatask
    pvmchkuid pvmcopyenv pvmcrcappend pvmdisplaymhfinfo pvmdsockfile pvmendtask pvmenvinsert
    pvmfreeenv pvmget16 pvmget32 pvmget8 pvmgetclock pvmgetdsig pvmgethome pvmgetpvmd pvmgetroot
    pvmgetrsh pvmgettmp pvmhdump pvmlogerror pvmlogperror pvmlogprintf pvmmatchstring pvmmcast
    pvmnametag pvmput16 pvmput32 pvmput8 pvmputenv pvmreset pvmsettaskname pvmsleep pvmstrtoi
    pvmtmpnam pvmupkstralloc pvmxtoi tev_begin tev_do_trace tev_fin tev_flush tev_init
    tobuf_dump ttpcb_creat ttpcb_dead ttpcb_delete ttpcb_dump ttpcb_dumpall ttpcb_find ttpcb_new
    umbuf_dump umbuf_free umbuf_list umbuf_new vpvmlogprintf wait_delete wait_dump wait_dumpall
    wait_find wait_get wait_init wait_new
"""
GROUP_ROUTINES = """
    PvmMax PvmMin PvmProduct PvmSum pvm_barrier pvm_bcast pvm_freezegroup pvm_gather pvm_getinst
    pvm_gettid pvm_grphostinfo pvm_grpvhostinfo pvm_gsdump pvm_gsize pvm_joingroup pvm_lvgroup
    pvm_reduce pvm_scatter
"""
GROUP_INSIDES = """
    gs_barrier gs_binsearch gs_cachegroup gs_delete_group gs_delhost gs_get_datasize
    gs_get_tidlist gs_getgstid gs_getinst gs_gettid gs_group gs_gsize gs_hash_clear gs_hash_init
    gs_hash_name gs_host_all gs_host_char gs_join gs_leave gs_list_insert gs_newhost
    gs_newstaticcache gs_pack_unpack gs_pkstaticinfo gs_realloc_int_array gs_register gs_retint
    gs_static gs_struct_destroy gs_struct_init gs_tidlist gs_tidtohost int_query_server
"""
# Variables and their sizes: an executable that names one holds a copy of it, made with that size.
VARIABLES = {
    "pvm_errlist": 296, "pvm_errno": 4, "pvm_inprecv": 8, "pvm_nerr": 4, "pvm_useruid": 4,
    "pvmautoerr": 4, "pvmctrc": 68, "pvmdebmask": 4, "pvmfrgsiz": 4, "pvmmboxclasses": 8,
    "pvmmidh": 8, "pvmmidhsiz": 4, "pvmmyctx": 4, "pvmmydsig": 4, "pvmmyptid": 4,
    "pvmmytaskname": 8, "pvmmytid": 4, "pvmmyupid": 4, "pvmnoreset": 4, "pvmnoresetindex": 4,
    "pvmnsibs": 4, "pvmrbuf": 8, "pvmrescode": 4, "pvmrouteopt": 4, "pvmrxlist": 8,
    "pvmsbuf": 8, "pvmschedtid": 4, "pvmshowtaskid": 4, "pvmsibtids": 8, "pvmtevdidlist": 1968,
    "pvmtevinfo": 6104, "pvmtoplvl": 4, "pvmtrc": 68, "pvmtrccodef": 8, "pvmtrcdesc": 4,
    "pvmtrcmp": 8, "pvmtrcsavekind": 4, "pvmtrcsbf": 4, "pvmtrcsbfsave": 4, "pvmtrctmp": 4,
    "pvmtrcztv": 16, "pvmudpmtu": 4, "waitlist": 8,
}
# Between Earl's own libraries, and of PVM 3.0 to 3.2.
OWN_ROUTINES = {"earl_pvm_set_site", "pvm_advise", "pvm_serror"}
OWN_VARIABLES = {"earl_pvm_site": 8}
GROUP_VARIABLES = {"gstid": 4, "pvmgs_tmout": 8}
FORTRAN_ROUTINES = """
    addhost addmhf archcode barrier bcast bufinfo catchout config delhost delinfo delmhf exit freebuf
    freecontext freezegroup gather getcontext getinst getmboxinfo getopt getrbuf getsbuf gettid gsize
    halt hostsync initsend joingroup kill lvgroup mcast mkbuf mstat mytid newcontext notify nrecv
    pack parent perror precv probe psend pstat putinfo recv recvinfo reduce scatter send sendsig
    setcontext setopt setrbuf setsbuf siblings sleep spawn startpvmd tasks tidtohost trecv unpack
"""
OLD_FORTRAN = {"pvmfadvise_", "pvmfserror_"}
FORTRAN = OLD_FORTRAN | {f"pvmf{name}_" for name in FORTRAN_ROUTINES.split()} | {
    "pvmmax_", "pvmmin_", "pvmsum_", "pvmproduct_"}


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


def own_calls(library):
    """The names whose addresses the loader looks up for the library."""
    lines = subprocess.run(["readelf", "-Wr", library], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {word.split("@")[0] for line in lines for word in line.split()[4:5]}


def complaints(library, functions, variables, name):
    everything = {*functions.split(), *variables}
    yield from exported.complaints(library, everything, "the native library does not")
    found = exported.symbols(library)
    for symbol in sorted(everything & found.keys()):
        size, letter = found[symbol]
        if (letter == "T") == (symbol in variables):
            yield f"{symbol} is of kind {letter}"
        elif letter != "T" and size != variables[symbol]:
            yield f"{symbol} is {size} bytes, natively {variables[symbol]}"
    yield from (f"{name} may call a program's own {inside}"
                for inside in sorted(own_calls(library) & set((INSIDES + GROUP_INSIDES).split())))
    if soname(library) != [name]:
        yield f"{library} calls itself {soname(library)}, not {name}"


NATIVE = "/usr/lib/x86_64-linux-gnu/"
# Fortran's strings, for the library's own use.
FORTRAN_INTERNALS = {"ctofstr", "ftocstr"}


def kinds(library):
    """A routine's size is its own affair."""
    return {(name, letter, 0 if letter == "T" else size)
            for name, (size, letter) in exported.symbols(library).items()}


def differences(libraries):
    """Of ours from the installed ones."""
    for library, name in zip(libraries, ("libpvm3.so.3", "libgpvm3.so.3")):
        ours, theirs = kinds(library), kinds(NATIVE + name)
        yield from (f"{name} lacks {symbol}, which the native one has" for symbol in sorted(theirs - ours))
        yield from (f"{name} has {symbol}, which the native one lacks" for symbol in sorted(ours - theirs)
                    if symbol[0] not in OWN_ROUTINES | OWN_VARIABLES.keys())


def fortran_differences(archive):
    for native in glob.glob(NATIVE + "libfpvm3.a"):
        theirs = in_archive(native) - FORTRAN_INTERNALS
        yield from (f"libfpvm3 differs from the installed one in {name}"
                    for name in sorted(theirs ^ in_archive(archive) - OLD_FORTRAN))


def main():
    bad = [*complaints(sys.argv[1], " ".join([ROUTINES, INSIDES, *OWN_ROUTINES]),
                       {**VARIABLES, **OWN_VARIABLES}, "libpvm3.so.3"),
           *complaints(sys.argv[2], GROUP_ROUTINES + GROUP_INSIDES, GROUP_VARIABLES,
                       "libgpvm3.so.3")]
    for found in (set(exported.symbols(sys.argv[3])), in_archive(sys.argv[4])):
        if found != FORTRAN:
            bad.append(f"libfpvm3 differs from the native one in {sorted(found ^ FORTRAN)}")
    if all(os.path.exists(NATIVE + name) for name in ("libpvm3.so.3", "libgpvm3.so.3")):
        bad += differences(sys.argv[1:3])
        bad += fortran_differences(sys.argv[4])
    exported.report(bad, " and ".join(str(len(exported.symbols(library))) for library in sys.argv[1:3])
                    + " symbols as natively")


if __name__ == "__main__":
    main()
