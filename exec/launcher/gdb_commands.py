# SPDX-License-Identifier: BSD-3-Clause
"""gdb's commands for a process that `earl replay --alone` runs under it: earl-where, earl-next, earl-back.

The process has no peers, so that going anywhere is cheap: it starts anew and stops at the event wanted. gdb reads
this file before the program starts; EARL_GDB names the earl command, EARL_ALONE the recording and the event.
"""
import csv
import os
import subprocess
import gdb


class Replay:
    """The recording, and the event at which the process stops."""

    def __init__(self):
        self.earl = os.environ["EARL_GDB"]
        gdb.execute("unset environment EARL_GDB")  # which the recorded run did not have
        which, self.recording = os.environ["EARL_ALONE"].split(":", 1)
        self.rank, _, event = which.partition("!")
        self.event = int(event or 0)
        self.known = None

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

    def go(self, event):
        """Starts the program anew, up to an event."""
        self.event = event
        gdb.execute(f"set environment EARL_ALONE {self.rank}!{event}:{self.recording}")
        confirm = gdb.parameter("confirm")
        gdb.execute("set confirm off")
        try:
            said = gdb.execute("run", to_string=True)  # of the trap, in the C library
        finally:
            gdb.execute(f"set confirm {'on' if confirm else 'off'}")
        if not show_program():
            gdb.write(said)


def show_program():
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
            gdb.execute("frame")
            return True
        frame = frame.older()
    return False


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
        REPLAY.go(later[min(count_of(argument), len(later)) - 1])


class Back(gdb.Command):
    """earl-back [N]: to the call with which the process sent or received the message before, or the N-th before."""

    def __init__(self):
        super().__init__("earl-back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        earlier = [event for event in REPLAY.events() if event < REPLAY.event]
        if not earlier:
            raise gdb.GdbError("this is before the first message")
        REPLAY.go(earlier[-min(count_of(argument), len(earlier))])


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


Next()
Back()
Where()
