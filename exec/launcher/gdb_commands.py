# SPDX-License-Identifier: BSD-3-Clause
"""gdb's commands for a process that `earl replay --alone` runs under it: earl-where, earl-next, earl-back.

The process has no peers, so that it can go to any event by itself. On the way it keeps forks, from the nearest of which it
goes on the next time (debug/replay/fork_server.hpp). gdb reads this file before the program starts; EARL_GDB names the earl
command, EARL_ALONE the recording and the event, EARL_GDB_INPUT a descriptor with the recorded standard input.
"""
import csv
import json
import os
import shlex
import signal
import socket
import struct
import subprocess
import gdb

MOST_KEPT = 16
# A fork is kept at a half of the way to an event, then at a half of the rest, and so on.
SHARES = range(1, 9)
KEPT, ARRIVED, ENDED = 1, 2, 3
NOTICE = struct.Struct("<iiQ")


class Forks:
    """Processes of the recorded rank that wait at events; any forks one that goes on from there."""

    def __init__(self, command, environment, standard_input):
        """`command` is for a shell; {} in EARL_ALONE stands for the descriptor."""
        self.notices, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment["EARL_ALONE"] = environment["EARL_ALONE"].format(theirs.fileno())
        self.kept = {}  # event -> line to the process that waits there
        self.dropped = set()  # process ids, of which an end is no news
        self.process = None  # that gdb has got last
        with theirs:
            self.first = subprocess.Popen(["/bin/sh", "-c", "exec " + command], env=environment, stdin=standard_input,
                                          pass_fds=[theirs.fileno()], start_new_session=True, preexec_fn=as_at_first)
        self.processes = {}  # event -> process id
        while not self.kept:
            self.take_notice()

    def take_notice(self):
        """The next notice: what, process id, event."""
        packet, lines, _, _ = socket.recv_fds(self.notices, NOTICE.size, 1)
        if not packet:
            raise gdb.GdbError("the process ended before its first call")
        what, process, event = NOTICE.unpack(packet)
        if what == KEPT:
            self.drop(event)
            self.kept[event], self.processes[event] = socket.socket(fileno=lines[0]), process
        return what, process, event

    def drop(self, event):
        if event in self.kept:
            self.kept.pop(event).close()
            self.dropped.add(self.processes.pop(event))

    def go(self, event):
        """Gives the id of a process that waits there for gdb."""
        self.dropped.add(self.process)
        place = max(one for one in self.kept if one <= event)
        span = event - place
        stops = sorted({event - (span >> share) for share in SHARES} | {event}) if span else [0]
        self.kept[place].send(struct.pack(f"<{len(stops)}Q", *stops))
        while True:
            what, process, _ = self.take_notice()
            if what == ARRIVED:
                self.process = process
                self.thin_out(event)
                return process
            if what == ENDED and process not in self.dropped:
                raise gdb.GdbError(f"the process ended before event {event}")
            self.dropped.discard(process)

    def thin_out(self, here):
        """Of more than there may be, drops those that are near others and far from here."""
        while len(self.kept) > MOST_KEPT:
            events = sorted(self.kept)
            gaps = {event: (after - before) / (1 + abs(here - event))
                    for before, event, after in zip(events, events[1:], events[2:]) if event != here}
            self.drop(min(gaps, key=gaps.get))


