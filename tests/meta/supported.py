"""docs/supported.md lists the calls of each front end as its libraries have them: those that work, and those that only say
that they are not provided. Arguments: the build folder; --write writes the page."""
import pathlib
import re
import struct
import subprocess
import sys

import tree

PAGE = pathlib.Path("docs/supported.md")
HEAD = """# Supported calls

Written from the libraries by `tests/meta/supported.py BUILD --write`; a test compares. `earl info PROGRAM` says which of them a program makes.
Forms of one call (`MPI_Send`, `PMPI_Send`, and Fortran's `mpi_send_`) are listed once.
"""
# Names of the linker, of C++, of Earl, and those of the C library and gfortran's that a front end replaces.
NO_CALL = re.compile(r"_(init|fini)$|_Z|earl_|_gfortran_|main$|_?fork$")


def said(*command):
    return subprocess.run(command, text=True, capture_output=True, timeout=60, check=True).stdout


def stub_addresses(library):
    """Each entry of the section is the distance from itself to a place in a stub."""
    section = re.search(r"\bearl_stubs +PROGBITS +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+)", said("readelf", "-SW", library))
    if not section:
        return []
    address, offset, size = (int(word, 16) for word in section.groups())
    entries = struct.unpack(f"<{size // 4}i", library.read_bytes()[offset:offset + size])
    return [address + 4 * at + distance for at, distance in enumerate(entries)]


def functions(library):
    """name -> whether it is a stub."""
    stubs = stub_addresses(library)
    found = {}
    for line in said("readelf", "--dyn-syms", "-W", library).splitlines():
        words = line.split()
        if len(words) >= 8 and words[3] in ("FUNC", "IFUNC") and words[6] != "UND":
            start, size, name = int(words[1], 16), int(words[2], 0), words[7].split("@")[0]
            if not NO_CALL.match(name):
                found[name] = any(start <= place < start + size for place in stubs)
    return found


def form_of(name):
    return name.strip("_").lower().removeprefix("p" if name.lower().startswith("pmpi") else "")


def calls(libraries):
    """The calls that work and those that do not, each by the name that C has."""
    forms = {}
    for library in libraries:
        for name, is_stub in functions(library).items():
            forms.setdefault(form_of(name), []).append((is_stub, name))
    works, fails = [], []
    for names in forms.values():
        # C's has no underscore at its ends, and small letters beside capitals.
        best = min((name for _, name in names), key=lambda name: (name.startswith("P"), name.endswith("_"),
                                                                  name.startswith("_"), name.isupper(), name))
        (fails if all(is_stub for is_stub, _ in names) else works).append(best.rstrip("_"))
    return sorted(works, key=str.lower), sorted(fails, key=str.lower)


def rows():
    for name in re.search(r"^front_end_names = \[(.*)\]", tree.read(pathlib.Path("meson.build")), re.MULTILINE)[1].split(", "):
        title = re.search(r"^title = (.*)$", tree.read(pathlib.Path("frontends") / name.strip("'") / "row.txt"), re.MULTILINE)[1]
        yield name.strip("'"), title


def page(build):
    text = HEAD
    for name, title in rows():
        libraries = sorted(path for path in (build / "frontends" / name).glob("lib*.so*")
                           if path.is_file() and not path.is_symlink())
        works, fails = calls(libraries)
        text += f"\n## {title} (`-api {name}`)\n\n{len(works)} calls: {', '.join(f'`{one}`' for one in works)}.\n"
        if fails:
            text += f"\n{len(fails)} are there and say that they are not provided: {', '.join(f'`{one}`' for one in fails)}.\n"
    return text


def main():
    made = page(pathlib.Path(sys.argv[1]))
    if "--write" in sys.argv:
        (tree.ROOT / PAGE).write_text(made, encoding="utf-8")
    same = (tree.ROOT / PAGE).exists() and made == tree.read(PAGE)
    tree.report([] if same else [f"{PAGE} is not what the libraries have: tests/meta/supported.py {sys.argv[1]} --write"],
                made.count("`"))


main()
# SPDX-License-Identifier: BSD-3-Clause
