# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for Spack agrees with the tree: its version, the options that it passes to Meson in all its variants, and
each library that the build asks for. Spack itself does not run: a stand-in notes what the recipe declares."""
import ast
import itertools
import pathlib
import re
import sys
import types

import tree

RECIPE = pathlib.Path("packaging/spack/packages/earl/package.py")
# Spack's names of what Debian calls otherwise.
NAMES = {"libcli11-dev": "cli11", "nlohmann-json3-dev": "nlohmann-json", "libfmt-dev": "fmt", "libsodium-dev": "libsodium",
         "libxxhash-dev": "xxhash", "libzstd-dev": "zstd", "libboost-context-dev": "boost", "libdw-dev": "elfutils",
         "libunwind-dev": "libunwind", "libedit-dev": "libedit", "libhwloc-dev": "hwloc", "libpmix-dev": "pmix", "libopen-trace-format2-dev": "otf2",
         "libfabric-dev": "libfabric", "libmpich-dev": "mpich", "pvm-dev": "pvm", "libtirpc-dev": "libtirpc"}
# Build dependencies of the Debian package that are tools, or a second MPI.
OTHERS = {"debhelper-compat", "gfortran", "meson", "pkgconf", "libopenmpi-dev"}


class Spec:
    def __init__(self, chosen):
        self.chosen = chosen

    def satisfies(self, text):
        return text.removeprefix("+") in self.chosen


def declared():
    """(versions, variants, names of dependencies, the class)"""
    versions, variants, needed = [], [], []
    spack = types.ModuleType("spack.package")
    spack.MesonPackage = object
    spack.version = lambda text, **_: versions.append(text)
    spack.variant = lambda name, **_: variants.append(name)
    spack.depends_on = lambda spec, **_: needed.append(re.match(r"[\w-]+", spec)[0])
    spack.license = spack.requires = lambda *_, **__: None
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), spack
    space = {}
    exec(compile(ast.parse(tree.read(RECIPE)), str(RECIPE), "exec"), space)
    return versions, variants, set(needed), space["Earl"]


def options():
    """Name -> type of each option of Meson."""
    text = tree.read(pathlib.Path("meson_options.txt"))
    return dict(re.findall(r"option\(\s*'(\w+)',\s*type: '(\w+)'", text))


def main():
    versions, variants, needed, recipe = declared()
    complaints, checked = [], 0
    ours = re.search(r"version: '([\d.]+)'", tree.read(pathlib.Path("meson.build")))[1]
    if versions != [ours]:
        complaints.append(f"{RECIPE}: version {versions}, here {ours}")
    known = options()
    back_ends = set(re.findall(r"'(\w+)'", re.search(r"^folders = \{.*?^\}", tree.read(pathlib.Path("backends/meson.build")),
                                                    re.DOTALL | re.MULTILINE)[0])) | {"shm"}
    for chosen in itertools.chain.from_iterable(itertools.combinations(variants, n) for n in range(len(variants) + 1)):
        package = recipe()
        package.spec = Spec(set(chosen))
        for argument in package.meson_args():
            checked += 1
            name, value = re.fullmatch(r"-D(\w+)=([\w,]+)", argument).groups()
            right = {"feature": {"enabled", "disabled"}, "boolean": {"true", "false"}, "array": back_ends}
            if name not in known:
                complaints.append(f"{RECIPE}: meson_options.txt has no option {name}")
            elif not set(value.split(",")) <= right.get(known[name], set()):
                complaints.append(f"{RECIPE}: {argument} is no value of that option")
    control = re.search(r"^Build-Depends:(.*?)^\S", tree.read(pathlib.Path("debian/control")), re.DOTALL | re.MULTILINE)[1]
    for package in re.findall(r"^ ([\w.-]+)|: *([\w.-]+)", control, re.MULTILINE):
        package = package[0] or package[1]
        checked += 1
        if package in OTHERS:
            continue
        if NAMES.get(package) not in needed:
            complaints.append(f"{RECIPE}: nothing stands for {package} of debian/control")
    tree.report(sorted(set(complaints)), checked)


main()
