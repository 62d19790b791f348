# SPDX-License-Identifier: BSD-3-Clause
"""docs/messages.md lists the sentences in which Earl reports errors, as the sources have them, by the part that reports
them; each part has its causes and remedies here. --write writes the page."""
import pathlib
import re
import sys
import textwrap

import tree

PAGE = pathlib.Path("docs/messages.md")
HEAD = """# Messages

Written from the sources by `tests/meta/messages.py --write`; a test compares. Words in capitals stand for names, numbers and paths. A sentence says
what failed, after a colon the cause, and after a semicolon what to do; causes and remedies common to a part are above its sentences.
`earl: ` begins a line of Earl's own, `earl: rank 3: ` or a native call's name one that a process reports. Exit codes are in `man earl`:
2 for command lines that cannot be read (marked so here), 1 for other errors, unless the end of a job has a code of its own.

A line with `EARL_CHECK`, or `expected` and `got` and a place in Earl's sources, reports a bug in Earl: please send it with the recording of the run.
"""
# A call that builds a sentence of an error or of a report; and that of a wrong command line.
BEGIN = re.compile(r"\b(Error|UsageError|Refusal|NxError|MpiError|DraftError|report|warn|refuse)\(|\bfmt::print\((stderr),")
USAGE = "UsageError"
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"\s*')
FIELD = re.compile(r"\{(?::[^{}]*(?:\{\}[^{}]*)?)?\}")
# A sentence, rather than a name or a format.
SENTENCE = re.compile(r"[a-z]{2,} [a-z({]")
# Arguments that are calls: a name for the value, or nothing for one that may be absent.
VALUES = {"system_message": "REASON", "what": "REASON", "strerror": "REASON", "guess": "", "advice_for": "", "describe": "PROCESS"}
# Words of an argument that are no name for its value, and names that stand back behind others.
NO_NAME = {"std", "string", "fmt", "join", "c_str", "number", "index", "to_text", "get", "begin", "end", "data", "me", "this", "U",
           "front", "back", "value_or", "move"}
VAGUE = {"size", "text", "name", "value", "text_", "arguments"}
WIDTH = 150

# (Folders, title, causes and remedies of all their sentences).
PARTS = (
    (("exec/launcher/commands", "exec/launcher"), "Commands and their options",
     "The command line, a recording that it names, or a setting (`earl config` shows where each comes from) is not what the command takes. "
     "`earl COMMAND -h` lists the options; `earl ls` the recordings."),
    (("exec/launcher/settings",), "Settings",
     "The value of an option, of a variable `EARL_...` or of a line in a configuration file cannot be read. `earl config` shows each with its origin."),
    (("exec/launcher/programs",), "Programs",
     "The program does not exist, cannot be executed (exit codes 127, 126), or is one that Earl does not run (88). `earl info PROGRAM` shows "
     "its calls and the back ends that can run it."),
    (("exec/launcher/job", "exec/launcher/children", "exec/launcher/events", "exec/launcher/roster"), "Jobs",
     "A process could not be started, ended early, or wrote what EXEC does not read; a limit of the system (`ulimit -a`, `earl doctor`) is "
     "reached; a disk is full. The job ends unless the sentence says that it goes on."),
    (("exec/launcher/hosts", "exec/launcher/agent"), "Several hosts",
     "A host of `--hosts` or of the batch system's allocation cannot be reached, has no Earl, or has one of another version. Try the launcher's command "
     "alone (`ssh HOST true`); each host needs the same Earl at the same path or in its PATH ([several hosts](clusters.md))."),
    (("exec/launcher/output", "exec/launcher/resources"), "Output and processors",
     "A directory or file for output cannot be written, or this host has no such processors. `--dry-run` shows the processors of each rank."),
    (("exec/compiler",), "earlcc and earlfc",
     "The wrapper's options cannot be read, or no compiler, front end or library is found. `earlcc -show ...` prints the compiler's command line."),
    (("exec/runtime",), "Start of a process",
     "A process could not join its job: it was started with variables of a job that has ended, by another Earl's EXEC, or with a library of "
     "another version. Start it by `earl run`, or without variables that begin with `EARL_`."),
    (("debug/trace", "debug/record", "debug/events", "debug/contents"), "Recordings",
     "A recording is missing, damaged, not readable for this user or of another version of Earl; or the disk could not take it. `earl show` says of "
     "each process how much is there, and `earl replay` follows it to where it ends."),
    (("debug/replay",), "Replay",
     "The program did something else than was recorded (exit code 87): it was rebuilt, reads files, times or other input that have changed, or its "
     "processes share memory behind Earl's back. Or the recording ends early (85)."),
    (("debug/analyse", "debug/explore"), "Analyses",
     "An analysis needs data that the recording lacks and that a replay could not bring. Record again, without `--minimal` and `--keep`."),
    (("debug/breakpoints", "debug/outside", "debug/deadlock", "debug/sends", "debug/empty", "debug/symbols"), "Debuggers and tools",
     "The argument of a `--tool` or `--break` cannot be read, or a library given there is not one of tools or wrappers. `earl tools` lists the "
     "debuggers and their arguments."),
    (("backends/shm",), "Back end shm",
     "The system gave no shared memory, or a process that shares it has died. `earl doctor` shows the limits (`/dev/shm`, locked memory, ptrace)."),
    (("backends/fibers",), "Back end fibers",
     "The loader of fibers cannot place a copy of this program, or a limit of memory maps is reached (`vm.max_map_count`). "
     "`earl info PROGRAM` says why; `--on shm` runs it."),
    (("backends/net", "backends/net/tcp", "backends/net/ofi"), "Network",
     "A connection between processes could not be made or broke: a firewall, a host that died, or an interface that the others do not reach "
     "(`--listen` chooses one); with libfabric, a provider that `fi_info` does not list."),
    (("backends/hosted", "backends/mpi", "backends/nx", "backends/pvm"), "Native libraries below",
     "The native launcher, daemon or library is missing, of another kind than the processes need, or failed; its own messages come before. `earl doctor` "
     "shows those that are usable."),
    (("backends/myrinet", "backends/myrinet/cables"), "Myrinet",
     "A configuration or route file of BIP cannot be read, or a switch, card or cable of the network has failed. `bipconf` and `biproute` write the files; "
     "`man earl-myrinet`."),
    (("frontends/nx", "frontends/nx/files"), "Intel NX calls", "A call got an argument that NX refuses; the name of its error code is in the call's line. The program's "
     "own error handling gets the code by the calls whose names begin with `_`."),
    (("frontends/nx/commands",), "getcube, load and the like", "The command's arguments, or the cube they name, are not there. `cubeinfo` lists the cubes."),
    (("frontends/pvm3", "frontends/pvm3/commands", "frontends/pvm2", "frontends/pvm_common"), "PVM calls and commands",
     "A call or a console command got what PVM refuses; the call returns PVM's negative code."),
    (("frontends/mpi", "frontends/mpi/absent", "frontends/mpi_abi"), "MPI calls",
     "A call got an argument that the standard does not allow, or is of a later standard than Earl provides. The error class is that of MPICH; under "
     "MPI_ERRORS_RETURN the call returns it, else the job ends."),
    (("frontends/mpi1draft",), "Calls of the MPI1 draft", "A call got an argument that the draft of January 1993 does not allow."),
    (("frontends/bip", "frontends/bip/commands"), "BIP calls and commands", "A call got an argument that BIP 0.92 does not allow, or a file of the network "
     "is missing; BIP ends the job."),
    (("frontends/common", "generic", "backends/null"), "The core",
     "The core refuses an operation: a rank, tag or length out of range, memory that cannot be had, or a peer that has ended."),
    (("generic/collectives",), "Collective operations", "The members of a collective do not call the same one, or with other lengths: `earl check` names the calls."),
    (("generic/base", "generic/message", "generic/seams", "generic/services"), "Packets and numbers",
     "Bytes from a file or another process cannot be read: damaged, or of another version of Earl."),
    (("generic/system",), "The operating system", "A system call failed; the system's reason is in the sentence. Most are limits: `ulimit -a`, `earl doctor`."),
)


