# SPDX-License-Identifier: BSD-3-Clause
"""200 command lines with a mistake at random, of every command: each gets one sentence, exit code 2, and a suggestion where a
right word is near. WRONG_WORDS_SEED chooses others."""

import itertools
import os
import random
import re
import unittest

from job import EARL, JobTest

SEED = int(os.environ.get("WRONG_WORDS_SEED", "1993"))
LINES = 200
# Sentences of the libraries that read command lines, numbers, JSON and regular expressions.
OF_OTHERS = re.compile(r"CLI|Error:|std::|what\(\)|terminate called|json\.exception|stoi|stoul|basic_string|"
                       r"was not expected|is required|Could not convert|Run with --help|following argument")
# Commands whose words are limited, and one word too many.
SURPLUS = {"ls": 2, "show": 2, "races": 2, "diff": 3, "debug": 2, "view": 3, "export": 2, "flip": 3, "profile": 2,
           "tools": 1, "doctor": 1, "console": 2, "ps": 2, "version": 1, "replay": 2, "config": 1}
# Options that are given or not.
FLAGS = ("--json", "--trust", "--dry-run", "--gdb", "--console", "--force", "--minimal", "--times", "--frontier", "--all",
         "--outcomes", "--messages", "--sends", "--dap", "--backends")
# Words that a command needs, and the sentence where they are missing or of another kind.
NEEDED = ((("diff",), "two recordings are needed"), (("diff", "a"), "two recordings are needed"),
          (("flip",), "a recording and the number of a race are needed"), (("flip", "a"), "the number of a race"),
          (("flip", "a", "first"), "race first: a number is needed"), (("export", "a"), "--to is missing"),
          (("export", "--to", "otf2", "-o", "-"), "-o -: an OTF2 archive is a directory"),
          (("view", "-o", "race.png"), "-o race.png: a page (.html) or a picture (.svg) is needed"),
          (("show", "--from", "9", "--to", "3"), "--from 9 --to 3: the first event comes after the last one"),
          (("ps", "none"), "none is no process id"), (("run",), "no program is named"), (("record", "-n", "2"), "no program is named"),
          (("explore",), "no program is named"), (("check", "-n", "3"), "no program is named"), (("exec",), "no program is named"),
          (("exec", "-n", "2", "x?y"), "-n: the launcher, mpiexec or srun, chooses"), (("info",), "PROGRAM is missing"),
          (("replay", "--with", "valgrind"), "--with: --alone is needed"), (("record", "--keep", "1", "x?y"), "--keep 1: a number of bytes"))
# Options of `earl run` whose values are limited: values that none of them takes.
LIMITED = ("-n", "--on", "--timeout", "--stdin", "--max-processes", "--message-memory", "--stack", "--time", "--deadlock",
           "--send", "--env", "--cpus", "--tool", "--seed")
# Options of other commands whose values are limited, and a value that none of them takes; wrong wherever the recording is.
OF_RECORDINGS = {"export": ("--to",), "show": ("--rank", "--peer", "--tag", "--from", "--to"),
                 "replay": ("--contents", "--path", "--until", "--alone", "--on", "--timeout", "--stdin", "--time"),
                 "check": ("--ignore",), "explore": ("--runs", "--seconds", "--failures")}
NONSENSE = ("x", "ten", "-3", "1e", "3.3.3", "99999999999999999999", "0x", "%s", "a b", "é", "=", "--", "4,,5", "1-", "[", "\\")


def misspelt(word, chance):
    """With two letters exchanged, one left out, one doubled or one replaced."""
    wrong = word
    while wrong == word:
        at = chance.randrange(1, len(word) - 1)
        wrong = chance.choice((word[:at] + word[at + 1] + word[at] + word[at + 2:], word[:at] + word[at + 1:],
                               word[:at] + word[at] + word[at:], word[:at] + chance.choice("qxz") + word[at + 1:]))
    return wrong


