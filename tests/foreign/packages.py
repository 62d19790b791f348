#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs of other Debian packages: NetPIPE for PVM and for MPICH, ScaLAPACK's tests, the nebulae of
MOCASSIN, the quantum chemistry of NWChem, Yorick for MPICH, the timetable solver Tablix, S-Lang's PVM module.

usage: packages.py earl PROGRAM [clock], with a PROGRAM of the table below
(exit 77: not installed; EARL_ON in the environment: on which back end)
With the library `clock`, which makes runs alike: recorded, replayed and compared.
"""
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile

LIMIT = 110  # seconds
TABLIX = "/usr/share/doc/tablix2/examples/"
SLANG = "/usr/share/doc/slang-pvm/examples/"
SCALAPACK = "/usr/lib/x86_64-linux-gnu/scalapack/mpich-tests/"
SCALAPACK_DATA = "/usr/share/scalapack/"


def fail(sentence, done):
    print(sentence, "--- its output", done.stdout, "--- its errors", done.stderr, sep="\n")
    sys.exit(1)


def need(*files):
    for name in files:
        if not os.path.exists(name):
            print(f"{name} is not installed")
            sys.exit(77)


def run(folder, command, *words):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PVM")}
    return subprocess.run([*command, *words], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=LIMIT, cwd=folder, env=environment)


# Each gets the folder to work in and a function that starts the words of a job, and returns the output that a
# replay must give, too.

def netpipe(folder, start):
    """A receiver and a transmitter with the same sizes; each is sent, and the table written."""
    need("/usr/bin/NPpvm")
    sizes = ["-n", "20", "-u", "65536"]
    done = start("/usr/bin/NPpvm", *sizes, ":", "/usr/bin/NPpvm", "-h", "127.0.0.1", *sizes,
                 "-o", "table")
    rows = [line.split() for line in open(folder + "/table", encoding="ascii")]
    if done.returncode != 0 or len(rows) < 30 or int(rows[-1][0]) != 65539:
        fail(f"exit status {done.returncode}, {len(rows)} rows", done)
    return [row[0] for row in rows]


def netpipe_mpi(folder, start):
    """Two processes of one program, compiled with MPICH's header and linked with its library."""
    need("/usr/bin/NPmpich2")
    done = start("-n", "2", "/usr/bin/NPmpich2", "-n", "20", "-u", "65536", "-o", "table")
    rows = [line.split() for line in open(folder + "/table", encoding="ascii")]
    if done.returncode != 0 or len(rows) < 30 or int(rows[-1][0]) != 65539:
        fail(f"exit status {done.returncode}, {len(rows)} rows", done)
    return [row[0] for row in rows]


def scalapack(folder, start, program, data):
    """Fortran programs that are linked with ScaLAPACK, and that with MPICH. They check residuals."""
    need(SCALAPACK + program, SCALAPACK_DATA + data)
    shutil.copy(SCALAPACK_DATA + data, folder)
    done = start("-n", "4", SCALAPACK + program)
    solved = [int(n) for n in re.findall(r"(\d+) tests completed and (?:passed|failed)", done.stdout)]
    # Name, then how many tests there were, passed, failed and were skipped.
    table = [[int(n) for n in row] for row in
             re.findall(r"^ *\|  P\w+ +(\d+) +(\d+) +(\d+) +(\d+)$", done.stdout, re.MULTILINE)]
    passed = all(row[0] > 0 and row[0] == row[1] for row in table) if table \
        else len(solved) == 2 and solved[0] > 0 and solved[1] == 0
    if done.returncode != 0 or not passed:
        fail(f"exit status {done.returncode}, {solved or table}", done)
    return solved or table


def blacs(folder, start, program):
    """The layer below ScaLAPACK: 22 tables of tests, and at last BLACS_ABORT, which must end all."""
    need(SCALAPACK + program, SCALAPACK_DATA + "BLACS/bt.dat")
    for name in os.listdir(SCALAPACK_DATA + "BLACS"):
        shutil.copy(f"{SCALAPACK_DATA}BLACS/{name}", folder)
    done = start("-n", "4", SCALAPACK + program)
    failed = [int(n) for n in re.findall(r"(\d+) FAILED\.", done.stdout)]
    ended = "rank 2: MPI_Abort on MPI_COMM_WORLD with error code -1" in done.stderr
    if done.returncode != 255 or not ended or len(failed) != 22 or sum(failed) != 0 \
            or "PASSED  BLACS_SET/BLACS_GET TESTS" not in done.stdout:
        fail(f"exit status {done.returncode}, failed {failed}", done)
    return failed


