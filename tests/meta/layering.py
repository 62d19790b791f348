# SPDX-License-Identifier: BSD-3-Clause
"""The allowed includes: a folder is a layer, and its includes show it."""
import graphlib
import pathlib
import re

import tree

REGISTRIES = ["backends/registry.hpp", "debug/registry.hpp"]
# How a front end's library starts.
BOOT = ["exec/runtime/boot.hpp", "exec/runtime/side.hpp"]
# The shared rooms of the launcher, and the includes allowed to each: no cycle.
LAUNCHER_SHARED = [f"exec/launcher/{name}.hpp"
                   for name in ("plan", "quoted", "requested_host", "layout", "nearest", "front_ends", "left_out",
                                "binding")]
LAUNCHER = {
    "events": [],
    "roster": [],
    "programs": [],
    "output": ["events"],
    "services": ["roster"],
    "children": ["events", "output"],
    "hosts": ["children", "events"],
    "settings": ["children", "hosts"],
    "agent": ["children", "events", "hosts", "resources", "output", "roster", "settings"],
    "job": ["children", "events", "hosts", "resources", "output", "programs", "roster", "services",
            "settings"],
    "commands": ["agent", "children", "hosts", "job", "resources", "output", "programs", "settings"],
}
# Parts of debuggers that rooms of the launcher call.
DEBUGGERS = {
    "children": ["debug/symbols"],
    "programs": ["debug/outside"],
    "job": ["debug/outside/outside.hpp"],
    "commands": ["debug/analyse", "debug/breakpoints/breakpoints.hpp", "debug/contents", "debug/events", "debug/explore",
                 "debug/replay/replay.hpp", "debug/symbols", "debug/trace"],
}
# The places that a front end stands on.
FRONT_END = ["generic", "frontends/common", *BOOT, "exec/runtime/places.hpp", "exec/runtime/session.hpp"]
# The rooms of debug that stand on others.
DEBUG = {
    "trace": ["symbols"],
    "breakpoints": ["symbols"],
    "events": ["trace"],
    "record": ["trace"],
    "deadlock": ["trace", "symbols"],
    "replay": ["trace", "symbols", "breakpoints"],
    "analyse": ["trace", "symbols", "events"],
    "explore": ["trace", "events", "analyse"],
}
# Folder -> its allowed includes beside itself. `*` keeps its value: debug/* may include debug/*'s
# own folder only. The most specific row counts.
MAY_INCLUDE = {
    "generic": ["generic"],  # the core proper stands on all its rooms
    "generic/base": [],
    "generic/system": ["generic/base"],
    "generic/message": ["generic/base"],
    "generic/services": ["generic/base", "generic/message"],
    "generic/seams": ["generic/base", "generic/system", "generic/message"],
    "generic/collectives": ["generic"],  # functions over the core, which knows its boards
    "generic/pch": [],
    "backends": ["generic"],  # the registry itself
    "backends/*": ["generic"],  # each stands alone
    **{f"backends/{room}": ["generic", "backends/hosted"] for room in ("mpi", "nx")},
    "backends/net/ofi": ["generic", "backends/net"],
    "backends/net/tcp": ["generic", "backends/net"],
    "backends/myrinet": ["generic", "backends/net", "backends/myrinet/cables/job.hpp"],
    "backends/myrinet/cables": ["generic", "backends/net", "backends/myrinet"],
    "debug": ["generic"],  # the registry itself
    "debug/*": ["generic"],
    "debug/outside": ["generic", "debug/outside/include"],
    **{f"debug/{room}": ["generic", *(f"debug/{below}" for below in rooms)] for room, rooms in DEBUG.items()},
    "exec": [],
    "exec/runtime": ["generic", *REGISTRIES, "debug/symbols", "debug/contents/alone.hpp"],
    "exec/launcher": ["generic", "exec/runtime", *REGISTRIES, "exec/launcher"],
    **{f"exec/launcher/{room}": ["generic", "exec/runtime", *REGISTRIES, *LAUNCHER_SHARED,
                                 *(f"exec/launcher/{below}" for below in rooms),
                                 *DEBUGGERS.get(room, [])]
       for room, rooms in LAUNCHER.items()},
    "exec/launcher/resources": ["generic", "exec/runtime", "debug/symbols", *REGISTRIES,
                              *LAUNCHER_SHARED, "exec/launcher/hosts", "exec/launcher/programs",
                              "exec/launcher/settings", "exec/compiler"],
    "exec/compiler": ["generic", "exec/runtime", *LAUNCHER_SHARED, "exec/launcher/programs"],
    "frontends/common": ["generic", *BOOT],
    "frontends/*": FRONT_END,
    "frontends/nx": [*FRONT_END, "frontends/nx/files/open_files.hpp"],
    "frontends/nx/files": [*FRONT_END, "frontends/nx"],
    # The same sources for two binary interfaces.
    "frontends/mpi": [*FRONT_END, "frontends/mpi_abi/abi.hpp", "frontends/mpi_abi/include/mpi.h"],
    "frontends/mpi_abi": [*FRONT_END, "frontends/mpi"],
    "frontends/mpi/absent": [*FRONT_END, "frontends/mpi"],
    "frontends/mpi/fortran": [],  # C over mpi.h alone
    "frontends/pvm3/fortran": ["frontends/common"],  # C++ over pvm3.h
    "frontends/bip/commands": ["generic", "frontends/bip"],  # programs of their own
    # A system's own commands are parts of `earl`, over what any command of the launcher uses.
    **{f"frontends/{name}/commands": ["generic", "exec/runtime", *LAUNCHER_SHARED,
                                      "exec/launcher/commands", "exec/launcher/programs"]
       for name in ("nx", "pvm3")},
    "samples": [],
    "tests": ["generic", "backends", "debug", "exec", "frontends", "tests"],
}
# Native headers are for the programs that a test relinks, as an old program would.
NATIVE_HEADERS_FOR = ["frontends", "samples", "tests"]
LAYERS = {"generic", "backends", "debug", "exec", "frontends", "samples", "tests"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def native_headers():
    """Name -> the headers of that name: front ends of one system may share it."""
    found = {}
    for path in tree.files(".h"):
        if len(path.parts) > 3 and path.parts[0] == "frontends" and path.parts[2] == "include":
            found.setdefault(path.name, []).append(path)
    return found


def layer_of(path):
    """The row of the table that a file belongs to, and its own folder in that row."""
    for depth in (3, 2):
        folder = "/".join(path.parts[:depth])
        if folder in MAY_INCLUDE and len(path.parts) > depth:
            return folder, folder
    two = "/".join(path.parts[:2])
    if len(path.parts) > 2 and path.parts[0] + "/*" in MAY_INCLUDE:
        return path.parts[0] + "/*", two
    return path.parts[0], path.parts[0]


def inside(path, place):
    return path == pathlib.Path(place) or pathlib.Path(place) in path.parents


def resolve(includer, quote, name, native):
    """The file in this tree that an include means; None: the system's."""
    if name.split("/")[0] in LAYERS:
        return pathlib.Path(name)
    if name in native:
        return next((path for path in native[name] if path.parts[:2] == includer.parts[:2]), native[name][0])
    beside = includer.parent / name
    if quote == '"':
        return beside
    return None


def judge(includer, quote, name, native):
    found = resolve(includer, quote, name, native)
    if found is None:
        return None
    is_native = found in native.get(found.name, [])
    if is_native and quote == "<" and includer.parts[0] == "backends":
        return None  # the machine's own header, which a front end's looks like
    row, own = layer_of(includer)
    if quote == '"' and not (tree.ROOT / found).exists():
        return f'"{name}" is neither a path from the root nor a native header'
    if is_native and includer.parts[0] in NATIVE_HEADERS_FOR:
        same = includer.parts[0] != "frontends" or includer.parts[:2] == found.parts[:2]
        return None if same else f"{name} is another front end's"
    if found.parent == pathlib.Path(own):
        return None
    if any(inside(found, place) for place in MAY_INCLUDE[row]):
        return None
    return f"{own} may not include {name}"


def rooms_without_row():
    """Each room has a row of its own, but a back end, a front end and a debugger that stand on generic alone."""
    rooms = {path.parent for path in tree.files(".cpp", ".hpp", ".c") if path.parts[0] in LAYERS - {"samples", "tests"}}
    return sorted(str(room) for room in rooms if str(room) not in MAY_INCLUDE and
                  (len(room.parts) > 2 or room.parts[0] in ("generic", "exec")))


def reexports(native):
    """A single header that a row allows includes nothing that the row does not allow."""
    for row, places in MAY_INCLUDE.items():
        for header in (pathlib.Path(place) for place in places if place.endswith(".hpp")):
            for quote, name in INCLUDE.findall(tree.read(header)):
                found = resolve(header, quote, name, native)
                if found and not inside(found, row) and not any(inside(found, place) for place in places):
                    yield f"{row}: {header} gives it {name}, which the row does not allow"


def cycle():
    """Rows that, each by the next, may include themselves."""
    rows = {row: {place for place in places if place in MAY_INCLUDE and place != row}
            for row, places in MAY_INCLUDE.items()}
    try:
        graphlib.TopologicalSorter(rows).prepare()
    except graphlib.CycleError as error:
        yield "MAY_INCLUDE has a cycle: " + " -> ".join(error.args[1])


def main():
    native = native_headers()
    complaints, checked = [*cycle()], 0
    complaints += [f"{room}: has no row in MAY_INCLUDE" for room in rooms_without_row()]
    complaints += reexports(native)
    for path in tree.files(".c", ".cpp", ".h", ".hpp", ".in"):
        if path.parts[0] not in LAYERS:
            continue
        for quote, name in INCLUDE.findall(tree.read(path)):
            checked += 1
            wrong = judge(path, quote, name, native)
            if wrong:
                complaints.append(f"{path}: {wrong}")
    tree.report(complaints, checked)


if __name__ == "__main__":
    main()
