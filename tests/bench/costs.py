# SPDX-License-Identifier: BSD-3-Clause
"""The costs of Earl itself: mapping, matching, barriers, starting, fibers, recording."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import bounded
from rounds import absent, in_rounds, second_words

LIMIT = 60  # seconds for one program in one round
LONG = 240  # for thousands of processes on few CPUs


def program(build, name):
    return str(build / "tests" / "bench" / name)


def run(build, nodes, *words, how=("run",), limit=LIMIT):
    """`nodes` is None for a host program, which loads its own."""
    count = [] if nodes is None else ["-n", str(nodes)]
    return bounded.run([str(build / "exec" / "earl"), *how, *count, *map(str, words)], limit)


def instructions_of(command):
    """Callgrind counts the same each time, however busy the back end is."""
    out = bounded.run(["valgrind", "--tool=callgrind", "--log-fd=1",
                       "--callgrind-out-file=/dev/null", *command], LIMIT)
    return int(re.search(r"Collected : (\d+)", out).group(1))


def instructions(path, times):
    """Of a pair of calls."""
    def count(pairs):
        return instructions_of([path, str(pairs)])
    return (count(2 * times) - count(times)) / times


NO_VALGRIND = "valgrind is not installed"


def no_counter():
    return {} if shutil.which("valgrind") else {"instructions": absent(NO_VALGRIND)}


def measure_mapping(build, quick):
    """The same send and receive to oneself, through NX, through MPI and by the core's own calls."""
    times = 200_000 if quick else 1_000_000

    def take(name):
        path = program(build, name)
        found = {"ns": second_words(bounded.run([path, str(times)], LIMIT), "pair")[""]}
        if shutil.which("valgrind"):
            found["instructions"] = instructions(path, 20_000)
        return found
    return in_rounds(3 if quick else 9, {
        name: lambda name=name: take(f"mapping_{name}") for name in ("nx", "mpi", "core")}
        | no_counter())


def own_instructions(profile, library):
    """Of a profile by callgrind: those executed in the library itself, not in its callees."""
    names, here, counted, inclusive = {}, None, 0, False
    for line in profile.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"ob=\((\d+)\)(?: (.*))?$", line):
            here = names.setdefault(found[1], found[2] or "")
        elif line.startswith("cob=") and (found := re.match(r"cob=\((\d+)\) (.*)$", line)):
            names.setdefault(found[1], found[2])
        elif line.startswith("calls="):
            inclusive = True  # the next line is the cost of the called function
        elif re.match(r"[+*\d-]\S* \d+$", line):
            if not inclusive and pathlib.Path(here or "").name == library:
                counted += int(line.split()[1])
            inclusive = False
    return counted


def shim_instructions(build, name, library):
    """Instructions in the front end's own library for a send and its receive."""
    def count(laps):
        with tempfile.TemporaryDirectory(prefix="bench-", dir=build) as folder:
            run(build, 2, "valgrind", "--tool=callgrind",
                f"--callgrind-out-file={folder}/%p", program(build, name), laps)
            return sum(own_instructions(path, library) for path in pathlib.Path(folder).iterdir())
    laps = 500
    return (count(2 * laps) - count(laps)) / (2 * laps)


def pair_instructions(build, front_end, kind, pairs):
    """Of a send to oneself and its receive of any message: plain, beside a debugger that does nothing, recorded, replayed."""
    def count(times):
        with tempfile.TemporaryDirectory(prefix="bench-", dir=build) as folder:
            trace, counted = pathlib.Path(folder, "t.earl"), pathlib.Path(folder, "counted")
            how = {"empty": ("run", "--tool", "empty"), "recorded": ("record", "-o", trace),
                   "replayed": ("record", "-o", trace)}.get(kind, ("run",))
            run(build, 1, "valgrind", "--tool=callgrind", f"--callgrind-out-file={counted}",
                program(build, f"mapping_{front_end}"), times, how=map(str, how))
            if kind == "replayed":
                counted.unlink()
                bounded.run([str(build / "exec" / "earl"), "replay", str(trace)], LIMIT)
            return int(re.search(r"^totals: (\d+)", counted.read_text(encoding="utf-8"), re.MULTILINE)[1])
    return (count(2 * pairs) - count(pairs)) / pairs