def argument_name(text):
    """A word in capitals for an argument: the last name in it that says anything."""
    call = re.match(r"(?:\w+(?:::|\.|->))*(\w+)\(", text)
    if call and call[1] in VALUES:
        return VALUES[call[1]]
    if "?" in text:
        return "..."
    names = [name.strip("_") for name in re.findall(r"[A-Za-z_]\w*", re.sub(r'"[^"]*"', "", text)) if name not in NO_NAME]
    telling = [name for name in names if name not in VAGUE]
    return (telling or names or ["..."])[-1].upper()


def filled(form, arguments):
    left = iter(arguments)
    text = FIELD.sub(lambda _: argument_name(next(left, "")), form)
    text = text.replace("{{", "{").replace("}}", "}").replace("\\n", " ").replace('\\"', '"').replace("\\\\", "\\")
    return " ".join(text.removeprefix("earl: ").split())


def call_at(text, at):
    """The first literal from `at` on, inside the call that is open there, and the arguments behind it; null: it has none."""
    depth = 0
    while text[at] != '"':
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth < 0 or text[at] == ";":
            return None
        at += 1
    form = ""
    while (literal := LITERAL.match(text, at)):
        form, at = form + literal[1], literal.end()
    arguments, depth = [""], 0
    while depth > 0 or text[at] != ")":
        literal = LITERAL.match(text, at)
        step = literal[0] if literal else text[at]
        if not literal:
            depth += (step in "([{") - (step in ")]}")
        if depth == 0 and step == ",":
            arguments.append("")
        else:
            arguments[-1] += step
        at += len(step)
        if depth < 0:
            return None
    return form, [argument.strip() for argument in arguments[1:]]


def sentences():
    """Folder -> its sentences."""
    found = {}
    for path in tree.files(".cpp", ".hpp"):
        if path.parts[0] not in ("exec", "debug", "backends", "generic", "frontends"):
            continue
        text = re.sub(r"//[^\n\"]*$", "", tree.read(path), flags=re.MULTILINE)
        for begin in BEGIN.finditer(text):
            made = call_at(text, begin.end())
            if made and SENTENCE.search(made[0]):
                mark = " (2)" if begin[1] == USAGE else ""
                found.setdefault("/".join(path.parts[:-1]), set()).add(f"- `` {filled(*made)} ``{mark}\n")
    return found


def main():
    found = sentences()
    known = {folder for folders, _, _ in PARTS for folder in folders}
    complaints = [f"{folder}: it reports errors, and tests/meta/messages.py has no causes and remedies for it"
                  for folder in sorted(set(found) - known)]
    made = HEAD
    for folders, title, causes in PARTS:
        own = sorted(set().union(*(found.get(folder, set()) for folder in folders)), key=str.lower)
        if own:
            made += f"\n## {title}\n\n{textwrap.fill(causes, WIDTH)}\n\n{''.join(own)}"
    if "--write" in sys.argv:
        (tree.ROOT / PAGE).write_text(made, encoding="utf-8")
    if not (tree.ROOT / PAGE).exists() or made != tree.read(PAGE):
        complaints.append(f"{PAGE} is not what the sources have: tests/meta/messages.py --write")
    tree.report(complaints, made.count("\n- "))


main()
