# SPDX-License-Identifier: BSD-3-Clause
"""Man pages and completion agree with the commands' -h."""

import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

from job import EARL

EARLCC = os.path.join(os.path.dirname(EARL), "earlcc")
PAGES = pathlib.Path(os.environ["EARL_PAGES"])
COMPLETION = os.environ["EARL_COMPLETION"]
# Commands whose options are documented on another page.
INHERITS = {"check": "run", "exec": "run", "explore": "run", "record": "run", "replay": "run"}
SETTINGS = {"EARL_CONFIG": "/dev/null"}
# Options that `earl exec` leaves to the launcher, and values that `earl run` takes.
OF_THE_LAUNCHER = {"-n": ["2"], "--np": ["2"], "--on": ["fibers"], "-H": ["a"], "--host": ["a"], "--hosts": ["a"], "-f": ["/etc/hosts"], "--hostfile": ["/etc/hosts"],
                   "--launcher": ["ssh %h"], "--listen": ["auto"], "--gdb": [], "--seed": ["1"], "--stack": ["64K"], "--time": ["virtual"]}
# For options whose help does not have a value in brackets.
VALUES = {"--wdir": "/", "-x": "A=1", "--cpus": str(min(os.sched_getaffinity(0))), "--tool": "deadlock", "--break": "rank=0",
          "--max-processes": "9", "--message-memory": "1M"}


@functools.cache
def said(*words):
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True,
                           stdin=subprocess.DEVNULL, env={**os.environ, **SETTINGS})
    return ended.stdout


def commands():
    return re.findall(r"^  earl (\w+)", said(EARL, "-h"), re.MULTILINE)


def compat_commands():
    return re.findall(r"^  (\w+)$", said(EARL, "compat", "-h"), re.MULTILINE)


def options_in_help(*words):
    """Every spelling at the beginning of a line of options: "  -v,--verbose ..."."""
    found = set()
    for spellings in re.findall(r"^ +(-[^\s]+(?: -[A-Za-z0-9]+)*)", said(*words, "-h"), re.MULTILINE):
        found |= set(re.split(r"[,\s]+", spellings))
    return found


def options_in_page(name):
    found = set()
    for line in (PAGES / f"{name}.1").read_text(encoding="ascii").splitlines():
        if line.startswith(".It Fl"):
            found |= {"-" + word for word in re.findall(r"\bFl (\S+)", line)}
    return found


def plain(text):
    """The words of a text in mdoc or in a help: macros, quotes and punctuation do not count."""
    text = re.sub(r"\.Xr (\S+?)-(\S+) 1", r"\1 \2", text)
    text = re.sub(r"^\.(?:[A-Z][a-z] )?|\b(?:Ns|Ar|Cm|Pa|Fl|Op|Ev)\b(?=\s)", " ", text, flags=re.MULTILINE)
    return re.findall(r"[^\s`'\".,:;()\[\]/-]+", text.replace("\\&", " "))


def rows_of_help(*words):
    """(spellings, words for the value, text) of each option."""
    rows = re.findall(r"^  (-\S+)((?: \S+)*?)(?:  +|(?<=\n.{29}) |$)(.*(?:\n {30}\S.*)*)", said(*words, "-h"), re.MULTILINE)
    return [(set(names.split(",")), value, text.strip()) for names, value, text in rows]


def rows_of_page(name):
    """The same of the page of a command."""
    items = re.findall(r"^\.It (Fl .*)\n((?:(?!\.It|\.El|\.Sh).*\n)*)", (PAGES / f"{name}.1").read_text(), re.MULTILINE)
    return [({"-" + word for word in re.findall(r"\bFl (\S+)", line)}, line, text) for line, text in items]


def named_values(text):
    """FILE, N: what a value is called; words of choices are not."""
    return set(re.findall(r"\b[A-Z]+\b", re.sub(r"\bFl \S+", "", text)))


