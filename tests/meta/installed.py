"""An installed Earl builds and runs a program, by its wrappers and by pkg-config, wherever it was
put. Arguments: the build folder, the installation's bindir and libdir below the prefix.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import tree

build = pathlib.Path(sys.argv[1]).resolve()
prefix, bindir, libdir = sys.argv[2:5]
RING = tree.ROOT / "samples" / "ring.c"


def run(*command, seconds=120, **environment):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=seconds, check=False,
                          env={**os.environ, **environment})
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def build_by_wrapper(top, program):
    run(top / bindir / "earlcc", "-api", "nx", RING, "-o", program)


def build_by_pkg_config(top, program):
    # The tree lies below a folder of its own, which pkg-config calls a sysroot.
    staged = {"PKG_CONFIG_LIBDIR": str(top / libdir / "pkgconfig"),
              "PKG_CONFIG_SYSROOT_DIR": str(top).removesuffix(prefix)}
    flags = run("pkg-config", "--cflags", "--libs", "earl-nx", **staged).split()
    run("cc", "-std=gnu89", "-w", RING, *flags, "-Wl,--allow-shlib-undefined", "-o", program)


def main():
    with tempfile.TemporaryDirectory(prefix="installed-", dir=build) as folder:
        run("meson", "install", "-C", build, "--no-rebuild", "--destdir", folder)
        top = pathlib.Path(folder + prefix)
        complaints = []
        for number, make in enumerate((build_by_wrapper, build_by_pkg_config)):
            program = pathlib.Path(folder) / f"ring{number}"
            make(top, program)
            said = run(top / bindir / "earl", "run", "-n", "4", program)
            if "EARL-OK" not in said:
                complaints.append(f"the ring of {make.__name__} said: {said}")
        for page in ("share/man/man1/earl-run.1", "share/man/man1/earlfc.1",
                     "share/bash-completion/completions/earlcc"):
            if not (top / page).exists():
                complaints.append(f"{page} is not installed")
        # Moved as a whole, it still works.
        moved = pathlib.Path(folder) / "elsewhere"
        shutil.move(top, moved)
        build_by_wrapper(moved, pathlib.Path(folder) / "ring2")
        if "EARL-OK" not in run(moved / bindir / "earl", "run", "-n", "2",
                                pathlib.Path(folder) / "ring2"):
            complaints.append("a moved installation does not run the ring")
    tree.report(complaints, 3)


main()