NEBULA = """contShape 'blackbody'
nebComposition 'input/abundances'
maxIterateMC 2 95.
nPhotons 20000
nx 5
ny 5
nz 5
LStar 308.2
TStellar 40000.
Hdensity 100.
Rin 3.e18
symmetricXYZ
output
writeGrid 80.
edges 1.46e19 1.46e19 1.46e19
"""
ABUNDANCES = {1: 1, 2: 0.1, 6: 2.2e-4, 7: 4e-5, 8: 3.3e-4, 10: 5e-5, 16: 9e-6}  # by atomic number


def mocassin(folder, start):
    """A nebula around a star, by Monte Carlo: Fortran 90, linked with MPICH's library. Under MPICH the second Balmer
    jump is 2.29e35, give or take a few per cent with the random numbers."""
    need("/usr/bin/mocassin", "/usr/share/mocassin/data")
    for name in ("input", "output"):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    with open(folder + "/input/input.in", "w", encoding="ascii") as file:
        file.write(NEBULA)
    with open(folder + "/input/abundances", "w", encoding="ascii") as file:
        file.writelines(f"{ABUNDANCES.get(number, 0.):e}\n" for number in range(1, 31))
    done = start("-n", "2", "/usr/bin/mocassin")
    jumps = [float(value) for value in re.findall(r"Balmer Jump: \[erg/s/A\] +(\S+)", done.stdout)]
    if done.returncode != 0 or "end simulation reached - clean exit" not in done.stdout \
            or len(jumps) != 2 or not 2e35 < jumps[1] < 2.6e35:
        fail(f"exit status {done.returncode}, Balmer jumps {jumps}", done)
    return jumps


WATER = """start water
geometry units angstroms
 O 0.0 0.0 0.1173
 H 0.0 0.7572 -0.4692
 H 0.0 -0.7572 -0.4692
end
basis
 * library 6-31g*
end
task scf energy
task mp2 energy
"""
NWCHEM_DATA = "/usr/share/nwchem/libraries/"
HARTREES = (-76.010504991, -76.199026586)


def nwchem(folder, start):
    """Processes that read, write and add in each other's memory: Fortran on Global Arrays, on ARMCI, on MPICH's windows.
    The energies are those of one process on MPICH 4.0.2, on which this NWChem aborts with more."""
    need("/usr/bin/nwchem.mpich", NWCHEM_DATA)
    os.environ["NWCHEM_BASIS_LIBRARY"] = NWCHEM_DATA
    with open(folder + "/water.nw", "w", encoding="ascii") as file:
        file.write(WATER)
    done = start("-n", "3", "/usr/bin/nwchem.mpich", "water.nw")
    energies = [float(value) for value in re.findall(r"Total (?:SCF energy =|MP2 energy) +(-\S+)", done.stdout)]
    if done.returncode != 0 or len(energies) < 2 or \
            any(abs(found - right) > 1e-7 for found, right in zip((energies[0], energies[-1]), HARTREES)):
        fail(f"exit status {done.returncode}, energies {energies}", done)
    return energies


def yorick(folder, start):
    """An interpreter whose ranks send each other values and what to do: linked with MPICH's library."""
    need("/usr/bin/mpy.mpich2")
    with open(folder + "/sum.i", "w", encoding="ascii") as file:
        file.write(YORICK)
    done = start("-n", "3", "/usr/bin/mpy.mpich2", "-batch", "sum.i")
    if done.returncode != 0 or done.stdout.splitlines() != ["ranks 3", "sum 30"]:
        fail(f"exit status {done.returncode}", done)
    return done.stdout


def eztrace(folder, start):
    """EZTrace wraps the MPI calls of a program that it starts, through its library for MPICH, and writes a trace of
    each rank."""
    need("/usr/bin/eztrace", "/usr/bin/NPmpich2")
    done = start("-n", "2", "/usr/bin/eztrace", "-t", "mpich", "-o", folder + "/trace",
                 "/usr/bin/NPmpich2", "-n", "5", "-u", "1024", "-o", "table")
    traced = [name for _, _, names in os.walk(folder + "/trace") for name in names if name.endswith(".evt")]
    if done.returncode != 0 or len(traced) != 2 or not os.path.exists(folder + "/table"):
        fail(f"exit status {done.returncode}, traces {traced}", done)
    return traced


