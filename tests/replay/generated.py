#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`earl explore` on small programs made at random, against all that they can do.

A program is one for orders.c, of blocking sends and receives. It can do what a search of all interleavings finds: a rank does its next
operation, or the next message of a channel arrives; a receive takes the oldest arrival that it accepts, an
arrival goes to the oldest posted receive that accepts it.

usage: generated.py EARL BACK-END ORDERS COUNT
"""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

EARL, ORDERS = (os.path.abspath(sys.argv[at]) for at in (1, 3))
BACK_END, COUNT = sys.argv[2], int(sys.argv[4])
RANKS = 3
MOST_OUTCOMES = 12
MOST_STATES = 20000
LIMIT = 200 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds for one search


def made(seed):
    """A program by seed: sends with mostly as many receives, some behind a branch."""
    dice = random.Random(seed)
    ops = [[] for _ in range(RANKS)]
    for value in range(dice.randint(3, 5)):
        source, dest = dice.sample(range(RANKS), 2)
        tag = dice.choice((1, 1, 2))
        ops[source].append(f"s{dest},{tag},{value},0")
        if dice.random() < 0.9:
            wanted = dice.choice((-1, -1, -1, source))
            ops[dest].append((wanted, dice.choice((tag, tag, -1))))
    programs = []
    for own in ops:
        dice.shuffle(own)
        programs.append(written(own, dice))
    return programs


def written(own, dice):
    """With a register for each receive, and branches."""
    lines, register = [], 0
    for op in own:
        if isinstance(op, str):
            lines.append(op)
            continue
        source, tag = op
        lines.append(f"r{source},{tag},{register}")
        if source < 0 and dice.random() < 0.3:  # the next operation is for one sender only
            lines.append(f"?{register},1,{dice.randrange(RANKS)},{len(lines) + 2}")
        register += 1
    return ";".join(lines)


def parsed(program):
    return [(op[0], [int(word) for word in op[1:].split(",")]) for op in program.split(";") if op]


def accepts(post, message):
    return post[1] in (-1, message[0]) and post[2] in (-1, message[2])


class Model:
    """The outcomes of a program: (exit code, lines of each rank)."""

    def __init__(self, programs):
        self.programs = [parsed(program) for program in programs]
        self.outcomes, self.seen = set(), set()
        # rank: place, posts so far, post waited for, arrivals, posted, matched, registers, lines
        rank = (0, 0, None, (), (), (), (), ())
        self.visit((rank,) * RANKS, ((),) * (RANKS * RANKS), (0,) * (RANKS * RANKS))

    def visit(self, ranks, channels, sent):
        todo = [(ranks, channels, sent)]
        while todo:
            state = todo.pop()
            if state in self.seen:
                continue
            self.seen.add(state)
            if len(self.seen) > MOST_STATES:
                raise OverflowError
            after = [*self.arrivals(*state), *self.operations(*state)]
            todo += after
            if not after:
                over = all(rank[0] >= len(self.programs[me]) for me, rank in enumerate(state[0]))
                self.outcomes.add((0 if over else 86, tuple(rank[7] for rank in state[0])))

    @staticmethod
    def arrivals(ranks, channels, sent):
        for at, channel in enumerate(channels):
            if not channel:
                continue
            dest, message = at % RANKS, channel[0]
            place, posts, waits, here, posted, matched, registers, lines = ranks[dest]
            fits = next((post for post in posted if accepts(post, message)), None)
            if fits:
                posted = tuple(post for post in posted if post != fits)
                matched += ((fits[0], message),)
            else:
                here += (message,)
            rank = (place, posts, waits, here, posted, matched, registers, lines)
            yield (ranks[:dest] + (rank,) + ranks[dest + 1:],
                   channels[:at] + (channel[1:],) + channels[at + 1:], sent)

    def operations(self, ranks, channels, sent):
        for me, rank in enumerate(ranks):
            if rank[0] >= len(self.programs[me]):
                continue
            done = self.step(me, rank, channels, sent)
            if done:
                rank, channels_after, sent_after = done
                yield ranks[:me] + (rank,) + ranks[me + 1:], channels_after, sent_after

    def step(self, me, rank, channels, sent):
        place, posts, waits, here, posted, matched, registers, lines = rank
        what, v = self.programs[me][place]
        if waits is not None:
            message = dict(matched).get(waits)
            if message is None:
                return None
            registers += ((v[2], message[0]),)
            lines += ((waits, message[0], message[1]),)
            return (place + 1, posts, None, here, posted, matched, registers, lines), channels, sent
        if what == "s":
            at = me * RANKS + v[0]
            message = (me, sent[at], v[1])
            channels = channels[:at] + (channels[at] + (message,),) + channels[at + 1:]
            sent = sent[:at] + (sent[at] + 1,) + sent[at + 1:]
            return (place + 1, *rank[1:]), channels, sent
        if what == "?":
            met = dict(registers).get(v[0]) == v[2]
            return (place + 1 if met else v[3], *rank[1:]), channels, sent
        post = (posts, v[0], v[1])
        fits = next((message for message in here if accepts(post, message)), None)
        if fits:
            here = tuple(message for message in here if message != fits)
            matched += ((posts, fits),)
        else:
            posted += (post,)
        return (place, posts + 1, posts, here, posted, matched, registers, lines), channels, sent


def cases():
    """(seed, programs, outcomes) of those that are neither trivial nor large."""
    found, seed = [], 0
    while len(found) < COUNT:
        seed += 1
        programs = made(seed)
        if not all(programs):
            continue
        try:
            outcomes = Model(programs).outcomes
        except OverflowError:
            continue
        if 2 <= len(outcomes) <= MOST_OUTCOMES:
            found.append((seed, programs, outcomes))
    return found


def written_lines(path):
    """What each rank has learned."""
    ranks = [[] for _ in range(RANKS)]
    with open(path, encoding="ascii") as text:
        for me, post, source, sequence in re.findall(r"^@(\d+) r (\d+) (\d+) (\d+)$", text.read(), re.M):
            ranks[int(me)].append((int(post), int(source), int(sequence)))
    return tuple(tuple(lines) for lines in ranks)


class Generated(unittest.TestCase):
    def test_explore_finds_all_outcomes_and_no_other(self):
        some_stuck = 0
        for seed, programs, outcomes in cases():
            with self.subTest(seed=seed, programs=programs), tempfile.TemporaryDirectory() as folder:
                ended = subprocess.run(
                    [EARL, "explore", "--json", "--seconds", str(LIMIT), "--on", BACK_END, "-o", folder + "/r", "--outputs",
                     folder + "/out", "-n", str(RANKS), ORDERS, *programs], capture_output=True,
                    text=True, timeout=2 * LIMIT, check=False, stdin=subprocess.DEVNULL)
                self.assertIn(ended.returncode, (0, 3), ended.stderr)
                report = json.loads(ended.stdout)
                self.assertTrue(report["all_tried"], report)
                had = {(int(re.search(r"-(\d+)\.out$", path).group(1)), written_lines(path))
                       for path in glob.glob(folder + "/out/*.out")}
                self.assertEqual(had, outcomes, report)
                some_stuck += len({code for code, _ in outcomes}) == 2
        self.assertGreater(some_stuck, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
