# SPDX-License-Identifier: BSD-3-Clause
"""MPI: programs that MPICH's compiler linked, unmodified on Earl and on MPICH, the same source on Open MPI; wrappers."""
import pathlib
import shutil
import statistics
import tempfile

import bounded
from rounds import absent, in_rounds, second_words
from table import bytes_text, heading, ratio, spread

LIMIT = 120  # seconds for one program in one round
SIZES = (8, 1024, 65536, 1 << 20)
# By number of processes. MPICH only spins: it needs a time slice of each process for each message.
LAPS = {"earl": {2: 2000, 4: 500, 8: 300, 16: 200, 64: 50}, "openmpi": {2: 2000, 4: 200, 8: 100, 16: 20, 64: 5},
        "mpich": {2: 2000, 4: 3, 8: 3, 16: 3}}
WRAPPERS = 3
CALLS = 2  # of a pair that a wrapper is in


def starts(build):
    """Peer -> how to start `processes` of a program."""
    here, earl = build / "tests" / "bench", str(build / "exec" / "earl")
    openmpi = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
    return {"earl": lambda n, name: [earl, "run", "-n", str(n), str(here / f"mpich_{name}")],
            "mpich": lambda n, name: ["mpiexec.mpich", "-n", str(n), str(here / f"mpich_{name}")],
            "openmpi": lambda n, name: [*openmpi, str(n), str(here / f"openmpi_{name}")]}


def lacks(build, peer):
    """The reason why a peer cannot be measured; empty: it can."""
    compiled = "openmpi" if peer == "openmpi" else "mpich"
    if not (build / "tests" / "bench" / f"{compiled}_calls").exists():
        return f"{compiled}_calls was not built: its compiler was not found"
    launcher = {"mpich": "mpiexec.mpich", "openmpi": "mpirun.openmpi"}.get(peer)
    return f"{launcher} is not installed" if launcher and not shutil.which(launcher) else ""


def netpipe(command):
    """Half a round trip of 8 bytes, as NetPIPE's table has it."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        table = pathlib.Path(folder, "table")
        bounded.run([*command, "-l", "8", "-u", "8", "-p", "0", "-n", "50000", "-o", str(table)], LIMIT)
        size, _, seconds = table.read_text(encoding="ascii").split()
    if size != "8":
        raise bounded.Failed(f"NetPIPE has measured {size} bytes")
    return {"NetPIPE, 8 B": 1e9 * float(seconds)}


def take(peer, start, quick):
    """{row: nanoseconds} of one peer in one round."""
    found = {f"{bytes_text(int(size))} one way": value for size, value in second_words(bounded.run(
        [*start(2, "peer"), "pingpong", "30" if quick else "120", *map(str, SIZES)], LIMIT), "pingpong").items()}
    for processes, laps in LAPS[peer].items():
        calls = second_words(bounded.run([*start(processes, "calls"), str(laps)], LIMIT), "call")
        found |= {f"{name}, {processes}": value for name, value in calls.items()}
    if peer != "openmpi" and (program := shutil.which("NPmpich2")):
        found |= netpipe([*start(2, "peer")[:-1], program])
    return found


def measure(build, quick):
    return in_rounds(2 if quick else 5, {
        peer: absent(lacks(build, peer)) if lacks(build, peer) else
        lambda peer=peer, start=start: take(peer, start, quick) for peer, start in starts(build).items()})


def show(seen):
    heading("A program of MPICH's, unmodified, on Earl and on MPICH, and Open MPI: us, and Earl's by the better peer's")
    peers = [peer for peer in seen if peer != "earl"]
    for row in seen.get("earl", {}):
        line = f"  {row:20}" + "".join(f"{peer} {spread(seen[peer][row], 1e3, 2)}   " for peer in seen if row in seen[peer])
        others = [ratio(seen["earl"][row], seen[peer][row]) for peer in peers if row in seen[peer]]
        print(line + (f"{max(others):.2f}" if others else ""), flush=True)


def measure_wrappers(build, quick):
    """A send to oneself and its receive, alone and through three wrappers that do nothing."""
    here = build / "tests" / "bench"
    command = [str(build / "exec" / "earl"), "run", "-n", "1"]
    tools = [word for number in range(WRAPPERS) for word in ("--tool", str(here / f"empty_wrapper_{number}.so"))]
    times = 200_000 if quick else 1_000_000

    def pair(options):
        words = [*command, *options, str(here / "mapping_mpi"), str(times)]
        return {"ns": second_words(bounded.run(words, LIMIT), "pair")[""]}
    return in_rounds(3 if quick else 9, {"no wrapper": lambda: pair([]), "three wrappers": lambda: pair(tools)})


def show_wrappers(seen):
    heading("A send to oneself and its receive of MPI, through wrappers that do nothing: ns")
    for name, keys in seen.items():
        print(f"  {name:16}{spread(keys['ns'], 1, 1)}", flush=True)
    if len(seen) == 2:
        more = statistics.median(a - b for a, b in zip(seen["three wrappers"]["ns"]["rounds"], seen["no wrapper"]["ns"]["rounds"]))
        print(f"  a wrapper adds {more / WRAPPERS / CALLS:.1f} ns to a call", flush=True)


MEASURES = {"mpi": measure, "wrappers": measure_wrappers}
PRINT = {"mpi": show, "wrappers": show_wrappers}