def tablix(folder, start, problem="hint.xml"):
    """Two solvers, spawned, compete; each writes its timetable. They draw lots: a solver that has found none
    after the minute allowed writes none, and says that time is up."""
    need("/usr/bin/tablix2", TABLIX + problem)
    shutil.copy(TABLIX + problem, folder)
    done = start("/usr/bin/tablix2", "-n", "2", "-d", "3", "-t", "1", "-o", "out_", problem)
    written = [name for name in os.listdir(folder) if re.fullmatch(r"out_result\d\.xml", name)]
    said = done.stdout + done.stderr
    whole = done.returncode == 0 and "All results were received" in said and len(written) == 2
    late = done.returncode == 1 and "Time limit reached" in said and len(written) <= 1
    if not whole and not late:
        fail(f"exit status {done.returncode}, results {written}", done)
    # Also the results on the way there, and the winner for a solver that had found none.
    return {name: open(f"{folder}/{name}", encoding="utf-8").read()
            for name in os.listdir(folder) if name.startswith("out_")}


def slang(folder, start):
    """A script spawns a script; an object of one language goes from one to the other."""
    need("/usr/bin/slsh", SLANG + "hello_master", SLANG + "hello_slave")
    for name in ("hello_master", "hello_slave"):
        text = open(SLANG + name, encoding="ascii").read().replace('"pirx"', '"."')
        with open(f"{folder}/{name}", "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(f"{folder}/{name}", 0o755)
    os.environ["HOST"] = "somewhere"
    done = start("./hello_master")
    if done.returncode != 0 or "somewhere says Hello World" not in done.stdout + done.stderr:
        fail(f"exit status {done.returncode}", done)
    return done.stdout


def slang_master(folder, start):
    """A script has a command run by three others, and gets its exit code and their output: of
    the last one maybe too late."""
    need("/usr/bin/slsh", SLANG + "master", SLANG + "slave")
    for name in ("master", "slave"):
        shutil.copy(SLANG + name, folder)
    done = start("./master", "echo slave says", "3")
    received = done.stdout.count("\nslave says\n")
    if done.returncode != 0 or done.stdout.count("echo slave says [exit 0]==>") != 3 \
            or received + done.stderr.count("] slave says\n") > 3:
        fail(f"exit status {done.returncode}", done)
    return sorted(done.stdout.splitlines())


def replay(folder, command, *_):
    """The recording names the job's words and its folder itself."""
    for name in os.listdir(folder):
        if name.startswith(("table", "out_")):
            os.remove(f"{folder}/{name}")
    return run(folder, command)


def again(earl, clock, folder, case):
    """Recorded, replayed and compared."""
    trace = folder + "/t.earl"
    # A task passes on the variables that PVM_EXPORT names.
    before = os.environ.get("LD_PRELOAD", "")
    alike = ["-x", f"LD_PRELOAD={before}:{os.path.abspath(clock)}", "-x", "PVM_EXPORT=LD_PRELOAD"]
    then = case(folder, functools.partial(run, folder, [earl, "record", "-o", trace, *alike]))
    now = case(folder, functools.partial(replay, folder, [earl, "replay", trace]))
    if then != now:
        print("the replay gave something else than the recorded run", then, now, sep="\n---\n")
        sys.exit(1)


YORICK = r"""include, "mpy.i";
if (!mp_rank) write, format="ranks %d\n", mp_size;
mp_exec, "if (mp_rank) mp_send, 0, 10.0*mp_rank; else {s=0.; for (i=1; i<mp_size; ++i) s+=mp_recv(i); write, format=\"sum %g\\n\", s;}";
quit;
"""

PROGRAMS = {"netpipe": netpipe, "mocassin": mocassin, "nwchem": nwchem, "yorick": yorick, "eztrace": eztrace, "netpipe-mpi": netpipe_mpi, "tablix": tablix, "slang": slang,
            "slang-master": slang_master,
            "scalapack-pblas": functools.partial(scalapack, program="PBLAS/zpb3tst",
                                                 data="PBLAS/PZBLAS3TST.dat"),
            "scalapack-banded": functools.partial(scalapack, program="xddblu", data="BLU.dat"),
            "blacs-c": functools.partial(blacs, program="xCbtest"),
            "blacs-fortran": functools.partial(blacs, program="xFbtest"),
            "scalapack-bidiagonal": functools.partial(scalapack, program="xcbrd", data="BRD.dat"),
            "tablix-weeks": functools.partial(tablix, problem="multi-week.xml")}


def main():
    earl, name, *clock = sys.argv[1:]
    earl = os.path.abspath(earl)
    with tempfile.TemporaryDirectory() as folder:
        if clock:
            again(earl, clock[0], folder, PROGRAMS[name])
        else:
            PROGRAMS[name](folder, functools.partial(run, folder, [earl, "run"]))


if __name__ == "__main__":
    main()
