#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`earl record --minimal`: programs for orders.c, recorded in one order of events and replayed in others.

The programs are those of orders.json and some made at random: receives of any or one source and tag, blocking or posted ahead,
waits for one of several, probes, sends that wait. Whatever a rank has learned in the recorded run, and how the run
ended, is so in each replay.

usage: minimal.py EARL BACK-END ORDERS ORDERS-JSON COUNT
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

EARL, ORDERS, KNOWN = (os.path.abspath(sys.argv[at]) for at in (1, 3, 4))
BACK_END, COUNT = sys.argv[2], int(sys.argv[5])
REPLAYS = 4
TIMEOUT = 124  # a loop that polls for what no process will send goes on


def made(seed):
    """A program by seed: each message has its receive, so that most runs end."""
    dice = random.Random(seed)
    ranks = dice.choice((3, 4, 5))
    sends = [[] for _ in range(ranks)]
    receives = [[] for _ in range(ranks)]
    tags = dice.choice(((1,), (1, 2), (1, 2, 3)))
    # Receives that name nothing, or the tag, take no message that another one needs.
    named, tagged = dice.choice(((0, 0), (0, 1), (0, 1), (0.2, 0.4)))
    for value in range(dice.randint(8, 24)):
        source, dest = dice.sample(range(ranks), 2)
        tag = dice.choice(tags)
        sends[source].append(f"s{dest},{tag},{value},{int(dice.random() < 0.05)}")
        receives[dest].append((source if dice.random() < named else -1, tag if dice.random() < tagged else -1))
    return [woven(dice, sends[me], receives[me]) for me in range(ranks)]


def woven(dice, sends, receives):
    """One rank: its sends among its receives, some of these posted first and waited for later."""
    style = dice.random()
    open_requests, ops, register, request = [], [], 0, 0
    todo = [("s", op) for op in sends] + [("r", op) for op in receives]
    dice.shuffle(todo)
    if style < 0.7:
        todo.sort(key=lambda one: one[0] == "r")  # as programs do that exchange with neighbours
    for what, op in todo:
        if what == "s":
            ops.append(op)
            continue
        source, tag = op
        if dice.random() < 0.1:
            ops.append(f"p{source},{tag},{register}")
            register += 1
        if style > 0.3 and dice.random() < 0.5:
            ops.insert(dice.randint(max(0, len(ops) - 4), len(ops)), f"i{source},{tag},{request}")
            open_requests.append(request)
            request += 1
        else:
            ops.append(f"r{source},{tag},{register}")
            register += 1
        if 2 < len(open_requests) < 7 and dice.random() < 0.3:
            ops.append("a" + ",".join(str(one) for one in (register, *open_requests)))
            register += 1
    dice.shuffle(open_requests)
    for one in open_requests:
        ops.append(f"w{one},{register}")
        register += 1
    return ";".join(ops)


def run(arguments, limit=60):
    ended = subprocess.run([EARL, *arguments], capture_output=True, text=True, timeout=limit, check=False,
                           stdin=subprocess.DEVNULL)
    lines = {}
    for me, line in re.findall(r"^@(\d+) (.*)$", ended.stdout, re.M):
        lines.setdefault(me, []).append(line)
    return ended.returncode, lines, ended.stderr


def seeds(dice):
    return ["--seed", str(dice.randrange(1, 1 << 30))] if BACK_END == "fibers" else []


class Minimal(unittest.TestCase):
    def check(self, name, programs):
        dice = random.Random(name)
        with self.subTest(program=name, ranks=programs), tempfile.TemporaryDirectory() as folder:
            recording = folder + "/r"
            code, lines, errors = run(["record", "--minimal", "--timeout", "10", "--on", BACK_END, *seeds(dice),
                                       "-o", recording, "-n", str(len(programs)), ORDERS, *programs])
            self.assertIn(code, (0, 86, TIMEOUT), errors)
            for _ in range(0 if code == TIMEOUT else REPLAYS):
                again = run(["replay", "--on", BACK_END, *seeds(dice), recording])
                self.assertEqual(again[:2], (code, lines), again[2])
            return code

    def test_every_replay_of_a_known_program_is_the_recorded_run(self):
        with open(KNOWN, encoding="ascii") as file:
            programs = json.load(file)
        for program in programs[:COUNT]:
            self.check(program["name"], program["ranks"])

    def test_every_replay_of_a_generated_program_is_the_recorded_run(self):
        codes = [self.check(f"seed {seed}", made(seed)) for seed in range(COUNT)]
        self.assertGreater(codes.count(0), COUNT // 4)

    def test_a_full_recording_can_be_made_of_a_minimal_one(self):
        programs = ["r-1,1,0;r-1,1,1;r-1,1,2;r-1,1,3", "s0,1,0,0;s0,1,1,0", "s0,1,2,0;s0,1,3,0"]
        with tempfile.TemporaryDirectory() as folder:
            minimal, full = folder + "/minimal", folder + "/full"
            first = run(["record", "--minimal", "--on", BACK_END, "-o", minimal, "-n", "3", ORDERS, *programs])
            for options in (["replay", "--path", "0:1=2#0"], ["replay", "--alone", "0"], ["explore"], ["flip"]):
                code, _, errors = run([*options, minimal, *(["1"] if options == ["flip"] else [])])
                self.assertEqual(code, 1, errors)
                self.assertIn(f"earl replay --tool record=NEW {minimal}", errors)
            again = run(["replay", "--tool", "record=" + full, minimal])
            self.assertEqual(again[:2], first[:2], again[2])
            shown = {name: subprocess.run([EARL, "show", folder + "/" + name], capture_output=True, text=True,
                                          timeout=60, check=True).stdout for name in ("minimal", "full")}
            self.assertRegex(shown["minimal"], r"rank 0: \d+ calls, 4 wildcard receives, [1-3] outcomes? kept \(\d+\.0 %; of 4 "
                                               r"receives of any kind \d+\.0 %\)")
            self.assertIn("4 wildcard receives in", shown["full"])
            code, _, errors = run(["explore", full])
            self.assertEqual(code, 0, errors)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
