# SPDX-License-Identifier: BSD-3-Clause
"""Prints the measurements of bench.py."""
import statistics


def print_machine(machine):
    print(f"{machine['processor']}, {machine['processors']} processors, Linux {machine['kernel']}, "
          f"load {machine['load']:.1f} at the beginning")
    print("median [least - most] of the rounds", flush=True)


def heading(text):
    print(f"\n{text}")


def spread(figures, scale, digits):
    return (f"{figures['median'] / scale:.{digits}f} "
            f"[{figures['least'] / scale:.{digits}f} - {figures['most'] / scale:.{digits}f}]")


def ratio(one, other):
    """Median over the rounds of one/other, each round by itself."""
    return statistics.median(a / b for a, b in zip(one["rounds"], other["rounds"]))


def bytes_text(count):
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count // size} {unit}"
    return f"{count} B"


def print_columns(names, rows, width=26):
    print("  " + "".join(name.rjust(10 if n == 0 else width) for n, name in enumerate(names)))
    for row in rows:
        print("  " + "".join(cell.rjust(10 if n == 0 else width) for n, cell in enumerate(row)),
              flush=True)


def print_pingpong(seen):
    names = list(seen)
    sizes = sorted({int(size) for sizes in seen.values() for size in sizes})
    heading("Ping-pong of 2 processes, one processor each: half round trip, us")
    print_columns(["", *names], [
        [bytes_text(size), *(spread(seen[name][str(size)], 1e3, 2) for name in names)]
        for size in sizes])
    heading("The same as bandwidth, MB/s")
    print_columns(["", *names], [
        [bytes_text(size), *(f"{1e3 * size / seen[name][str(size)]['median']:.0f}"
                             for name in names)] for size in sizes])
    if "earl" not in seen:
        return
    heading("The same as Earl's time by the peer's: below 1, Earl is faster")
    others = [name for name in names if name != "earl"]
    print_columns(["", *others], [
        [bytes_text(size), *(f"{ratio(seen['earl'][str(size)], seen[name][str(size)]):.2f}"
                             for name in others)] for size in sizes])


def print_pvm(seen):
    heading("One PVM program, on Earl and on native PVM")
    print_pingpong(seen)


def print_libraries(seen):
    print_pairs("NX on a native library, and that library itself", seen)


def print_libfabric(seen):
    print_pairs("NX on libfabric, and its own ping-pong by the same provider", seen)


def print_pairs(title, seen):
    heading(f"{title}: half round trip, us; what Earl adds")
    names = list(seen)
    sizes = sorted({int(size) for sizes in seen.values() for size in sizes})
    print_columns(["", *names], [
        [bytes_text(size), *(spread(seen[name][str(size)], 1e3, 2) for name in names)]
        for size in sizes])
    for name in names:
        below = name.removeprefix("earl on ")
        if below == name or below not in seen:
            continue
        for size in map(str, sizes):
            added = statistics.median(a - b for a, b in zip(seen[name][size]["rounds"],
                                                            seen[below][size]["rounds"]))
            print(f"  {name}, {bytes_text(int(size))}: {added:+.0f} ns, "
                  f"{ratio(seen[name][size], seen[below][size]):.3f} of {below}'s", flush=True)


def print_bip(seen):
    heading("BIP on a Myrinet in memory, and on plain memory: half round trip, us (bandwidth)")
    for name, keys in seen.items():
        for size in sorted(int(key) for key in keys if key != "ring"):
            bandwidth = 8e3 * size / keys[str(size)]["median"]
            print(f"  {name:10}{bytes_text(size):>8}   {spread(keys[str(size)], 1e3, 2)}"
                  f"   ({bandwidth:.0f} Mbit/s)", flush=True)
        print(f"  {name:10}   a hop round 8 processes   {spread(keys['ring'], 1e3, 2)}", flush=True)
    print("  BIP itself, on the Myrinet of 1998: 4.3 us for a word, 1005 Mbit/s, half of it at 4096 "
          "bytes", flush=True)


def print_spawn(seen):
    heading("PVM tasks spawned at once: ms until pvm_spawn() is back, and until all have answered")
    for name, keys in seen.items():
        print(f"  {name:20}{spread(keys['spawn'], 1e6, 2)}   {spread(keys['there'], 1e6, 2)}",
              flush=True)


def print_handoff(seen):
    heading("Hand-off, 8 bytes, 2 processes on one processor: us")
    for name, keys in seen.items():
        print(f"  {name:10}{spread(keys['8'], 1e3, 2)}", flush=True)


def print_ring(seen):
    heading("Ring of 8 processes, 8 bytes: us a hop")
    for name, keys in seen.items():
        beside = f"   Earl's by this: {ratio(seen['earl'][''], keys['']):.4f}" \
            if "earl" in seen and name != "earl" else ""
        print(f"  {name:10}{spread(keys[''], 1e3, 2)}{beside}", flush=True)


