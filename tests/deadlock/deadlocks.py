#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program that can never end, or only looks like it, and compares Earl's report.

usage: deadlocks.py CASE EARL FOLDER MACHINE
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

DEADLOCK, TIMEOUT, INTERRUPTED = 86, 124, 130
LIMIT = str(50 * int(os.environ.get("TESTS_SLOWER", "1")))  # seconds

# The program's argument, the options, the exit code, and the lines that standard error must have, in order.
CASES = {
    "ring": ("ring", [], DEADLOCK, [
        r"deadlock: rank 0 waits for rank 1, which waits for rank 2, "
        r"which waits for rank 3, which waits for rank 0\n",
        r"ranks 0-3 \(deadlocks\): crecvx at deadlocks\.c:\d+ .*waits for a message \(source 1, tag 1\)",
        r"ring at deadlocks\.c:\d+\n",
        r"main at deadlocks\.c:\d+\n"]),
    "wrong_type": ("wrong_type", [], DEADLOCK, [
        r"crecv at deadlocks\.c:\d+ .*waits for a message \(any source, tag 7\)",
        r"rank 1 has 1 message that no receive matches: from rank 0, tag 6, 4 bytes\n"]),
    "wrong_pid": ("wrong_pid", [], DEADLOCK, [
        r"crecv at deadlocks\.c:\d+ .*waits for a message \(any source, tag 6\)",
        r"rank 1 has 1 message that no receive matches: from rank 0, tag 6, for pid 1, 4 bytes\n"]),
    "ended": ("ended", [], DEADLOCK, [
        r"rank 1 waits for an action that no process will perform",
        r"source 0, tag 3\); it has ended",
        r"and 2 processes that cannot go on either"]),
    "seeded": ("ring", ["--seed", "2"], DEADLOCK, [r"deadlock: rank 0 waits for rank 1, which waits for rank 2"]),
    "barrier": ("barrier", [], DEADLOCK, [
        r"gsync at deadlocks\.c:\d+ .*waits for rank \d in the same collective",
        r"rank 1 \(deadlocks\): crecv at deadlocks\.c:\d+ waits for a message \(any source, tag 9\)"]),
    "requests": ("requests", [], DEADLOCK, [r"msgwait at deadlocks\.c:\d+ .*\(any source, tag 2\)"]),
    # A loop that polls may end by itself: its polling is reported, and the job goes on.
    "polling": ("polling", ["--timeout", LIMIT], INTERRUPTED, [
        r"probable livelock: every process waits or polls without success",
        r"iprobe at deadlocks\.c:\d+ .*polls for a message \(any source, tag 4\)",
        r"the job goes on"]),
    "polling_tool": ("polling", ["--tool", "deadlock", "--timeout", LIMIT], INTERRUPTED,
                     [r"probable livelock", r"the job goes on"]),
    "polling_asleep": ("polling_asleep", ["--timeout", LIMIT], INTERRUPTED,
                       [r"probable livelock", r"the job goes on"]),
    "poll_count": ("poll_by_count", ["--tool", "deadlock"], 0,
                   [r"probable livelock", r"the job goes on"]),
    "poll_then_ring": ("poll_then_ring", [], DEADLOCK, [
        r"probable livelock", r"the job goes on", r"deadlock: rank 0 waits"]),
    # On processes reads of the C library's clock are invisible, on fibers EXEC sees them.
    "poll_clock": ("poll_by_clock", ["--tool", "deadlock"], 0,
                   [r"probable livelock", r"the job goes on"]),
    "poll_clock_seen": ("poll_shortly_by_clock", ["--tool", "deadlock"], 0, []),
    # Without a message for long, for any reason.
    "own_pipe": ("own_pipe", ["--timeout", LIMIT], INTERRUPTED, [
        r"no message has been received for 10 s, and no process computes",
        r"rank 0 \(deadlocks\): sleeps in a system call of the program: \w*read at deadlocks\.c:\d+\n",
        r"      own_pipe at deadlocks\.c:\d+\n      main at deadlocks\.c:\d+\n", r"gsync at deadlocks\.c", r"the job goes on"]),
    "ticking": ("ticking", ["--timeout", LIMIT], INTERRUPTED, [
        r"no message has been received for 10 s", r"crecvx at deadlocks\.c", r"the job goes on"]),
    "time_limits": ("time_limits", ["-n", "2", "--timeout", LIMIT], INTERRUPTED, [
        r"no message has been received for 10 s", r"pvm_trecv at deadlocks_pvm3\.c:\d+ .*waits for a message",
        r"the job goes on"]),
    "alarm": ("alarm", [], 0, []),
    "slow": ("slow", [], 0, []),
    "said": ("ring", ["--deadlock", "report", "--timeout", LIMIT], INTERRUPTED,
             [r"deadlock: ", r"the job goes on"]),
    "off": ("ring", ["--deadlock", "off", "--timeout", "2"], TIMEOUT, []),
    "hazard": ("exchange", ["--send", "synchronous"], DEADLOCK, [
        r"deadlock: rank 0 waits for rank 1, which waits for rank 2, ",
        r"csend at deadlocks\.c:\d+ .*waits for rank \d to take its message"]),
    "buffered": ("exchange", [], 0, []),
    "no_hazard": ("careful_exchange", ["--send", "synchronous"], 0, []),
    "no_such_send": ("exchange", ["--send", "eager"], 2, [r"buffered or synchronous is needed"]),
    "dot": ("ring", ["--tool", "deadlock=graph.dot"], DEADLOCK, [r"the graph is in .*graph\.dot"]),
    "json": ("ring", ["--tool", "deadlock=graph.json"], DEADLOCK, [r"the graph is in .*graph\.json"]),
    # Interrupted as soon as it has said so.
    "some_sleep": ("some_sleep", ["--timeout", LIMIT], INTERRUPTED, [
        r"deadlock: ranks 2, 3 can never continue: "
        r"rank 2 waits for rank 3, which waits for rank 2\n",
        r"ranks 2, 3 \(deadlocks\): crecvx at deadlocks\.c:\d+ .*waits for a message \(source 3, tag 1\)",
        r"the job goes on\n"]),
    "some_compute": ("some_compute", ["--timeout", LIMIT], INTERRUPTED, [
        r"deadlock: ranks 2, 3 can never continue", r"the job goes on\n"]),
    "locked_apart": ("apart", ["-n", "3", "--timeout", LIMIT], INTERRUPTED, [
        r"deadlock: ranks 0, 1 can never continue: rank 0 waits for rank 1, which waits for rank 0\n",
        r"ranks 0, 1 \(deadlocks_mpi\): MPI_Win_lock at deadlocks_mpi\.c:\d+ .*waits for the exclusive lock of rank 1 \(window 0x",
        r"the job goes on\n"]),
    "unposted": ("unposted", ["-n", "3"], DEADLOCK, [
        r"deadlock: rank 0 waits for rank 1, which waits for rank 0\n",
        r"rank 0 \(deadlocks_mpi\): MPI_Win_start at deadlocks_mpi\.c:\d+ waits for MPI_Win_post of rank 1 \(window grid\)\n"]),
    "bridged": ("bridged", ["-n", "3"], DEADLOCK, [
        r"MPI_Intercomm_create at deadlocks_mpi\.c:\d+ .*waits for MPI_Intercomm_create of rank 2 with tag 6 on MPI_COMM_WORLD\n"]),
    "locked_lent": ("lent", ["-n", "3"], 0, []),
    # Processes wait for EXEC's services, too.
    "flood": ("flood", ["--message-memory", "4M"], DEADLOCK, [
        r"rank 0 \(deadlocks\): csend at deadlocks\.c:\d+ waits for rank 1 to make room for a message "
        r"\(tag 1, 1,000 bytes\): it has not received [\d,]+ messages from this process, which take "
        r"[\d,]+ bytes; --message-memory",
        r"flood at deadlocks\.c:\d+\n"]),
    "no_flood": ("flood", [], 0, []),
    "group": ("group", ["-n", "3"], DEADLOCK, [
        r"deadlock: rank 0 waits for rank 2, which waits for rank 0\n",
        r"rank 0 \(deadlocks_pvm3\): pvm_barrier at deadlocks_pvm3\.c:\d+ waits for the barrier of the group "
        r"\"g\" of 3 \(still to come: rank 2\)\n",
        r"rank 2 \(deadlocks_pvm3\): pvm_recv at deadlocks_pvm3\.c:\d+ waits for a message \(source 0, "]),
    "lost_member": ("lost_member", ["-n", "3"], DEADLOCK, [
        r"ranks 1, 2 \(deadlocks_pvm3\): pvm_barrier at deadlocks_pvm3\.c:\d+ .*waits for the barrier of the group "
        r"\"g\" of 3, in which rank 0 has ended\n"]),
    "no_parent": ("no_parent", ["-n", "2"], DEADLOCK, [
        r"pvm_recv at deadlocks_pvm3\.c:\d+ .*waits for a message \(a source that does not exist, tag 6\)\n"]),
    "endless_child": ("endless_child", ["-n", "1"], DEADLOCK, [
        r"pvm_exit at deadlocks_pvm3\.c:\d+ .*waits for a message \(EXEC, tag 1, the end of rank 1's output\)\n"]),
    "mailbox": ("mailbox", ["-n", "2"], DEADLOCK, [
        r"ranks 0, 1 \(deadlocks_pvm3\): pvm_recvinfo at deadlocks_pvm3\.c:\d+ .*"
        r"waits for an entry \"nothing\" in the mailbox\n"]),
    "meeting": ("", ["-n", "3"], DEADLOCK, [
        r"rank 2 waits for an action that no process will perform|ranks 0-2 wait for actions that none of them will perform",
        r"barrier at deadlocks_pvm2\.c:\d+ .*"
        r"waits for the barrier \"the end\" of 3 \(still to come: rank 2\)\n",
        r"waituntil at deadlocks_pvm2\.c:\d+ waits for the event \"whistle\"\n"]),
    "meeting_dot": ("", ["-n", "3", "--tool", "deadlock=graph.dot"], DEADLOCK, [r"the graph is in"]),
    "meeting_json": ("", ["-n", "3", "--tool", "deadlock=graph.json"], DEADLOCK, [r"the graph is in"]),
    "ends": ("", [], DEADLOCK, [
        r"deadlock: rank 0 waits for rank 1, which waits for rank 0\n",
        r"waitall at deadlocks_host\.c:\d+ waits for the ends of all it has loaded "
        r"\(still to come: ranks? 1"]),
    "png": ("ring", ["--tool", "deadlock=graph.png"], 2, [r"a file named \*\.dot or \*\.json"]),
    "full": ("ring", ["--tool", "deadlock=/dev/full/x.dot"], DEADLOCK,
             [r"the graph could not be written to /dev/full/x\.dot: Not a directory"]),
}

