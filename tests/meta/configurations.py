# SPDX-License-Identifier: BSD-3-Clause
"""Meson's options for parts of Earl: what each leaves out, and the sentence about a part that cannot be built.

Argument: the build folder.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import tree

ALL = {"nx", "pvm", "pvm3", "mpi1draft", "mpich", "mpi_abi", "bip", "fibers_back_end", "myrinet", "tcp", "nx_back_end",
       "pvm_back_end", "mpi_back_end", "shm", "earlfc", "earl-ofi", "earl-libdw", "earl-edit", "earl-hwloc", "earl-otf2",
       "earl-pmix"}
# Options | those of ALL that are built.
BUILT = (
    ("-Dfrontends=nx -Dbackends=shm,fibers -Dfortran=disabled -Ddebuginfo=disabled -Dlibedit=disabled -Dhwloc=disabled "
     "-Dotf2=disabled -Dpmix=disabled",
     {"nx", "shm", "fibers_back_end"}),
    ("-Dfrontends=mpi -Dbackends=tcp -Dlibedit=disabled -Dhwloc=disabled "
     "-Dotf2=disabled -Dpmix=disabled",
     {"mpich", "shm", "tcp", "earlfc", "earl-libdw"}),
    ("-Dfrontends=pvm3,pvm2 -Dbackends=auto", ALL - {"nx", "nx_back_end", "mpi1draft", "mpich", "mpi_abi", "bip"}),
)
# Options | a part of the sentence.
REFUSED = (
    ("-Dfrontends=vertex", "-Dfrontends=vertex: there is no such front end; there is: nx, pvm2, "),
    ("-Dfrontends=nx,mpi_abi", "mpi_abi is made of the sources of mpi, which is left out"),
    ("-Dfrontends=", "no front end is named"),
    ("-Dbackends=smh", "-Dbackends=smh: there is no such back end; there is: shm, "),
    ("-Dfrontends=mpi -Dbackends=nx", "-Dbackends=nx: its jobs run on the front end nx, which -Dfrontends= leaves out"),
    ("-Dbackends=libfabric", "there is no libfabric here; install libfabric-dev"),
    ("-Dbackends=mpi", "there is neither MPICH nor Open MPI here; install libmpich-dev or libopenmpi-dev"),
)


def pkg_config_without_native(folder):
    """A directory with all files of pkg-config but those of libraries below back ends."""
    searched = subprocess.run(["pkg-config", "--variable", "pc_path", "pkg-config"], text=True, capture_output=True,
                              timeout=60, check=True).stdout.strip()
    shown = pathlib.Path(folder) / "pkgconfig"
    shown.mkdir()
    for place in searched.split(":"):
        for file in pathlib.Path(place).glob("*.pc"):
            link = shown / file.name
            if not file.name.startswith(("mpich", "ompi", "libfabric")) and not link.exists():
                link.symlink_to(file)
    return str(shown)


def setup(folder, options, **environment):
    build = pathlib.Path(tempfile.mkdtemp(dir=folder))
    done = subprocess.run(["meson", "setup", build, tree.ROOT, "-Dtests=false", *options.split()], text=True,
                          capture_output=True, timeout=120, check=False, env={**os.environ, **environment})
    return build, done.returncode, done.stdout + done.stderr


def wrong_parts(folder):
    for options, expected in BUILT:
        build, code, said = setup(folder, options)
        if code:
            yield f"meson setup {options} fails: {said[-2000:]}"
            continue
        targets = json.loads((build / "meson-info/intro-targets.json").read_text(encoding="utf-8"))
        built = ALL & {target["name"] for target in targets}
        if built != expected:
            yield f"{options} builds {sorted(built)}, not {sorted(expected)}"


def wrong_sentences(folder):
    hidden = {"PKG_CONFIG_LIBDIR": pkg_config_without_native(folder)}
    for options, sentence in REFUSED:
        _, code, said = setup(folder, options, **hidden)
        if code == 0 or sentence not in said:
            yield f"meson setup {options} ends with {code} and does not say '{sentence}': {said[-2000:]}"


def wrong_without_gfortran(folder):
    build, code, said = setup(folder, "", FC="false")
    targets = json.loads((build / "meson-info/intro-targets.json").read_text(encoding="utf-8")) if code == 0 else []
    if code or any(target["name"] == "earlfc" for target in targets):
        yield f"without gfortran: {said[-2000:]}"
    _, code, _ = setup(folder, "-Dfortran=enabled", FC="false")
    if code == 0:
        yield "-Dfortran=enabled succeeds without gfortran"


def main():
    complaints = []
    for check in (wrong_parts, wrong_sentences, wrong_without_gfortran):
        with tempfile.TemporaryDirectory(prefix="configurations-", dir=sys.argv[1]) as folder:
            complaints += check(folder)
    tree.report(complaints, len(BUILT) + len(REFUSED) + 2)


main()