class Pages(unittest.TestCase):
    def check_words(self, command, names, value, text):
        """A page has the first clause of the help, then more."""
        pages = [rows for rows in rows_of_page(f"earl-{command}") if rows[0] & names]
        if not pages and command in INHERITS:
            pages = [rows for rows in rows_of_page(f"earl-{INHERITS[command]}") if rows[0] & names]
        clause = plain(re.split(r"[;:.(\[]", text)[0])
        begun = [plain(page) for _, _, page in pages]
        self.assertTrue(any(words[:len(clause)] == clause for words in begun), f"{clause} not in {begun}")
        values = set().union(*(named_values(line) for _, line, _ in pages))
        self.assertEqual(named_values(value), values)

    def test_an_option_has_the_same_words_in_both(self):
        for command in commands():
            for names, value, text in rows_of_help(EARL, command):
                if "-h" not in names and command != "config":
                    with self.subTest(command, option=names):
                        self.check_words(command, names, value, text)

    def test_a_command_has_the_same_summary_everywhere(self):
        first = (PAGES / "earl.1").read_text()
        for command, summary in re.findall(r"^  earl (\w+) +(.*)", said(EARL, "-h"), re.MULTILINE):
            with self.subTest(command):
                self.assertIn(f"\n.Nd {summary}\n", (PAGES / f"earl-{command}.1").read_text())
                self.assertIn(f"\n.It Cm {command}\n{summary[0].upper()}{summary[1:]}:\n", first)

    def test_every_command_has_a_page_with_its_options(self):
        for command in commands():
            with self.subTest(command):
                page = options_in_page(f"earl-{command}")
                inherited = options_in_page(f"earl-{INHERITS[command]}") if command in INHERITS else set()
                helped = options_in_help(EARL, command)
                self.assertGreater(len(helped), 1)
                self.assertEqual(helped - page - inherited, set(), "in -h and on no page")
                self.assertEqual(page - helped, set(), "on the page and not in -h")

    def ended(self, *words):
        return subprocess.run([EARL, *words], capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, **SETTINGS})

    def test_exec_lists_the_options_that_it_takes(self):
        hidden = options_in_help(EARL, "run") - options_in_help(EARL, "exec") - {"--console"}
        self.assertEqual(hidden, set(OF_THE_LAUNCHER))
        for option, value in OF_THE_LAUNCHER.items():
            with self.subTest(option):
                self.assertEqual(self.ended("exec", option, *value, "--dry-run", "/bin/sh").returncode, 2)
        for names, value, text in rows_of_help(EARL, "exec"):
            option = max(names, key=len)
            if option == "--help":
                continue
            usual = re.search(r"\[(\S+)\]", text)
            words = [option, VALUES.get(option) or (usual[1] if usual else "none")] if value else [option]
            with self.subTest(words):
                ended = self.ended("exec", *words, "--dry-run", "/bin/sh")
                self.assertNotEqual(ended.returncode, 2, ended.stderr)

    def test_the_first_page_names_every_command(self):
        named = re.findall(r"^\.It Cm (\w+)", (PAGES / "earl.1").read_text(), re.MULTILINE)
        self.assertEqual(sorted(named), sorted(commands()))

    def test_the_page_of_other_systems_commands(self):
        page = (PAGES / "earl-compat.1").read_text(encoding="ascii")
        for command in compat_commands():
            with self.subTest(command):
                usage = re.search(rf"^\.It Ic {command}\b(.*)", page, re.MULTILINE)
                self.assertTrue(usage, "is not on the page")
                documented = {"-" + word for word in re.findall(r"\bFl (\w)", usage.group(1))}
                self.assertEqual(documented, options_in_help(EARL, "compat", command) - {"-h", "--help"})

    def test_exit_codes_are_documented(self):
        documented = re.findall(r"^\.It (\d+)$", (PAGES / "earl.1").read_text(), re.MULTILINE)
        self.assertEqual(documented, ["2", "84", "85", "86", "87", "88", "89", "124", "126", "127"])

    def test_a_failure_without_a_code_of_its_own_gives_1(self):
        of_recordings = [command for command in commands() if re.search(r"^  DIR  +The recording", said(EARL, command, "-h"),
                                                                        re.MULTILINE)]
        self.assertGreater(len(of_recordings), 5)
        for command in of_recordings:
            with self.subTest(command):
                needed = ["--to", "csv"] if command == "export" else []
                ended = subprocess.run([EARL, command, *needed, "/nowhere"], capture_output=True, text=True, timeout=60, check=False,
                                       stdin=subprocess.DEVNULL, env={**os.environ, **SETTINGS})
                self.assertEqual((ended.returncode, ended.stdout), (1, ""), ended.stderr)

    def test_the_compiler_s_page(self):
        self.assertEqual(options_in_page("earlcc"), options_in_help(EARLCC) | {"-h"})

    def test_every_page_is_installed(self):
        listed = set(re.findall(r"'([\w-]+\.1)'", (PAGES / "meson.build").read_text()))
        self.assertEqual(sorted(listed - {"earlfc.1"}), sorted(page.name for page in PAGES.glob("*.1")))

    def test_references_lead_somewhere(self):
        for page in PAGES.glob("*.1"):
            for name in re.findall(r"^\.Xr (\S+) 1", page.read_text(), re.MULTILINE):
                self.assertTrue((PAGES / f"{name}.1").exists(), f"{page.name}: {name}")
            for section, name in re.findall(r"\bsee ([A-Z ]+) in\n\.Xr (\S+) 1", page.read_text()):
                self.assertIn(f"\n.Sh {section}\n", (PAGES / f"{name}.1").read_text(), page.name)

    def exit_status(self, page):
        found = re.search(r"^\.Sh EXIT STATUS\n((?:(?!\.Sh).*\n)+)", (PAGES / f"{page}.1").read_text(), re.MULTILINE)
        self.assertTrue(found, f"{page} has no section EXIT STATUS")
        return found.group(1)

    def test_every_page_has_the_exit_status(self):
        for page in PAGES.glob("*.1"):
            self.assertTrue(self.exit_status(page.stem))

    def test_exit_codes_of_one_command_are_on_its_page(self):
        sources = "".join(path.read_text() for path in (PAGES.parent / "launcher" / "commands").glob("*.cpp"))
        for command, name in (("diff", "differ"), ("explore", "found_failures"), ("check", "found_something"),
                              ("debug", "something_failed")):
            code = re.search(rf"constexpr int {name} = (\d+);", sources).group(1)
            self.assertRegex(self.exit_status(f"earl-{command}"), rf"\b{code} when\b", command)

    @unittest.skipUnless(shutil.which("mandoc") or shutil.which("groff"), "nothing to read pages with")
    def test_pages_can_be_read(self):
        for page in PAGES.glob("*.1"):
            if shutil.which("mandoc"):
                reader = ["mandoc", "-Tlint", "-Wwarning", page]
            else:
                reader = ["groff", "-ww", "-mdoc", "-z", page]
            ended = subprocess.run(reader, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((ended.returncode, ended.stdout + ended.stderr), (0, ""), page)


class Completion:
    """What each shell must complete. A shell's script() prints, for each list of words, the candidates for its last
    word, one a line, and then END."""
    END = "== end"

    def complete_all(self, queries):
        """The candidates of each query, a list of words: one shell answers all."""
        answers = said(*self.shell, self.script(queries)).split(self.END + "\n")
        self.assertEqual(len(answers), len(queries) + 1)
        return [self.candidates(answer, words[-1]) for answer, words in zip(answers, queries)]

    def candidates(self, answer, _last):
        return set(answer.split())

    def complete(self, *words):
        return self.complete_all([words])[0]

    def calls(self, queries):
        """A call of `ask` for each query, in a process of its own so that none leaves anything to the next."""
        return "\n".join(f'(ask {shlex.join(words)}); echo "{self.END}"' for words in queries)

    def test_commands(self):
        self.assertLessEqual(set(commands()), self.complete(EARL, ""))
        self.assertEqual(self.complete(EARL, "rep"), {"replay"})

    def test_options_are_those_of_help(self):
        completed = self.complete_all([(EARL, command, "-") for command in commands()])
        for command, options in zip(commands(), completed):
            with self.subTest(command):
                self.assertEqual(options, options_in_help(EARL, command))
        self.assertEqual(self.complete(EARL, "run", "--time"), {"--time", "--timeout"})
        self.assertIn("-api", self.complete(EARLCC, "-"))

    def test_values(self):
        self.assertIn("shm", self.complete(EARL, "run", "--on", ""))
        self.assertIn("record", self.complete(EARL, "run", "--tool", "rec"))
        self.assertEqual(self.complete(EARL, "run", "--env", ""), {"all", "none"})
        self.assertLess({"run", "ps"}, self.complete(EARL, "help", ""))
        self.assertEqual(self.complete(EARL, "compat", ""), set(compat_commands()))
        self.assertIn("PATH", self.complete(EARL, "run", "-x", "PAT"))
        self.assertIn("nx", self.complete(EARLCC, "-api", ""))

    def test_values_that_the_help_has_all(self):
        options = [(command, name, set(value.strip().split("|"))) for command in commands()
                   for names, value, _ in rows_of_help(EARL, command) for name in names
                   if name.startswith("--") and re.fullmatch(r" [a-z0-9]+(\|[a-z0-9]+)+", value)]
        self.assertGreater(len(options), 10)
        completed = self.complete_all([(EARL, command, name, "") for command, name, _ in options])
        for (command, name, values), candidates in zip(options, completed):
            with self.subTest(command, option=name):
                self.assertEqual(candidates, values)

    def test_a_program_s_own_words_are_left_alone(self):
        self.assertEqual(self.complete(EARL, "run", "-n", "2", "./prog", "-"), set())

    def test_options_with_a_value_are_known(self):
        """The word behind one is its value, the next one the program; behind a flag is the program."""
        def options_of(command):
            return {name: value for names, value, _ in rows_of_help(EARL, command)
                    for name in names | ({"-np", "-wdir"} if "--np" in names else set())}

        of_run = options_of("run")
        options = [("run", name, value) for name, value in sorted(of_run.items())]
        # Those of the others that `run` has not, and a flag and a value that it has.
        options += [(command, name, value) for command in ("record", "explore", "exec")
                    for name, value in sorted(options_of(command).items()) if name not in of_run or name in ("-v", "--timeout")]
        begun = [(EARL, command, name, *(["1"] if value else [])) for command, name, value in options]
        further = self.complete_all([(*words, "-") for words in begun])
        for (command, name, _), options_left in zip(options, further):
            with self.subTest(command, option=name):
                self.assertIn("--timeout" if command == "run" else "-h", options_left)
        some = begun[::5]  # which are values is known from above
        for words, of_program in zip(some, self.complete_all([(*words, "./prog", "-") for words in some])):
            with self.subTest(words):
                self.assertEqual(of_program, set())


class Bash(Completion, unittest.TestCase):
    file = "earl"
    shell = ("bash", "-c")

    def script(self, queries):
        return (f'source "{COMPLETION}/{self.file}"; compopt() {{ :; }}\n'
                'ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); local last=${COMP_WORDS[COMP_CWORD]}; '
                '"_$(basename "$1")" "$1" "$last" "${COMP_WORDS[COMP_CWORD - 1]}"; '
                'printf "%s\\n" "${COMPREPLY[@]}"; }\n' + self.calls(queries))

    def test_a_program_is_looked_for_in_path(self):
        self.assertIn("bash", self.complete(EARL, "run", "-n", "2", "bas"))


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class Zsh(Completion, unittest.TestCase):
    file = "_earl"
    shell = ("zsh", "-f", "-c")

    def script(self, queries):
        """zsh's own functions print their candidates here."""
        return ('compadd() { while [[ $1 == -* && $1 != -- ]]; do shift; done; [[ $1 == -- ]] && shift; '
                'print -rl -- "$@" }; _describe() { print -rl -- "${(@)${(P@)2}%%:*}" }; _files() {}; '
                '_parameters() { print -l PATH }; _command_names() {}\n'
                'ask() { words=("$@") CURRENT=$# PREFIX=$words[-1] service=${1:t}; '
                f'source "{COMPLETION}/{self.file}" }}\n' + self.calls(queries))

    def candidates(self, answer, last):
        """Those that begin otherwise than the word zsh leaves out itself."""
        return {word for word in answer.split() if word.startswith(last)}


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(Completion, unittest.TestCase):
    file = "earl.fish"
    shell = ("fish", "--no-config", "-c")

    def script(self, queries):
        """It looks for completions by a command's name, and quotes nothing in these words."""
        lines = [" ".join([os.path.basename(words[0]), *words[1:]]) for words in queries]
        return (f'set -x PATH "{os.path.dirname(EARL)}" $PATH; source "{COMPLETION}/{self.file}"\n' +
                "\n".join(f'complete -C "{line}"; echo "{self.END}"' for line in lines))

    def candidates(self, answer, _last):
        return {row.split("\t")[0] for row in answer.splitlines() if row}


if __name__ == "__main__":
    unittest.main(verbosity=2)
