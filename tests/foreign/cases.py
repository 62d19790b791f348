# SPDX-License-Identifier: BSD-3-Clause
"""The programs of Debian's package pvm-examples: how each is run, and its output.

command: behind `earl run`; input: its standard input; output: a pattern per line of its standard
output (empty lines do not count); says: patterns that must be somewhere in what its tasks print,
which comes on standard error; contains: patterns of some lines of the output; status: how it ends
(0; None: somehow); clocks: it prints times that it has taken itself; noise: lines with this in them
are no function of its messages; complains: PVM may; menu and flag: what a second program reads,
once a line of the output is like that pattern.
"""
import re
import socket

HOST = re.escape(socket.gethostname())
NUMBER = r"[ \d]+\d"
BIN = "/usr/bin/"

# Lines of one size of timing's bandwidth test.
BANDWIDTH = [r" N  Pack uSec  Send uSec", *[fr"{NUMBER} {NUMBER} {NUMBER}"] * 20, r"Avg uSec",
             fr"{NUMBER} {NUMBER}", r"Avg Byte/uSec", r" +[\d.]+ +[\d.]+"]

HELLO = {
    "command": [BIN + "hello.pvm"],
    "output": [r"i'm t40001", rf"from t40002: hello, world from {HOST}"],
}
MASTER = {
    "command": [BIN + "master1"],
    "output": [r"Spawning 3 worker tasks \.\.\. SUCCESSFUL",
               *[r"I got (\d00)\.000000 from \d; \(expecting \1\.000000\)"] * 3],
}
# timing always ends with exit(1), and sends memory that it has never written.
TIMING = {
    "replaying": ["--contents", "ignore"],
    "command": [BIN + "timing"],
    "clocks": True,
    "status": 1,
    "output": [r"i'm t40001", r"slave is task t40002", r"Doing Round Trip test, minimal message size",
               r" N     uSec", *[fr"{NUMBER} {NUMBER}"] * 20, r"RTT Avg uSec \d+",
               r"Doing Bandwidth tests",
               *[line for size in (100, 1000, 10000, 100000, 1000000)
                 for line in [f"Message size {size}", *BANDWIDTH]],
               r"done"],
}
# spmd ends with exit(1), too. Ids are printed in decimal: 262145 is t40001.
SPMD = {
    "options": ["-n", "4"],
    "command": [BIN + "spmd"],
    "status": 1,
    "output": [r"Pass a token through the   4 tid ring:",
               r"262145 -> 262146 -> 262147 -> 262148 -> 262145 ", r"token ring done"],
}
FORTRAN_MASTER = {
    "command": [BIN + "fmaster1"],
    "output": [r" Spawning    3 tasks \.\.\.", r" +SUCCESSFUL",
               *[r" I got +(\d00)\.0000000 from   \d \(expected +\1\.0000000 \)"] * 3],
}
FORTRAN_SPMD = {
    "options": ["-n", "4"],
    "command": [BIN + "fspmd"],
    "output": [r" Pass a token through the +4  tid ring:",
               r" +262145 -> +262146 -> +262147 -> +262148 -> +262145", r" token ring done"],
}
# A context goes from task to task through three spawns and comes back.
INHERIT = {
    "command": [BIN + "inherita", "inherit1"],
    "output": [r"Will attempt to spawn <inherit1> from inherita\.",
               r"inherita: t40001 on machine <.*> with original context 0\.",
               r"inherita: t40001 on machine <.*> with changed context 262145\.",
               r"inherita: t40002 inherit1 t40002 on machine <.*> with context 262145\.",
               r"inherita: t40002 inherit1: I just spawned inherit2 as tid t40003 .* 262145\.",
               r"inherita: t40002 inherit1: t40003 \tinherit2 t40003 on .* with context 262145\.",
               r"inherita: t40002 inherit1 t40002 on machine <.*> with context 262145\.",
               r"inherita: t40002 END - sent from inherit1 t40002 on .* with context 262145\.",
               r"inherita: t40001 on machine <.*> with changed context 262145\.",
               r"inherita: t40001 on machine <.*> with original context 0\."],
}
INHERIT_TWICE = {
    "command": [BIN + "inheritb"],
    "output": [rf"0:inheritb: t40001 on machine <{HOST}> with context 0\.",
               r"1:inheritb: t40001 .* with new #1 context 262145 --> spawn 1st inherit2\.",
               r"2:inheritb: t40001 .* with new #2 context \d+ --> spawn 2nd inherit2\.",
               r"3:inheritb: t40003 \tinherit2 t40003 .* <-- received from 2nd inherit2\.",
               r"4:inheritb: t40001 on machine <.*> with new #1 context 262145\.",
               r"5:inheritb: t40002 \tinherit2 t40002 .* <-- received from 1st inherit2\."],
}


def bandwidth(letter, packing):
    """The bandwidth tests print a table; it must report that the data arrived. The first of the
    two to look may ask for the other before it has joined, and PVM says so."""
    return {"complains": True, "clocks": True,
            "options": ["-n", "2"], "command": [BIN + letter + "bwtest"],
            "contains": [r" 4000[12] myinst is 0 ", r"4000[12] -- I am the slave ",
                         rf" Using pack option: {packing} ",
                         r"t40001: 100000 doubles received correctly",
                         r"t40002: 100000 doubles received correctly",
                         r"Roundtrip T = .*Data size: 0\)?", r"Roundtrip T = .*Data size: 800000\)?"]}


