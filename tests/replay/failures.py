#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Recordings that do not go well: a killed process, a changed program, a full disk.

usage: failures.py CASE EARL MOODY   (exit 77: this host does not allow the case)
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SIZE = ["-n", "4"]


class Failure(Exception):
    pass


def expect(condition, what, *said):
    if not condition:
        raise Failure("\n".join([what, *map(str, said)]))


def run(command, **more):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          **more)


def messages(text):
    return [line for line in text.splitlines() if line.startswith("message")]


def record_and_kill(earl, moody, trace, whom="node"):
    """Records until node 0 has printed 200 messages, then kills it, EXEC, or all. Returns its output."""
    with tempfile.TemporaryFile("w+") as errors:
        job = subprocess.Popen([earl, "record", "-o", trace, *SIZE, moody], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=errors, text=True)
        node = int(job.stdout.readline().split()[1])
        lines = [job.stdout.readline() for _ in range(200)]
        for pid in {"node": [node], "exec": [job.pid], "all": [job.pid, *children_of(job.pid)]}[whom]:
            os.kill(pid, signal.SIGKILL)
        rest = job.stdout.read()
        job.wait(timeout=60)
        errors.seek(0)
        said = errors.read()
    expect(job.returncode == (137 if whom == "node" else -9),
           f"the recorded run ended with {job.returncode}", said)
    return messages("".join(lines) + rest)


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def replay_cut(earl, moody, trace, then, code, received=None):
    """The replay prints the recorded output, maybe less or one more, and ends with `code`. It prints
    no more than was `received` where output may have been lost on its way."""
    now = run([earl, "run", f"--tool=replay={trace}", *SIZE, moody])
    expect(now.returncode == code, f"the replay ended with {now.returncode}", now.stderr)
    again = messages(now.stdout)
    common = min(len(again), len(then))
    expect(again[:common] == then[:common], "the replay took other messages", now.stdout)
    most = len(then) + 1 if received is None else received
    expect(len(again) <= most, "the replay invented messages", len(again), most)
    expect(re.search("the recording of rank [0-3] ends at event|replayed as far as the recording goes",
                     now.stderr), "it does not say where it ends", now.stderr)
    return again


def cut(earl, moody, folder):
    trace = os.path.join(folder, "t.earl")
    then = record_and_kill(earl, moody, trace)
    shown = run([earl, "show", trace])
    expect(shown.returncode == 1, f"earl show ended with {shown.returncode}", shown.stderr)
    expect(re.search(r"rank 0: .* wildcard receives .*cut \(the process was killed after event \d+; "
                     r"the last outcome is of event \d+, \w+ at moody.c:\d+", shown.stdout),
           "earl show does not say what is missing", shown.stdout)
    for _ in range(3):
        # EXEC lived and has recorded how the run ended.
        again = replay_cut(earl, moody, trace, then, 137)
        expect(len(again) >= len(then), "something committed is lost", len(again), len(then))


def cut_everywhere(earl, moody, folder):
    for whom in ("exec", "all"):
        trace = os.path.join(folder, f"{whom}.earl")
        then = record_and_kill(earl, moody, trace, whom)
        shown = run([earl, "show", trace]).stdout
        expect("incomplete" in shown, "earl show takes it for whole")
        # The last output was in a pipe of EXEC's, which had no reader any more.
        line = re.search(r"rank 0: .* ([\d,]+) wildcard receives", shown)
        expect(line, "earl show does not count what rank 0 received", shown)
        received = int(line.group(1).replace(",", ""))
        again = replay_cut(earl, moody, trace, then, 85, received)
        expect(len(again) >= len(then), "something committed is lost", len(again), len(then))


def truncated(earl, moody, folder):
    whole = os.path.join(folder, "whole.earl")
    then = messages(run([earl, "record", "-o", whole, *SIZE, moody, "300"]).stdout)
    expect(len(then) == 300, "the recorded run went wrong", then)
    seed = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
    print("seed", seed)
    chance = random.Random(seed)
    trace = os.path.join(folder, "cut.earl")
    # Without any record of node 0, it ends at its first call, before the others know of it.
    trials = [("r00000.ert", size) for size in (0, 63, 64)]
    for number in range(int(os.environ.get("TRIALS", "8"))):
        shutil.rmtree(trace, ignore_errors=True)
        shutil.copytree(whole, trace)
        # A node that was killed before its first call has no record yet.
        files = {file: os.path.getsize(os.path.join(trace, file)) for file in sorted(os.listdir(trace))}
        name = chance.choice([file for file, size in files.items() if file.endswith(".ert") and size > 64])
        size = chance.choice([0, 63, 64, chance.randrange(files[name])])
        if number < len(trials):
            name, size = trials[number]
        victim = os.path.join(trace, name)
        os.truncate(victim, size)
        print("trial", number, name, "cut at", size)
        shown = run([earl, "show", trace])
        expect(shown.returncode == 1 and "incomplete" in shown.stdout, "earl show takes it for whole",
               shown.stdout)
        now = run([earl, "run", f"--tool=replay={trace}", *SIZE, moody, "300"])
        again = messages(now.stdout)
        # The others were killed by node 0, so that their records stop somewhere in any case; and the part that is
        # cut behind all messages may be no more than the end that node 0's killcube brings about.
        expect(now.returncode in ((85,) if len(again) < 300 else (0, 85)),
               f"the replay ended with {now.returncode}", now.stderr)
        expect(again == then[:len(again)], "the replay took other messages", now.stdout)


