#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""BIP's commands as its users typed them, and each mistake in a configuration: one sentence.

usage: commands.py COMMANDS TOKEN.C     the folder of the commands, the manual's example
"""
import os
import pathlib
import subprocess
import sys
import tempfile

COMMANDS = pathlib.Path(sys.argv[1])
TOKEN = pathlib.Path(sys.argv[2])
TOKEN_SAYS = ["token 333 received on 1", "token 333 received on 2", "token arrived", "token start on 0"]

# The text of a configuration, and the error. None: it is right, for as many nodes.
MISTAKES = {
    "": "is empty",
    "# nothing\n\n": "is empty",
    "two\n": "line 1: 'two' is no number",
    "0\n": "line 1: this is the number of nodes, 1 to",
    "2 2\n": "line 1: this is the number of nodes",
    "2\na 0\n256\n1\nb 0\n0\n": "has 6 lines that count, and 2 nodes need 7",
    "1\na 0\n256\n256\n": "has 4 lines that count, and 1 nodes need 3",
    "1\na 0 0\n256\n": "line 2: this is a host and the unit of its board",
    "1\na x\n256\n": "line 2: 'x' is no number",
    "1\n# five switches\na 0\n1 2 3 4 5\n": "line 4: a route of 5 switches",
    "1\na 0\n257\n": "line 3: 257 is no byte of a route",
    "1\na 0\n-1\n": "line 3: -1 is no byte of a route",
    "1\na 0\n1 256\n": "line 3: 256 means no switch, and stands alone",
}


class Home:
    """A home of its own, and commands in it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.wrong = []

    def run(self, command, *words, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("BIP", "EARL_BIP"))}
        environment |= {"HOME": str(self.folder), **variables}
        path = COMMANDS / command if (COMMANDS / command).exists() else command
        return subprocess.run([str(path), *map(str, words)], cwd=self.folder, text=True, timeout=50,
                              capture_output=True, stdin=subprocess.DEVNULL, check=False,
                              env={name: value for name, value in environment.items() if value})

    def expect(self, status, text, command, *words, **variables):
        done = self.run(command, *words, **variables)
        said = done.stdout + done.stderr
        if done.returncode != status or text not in said:
            self.wrong.append(f"{command} {' '.join(map(str, words))} {variables}: status "
                              f"{done.returncode}, said {said!r}; expected {status} and {text!r}")
        return done

    def token(self, *words, **variables):
        done = self.expect(0, "token arrived", "bipload", *words, **variables)
        return sorted(done.stdout.splitlines())


def as_in_the_manual(home):
    home.expect(0, "", "bipcc", TOKEN, "-o", "token", "-ldio", "-lLanaiDevice")
    home.expect(2, "bipconf makes it", "bipload", "token")
    home.expect(0, "", "bipconf", "lhpca", "lhpcb", "lhpcc")
    if home.token("token") != TOKEN_SAYS:
        home.wrong.append(f"bipload token printed {home.token('token')}")
    if len(home.token("-sz", 2, "token")) != 3:
        home.wrong.append("bipload -sz 2 did not run two nodes")
    if home.expect(0, "", "bipload", "-q", "token").stderr:
        home.wrong.append("bipload -q says something")
    home.expect(0, "token 333 received on 2", "bipload", "-mget", "-hwflow", "-d", 1, "token")
    home.expect(0, "", "bipconf", "-f", "two", "localhost", "localhost")
    if len(home.token("-f", "two", "token")) != 3 or len(home.token("token", BIPCONF="two")) != 3:
        home.wrong.append("-f and BIPCONF do not choose the file")


def routes(home):
    home.expect(0, "no Myrinet here to explore", "biproute", "a", "b", "c", "d")
    home.expect(2, "lhpca is not in", "bipconf", "lhpca")
    home.expect(0, "", "bipconf", "-f", "bd", "b", "d")
    if (home.folder / "bd").read_text().split("\n")[1:] != [
            "2", "b 0", "256", "3", "d 0", "1", "256", ""]:
        home.wrong.append(f"bipconf b d made {(home.folder / 'bd').read_text()!r}")


NETWORK = """switch left 4
switch right 4
cable left:3 right:3
host a left:0
host b left:1
host c right:0
"""


