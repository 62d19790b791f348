# SPDX-License-Identifier: BSD-3-Clause
"""Earl leaves the program's heap alone: its libraries bring their own C++ runtime and malloc, and memory that
runs in a program's process calls nothing of the C library that allocates.

Argument: the build folder.
"""
import pathlib
import re
import subprocess
import sys

import tree

# A library of these allocates from the program's malloc, some already as it is loaded.
ALLOCATING_LIBRARIES = ("libstdc++.so", "libfmt.so", "libzstd.so", "libsodium.so", "libboost_")
OURS = ("exec/libearl.so", "exec/earl", "frontends/*/*.so", "frontends/*/*.so.3", "backends/pvm/earl-pvm.so")

CALLS = re.compile(r"\b(?:std::)?(i?o?fstream|ifstream|ofstream|directory_iterator|opendir|scandir|fopen|fdopen|"
                   r"popen|getaddrinfo|canonical|vasprintf|asprintf|tmpfile|getifaddrs|getpwuid|getpwnam)\b(?=[ ({<])")
# folder/file | why it may.
ALLOWED = {
    "generic/system/sockets.cpp": "an address with a scope, which only getaddrinfo() reads",
    "debug/trace/meta.cpp": "EXEC begins and reads a recording",
    "debug/record/multi_host.cpp": "EXEC and its agents",
    "debug/replay/multi_host.cpp": "EXEC and its agents",
    "debug/analyse/view.cpp": "a command",
    "debug/analyse/write_file.cpp": "commands",
    "debug/events/reader.cpp": "EXEC and the commands",
    "debug/deadlock/deadlock.cpp": "EXEC writes the graph",
    "backends/fibers/*": "the process of all ranks, which have a heap each",
    "backends/net/ofi/job.cpp": "EXEC prepares the back end",
    "backends/myrinet/counters.cpp": "the switches' process, at its end",
    "backends/myrinet/cables/route_command.cpp": "a command",
    "frontends/bip/commands/*": "commands",
}
PLACES = ("generic", "backends", "debug", "frontends", "exec/runtime")


def needed(path):
    said = subprocess.run(["readelf", "-dW", path], text=True, capture_output=True, timeout=60, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", said)


def wrong_libraries(build):
    for pattern in OURS:
        for path in sorted(build.glob(pattern)):
            libraries = [name for name in needed(path) if name.startswith(ALLOCATING_LIBRARIES)]
            shown = {"malloc", "free", "realloc", "calloc", "_Znwm", "_ZdlPv"} & set(tree.exports(path))
            yield path.name, [f"{path.name} needs {name}" for name in libraries] + [
                f"{path.name} replaces the program's {name}" for name in sorted(shown)]


def calls(path):
    for number, line in enumerate(tree.read(path).splitlines(), 1):
        found = CALLS.search(line.split("//")[0])
        if found and not line.lstrip().startswith("#include"):
            yield f"{path}:{number}: {found.group(1)} allocates from the program's heap: generic/system/read_file.hpp"


def main():
    build = pathlib.Path(sys.argv[1])
    libraries = list(wrong_libraries(build))
    complaints = [complaint for _, some in libraries for complaint in some]
    sources = [path for path in tree.files(".cpp", ".hpp") if path.as_posix().startswith(PLACES)]
    for path in sources:
        if not any(path.match(pattern) for pattern in ALLOWED):
            complaints += calls(path)
    tree.report(complaints, len(libraries) and len(libraries) + len(sources))


main()
