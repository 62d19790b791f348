#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`earl races` against the exact answer, for the programs of orders.json and for some made at random.

The past of an event is all that led to it: the order of its rank, and from each message's send to its receive. A receive could have
got a message if it does so in some run that agrees with the recorded one on the receive's past; one recording can
show that if the message was sent in it, its past does not have the receive, and that run agrees on it, too.
Nothing else may be reported, and of blocking receives nothing less than what the recording can show.

usage: exact_races.py EARL BACK-END ORDERS COUNT orders.json
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from generated import BACK_END, EARL, ORDERS, RANKS, cases, parsed, written_lines

with open(sys.argv[5], encoding="ascii") as file:
    PROGRAMS = [program for program in json.load(file) if "races" in program]
REPORTED = 60  # races of them, all together


def run(*words, out=subprocess.PIPE):
    return subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True,
                          timeout=100, check=False)


def reported(recording):
    """Receive to messages: {(rank, post): {(source, sequence)}}."""
    ended = run("races", "--json", recording)
    assert ended.returncode == 0, ended
    return {(race["rank"], race["receive"]): {(one["rank"], one["message"]) for one in race["others"]}
            for race in json.loads(ended.stdout)["races"]}


class Past:
    """How many receives of each rank lead to the posts and the sends of a run."""

    def __init__(self, programs, lines):
        self.at_post, self.at_send = {}, {}
        ranks = [[0, 0, [0] * RANKS, [0] * RANKS, {}] for _ in programs]
        programs = [parsed(program) for program in programs]
        moved = True
        while moved:
            moved = False
            for me, rank in enumerate(ranks):
                while rank[0] < len(programs[me]) and self.step(me, rank, programs[me][rank[0]], lines[me]):
                    moved = True

    def step(self, me, rank, operation, lines):
        """False: the rank waits for a message that is not sent yet, or for ever."""
        place, posts, clock, sent, registers = rank
        what, v = operation
        rank[0] = place + 1
        if what == "s":
            self.at_send[me, v[0], sent[v[0]]] = tuple(clock)
            sent[v[0]] += 1
        elif what == "?":
            rank[0] = place + 1 if registers.get(v[0]) == v[2] else v[3]
        else:
            self.at_post[me, posts] = tuple(clock)
            of_message = self.at_send.get((lines[posts][1], me, lines[posts][2])) if posts < len(lines) else None
            if of_message is None:
                rank[0] = place
                return False
            registers[v[2]] = lines[posts][1]
            rank[2] = [max(pair) for pair in zip(clock, of_message)]
            rank[1] = rank[2][me] = posts + 1
        return True


def agree(one, other, past):
    return all(a[:count] == b[:count] for a, b, count in zip(one, other, past))


def exact(programs, lines, runs):
    """(what one recording can show, all that is possible) for each receive that got a message."""
    past = Past(programs, lines)
    for (me, post), before in past.at_post.items():
        if post >= len(lines[me]):
            continue
        like = [run for run in runs if agree(run, lines, before) and post < len(run[me])]
        possible = {run[me][post][1:] for run in like} - {lines[me][post][1:]}
        seen = {message for message in possible
                if (of := past.at_send.get((message[0], me, message[1]))) and of[me] <= post
                and any(run[me][post][1:] == message and agree(run, lines, of) for run in like)}
        yield (me, post), seen, possible


class Exact(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def compare(self, found, receive, least, most):
        got = found.get(receive, set())
        self.assertEqual(least - got, set(), f"missed of receive {receive}: {found}")
        self.assertEqual(got - most, set(), f"impossible of receive {receive}: {found}")

    def test_programs_with_known_races(self):
        races = 0
        for program in PROGRAMS:
            with self.subTest(program["name"]):
                first, wanted = self.path(program["name"]), self.path(program["name"] + ".wanted")
                run("record", "--on", BACK_END, "-o", first, "-n", str(len(program["ranks"])), ORDERS,
                    *program["ranks"])
                # The run whose races are known.
                ended = run("replay", "--path", program["run"], "--tool", "record=" + wanted, first)
                self.assertIn(ended.returncode, (0, 86), ended)
                found = reported(wanted)
                known = {(rank, post): (set(map(tuple, least)), set(map(tuple, most)))
                         for rank, post, least, most in program["races"]}
                for receive in {*found, *known}:
                    least, more = known.get(receive, (set(), set()))
                    self.compare(found, receive, least, least | more)
                races += len(found)
        self.assertGreaterEqual(races, REPORTED)

    def test_programs_made_at_random(self):
        races = 0
        for seed, programs, outcomes in cases():
            with self.subTest(seed=seed, programs=programs):
                recording = self.path(str(seed))
                with open(recording + ".out", "w", encoding="ascii") as out:
                    run("record", "--on", BACK_END, "-o", recording, "-n", str(RANKS), ORDERS, *programs, out=out)
                lines = written_lines(recording + ".out")
                runs = [lines_of for _, lines_of in outcomes]
                self.assertIn(lines, runs)
                found = reported(recording)
                for receive, least, most in exact(programs, lines, runs):
                    self.compare(found, receive, least, most)
                races += len(found)
        self.assertGreater(races, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