def changed(earl, moody, folder):
    trace = os.path.join(folder, "t.earl")
    then = run([earl, "record", "-o", trace, *SIZE, moody, "50"])
    expect(len(messages(then.stdout)) == 50, "the recorded run went wrong", then.stdout, then.stderr)
    now = run([earl, "run", f"--tool=replay={trace}", *SIZE, moody, "50"],
              env={**os.environ, "MOOD": "other"})
    expect(now.returncode == 87, f"the replay ended with {now.returncode}", now.stdout, now.stderr)
    expect(re.search(r"replay diverged: rank 0, event \d+: the recording did crecv\(any source, any \w+\)"
                     r" at moody.c:24, the program now does crecv\(any source, .*7.*\) at moody.c:21",
                     now.stderr), "the divergence is reported otherwise", now.stderr)


def analysed(earl, moody, folder):
    """An analysis whose replay diverges fails, and the next one replays again."""
    then = run([earl, "record", "-o", "t.earl", *SIZE, moody, "50"], cwd=folder)
    expect(len(messages(then.stdout)) == 50, "the recorded run went wrong", then.stdout, then.stderr)
    trace = os.path.join(folder, "t.earl")
    mood = os.path.join(folder, "mood")
    with open(mood, "wb"):
        pass
    whole = {"races": [], "check": [], "profile": [], "show": ["--messages"], "view": ["-o", "-"],
             "export": ["--to", "csv", "-o", "-"]}
    for command, options in whole.items():
        now = run([earl, command, *options, trace])
        expect(now.returncode == 87 and now.stderr.count("replay diverged: rank 0, event") == 1,
               f"{command} ended with {now.returncode}", now.stderr)
    now = run([earl, "diff", trace, trace])
    expect(now.returncode == 87 and "replay diverged" in now.stderr, "diff", now.returncode, now.stderr)
    for command, options in {"flip": ["1"], "explore": [], "replay": ["--path", "0@1"]}.items():
        now = run([earl, command, trace, *options] if command == "flip" else [earl, command, *options, trace])
        expect(now.returncode == 1 and "diverged" in now.stderr, f"{command} ended with {now.returncode}",
               now.stderr)
    for _ in range(2):
        now = run([earl, "replay", "--alone", "0", trace])
        expect("replay diverged: rank 0, event" in now.stderr, "--alone", now.returncode, now.stderr)
    os.remove(mood)
    for command, options in whole.items():
        now = run([earl, command, *options, trace])
        expect(now.returncode in (0, 1) and "diverged" not in now.stderr and now.stdout,
               f"{command} of the unchanged run ended with {now.returncode}", now.stderr)
    # As of a process that is killed before it has written anything.
    with open(os.path.join(trace, "e00002.ert"), "wb") as file:
        file.write(bytes(4096))
    now = run([earl, "races", trace])
    expect(now.returncode == 0 and now.stdout, "a rank without events", now.stdout, now.stderr)


def still(earl, moody, folder):
    """No process diverges from the recording, or acts at all."""
    trace = os.path.join(folder, "t.earl")
    once = {**os.environ, "ONCE": "yes"}
    then = run([earl, "record", "-o", trace, *SIZE, moody, "3"], env=once)
    expect(len(messages(then.stdout)) == 3, "the recorded run went wrong", then.stdout, then.stderr)
    now = run([earl, "replay", "-x", "STILL=yes", trace])
    expect(now.returncode == 87, f"the replay ended with {now.returncode}", now.stdout, now.stderr)
    expect("earl: replay diverged: no process can continue" in now.stderr, "it is reported otherwise", now.stderr)


def full_disk(earl, moody, folder):
    made = run(["mount", "-t", "tmpfs", "-o", "size=260k", "none", folder])
    if made.returncode != 0:
        print("no tmpfs can be mounted here:", made.stderr)
        return 77
    trace = os.path.join(folder, "t.earl")
    then = run([earl, "record", "-o", trace, *SIZE, moody, "60000"])
    # Asked to end by killcube: that is no error.
    expect(len(messages(then.stdout)) == 1000, "the run did not go on", then.stdout[-500:], then.stderr)
    expect(re.search(r"the record of rank 0 ends after event \d+: no more room in .*r00000.ert: No space "
                     r"left on device; the run goes on unrecorded", then.stderr),
           "the full disk is reported otherwise", then.stderr)
    shown = run([earl, "show", trace])
    expect(shown.returncode == 1 and "No space left on device" in shown.stdout,
           "earl show does not say why the record ends", shown.stdout, shown.stderr)
    shutil.rmtree(trace)
    tiny = run(["mount", "-o", "remount,size=64k", folder])
    expect(tiny.returncode == 0, "remount", tiny.stderr)
    with open(os.path.join(folder, "ballast"), "wb") as ballast:
        ballast.write(b"x" * 40_000)
    none = run([earl, "record", "-o", trace, *SIZE, moody, "10"])
    expect(none.returncode != 0 and "no room for" in none.stderr, "a disk full at the start",
           none.returncode, none.stderr)
    return 0


CASES = {"cut": cut, "cut_everywhere": cut_everywhere, "truncated": truncated, "changed": changed, "analysed": analysed, "still": still,
         "full_disk": full_disk}


def own_mounts():
    """Goes on in a mount namespace of its own; false: not allowed."""
    for options in (["-m"], ["-r", "-m"]):
        if run(["unshare", *options, "true"]).returncode == 0:
            os.execvp("unshare", ["unshare", *options, sys.executable, *sys.argv, "inside"])
    return False


def main():
    case, earl, moody = sys.argv[1], *map(os.path.abspath, sys.argv[2:4])
    if case == "full_disk" and sys.argv[-1] != "inside" and not own_mounts():
        print("no mount namespace is allowed here")
        return 77
    folder = tempfile.mkdtemp(prefix="earl-failure-")
    try:
        return CASES[case](earl, moody, folder) or 0
    except Failure as failure:
        print(failure)
        return 1
    finally:
        if case == "full_disk":
            run(["umount", folder])
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