PROGRAMS = {"locked_apart": "deadlocks_mpi", "unposted": "deadlocks_mpi", "bridged": "deadlocks_mpi", "locked_lent": "deadlocks_mpi", "time_limits": "deadlocks_pvm3", "group": "deadlocks_pvm3", "lost_member": "deadlocks_pvm3", "endless_child": "deadlocks_pvm3", "no_parent": "deadlocks_pvm3", "mailbox": "deadlocks_pvm3", "meeting": "deadlocks_pvm2",
            "meeting_dot": "deadlocks_pvm2", "meeting_json": "deadlocks_pvm2", "ends": "deadlocks_host"}


def wrong_in_files(case, folder):
    """The fault in the files that a case has written; null: none."""
    if case == "dot":
        with open(os.path.join(folder, "graph.dot"), encoding="utf-8") as file:
            dot = file.read()
        return None if dot.count(" -> ") == 4 and "r3 -> r0;" in dot else dot
    if case == "meeting_dot":
        with open(os.path.join(folder, "graph.dot"), encoding="utf-8") as file:
            dot = file.read()
        right = "r0 -> r2;" in dot and r'\nthe barrier \"the end\" of 3"' in dot
        return None if right else dot
    if case == "meeting_json":
        with open(os.path.join(folder, "graph.json"), encoding="utf-8") as file:
            graph = json.load(file)
        need = graph["processes"][0]["needs"][0]
        return None if need["what"] == 'the barrier "the end" of 3' and need["from"] == [2] else graph
    if case == "json":
        with open(os.path.join(folder, "graph.json"), encoding="utf-8") as file:
            graph = json.load(file)
        right = graph["cycle"] == [0, 1, 2, 3] and graph["processes"][2]["needs"][0]["from"] == [3]
        return None if right else graph
    return None


