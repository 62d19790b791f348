#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures Earl beside its peers; prints a table, writes results.json into the build folder, anew after
each part, with how long that took and why a peer was not measured.

  tests/bench/bench.py BUILD [--quick] [--only pingpong,ring,...]

All peers take turns within a round; the first round warms up and does not count. A figure is the
median of the rounds, a ratio the median of the rounds' ratios, both with the smallest and largest.
"""
import argparse
import json
import os
import pathlib
import platform
import shutil
import time

import bounded
import costs
import mpi
import table
import waits
from rounds import absent, in_rounds, second_words

SIZES = [8, 64, 512, 4096, 32768, 262144, 1 << 20, 4 << 20]
LIMIT = 60  # seconds for one program in one round


def peers(build):
    """Name -> how to start `processes` of it. Those that are not available here are left out."""
    here = build / "tests" / "bench"
    earl = str(build / "exec" / "earl")
    mpich, openmpi = shutil.which("mpiexec.mpich"), shutil.which("mpirun.openmpi")
    return {name: start for name, program, start in [
        ("earl", "nx_peer", lambda n: [earl, "run", "-n", str(n), str(here / "nx_peer")]),
        ("bare", "bare_peer", lambda n: [str(here / "bare_peer")]),
        ("memcpy", "copy_peer", lambda n: [str(here / "copy_peer")]),
        ("mpich", "mpich_peer", mpich and (lambda n: [
            mpich, "-n", str(n), str(here / "mpich_peer")])),
        ("openmpi", "openmpi_peer", openmpi and (lambda n: [
            openmpi, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(n),
            str(here / "openmpi_peer")])),
    ] if start and (here / program).exists()}


def lacking(build):
    """The peers that are not available here, and why."""
    found = {}
    for name, launcher in (("mpich", "mpiexec.mpich"), ("openmpi", "mpirun.openmpi")):
        if not shutil.which(launcher):
            found[name] = absent(f"{launcher} is not installed")
        elif name not in peers(build):
            found[name] = absent(f"{name}_peer was not built: its compiler was not found")
    return found


def no_pvm(build, program="pvm_peer"):
    if shutil.which("pvmd") is None:
        return {"pvm": absent("pvmd is not installed")}
    if "pvm" not in pvm_peers(build, program):
        return {"pvm": absent(f"native_{program} was not built: PVM's library was not found")}
    return {}


def ping(kind, milliseconds, sizes, start):
    words = [kind, str(milliseconds), *map(str, sizes)]
    return lambda: second_words(bounded.run([*start(2), *words], LIMIT), "pingpong")


def measure_pingpong(build, quick):
    sizes = SIZES[::2] if quick else SIZES
    return in_rounds(2 if quick else 7, {
        name: ping("pingpong", 30 if quick else 120, sizes, start)
        for name, start in peers(build).items()} | lacking(build))


def pvm_peers(build, program="pvm_peer"):
    """The same PVM program: on Earl's shared memory and native PVM below Earl; on native PVM."""
    here = build / "tests" / "bench"
    earl, ours = str(build / "exec" / "earl"), str(here / program)
    native = [str(pathlib.Path(__file__).with_name("with_pvmd.sh")), str(here / f"native_{program}")]
    peers_of_pvm = {"earl": lambda _: [earl, "run", ours]}
    if shutil.which("pvmd") and (here / f"native_{program}").exists():
        peers_of_pvm |= {"earl on pvm": lambda _: [earl, "run", "--on", "pvm", ours],
                         "pvm": lambda _: native,
                         "pvm direct": lambda _: ["env", "BENCH_PVM_DIRECT=1", *native]}
    return peers_of_pvm


def measure_pvm(build, quick):
    return in_rounds(2 if quick else 7, {
        name: ping("pingpong", 30 if quick else 120, SIZES[::2], start)
        for name, start in pvm_peers(build).items()} | no_pvm(build))


def library_peers(build):
    """NX on a native library below Earl, and that library itself, as pairs."""
    native = peers(build)
    earl, ours = str(build / "exec" / "earl"), str(build / "tests" / "bench" / "nx_peer")
    pairs = {}
    for library in ("mpich", "openmpi"):
        if library in native and (build / "backends" / "mpi" / f"earl-{library}.so").exists():
            pairs[f"earl on {library}"] = lambda n, library=library: [
                "env", f"EARL_MPI={library}", earl, "run", "--on", "mpi", "-n", str(n), ours]
            pairs[library] = native[library]
    pairs["earl on nx"] = lambda n: [earl, "run", "--on", "nx", "-n", str(n), ours]
    pairs["nx"] = native["earl"]
    return pairs


def measure_libraries(build, quick):
    return in_rounds(2 if quick else 7, {
        name: ping("pingpong", 30 if quick else 120, [8, 1 << 20], start)
        for name, start in library_peers(build).items()} | lacking(build))


