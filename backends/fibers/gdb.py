# SPDX-License-Identifier: BSD-3-Clause
"""gdb's view of `earl run --on fibers --gdb`: it reads this file before it starts.

Each rank has a copy of its program that the system's loader does not know. The shared process reports
of them in functions that do nothing (backends/fibers/arrival.hpp); here gdb takes names and lines
in for each copy, so that a breakpoint is set in all ranks at once.
"""
import bisect
import os
import struct
import gdb


SYMBOL_TABLES = (2, 11)  # types of sections
DYNAMIC = 6
UNUSED_TAGS = (21, 0x6ffffff9)  # DT_DEBUG, DT_RELACOUNT
DT_SYMBOLIC = 16
OBJECT = 1  # type of symbols


def sections(image):
    """Type, offset and size of each, in the bytes of an ELF file of 64 bits."""
    headers, = struct.unpack_from("<Q", image, 40)
    size, count = struct.unpack_from("<HH", image, 58)
    for header in range(headers, headers + size * count, size):
        kind, = struct.unpack_from("<I", image, header + 4)
        yield kind, *struct.unpack_from("<QQ", image, header + 24)


def prepare(image):
    """For gdb a global variable is one, in whatever file it finds its name first: all ranks would
    seem to share theirs. A file's own is each copy's own. DT_SYMBOLIC makes gdb look into the copy
    of the current function first."""
    for kind, offset, size in sections(image):
        if kind in SYMBOL_TABLES:
            for symbol in range(offset, offset + size, 24):
                if image[symbol + 4] & 15 == OBJECT:
                    image[symbol + 4] = OBJECT  # and bound to its file
        elif kind == DYNAMIC:
            for entry in range(offset, offset + size, 16):
                if struct.unpack_from("<Q", image, entry)[0] in UNUSED_TAGS:
                    struct.pack_into("<Q", image, entry, DT_SYMBOLIC)
                    break


def prepared(path):
    """The path of such a file."""
    with open(path, "rb") as file:
        image = bytearray(file.read())
    prepare(image)
    fd = os.memfd_create(os.path.basename(path))
    with open(fd, "wb", closefd=False) as file:
        file.write(image)
    return f"/proc/{os.getpid()}/fd/{fd}"


class Copies:
    """Which rank has which addresses."""

    def __init__(self):
        self.bases = []
        self.rows = {}

    def add(self, base, size, rank):
        bisect.insort(self.bases, base)
        self.rows[base] = (base + size, rank)

    def rank_at(self, address):
        at = bisect.bisect_right(self.bases, address)
        if at == 0:
            return None
        end, rank = self.rows[self.bases[at - 1]]
        return rank if address < end else None

    def rank_here(self):
        """Of the innermost function that belongs to a rank's program; None: no rank's turn."""
        try:
            frame = gdb.newest_frame()
            while frame is not None:
                rank = self.rank_at(frame.pc())
                if rank is not None:
                    return rank
                frame = frame.older()
        except gdb.error:
            pass
        return None


COPIES = Copies()


def place_of(function):
    """By address: a breakpoint by name is looked up in all files again for each file taken in."""
    return f"*{gdb.decode_line('earl::fibers::' + function)[1][0].pc:#x}"


class Mapped(gdb.Breakpoint):
    """Only notes: later all files are taken in at once."""

    def __init__(self):
        super().__init__(place_of("file_is_mapped"), internal=True)
        self.silent = True
        self.new = []

    def stop(self):
        path = gdb.parse_and_eval("(char *) $rdi").string()
        base, size, rank = (int(gdb.parse_and_eval(f"(unsigned long) ${register}"))
                            for register in ("rsi", "rdx", "ecx"))
        COPIES.add(base, size, rank)
        self.new.append((path, base))
        return False


class Arrived(gdb.Breakpoint):
    """Stops for the user at the first ranks only: now breakpoints can be set by name."""

    def __init__(self, mapped):
        super().__init__(place_of("ranks_have_been_loaded"), internal=True)
        self.silent = True
        self.mapped = mapped
        self.files = {}
        self.first = True

    def stop(self):
        for path, base in self.mapped.new:
            if path not in self.files:
                self.files[path] = prepared(path)
            gdb.execute(f"add-symbol-file {self.files[path]} -o {base:#x}", to_string=True)
        self.mapped.new.clear()
        first, self.first = self.first, False
        return first


def loaded(event):
    if "/libearl.so" in event.new_objfile.filename:
        Arrived(Mapped())


class Rank(gdb.Function):
    """$_rank(): the running rank, or -1; for conditions, as in: break step if $_rank() == 3"""

    def __init__(self):
        super().__init__("_rank")

    def invoke(self):
        rank = COPIES.rank_here()
        return -1 if rank is None else rank


class ProgramsFrames:
    """A backtrace shows the program's calls; `bt -no-filters` shows Earl's own, too."""

    def __init__(self):
        self.name = "earl"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (frame for frame in frames if not str(frame.function()).startswith("earl::"))


def stopped(_event):
    rank = COPIES.rank_here()
    if rank is not None:
        print(f"Earl: this is rank {rank}.")


def ended(_event):
    gdb.post_event(lambda: gdb.execute("quit"))


def leaving(_event):
    """The user has typed quit, which ends the job: gdb must not get a second one."""
    gdb.events.exited.disconnect(ended)


def begin():
    for setting in ("confirm off", "breakpoint pending on", "startup-with-shell off",
                    "debuginfod enabled off", "print thread-events off"):
        try:
            gdb.execute(f"set {setting}", to_string=True)
        except gdb.error:
            pass  # a gdb that has no such setting
    Rank()
    ProgramsFrames()
    gdb.events.new_objfile.connect(loaded)
    gdb.events.exited.connect(ended)
    if hasattr(gdb.events, "gdb_exiting"):
        gdb.events.gdb_exiting.connect(leaving)
    gdb.execute("run", to_string=True)
    gdb.events.stop.connect(stopped)
    print("Earl: all ranks of the job are in this process. Set breakpoints, then: continue\n"
          "Earl: $_rank() is the running rank, as in: break step if $_rank() == 3")


begin()