def wrong(case, code, said, folder):
    """The fault of a run; null: none."""
    _, _, right_code, sentences = CASES[case]
    if code != right_code:
        return f"the job ended with {code}, not {right_code}"
    at = 0
    for sentence in sentences:
        found = re.compile(sentence).search(said, at)
        if not found:
            return f"it does not say {sentence}"
        at = found.end()
    if not sentences and re.search("deadlock:|livelock:", said):
        return "it takes this for a deadlock"
    return wrong_in_files(case, folder)


def run(command, folder, until):
    """The exit code, and standard error; `until`: interrupted once it has said that. The program finds a file when
    the job goes on after a report."""
    def obeys_signals():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background job ignores it
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, preexec_fn=obeys_signals) as job:
        said = ""
        for line in job.stderr:
            said += line
            if "the job goes on" in line:
                open(os.path.join(folder, "reported"), "wb").close()
            if until and until in line:
                job.send_signal(signal.SIGINT)
        return job.wait(), said


def main():
    case, back_end = sys.argv[1], sys.argv[4]
    earl, programs = map(os.path.abspath, sys.argv[2:4])
    argument, options, _, _ = CASES[case]
    program = os.path.join(programs, PROGRAMS.get(case, "deadlocks"))
    count = [] if case == "ends" or "-n" in options else ["-n", "4"]
    with tempfile.TemporaryDirectory(prefix="earl-deadlocks-") as folder:
        bound = [] if "--timeout" in options else ["--timeout", LIMIT]
        command = [earl, "run", "--on", back_end, *count, *options, *bound, program, argument]
        until = "the job goes on" if CASES[case][2] == INTERRUPTED else None
        code, said = run(command, folder, until)
        print(said)
        found = wrong(case, code, said, folder)
    if found:
        print(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