def measure_spawn(build, quick):
    """PVM tasks, one and many: until pvm_spawn() returns, and until their messages have come."""
    def take(start, tasks, laps):
        out = bounded.run([*start(1), str(tasks), str(laps)], costs.LONG)
        return {word: second_words(out, word)[str(tasks)] for word in ("spawn", "there")}
    counts = {1: 20} if quick else {1: 50, 1000: 1}
    return in_rounds(2 if quick else 5, {
        f"{tasks} on {name}": lambda start=start, tasks=tasks, laps=laps: take(start, tasks, laps)
        for tasks, laps in counts.items()
        for name, start in pvm_peers(build, "pvm_spawn").items() if name != "pvm direct"}
        | no_pvm(build, "pvm_spawn"))


def measure_handoff(build, quick):
    # From the launcher on, so that no process uses a second CPU.
    one = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
    return in_rounds(2 if quick else 5, {
        name: ping("handoff", 50, [8], lambda n, start=start: [*one, *start(n)])
        for name, start in peers(build).items() if name in ("earl", "bare")})


def measure_ring(build, quick):
    # A peer that only spins needs a time slice for each hop: few laps, or it would take minutes.
    laps = {"earl": 2000, "bare": 2000, "openmpi": 200, "mpich": 8}
    return in_rounds(2 if quick else 5, {
        name: lambda start=start, name=name: second_words(
            bounded.run([*start(8), "ring", str(laps[name])], LIMIT), "ring")
        for name, start in peers(build).items() if name in laps} | lacking(build))


def measure_libfabric(build, quick):
    """NX on libfabric below Earl, and its own ping-pong by the same provider, as pairs."""
    if not shutil.which("fi_pingpong"):
        return {}, {"libfabric": "fi_pingpong is not installed"}
    earl, ours = str(build / "exec" / "earl"), str(build / "tests" / "bench" / "nx_peer")
    native, sizes = str(pathlib.Path(__file__).with_name("fi_peer.sh")), [8, 1 << 20]
    takes = {}
    for provider in ("net", "tcp;ofi_rxm", "shm"):
        takes[f"earl on {provider}"] = ping("repeat", 100, sizes, lambda n, provider=provider: [
            "env", f"EARL_OFI_PROVIDER={provider}", earl, "run", "--on", "libfabric", "-n", str(n), ours])
        takes[provider] = lambda provider=provider: second_words(bounded.run(
            [native, provider, "1000" if quick else "5000", *map(str, sizes)], LIMIT), "pingpong")
    return in_rounds(2 if quick else 5, takes)


def measure_bip(build, quick):
    """BIP's ping-pong, and a token round 8 processes, on a Myrinet in memory and on plain memory."""
    program = str(build / "tests" / "bench" / "bip_peer")

    def start(back_end):
        return lambda n: [str(build / "exec" / "earl"), "run", "--on", back_end, "-n", str(n), program]

    def take(back_end):
        found = ping("pingpong", 30 if quick else 120, [4, 256, 4096, 1 << 20], start(back_end))()
        words = [*start(back_end)(8), "ring", "2000"]
        return found | {"ring": second_words(bounded.run(words, LIMIT), "ring")[""]}
    return in_rounds(2 if quick else 7, {
        name: lambda name=name: take(name) for name in ("myrinet", "shm")})


def machine():
    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
             if line.startswith("model name")]
    return {"processor": (model or ["unknown"])[0], "processors": len(os.sched_getaffinity(0)),
            "kernel": platform.release(), "load": os.getloadavg()[0],
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}


MEASURES = {"pingpong": measure_pingpong, "pvm": measure_pvm, "spawn": measure_spawn,
            "libraries": measure_libraries, "libfabric": measure_libfabric, "bip": measure_bip,
            "handoff": measure_handoff, "ring": measure_ring,
            "waits": waits.measure,
            **costs.MEASURES, **mpi.MEASURES}
PRINT = {**table.PRINT, **mpi.PRINT}


def write(path, results):
    """Whole or not at all: after a stop of the benchmark its measurements so far are there."""
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    new.replace(path)


def main():
    words = argparse.ArgumentParser(description=__doc__,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build", type=pathlib.Path)
    words.add_argument("--quick", action="store_true", help="fewer rounds: for development")
    words.add_argument("--only", default=",".join(MEASURES), help="what to measure, with commas")
    parser, words = words, words.parse_args()
    if unknown := set(words.only.split(",")) - MEASURES.keys():
        parser.error(f"--only {','.join(sorted(unknown))}: there is {', '.join(MEASURES)}")
    build = words.build.resolve()
    # Meson's, for what it has not installed: peers would find Earl's libraries of the same names there.
    os.environ.pop("LD_LIBRARY_PATH", None)
    results = {"machine": machine(), "quick": words.quick, "seconds": {}, "troubles": {}}
    table.print_machine(results["machine"])
    for name in words.only.split(","):
        begun = time.monotonic()
        results[name], results["troubles"][name] = MEASURES[name](build, words.quick)
        results["seconds"][name] = round(time.monotonic() - begun, 1)
        PRINT[name](results[name])
        for who, trouble in results["troubles"][name].items():
            print(f"  {who}: not measured, {trouble}", flush=True)
        write(build / "results.json", results)
    took = sum(results["seconds"].values())
    print(f"\nAll figures: {build / 'results.json'}; measured in {took / 60:.1f} minutes")
    # Being slow is no failure; Earl not running at all is.
    return 1 if any("earl" in troubles for troubles in results["troubles"].values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