def print_start(seen):
    heading("Start to end of a job that does nothing: s")
    for name, keys in seen.items():
        print(f"  {name:>6} processes  {spread(keys[''], 1, 3)}", flush=True)


def print_fibers(seen):
    heading("Ranks on fibers, and processes, that share one processor: ns a hop of a ring; s")
    base = seen.get("64 ranks on fibers")
    for name, keys in seen.items():
        line = f"  {name:30}" + (spread(keys["ns"], 1, 0) if "ns" in keys else
                                 spread(keys["s"], 1, 3))
        if base and name == "64 ranks on shm":
            line += f"   by fibers': {ratio(keys['ns'], base['ns']):.1f}"
        if "KiB" in keys:
            line += f"   {keys['KiB']['median']:.1f} KiB resident each"
        print(line, flush=True)


def print_record(seen):
    heading("A task farm whose every receive may take any message: elapsed ns a receive")
    for name, keys in seen.items():
        line = f"  {name:34}{spread(keys['ns'], 1, 0)}"
        plain = seen.get(name.replace("recorded", "plain"))
        if "bytes" in keys:
            line += f"   {keys['bytes']['median']:.2f} bytes a receive"
            if plain:
                line += f"   recorded by plain: {ratio(keys['ns'], plain['ns']):.3f}"
        print(line, flush=True)


def print_contents(seen):
    heading("A message of 1 MiB to and fro, plain and recorded with a hash of its contents")
    for name, keys in seen.items():
        line = f"  {name:14}{spread(keys['ns'], 1e3, 1)} us"
        if name != "plain" and "plain" in seen:
            line += f"   recorded by plain: {ratio(keys['ns'], seen['plain']['ns']):.3f}"
        print(line, flush=True)


def print_recorded(seen):
    heading("A send to oneself and its receive of any message: instructions")
    for name, keys in seen.items():
        line = f"  {name:14}{spread(keys[''], 1, 0)}"
        plain = seen.get(name.partition(",")[0] + ", plain")
        if plain and keys is not plain:
            line += f"   {keys['']['median'] - plain['']['median']:.0f} more"
        print(line, flush=True)


def print_mapping(seen):
    heading("A send to oneself and its receive, through NX, through MPI and by the core's own calls")
    for name, keys in seen.items():
        counted = f"   {keys['instructions']['median']:.0f} instructions" \
            if "instructions" in keys else ""
        print(f"  {name:10}{spread(keys['ns'], 1, 1)} ns{counted}", flush=True)
    for name, title in (("nx", "NX's"), ("mpi", "MPI's")):
        if name in seen and "core" in seen:
            more = statistics.median(
                a - b for a, b in zip(seen[name]["ns"]["rounds"], seen["core"]["ns"]["rounds"]))
            print(f"  {title} share of one call: {more / 2:.1f} ns", flush=True)


def print_hops(seen):
    heading("One word between 2 processes, a processor each: ns a hop, and instructions of a send and "
            "its receive in the front end's own library")
    for name, keys in seen.items():
        line = f"  {name:12}{spread(keys['ns'], 1, 0)}"
        if "instructions" in keys:
            line += f"   {keys['instructions']['median']:.0f} instructions"
        if "nx" in seen and name != "nx":
            line += f"   by NX's: {ratio(keys['ns'], seen['nx']['ns']):.3f}"
        print(line, flush=True)


def print_unexpected(seen):
    heading("Unexpected messages of different types, the last taken first: ns each")
    for keys in seen.values():
        for count, values in keys.items():
            print(f"  {count:>8} messages  {spread(values, 1, 0)}", flush=True)


def print_barrier(seen):
    heading("Barrier: us")
    for name, keys in seen.items():
        print(f"  {name:>6} processes  {spread(keys[''], 1e3, 0)}", flush=True)


def print_waits(seen):
    heading("A token round processes on one processor and on all, and beside a program that computes: us a hop")
    for name, keys in seen.items():
        print(f"  {name:24}{spread(keys[''], 1e3, 2)}   worst by median "
              f"{keys['']['most'] / keys['']['median']:.1f}", flush=True)


def print_samples(seen):
    heading("Whole programs, plain and recorded: s")
    for name, keys in seen.items():
        line = f"  {name:24}{spread(keys['s'], 1, 3)}"
        plain = seen.get(name.replace("recorded", "plain"))
        if "bytes" in keys and plain:
            line += (f"   {keys['bytes']['median']:.0f} bytes of trace   "
                     f"recorded by plain: {ratio(keys['s'], plain['s']):.3f}")
        print(line, flush=True)


PRINT = {"pingpong": print_pingpong, "pvm": print_pvm, "spawn": print_spawn,
         "libraries": print_libraries, "libfabric": print_libfabric, "bip": print_bip,
         "handoff": print_handoff, "ring": print_ring, "waits": print_waits,
         "mapping": print_mapping, "hops": print_hops, "unexpected": print_unexpected, "barrier": print_barrier,
         "start": print_start, "fibers": print_fibers, "record": print_record,
         "contents": print_contents, "recorded": print_recorded, "samples": print_samples}