def measure_recorded(build, quick):
    if not shutil.which("valgrind"):
        return {}, {"instructions": NO_VALGRIND}
    pairs = 5_000 if quick else 20_000
    return in_rounds(1, {
        f"{front_end}, {kind}": lambda front_end=front_end, kind=kind: {
            "": pair_instructions(build, front_end, kind, pairs)}
        for front_end in ("nx", "mpi") for kind in ("plain", "empty", "recorded", "replayed")})


def hop_programs(build):
    """Front end -> its library, as earl knows them, of those that have a program."""
    def asked(*words):
        return json.loads(bounded.run([str(build / "exec" / "earl"), *words, "--json"], LIMIT))
    names = [row["name"] for row in asked("version")["front_ends"]]
    paths = {name: program(build, f"hops_{name}") for name in names}
    return {name: os.path.basename(asked("info", path)["libraries"][0])
            for name, path in paths.items() if os.path.exists(path)}


def measure_hops(build, quick):
    """One word to and fro between two processes, on several front ends."""
    laps = 20_000 if quick else 200_000

    def take(name, library):
        words = second_words(run(build, 2, program(build, f"hops_{name}"), laps), "hop")
        found = {"ns": words[""]}
        if shutil.which("valgrind"):
            found["instructions"] = shim_instructions(build, f"hops_{name}", library)
        return found
    return in_rounds(3 if quick else 9, {
        name: lambda name=name, library=library: take(name, library)
        for name, library in hop_programs(build).items()} | no_counter())


def measure_unexpected(build, quick):
    counts = ["10000", "100000"]
    return in_rounds(2 if quick else 5, {
        "earl": lambda: second_words(run(build, 2, program(build, "unexpected"), *counts),
                                     "unexpected")})


def measure_barrier(build, quick):
    laps = {64: 20, 256: 10} if quick else {64: 100, 256: 50, 1000: 20, 4000: 5}
    return in_rounds(2, {
        str(n): lambda n=n, laps=laps: second_words(
            run(build, n, program(build, "barrier"), laps, limit=LONG), "barrier")
        for n, laps in laps.items()})


def measure_start(build, quick):
    def take(count):
        begin = time.monotonic()
        run(build, count, program(build, "empty_node"), limit=LONG)
        return {"": time.monotonic() - begin}
    counts = [1, 64] if quick else [1, 64, 256, 1000, 4000]
    return in_rounds(2 if quick else 3, {str(n): lambda n=n: take(n) for n in counts})


def measure_fibers(build, quick):
    """A token round ranks that share one CPU, in ns a hop; ranks that start and end, in s."""
    one = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]

    def hop(back_end, nodes, laps):
        words = [*one, str(build / "exec" / "earl"), "run", "--on", back_end, "-n", str(nodes),
                 program(build, "turns"), str(laps)]
        return {"ns": second_words(bounded.run(words, LONG), "hop")[""]}

    def start(nodes):
        """They hand one token round in between. KiB: memory of each, beside the first."""
        def once(count):
            return bounded.run([str(build / "exec" / "earl"), "run", "--on", "fibers", "-n", str(count),
                                program(build, "turns"), "1"], LONG)
        begin = time.monotonic()
        out = once(nodes)
        elapsed = time.monotonic() - begin
        more = second_words(out, "resident")[""] - second_words(once(1), "resident")[""]
        return {"s": elapsed, "KiB": more / (nodes - 1)}

    def time_to_report(nodes):
        """A job of ranks that all wait, from its start to its verdict."""
        begin = time.monotonic()
        bounded.run(["sh", "-c", "\"$@\"; test $? -eq 86", "sh", str(build / "exec" / "earl"), "run",
                     "--on", "fibers", "-n", str(nodes),
                     str(build / "tests" / "deadlock" / "deadlocks"), "ring"], LONG)
        return {"s": time.monotonic() - begin}

    def report(nodes):
        """From the moment at which the last of such ranks begins to wait to the verdict."""
        words = [str(build / "exec" / "earl"), "run", "--timeout", str(LONG), "--on", "fibers",
                 "-n", str(nodes), program(build, "stuck")]
        received = {}
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as job:
            for line in job.stdout:
                received.setdefault(line.partition(" ")[0], (line, time.monotonic()))
        if job.returncode != 86 or "stuck" not in received:
            raise bounded.Failed(f"stuck ended with {job.returncode}")
        return {"s": received["earl:"][1] - 1e-9 * float(received["stuck"][0].split()[1])}

    takes = {f"{nodes} ranks on {back_end}": lambda n=nodes, m=back_end, laps=laps: hop(m, n, laps)
             for nodes, back_end, laps in ((2, "fibers", 100_000), (64, "fibers", 4000),
                                          (64, "shm", 200), (1000, "fibers", 200))}
    takes |= {f"start to end of {nodes} ranks": lambda n=nodes: start(n)
              for nodes in ((1000,) if quick else (1000, 4000, 10_000))}
    takes["start to verdict, 1000 ranks"] = lambda: time_to_report(1000)
    takes["last wait to verdict, 1000"] = lambda: report(1000)
    return in_rounds(2 if quick else 5, takes)


