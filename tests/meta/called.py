"""Every routine that these libraries export is called by a program that some test runs: usage:
called.py BUILD LIBRARY...

A program calls what its table of dynamic symbols leaves undefined; a library's variable may have been
copied into the program, which then defines it.
"""
import json
import pathlib
import sys

import tree

DATA = "BDV"
# Forms of routines whose C form is called: that they are exported is tested (exports.py), what they
# do is not yet.
FORMS = set("""
    _gopf_ _nx_app_nodes _nx_app_rect _nx_chpart_epl _gfortran_cpu_time_8 _gfortran_etime_sub
    _gfortran_second
    _nx_chpart_mod _nx_chpart_name _nx_chpart_owner _nx_chpart_rq _nx_chpart_sched _nx_initve
    _nx_initve_attr _nx_initve_rect _nx_load _nx_loadve _nx_mkpart _nx_mkpart_attr _nx_mkpart_map
    _nx_mkpart_rect _nx_nfork _nx_pri _nx_pspart _nx_rmpart _nx_waitall creadv_ cwritev_ ireadv_
    ireadvoff_ iwritev_ iwritevoff_ readvoff_ writevoff_ estat_ festat_ earl_nx32_fscanf
    earl_nx32_scanf earl_nx32_vfprintf earl_nx32_vfscanf earl_nx32_vprintf earl_nx32_vscanf
    earl_nx32_vsnprintf earl_nx32_vsprintf earl_nx32_vsscanf
""".split())


def told(build, what):
    """What Meson knows of this build."""
    return json.loads((build / "meson-info" / f"intro-{what}.json").read_text(encoding="utf-8"))


def programs(build):
    """The executables of this build that tests run."""
    wanted = {target for test in told(build, "tests") for target in test["depends"]}
    return sorted(target["filename"][0] for target in told(build, "targets")
                  if target["type"] == "executable" and target["id"] in wanted)


def uses(program):
    """(functions and variables it has from libraries, variables it may have copies of)"""
    there = tree.symbols(program)
    return ({name for name, letter in there.items() if letter in tree.UNDEFINED},
            {name for name, letter in there.items() if letter in DATA})


def complaints(library, used, copied):
    for name, letter in sorted(tree.exports(library).items()):
        if name not in used | FORMS and not (letter in DATA and name in copied):
            yield f"{pathlib.Path(library).name}: no test's program calls {name}"


def main(build, libraries):
    used, copied = (set().union(*names) for names in zip(*map(uses, programs(build))))
    tree.report([line for library in libraries for line in complaints(library, used, copied)],
                sum(len(tree.exports(library)) for library in libraries))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
