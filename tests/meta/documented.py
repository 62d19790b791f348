# SPDX-License-Identifier: BSD-3-Clause
"""The pages have what no -h lists, and nothing that is not there: exit codes of jobs, commands of `earl console` and
`earl debug`, debuggers, options of BIP's commands, of Meson and of bootstrap; and sections of manual pages that other
pages name."""
import pathlib
import re

import tree

MAN = pathlib.Path("exec/man")
# A shell gives 128 and more to a process that a signal has ended.
CODE = re.compile(r"constexpr int \w+ = (8\d|9\d|1[01]\d|12[0-7]);")
CODES_OF = ("exec", "debug", "generic", "frontends")
# Named by a path, not by this name.
UNNAMED_TOOLS = {"outside", "outside-job"}


def page(name):
    return tree.read(MAN / f"{name}.1")


def items(text, macro="Cm"):
    """The first words of the items of a list that are commands."""
    return set(re.findall(rf"^\.It {macro} (\S+)", text, re.MULTILINE))


def sources(suffix=".cpp"):
    return {path: tree.read(path) for path in tree.files(suffix) if path.parts[0] in CODES_OF}


def differing(name, real, shown):
    """Complaints where a page lacks what there is, or has what there is not."""
    yield from (f"{name} has no {one}" for one in sorted(real - shown))
    yield from (f"{name} has {one}, which there is not" for one in sorted(shown - real))


def exit_codes():
    real = {code for suffix in (".cpp", ".hpp") for text in sources(suffix).values() for code in CODE.findall(text)}
    shown = set(re.findall(r"^\.It (\d+)$", page("earl"), re.MULTILINE))
    return "earl.1", real, {code for code in shown if int(code) >= 80}


def console_commands():
    text = tree.read(pathlib.Path("frontends/pvm3/commands/console_commands.cpp"))
    return "earl-console.1", set(re.findall(r'ConsoleCommand\{"(\w+)"', text)), items(page("earl-console"))


def debug_commands():
    text = tree.read(pathlib.Path("exec/launcher/commands/debug.cpp"))
    return "earl-debug.1", set(re.findall(r'\bVerb\{"(\w+)"', text)), items(page("earl-debug"))


def tools():
    real = set()
    for text in sources().values():
        real |= set(re.findall(r'\bTool const \w+\{\s*\.name = "(\w+)"', text))
    return "earl-tools.1", real - UNNAMED_TOOLS, items(page("earl-tools"))


def bip_options():
    """name -f of each of BIP's commands, out of what its -h prints: "bipload [-sz N] PROGRAM: ..."."""
    real = set()
    for path in tree.files(".cpp"):
        if path.parts[:3] == ("frontends", "bip", "commands"):
            for usage in re.findall(r'"(bip\w+ [^"]*)(?:"|: )', tree.read(path)):
                name = usage.split()[0]
                real |= {f"{name} -{option}" for option in re.findall(r"\[-(\w+)", usage)}
    shown = set()
    for line in re.findall(r"^\.It Ic (bip.*)$", page("earl-compat"), re.MULTILINE):
        shown |= {f"{line.split()[0]} -{option}" for option in re.findall(r"\bFl (\w+)", line)}
    return "earl-compat.1", real, shown


def meson_options():
    real = set(re.findall(r"^option\(\s*'(\w+)'", tree.read(pathlib.Path("meson_options.txt")), re.MULTILINE))
    return "docs/install.md", real, set(re.findall(r"^\| `-D(\w+)=", tree.read(pathlib.Path("docs/install.md")), re.MULTILINE))


def bootstrap_options():
    real = set(re.findall(r"^  (--[a-z-]+) ", tree.read(pathlib.Path("bootstrap")), re.MULTILINE))
    return "docs/install.md", real, set(re.findall(r"^    \./bootstrap (--[a-z-]+)", tree.read(pathlib.Path("docs/install.md")),
                                                   re.MULTILINE))


def sections():
    """earl(1), section SECURITY"""
    for path in tree.files(".md"):
        for name, section in re.findall(r"\b([a-z-]+)\(1\), section ([A-Z]+(?: [A-Z]+)*)", tree.read(path)):
            yield path, name, section


def main():
    complaints, checked = [], 0
    for compare in (exit_codes, console_commands, debug_commands, tools, bip_options, meson_options, bootstrap_options):
        name, real, shown = compare()
        checked += len(real)
        if not real:
            complaints.append(f"{name}: {compare.__name__} finds none in the sources")
        complaints += differing(name, real, shown)
    for path, name, section in sections():
        checked += 1
        if f"\n.Sh {section}\n" not in page(name):
            complaints.append(f"{path}: {name}(1) has no section {section}")
    tree.report(complaints, checked)


main()