def size_of(trace):
    return sum(path.stat().st_size for path in [trace, *trace.rglob("*")] if path.is_file())


def farm(build, how, nodes, tasks, work):
    return second_words(run(build, nodes, program(build, "task_farm"), tasks, work, how=how),
                        "receive")[""]


def recorded_farm(build, nodes, tasks, work):
    with tempfile.TemporaryDirectory(prefix="bench-", dir=build) as folder:
        trace = pathlib.Path(folder) / "t.earl"
        elapsed = farm(build, ["record", "-o", str(trace)], nodes, tasks, work)
        return elapsed, size_of(trace)


def measure_record(build, quick):
    """Every receive of node 0 takes any message. The bytes are those that more receives add."""
    tasks = 2000 if quick else 20000
    takes = {}
    for nodes, work in ((2, 0), (4, 0), (4, 20000)):
        few = tasks if work == 0 else tasks // 4

        def plain(nodes=nodes, work=work, few=few):
            return {"ns": farm(build, ["run"], nodes, few, work)}

        def recorded(nodes=nodes, work=work, few=few):
            elapsed, size = recorded_farm(build, nodes, few, work)
            more = recorded_farm(build, nodes, 2 * few, work)[1]
            return {"ns": elapsed, "bytes": (more - size) / few}
        takes[f"{nodes} nodes, {work // 1000} us work, plain"] = plain
        takes[f"{nodes} nodes, {work // 1000} us work, recorded"] = recorded
    return in_rounds(2 if quick else 9, takes)


def measure_contents(build, quick):
    """A ping-pong of 1 MiB, whose contents a recording keeps a hash of: half a round trip in ns."""
    def take(kind):
        words = [program(build, "nx_peer"), "pingpong", "60" if quick else "250", str(1 << 20)]
        with tempfile.TemporaryDirectory(prefix="bench-", dir=build) as folder:
            how = ["run"] if kind == "plain" else ["record", "-o", os.path.join(folder, "t.earl")]
            return {"ns": second_words(run(build, 2, *words, how=how), "pingpong")[str(1 << 20)]}
    return in_rounds(3 if quick else 15, {kind: lambda kind=kind: take(kind) for kind in ("plain", "recorded")})


SAMPLES = {"jacobi": (4, ["jacobi"]), "hmult": (None, ["hmult_host", "4", "800"]),
           "cell": (None, ["cell_host", "4", "2000", "256"]),
           "cell, 64 x 64": (None, ["cell_host", "4", "9999"])}


def measure_samples(build, quick):
    """Whole programs, plain and recorded: elapsed seconds, and bytes of trace."""
    def take(nodes, words, record):
        path = [str(build / "samples" / words[0]), *words[1:]]
        with tempfile.TemporaryDirectory(prefix="bench-", dir=build) as folder:
            trace = pathlib.Path(folder) / "t.earl"
            how = ["record", "-o", str(trace)] if record else ["run"]
            begin = time.monotonic()
            run(build, nodes, *path, how=how)
            found = {"s": time.monotonic() - begin}
            if record:
                found["bytes"] = size_of(trace)
            return found
    return in_rounds(2 if quick else 11, {
        f"{name}, {how}": lambda nodes=nodes, words=words, how=how: take(
            nodes, words, how == "recorded")
        for name, (nodes, words) in SAMPLES.items() for how in ("plain", "recorded")
        if (build / "samples" / words[0]).exists()})


MEASURES = {"mapping": measure_mapping, "hops": measure_hops, "unexpected": measure_unexpected,
            "barrier": measure_barrier, "start": measure_start, "fibers": measure_fibers,
            "record": measure_record, "contents": measure_contents, "recorded": measure_recorded, "samples": measure_samples}