def as_at_first():
    """In a child: signals as a program expects them."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTTOU, signal.SIGTTIN, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


class Replay:
    """The recording, and the event at which the process stops."""

    def __init__(self):
        self.earl = os.environ["EARL_GDB"]
        self.input = int(os.environ["EARL_GDB_INPUT"])
        for name in ("EARL_GDB", "EARL_GDB_INPUT"):
            gdb.execute(f"unset environment {name}")  # which the recorded run did not have
        which, self.recording = os.environ["EARL_ALONE"].split(":", 1)
        self.rank, _, event = which.partition("!")
        self.event = int(event or 0)
        self.known = None
        self.forks = None
        self.here = None  # event, process and instruction at which gdb was last

    def events(self):
        """The calls with which the rank sent or received, in order."""
        if self.known is None:
            rows = self.ask("export", "--trust", "--to", "csv", "-o", "-", self.recording)
            self.known = sorted({int(row["event"]) for row in csv.DictReader(rows.splitlines())
                                 if row["rank"] == self.rank})
        return self.known

    def ask(self, *words, text=""):
        ended = subprocess.run([self.earl, *words], input=text, text=True, capture_output=True, check=False)
        if ended.returncode != 0:
            raise gdb.GdbError(ended.stderr.strip() or f"earl {words[0]} ended with {ended.returncode}")
        return ended.stdout

    def make_forks(self):
        environment = {**os.environ, "EARL_ALONE": f"{self.rank}*{{}}:{self.recording}"}
        for name in ("EARL_GDB", "EARL_GDB_INPUT"):
            del environment[name]
        program = shlex.quote(gdb.current_progspace().filename)
        os.lseek(self.input, 0, os.SEEK_SET)
        arguments = gdb.execute("show args", to_string=True).partition('"')[2].rpartition('"')[0]
        return Forks(f"{program} {arguments}", environment, self.input)

    def go(self, event):
        """Has gdb look at a process at an event."""
        confirm = gdb.parameter("confirm")
        gdb.execute("set confirm off")
        try:
            if gdb.selected_inferior().pid:
                gdb.execute("kill", to_string=True)
            if not self.forks:
                self.forks = self.make_forks()
            process = self.forks.go(event)
            self.event = event
            gdb.execute(f"attach {process}", to_string=True)
        finally:
            gdb.execute(f"set confirm {'on' if confirm else 'off'}")
        select_program()
        self.here = (event, *place_of_inferior())

    def is_at(self, event):
        """Whether gdb is there already, and the process has not moved."""
        return self.here == (event, *place_of_inferior())


def place_of_inferior():
    """Its process id, and the instruction; None: it does not run."""
    try:
        return gdb.selected_inferior().pid, gdb.newest_frame().pc()
    except gdb.error:
        return 0, None


def select_program():
    """Selects the innermost frame of the program itself. False: there is none."""
    try:
        frame = gdb.newest_frame()
    except gdb.error:
        return False
    program = gdb.current_progspace().filename
    while frame:
        symbols = frame.function() and frame.function().symtab
        if symbols and symbols.objfile.filename == program:
            frame.select()
            return True
        frame = frame.older()
    return False


def go_and_show(event):
    """For the user."""
    REPLAY.go(event)
    gdb.execute("frame")


REPLAY = Replay()


def count_of(argument):
    """How many messages: 1 when nothing is given."""
    text = argument.strip() or "1"
    if not text.isdigit() or int(text) == 0:
        raise gdb.GdbError(f"{text}: a number of messages is needed")
    return int(text)


class Next(gdb.Command):
    """earl-next [N]: to the call with which the process next sends or receives a message, or the N-th such."""

    def __init__(self):
        super().__init__("earl-next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        later = [event for event in REPLAY.events() if event > REPLAY.event]
        if not later:
            raise gdb.GdbError("no message is left")
        go_and_show(later[min(count_of(argument), len(later)) - 1])


class Back(gdb.Command):
    """earl-back [N]: to the call with which the process sent or received the message before, or the N-th before."""

    def __init__(self):
        super().__init__("earl-back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        earlier = [event for event in REPLAY.events() if event < REPLAY.event]
        if not earlier:
            raise gdb.GdbError("this is before the first message")
        go_and_show(earlier[-min(count_of(argument), len(earlier))])


class Where(gdb.Command):
    """earl-where: where all processes of the recorded run were at this message."""

    def __init__(self):
        super().__init__("earl-where", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if REPLAY.event == 0:
            raise gdb.GdbError("no event: go to one with earl-next, or give earl replay --until")
        text = f"until {REPLAY.rank}@{REPLAY.event}\nwhere\n"
        lines = REPLAY.ask("debug", "--trust", REPLAY.recording, text=text).splitlines(keepends=True)
        gdb.write("".join(lines[1:]))  # without the start


class Locals(gdb.Command):
    """earl-locals: names and values of the function's arguments and variables, innermost first, as JSON."""

    def __init__(self):
        super().__init__("earl-locals", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        frame, found = gdb.selected_frame(), {}
        block = frame.block()
        while block and not block.is_global and not block.is_static:
            for symbol in block:
                if (symbol.is_variable or symbol.is_argument) and symbol.name not in found:
                    try:
                        found[symbol.name] = str(symbol.value(frame))
                    except gdb.error as error:
                        found[symbol.name] = f"<{error}>"
            block = None if block.function else block.superblock
        gdb.write(json.dumps([{"name": name, "value": value} for name, value in found.items()]))


class Serve(gdb.Command):
    """earl-serve DESCRIPTOR: does commands at events, which come as packets (exec/launcher/commands/gdb_session.cpp)."""

    DONE, WRONG, NOT_THERE = 0, 1, 2

    def __init__(self):
        super().__init__("earl-serve", gdb.COMMAND_SUPPORT)

    def invoke(self, argument, from_tty):
        with socket.socket(fileno=int(argument)) as line:
            while request := line.recv(1 << 16):
                (event,) = struct.unpack_from("<Q", request)
                code, text = self.do(event, request[8:].decode(errors="replace"))
                text = text.encode(errors="replace")
                line.sendall(struct.pack("<QQ", code, len(text)))
                for at in range(0, len(text), 1 << 15):
                    line.sendall(text[at:at + (1 << 15)])

    def do(self, event, command):
        """The result of a command at an event, and its output."""
        try:
            if not REPLAY.is_at(event):
                REPLAY.go(event)
        except (gdb.error, gdb.GdbError) as error:
            return self.NOT_THERE, str(error)
        try:
            return self.DONE, gdb.execute(command, to_string=True)
        except (gdb.error, gdb.GdbError) as error:
            return self.WRONG, str(error)


Next()
Back()
Where()
Locals()
Serve()
