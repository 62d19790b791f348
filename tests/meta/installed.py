# SPDX-License-Identifier: BSD-3-Clause
"""An installed Earl builds and runs programs wherever it was put: by its wrappers and by pkg-config,
on each back end, a host that is started bare, and the commands of other systems. Arguments: the build
folder, the installation's bindir, libdir and libexecdir below the prefix.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import uuid

import tree

build = pathlib.Path(sys.argv[1]).resolve()
prefix, bindir, libdir, libexecdir = sys.argv[2:6]
SAMPLES = tree.ROOT / "samples"
FILES = ("share/man/man1/earl-run.1", "share/man/man1/earlfc.1",
         "share/bash-completion/completions/earlcc")


def run(*command, seconds=120, at=None, **environment):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=seconds, check=False, cwd=at,
                          env={**os.environ, "EARL_CONFIG": "/dev/null", **environment})
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def build_by_wrapper(top, source, program):
    run(top / bindir / "earlcc", "-api", "nx", SAMPLES / source, "-o", program)


def build_by_pkg_config(top, source, program):
    # Its files name the directory in which pkg-config finds them.
    flags = run("pkg-config", "--cflags", "--libs", "earl-nx", PKG_CONFIG_LIBDIR=str(top / libdir / "pkgconfig")).split()
    run("cc", "-std=gnu89", "-w", SAMPLES / source, *flags, "-Wl,--allow-shlib-undefined", "-o", program)


def a_job(top, folder, make=build_by_wrapper):
    make(top, "ring.c", folder / "ring")
    return run(top / bindir / "earl", "run", "-n", "4", folder / "ring")


def a_job_by_pkg_config(top, folder):
    return a_job(top, folder, build_by_pkg_config)


def every_back_end(top, folder):
    """The ring on each back end that can run it, as far as they all say the same."""
    earl = top / bindir / "earl"
    facts = json.loads(run(earl, "info", "--json", folder / "ring"))
    said = {back_end["name"]: run(earl, "run", "--on", back_end["name"], "-n", "2", folder / "ring")
            for back_end in facts["back_ends"] if back_end["can_run"]}
    silent = [name for name, words in said.items() if "EARL-OK" not in words]
    return f"not on {silent}" if silent or "shm" not in said else "EARL-OK"


def a_bare_host(top, folder):
    for name in ("tester_host", "tester_node"):
        build_by_wrapper(top, f"{name}.c", folder / name)
    return run(folder / "tester_host", "2", at=folder)


def shell_commands(top, folder):
    commands = top / libexecdir / "earl" / "compat"
    cube = {"EARL_CUBE": "i" + uuid.uuid4().hex[:12]}
    run(commands / "getcube", "-t", "2", **cube)
    try:
        said = run(commands / "load", folder / "ring", **cube)
        run(commands / "waitcube", **cube)
    finally:
        run(commands / "relcube", **cube)
    return said


def wrong(top, folder):
    """The faults of the installation in `top`; programs are made in `folder`."""
    for check in (a_job, a_job_by_pkg_config, every_back_end, a_bare_host, shell_commands):
        said = check(top, folder)
        if "EARL-OK" not in said:
            yield f"{check.__name__}: {said}"
    for name in FILES:
        if not (top / name).exists():
            yield f"{name} is not installed"


def wrong_libraries(top):
    """Libraries have versions in their names, the native ones' where there are such, and no debug information."""
    core = top / libdir
    for path, name in ((core / "libearl.so", "libearl.so.0"), (core / "earl/libnx.so", "libnx.so.0"),
                       (core / "earl/libbip.so", "libbip.so.0"), (core / "earl/libpvm.so", "libpvm.so.0"),
                       (core / "earl/libmpi1draft.so", "libmpi1draft.so.0"), (core / "earl/libpvm3.so", "libpvm3.so.3"),
                       (core / "earl/libmpich.so", "libmpich.so.12"), (core / "earl/libmpi_abi.so", "libmpi_abi.so.0"),
                       (core / "earl/libmpichfort.so", "libmpichfort.so.12")):
        if f"soname: [{name}]" not in run("readelf", "-d", path):
            yield f"{path.name} is not called {name}"
        if ".debug_info" in run("readelf", "-SW", path):
            yield f"{path.name} is not stripped; in an old build folder: meson configure -Dstrip=true"


def wrong_module(top):
    """`module load earl` names the directories of this installation; without Environment Modules nothing is tried."""
    if shutil.which("modulecmd"):
        said = run("modulecmd", "sh", "load", "earl", MODULEPATH=str(top / "share/modulefiles"))
        for variable, below in (("PATH", bindir), ("PKG_CONFIG_PATH", f"{libdir}/pkgconfig"), ("MANPATH", "share/man")):
            if not re.search(rf"^{variable}='?{re.escape(str(top / below))}\b", said, re.MULTILINE):
                yield f"module load sets no {variable} to {top / below}: {said}"


def wrong_when_moved(top, folder):
    """Moved as a whole it still works."""
    if "prefix=${pcfiledir}" not in (top / libdir / "pkgconfig/earl-nx.pc").read_text(encoding="utf-8"):
        yield "earl-nx.pc has a fixed prefix; in an old build folder: meson configure -Dpkgconfig.relocatable=true"
        return
    moved = folder / "elsewhere"
    shutil.move(top, moved)
    yield from wrong_module(moved)
    for check in (a_job, a_job_by_pkg_config, a_bare_host):
        said = check(moved, folder)
        if "EARL-OK" not in said:
            yield f"{check.__name__}, moved: {said}"


def main():
    with tempfile.TemporaryDirectory(prefix="installed-", dir=build) as folder:
        run("meson", "install", "-C", build, "--no-rebuild", "--destdir", folder)
        top, folder = pathlib.Path(folder + prefix), pathlib.Path(folder)
        tree.report([*wrong(top, folder), *wrong_libraries(top), *wrong_module(top), *wrong_when_moved(top, folder)], 19 + len(FILES))


main()