class WrongWords(JobTest):
    def setUp(self):
        super().setUp()
        self.chance = random.Random(SEED)
        self.commands = re.findall(r"^  earl (\w+)", self.earl("-h").out, re.MULTILINE)
        self.assertGreater(len(self.commands), 15)
        self.helps = {command: self.earl(command, "-h").out for command in self.commands}
        self.turns = itertools.cycle(self.chance.sample(self.commands, len(self.commands)))

    def options(self, command):
        lines = re.findall(r"^  ([-\w,]*--[-\w,]+)", self.helps[command], re.MULTILINE)
        return sorted(name for line in lines for name in line.split(",") if len(name) > 5)

    def with_value(self, command):
        """Each first name of an option that has a value."""
        return re.findall(r"^  (?:-\w,)?(--?[a-z][\w-]*)(?:,[\w,-]+)? [A-Z]", self.helps[command], re.MULTILINE)

    def unknown_command(self):
        command = self.chance.choice([name for name in self.commands if len(name) > 3])
        wrong = misspelt(command, self.chance)
        return None if wrong in self.commands else ([EARL, wrong], "did you mean ")

    def unknown_option(self):
        command = next(self.turns)
        options = self.options(command)
        if not options:
            return None
        option = self.chance.choice(options)
        wrong = "--" + misspelt(option[2:], self.chance)
        # An option may be shortened.
        if any(name.startswith(wrong) for name in [*options, "--help"]):
            return None
        return [EARL, command, wrong], "did you mean --"

    def no_value(self):
        command = next(self.turns)
        options = self.with_value(command)
        return ([EARL, command, self.chance.choice(options)], "needs a value") if options else None

    def value_too_many(self):
        command = next(self.turns)
        flags = [name for name in FLAGS if re.search(rf"^  (?:-\w,)?{name}\b", self.helps[command], re.MULTILINE)]
        return ([EARL, command, f"{self.chance.choice(flags)}={self.chance.choice(NONSENSE)}"], "takes no value") if flags else None

    def word_missing(self):
        words, sentence = self.chance.choice(NEEDED)
        return [EARL, *words], sentence

    def option_before_the_command(self):
        command = next(self.turns)
        return [EARL, self.chance.choice(("--json", "-n", "-o", "--quiet")), command], f"as in `earl {command} "

    def other_systems_command(self):
        wrong = misspelt(self.chance.choice(("getcube", "waitcube", "relcube", "killcube", "cubeinfo")), self.chance)
        return [EARL, "compat", wrong], "did you mean "

    def one_word_too_many(self):
        command, most = self.chance.choice(sorted(SURPLUS.items()))
        words = [self.chance.choice(("a", "b.earl", "17", "./x", "ü")) for _ in range(most)]
        return [EARL, command, *words], words[-1] if command not in ("flip", "debug") else ""

    def nonsense(self):
        command = self.chance.choice(("run", "record", "explore", "check"))
        option = self.chance.choice([name for name in LIMITED if name in self.helps[command]])
        return [EARL, command, f"{option}={self.chance.choice(NONSENSE)}" if option.startswith("--") else option, "x?y"], ""

    def wrong_value(self):
        command, options = self.chance.choice(sorted(OF_RECORDINGS.items()))
        option = self.chance.choice(options)
        # In place of a recording, where a program could be meant as well, too.
        return [EARL, command, option, "nonsense", "nosuch.earl"], f"earl: {option}"

    def misspelt_value(self):
        """Of an option whose help has the words that it takes: "--to csv|perfetto"."""
        command = self.chance.choice(("run", "replay", "export", "explore"))
        option, words = self.chance.choice(re.findall(r"^  (?:-\w,)?(--?[a-z-]+) ([a-z0-9]+(?:\|[a-z0-9]+)+)\b",
                                                      self.helps[command], re.MULTILINE))
        word = self.chance.choice([word for word in words.split("|") if len(word) > 3] or [""])
        wrong = word and misspelt(word, self.chance)
        if not word or wrong in words.split("|"):
            return None
        return [EARL, command, option, wrong, "x?y"], "did you mean "

    def compiler(self):
        wrong = misspelt(self.chance.choice(("pvm3", "mpi1draft", "pvm2")), self.chance)
        return [EARL + "cc", "-api", wrong, "a.c"], f"-api {wrong}: there is no such front end"

    def complaint(self, words, expected):
        program, *rest = words
        ended = self.finish(self.start_command(program, *rest, cwd=self.folder))
        if ended.code != 2 or ended.out:
            return f"exit code {ended.code}, output {ended.out!r}, {ended.err!r}"
        if not re.fullmatch(r"earl(cc)?: [^\n]{5,400}\n", ended.err):
            return f"no sentence: {ended.err!r}"
        if OF_OTHERS.search(ended.err):
            return f"a sentence of a library: {ended.err!r}"
        return "" if expected in ended.err else f"not '{expected}': {ended.err!r}"

    def test_each_gets_a_sentence(self):
        kinds = (self.unknown_command, self.unknown_option, self.no_value, self.one_word_too_many, self.nonsense,
                 self.wrong_value, self.misspelt_value, self.compiler, self.value_too_many, self.word_missing,
                 self.option_before_the_command, self.other_systems_command)
        tried, commands = 0, set()
        while tried < LINES:
            made = (self.unknown_option if set(self.commands) - commands else self.chance.choice(kinds))()
            if made is None:
                continue
            tried += 1
            commands |= set(made[0][1:3])
            with self.subTest(words=made[0][1:], seed=SEED):
                self.assertEqual(self.complaint(*made), "")
        self.assertEqual(set(self.commands) - commands, set())


if __name__ == "__main__":
    unittest.main()