def network(home):
    """biproute on a network that a file describes."""
    (home.folder / "net").write_text(NETWORK)
    home.expect(0, "", "biproute", "a", "b", "c", EARL_MYRINET_TOPOLOGY="net")
    if (home.folder / ".bip" / "bipdatabase").read_text().split("\n")[1:] != [
            "3", "a 0", "256", "129", "131 189", "b 0", "191", "256", "130 189",
            "c 0", "131 189", "131 190", "256", ""]:
        home.wrong.append(f"biproute made {(home.folder / '.bip' / 'bipdatabase').read_text()!r}")
    home.expect(0, "", "bipconf", "-f", "ca", "c", "a")
    home.expect(2, "net names no host d", "biproute", "a", "d", EARL_MYRINET_TOPOLOGY="net")
    home.expect(2, "nowhere: No such file", "biproute", "a", EARL_MYRINET_TOPOLOGY="nowhere")
    (home.folder / "net").write_text(NETWORK + "switch far 4\nhost d far:0\n")
    home.expect(2, "no route from host a to host d", "biproute", "a", "d",
                EARL_MYRINET_TOPOLOGY="net")
    (home.folder / "net").write_text(NETWORK + "hub far 4\n")
    home.expect(2, "net, line 7: 'hub' is none of", "biproute", "a", EARL_MYRINET_TOPOLOGY="net")


CIRCLE = """switch a 8
switch b 8
switch c 8
cable a:0 b:7
cable a:1 b:6
cable b:0 c:0
cable c:5 a:5
host x a:7
host y 1 c:7
host z b:3
"""


def scouts(home):
    """biproute that finds the network out, among switches that are processes: the same routes."""
    for name, text, hosts in (("two", NETWORK, "abc"), ("circle", CIRCLE, "xyz")):
        (home.folder / "net").write_text(text)
        home.expect(0, "", "biproute", *hosts, EARL_MYRINET_TOPOLOGY="net")
        described = (home.folder / ".bip" / "bipdatabase").read_text()
        home.expect(0, "", "biproute", *hosts, EARL_MYRINET_TOPOLOGY="net",
                    EARL_MYRINET_LINK="cables")
        found = (home.folder / ".bip" / "bipdatabase").read_text()
        if found != described:
            home.wrong.append(f"scouts found in {name} {found!r}, described is {described!r}")
    (home.folder / "net").write_text(NETWORK + "switch far 4\nhost d far:0\n")
    home.expect(2, "the map that the scouts of host a made names no host d", "biproute", "a", "d",
                EARL_MYRINET_TOPOLOGY="net", EARL_MYRINET_LINK="cables")


def misused(home):
    home.expect(2, "no host", "bipconf")
    home.expect(2, "-x: the only option is -f", "bipconf", "-x", "a")
    home.expect(2, "-f: a word is missing", "bipconf", "-f")
    home.expect(2, "HOME is not set", "bipconf", "a", HOME="")
    home.expect(2, "cannot be written", "bipconf", "-f", "/proc/none/bipconf", "b")
    home.expect(2, "no host", "biproute")
    home.expect(2, "HOME is not set", "biproute", "a", HOME="")
    home.expect(2, "no program", "bipload", "-f", "two")
    home.expect(2, "-sz 3: two names 2 nodes", "bipload", "-f", "two", "-sz", 3, "token")
    home.expect(2, "-sz x: that is no number", "bipload", "-sz", "x", "token")
    home.expect(2, "-z: there is -sz", "bipload", "-z", "token")
    home.expect(127, "there is no program", "bipload", "-f", "two", "nowhere")
    for command in ("bipcc", "bipconf", "bipload", "biproute"):
        home.expect(0, command, command, "-h")


def by_hand(home):
    """A program without a launcher: the message of bip_init."""
    token = home.folder / "token"
    home.expect(1, "3 in " + str(home.folder), token, EARL_BIP_NODE="1")
    home.expect(1, "does not name: it names lhpca, lhpcb, lhpcc", token)
    home.expect(1, "EARL_BIP_NODE=7: ", token, EARL_BIP_NODE="7")
    home.expect(1, "No such file", token, BIPCONF="nowhere")
    home.expect(1, "BIP_OPTS=n: after n comes", token, BIP_OPTS="n")
    home.expect(1, "BIP_OPTS asks for 9 nodes", token, BIP_OPTS="n9q")
    home.expect(1, "EARL_BIP_MODE=loose: there is relaxed", token, EARL_BIP_MODE="loose")
    home.expect(1, "EARL_BIP_SENDS=many is no number", token, EARL_BIP_SENDS="many")
    earl = COMMANDS / "../../../exec/earl"
    home.expect(1, "the job has 3 processes, and two names 2 nodes", earl, "run", "-n", 3, token,
                BIPCONF="two")
    home.expect(1, "BIP_OPTS uses 2 nodes, and the job has 3", earl, "run", "-n", 3, token,
                BIP_OPTS="n2q")
    home.expect(0, "letters that mean nothing: xy", earl, "run", "-n", 3, token, BIP_OPTS="xqy")


def main():
    with tempfile.TemporaryDirectory(prefix="earl-bip-") as folder:
        home = Home(folder)
        as_in_the_manual(home)
        misused(home)
        by_hand(home)
        for text, sentence in MISTAKES.items():
            (home.folder / "bad").write_text(text)
            home.expect(2, sentence, "bipload", "-f", "bad", "token")
        routes(home)
        network(home)
        scouts(home)
    print("\n".join(home.wrong) or "all as expected")
    return 1 if home.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