# What stays after leaving is checked by the program itself, which says "I'm not myself".
MANY_GROUPS = [rf"joined group{n}" for n in range(32)]
GROUP_EXAMPLE = {
    "command": [BIN + "gexample"], "input": "100\n3\n",
    "contains": [r".*--> Using 3 processors <-- ", r".*The 1-Norm is 5050.*",
                 r".*The product of column 1 is 9\.33262e\+157.*"],
}
# The last gmbi may look before the server, which task_end asks to end, has left.
SERVICE = {
    "command": ["SEQUENCE", "+svc", BIN + "task0", "svc", "m", "--", BIN + "gmbi", "--",
                BIN + "task1", "svc", "--", BIN + "rme", "svc", "0", "--",
                BIN + "task_end", "svc", "0", "--", BIN + "gmbi"],
    "output": [r"all steps done"],
    "says": [r"task0: just inserted service name <svc> at index 0", r"class name: <svc>",
             r"welcome to my server - you are service request number 1",
             r"Key locked by another task, can't delete", r"gmbi: [01] mbox entries returned"],
}
# Loads a handler for tag 5 in the server's context, hits it, and ends the server.
HANDLERS = {
    "command": [BIN + "mhf_server", ":", "sh", "-c",
                "until [ -e \"$FLAG\" ]; do sleep 0.02; done; exec /usr/bin/mhf_tickle < \"$MENU\""],
    "menu": "1\n5\n262145\n1\n4\n5\n262145\n1\nknock\n9\n",
    "flag": r"mhf_server: t40001 on machine",
    "contains": [r".*will ping SC1:string_catcher1 with message <knock>\.",
                 r"string_catcher1: string_catcher1 received message -->> <knock>"],
}

CASES = {
    "hello.pvm": HELLO, "master1": MASTER, "timing": TIMING, "spmd": SPMD, "fspmd": FORTRAN_SPMD,
    "fmaster1": FORTRAN_MASTER, "inherita": INHERIT, "inheritb": INHERIT_TWICE,
    "inherit3": {"command": [BIN + "inherita", "inherit3"],
                 "contains": [r"inherita: t40002 .*inherit3 t40002 .*with context 262145\."]},
    "dbwtest": bandwidth("d", "PvmDataDefault"), "rbwtest": bandwidth("r", "PvmDataRaw"),
    "ibwtest": bandwidth("i", "PvmDataInPlace"), "pbwtest": bandwidth("p", ".*"),
    "gexample": GROUP_EXAMPLE,
    "fgexample": {"command": [BIN + "fgexample"], "contains": [r"  The 1-Norm is         5050"]},
    "hitc": {"command": [BIN + "hitc"],
             "contains": [r" +1  hosts detected in configuration",
                          *[r" I got result from tid: +262146", r" sent +262146  task of size: +\d+"],
                          r" Program Finished"]},
    "mailbox service": SERVICE, "message handlers": HANDLERS,
    "lmbi": {"command": [BIN + "lmbi", "2", "d", "e"],
             "contains": [r"lmbi: just inserted entry <t40001lmbi0> at index 0\.",
                          r"lmbi: just inserted entry <t40001lmbi1> at index 0\."]},
    "gexamp": {"command": [BIN + "gexamp", "4"], "output": [],
               "says": [rf"gexamp {n}: sync" for n in range(4)]},
    # Tasks look for the others, some of which have left by then: a race of its own.
    "ge": {"command": [BIN + "ge", "3"], "output": [r"done"], "complains": True,
           "says": [r"group ge size 3 gid 0: sync"]},
    "gs.pvm": {"command": [BIN + "gs.pvm", "3"], "output": [], "says": [r"gs\.pvm 0x40003 enrolled"]},
    "joinleave": {"command": [BIN + "joinleave", "300"],
                  "output": [r"Joined 100 times", r"Joined 200 times", r"Joined 300 times"]},
    "thb": {"command": [BIN + "thb", "2"], "says": MANY_GROUPS,
            "contains": [r"spawning .*barrier on group0.*", r".*leaving all the groups.*", r"done\."]},
    # Its main() ends without a result.
    "trsg": {"status": None, "command": [BIN + "trsg"], "input": "4\n5\n",
             "contains": [r".*Test OK: Sum of Squares of first 20 integers is 2870.*",
                          r".*Test Ok: Received \(5\.000000, 2\.000000\).*"]},
    # One of its two sums begins with uninitialised stack memory, and is sent.
    "frsg": {"command": [BIN + "frsg"], "input": "4\n5\n", "replaying": ["--contents", "ignore"],
             "noise": r"Sum of Squares|by Sum2|ERROR",
             "contains": [r".*(Test OK: Sum of Squares of first +20  integers is|by Sum2 as) +2870.*",
                          r".*Test Ok: Received \( +5\.0+ +, +2\.0+ +\).*"]},
    "tst": {"command": [BIN + "tst"],
            "output": [r"joined prognosis 0, negative 0", r"left prognosis 0, negative 0"]},
    "tjf": {"command": [BIN + "tjf"], "output": [], "says": MANY_GROUPS},
    "tjl": {"command": [BIN + "tjl"], "output": [], "says": MANY_GROUPS},
    "srm.pvm": {"command": [BIN + "srm.pvm"], "status": 255,
                "contains": [r"SRM connected as TID=0x40001\."],
                "says": [r"Error registering as Resource Manager: Not implemented"]},
    # Without a display xep reports that; it spawns mtile, which waits for it.
    "xep": {"command": [BIN + "xep"], "status": 1, "output": [], "says": [r"Can't open display"]},
    "mtile": {"command": ["SEQUENCE", "!", BIN + "mtile"], "output": [r"all steps done"]},
}
