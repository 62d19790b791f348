"""Man pages and completion agree with the commands' -h."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

from job import EARL

EARLCC = os.path.join(os.path.dirname(EARL), "earlcc")
PAGES = pathlib.Path(os.environ["EARL_PAGES"])
COMPLETION = os.environ["EARL_COMPLETION"]
# Commands whose options are documented on another page.
INHERITS = {"exec": "run", "explore": "run", "record": "run", "replay": "run"}
SETTINGS = {"EARL_CONFIG": "/dev/null"}


def said(*words):
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True,
                           stdin=subprocess.DEVNULL, env={**os.environ, **SETTINGS})
    return ended.stdout


def commands():
    return re.findall(r"^  earl (\w+)", said(EARL, "-h"), re.MULTILINE)


def compat_commands():
    """Those that `earl compat` names when it is asked for another."""
    asked = subprocess.run([EARL, "compat", "?"], capture_output=True, text=True, timeout=60, check=False,
                           stdin=subprocess.DEVNULL, env={**os.environ, **SETTINGS})
    return re.findall(r"\w+", asked.stderr.partition("one of these:")[2])


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


class Pages(unittest.TestCase):
    def test_every_command_has_a_page_with_its_options(self):
        for command in commands():
            if command == "version":
                continue  # takes none
            with self.subTest(command):
                page = options_in_page(f"earl-{command}")
                inherited = options_in_page(f"earl-{INHERITS[command]}") if command in INHERITS else set()
                helped = options_in_help(EARL, command)
                self.assertGreater(len(helped), 1)
                self.assertEqual(helped - page - inherited, set(), "in -h and on no page")
                self.assertEqual(page - helped, set(), "on the page and not in -h")

    def test_the_first_page_names_every_command(self):
        named = re.findall(r"^\.It Cm (\w+)", (PAGES / "earl.1").read_text(), re.MULTILINE)
        self.assertEqual(sorted(named), sorted(commands()))

    def test_the_page_of_other_systems_commands(self):
        page = (PAGES / "earl-compat.1").read_text(encoding="ascii")
        for command in compat_commands():
            with self.subTest(command):
                usage = re.search(rf"^\.It Ic {command}\b(.*)", page, re.MULTILINE)
                self.assertTrue(usage, "is not on the page")
                told = {"-" + word for word in re.findall(r"\bFl (\w)", usage.group(1))}
                self.assertEqual(told, options_in_help(EARL, "compat", command) - {"-h", "--help"})

    def test_exit_codes_are_documented(self):
        told = re.findall(r"^\.It (\d+)$", (PAGES / "earl.1").read_text(), re.MULTILINE)
        self.assertEqual(told, ["2", "84", "85", "86", "87", "88", "89", "124", "126", "127"])

    def test_the_compiler_s_page(self):
        self.assertEqual(options_in_page("earlcc"), options_in_help(EARLCC) | {"-h"})

    def test_every_page_is_installed(self):
        listed = set(re.findall(r"'([\w-]+\.1)'", (PAGES / "meson.build").read_text()))
        self.assertEqual(sorted(listed - {"earlfc.1"}), sorted(page.name for page in PAGES.glob("*.1")))

    def test_references_lead_somewhere(self):
        for page in PAGES.glob("*.1"):
            for name in re.findall(r"^\.Xr (\S+) 1", page.read_text(), re.MULTILINE):
                self.assertTrue((PAGES / f"{name}.1").exists(), f"{page.name}: {name}")

    @unittest.skipUnless(shutil.which("mandoc") or shutil.which("groff"), "nothing to read pages with")
    def test_pages_can_be_read(self):
        for page in PAGES.glob("*.1"):
            if shutil.which("mandoc"):
                reader = ["mandoc", "-Tlint", "-Wwarning", page]
            else:
                reader = ["groff", "-ww", "-mdoc", "-z", page]
            ended = subprocess.run(reader, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((ended.returncode, ended.stdout + ended.stderr), (0, ""), page)


class Completion(unittest.TestCase):
    def complete(self, *words):
        """The candidates of bash for the last of the words."""
        script = (f'source "{COMPLETION}"; compopt() {{ :; }}; COMP_WORDS=("$@"); '
                  'COMP_CWORD=$(($# - 1)); last=${COMP_WORDS[COMP_CWORD]}; '
                  f'function_=_$(basename "$1"); '
                  '"$function_" "$1" "$last" "${COMP_WORDS[COMP_CWORD - 1]}"; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        return set(said("bash", "-c", script, "bash", *words).split())

    def test_commands(self):
        self.assertEqual(self.complete(EARL, ""), set(commands()) | {"-h"})
        self.assertEqual(self.complete(EARL, "rep"), {"replay"})

    def test_options_are_those_of_help(self):
        for command in commands():
            if command == "version":
                continue
            with self.subTest(command):
                self.assertEqual(self.complete(EARL, command, "-"), options_in_help(EARL, command))
        self.assertEqual(self.complete(EARL, "run", "--time"), {"--time", "--timeout"})
        self.assertIn("-api", self.complete(EARLCC, "-"))

    def test_values(self):
        self.assertIn("shm", self.complete(EARL, "run", "--on", ""))
        self.assertEqual(self.complete(EARL, "run", "--tool", "rec"), {"record"})
        self.assertEqual(self.complete(EARL, "run", "--env", ""), {"all", "none"})
        self.assertIn("PATH", self.complete(EARL, "run", "-x", "PAT"))
        self.assertIn("nx", self.complete(EARLCC, "-api", ""))

    def test_a_program_s_own_words_are_left_alone(self):
        self.assertEqual(self.complete(EARL, "run", "-n", "2", "./prog", "-"), set())
        self.assertIn("bash", self.complete(EARL, "run", "-n", "2", "bas"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
