#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the events of one rank, one line each. docs/events.md has the format.

usage: read_events.py DIR/e00000.ert
"""
import ctypes
import struct
import sys

KINDS = """module site filter members string call send post match completed sent found missed taken tested
           cancelled unsent lost collective collected exec meeting handler handled waited end
           unreleased mistyped label notice collective_types send_completed""".split()
FRAME = struct.Struct("<IBBHIIQII")
EVENTS, ZSTD, FRAME_MAGIC, TAIL_MAGIC = 5, 1, 0x4D524645, 0x4C494154


def frames(data):
    """The contents of each frame, of the one that was being written too."""
    (tail,) = struct.unpack_from("<Q", data, 48)
    at = 64
    while at + FRAME.size <= len(data):
        magic, kind, codec, _, _, stored, _, raw, _ = FRAME.unpack_from(data, at)
        if magic != FRAME_MAGIC:
            break
        contents = data[at + FRAME.size:at + FRAME.size + stored]
        if kind == EVENTS:
            yield decompress(contents, raw) if codec == ZSTD else contents
        at += (FRAME.size + stored + 7) // 8 * 8
    if tail:
        (committed,) = struct.unpack_from("<I", data, tail + 16)
        yield data[tail + 64:tail + 64 + committed]


def decompress(contents, size):
    room = ctypes.create_string_buffer(size)
    done = ctypes.CDLL("libzstd.so.1").ZSTD_decompress(room, size, contents, len(contents))
    assert done == size, "a frame is damaged"
    return room.raw


class Events:
    def __init__(self, contents):
        self.data, self.at = contents, 0
        self.last = {"call": 0, "post": 0, "context": 0, "time": 0}

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value, shift = 0, 0
        while True:
            part = self.byte()
            value |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                return value

    def signed(self):
        value = self.number()
        return value >> 1 ^ -(value & 1)

    def text(self):
        size = self.number()
        self.at += size
        return self.data[self.at - size:self.at].decode(errors="replace")

    def list(self):
        return [self.signed() for _ in range(self.number())]

    def counted(self, name, said, step):
        """A number that counts up, unless it is said."""
        self.last[name] += self.signed() if said else step
        return self.last[name]

    def message(self, direction, said, step=1):
        rank = self.signed()
        sequence = self.last.get((direction, rank), 0) + (self.signed() if said else 0)
        self.last[direction, rank] = sequence + step
        return {"rank": rank, "message": sequence}

    def filter(self):
        flags = self.byte()
        event = {"tags": flags & 15, "any_context": bool(flags & 16), "contested": bool(flags & 32)}
        event.update((name, self.signed()) for name in ("source", "low", "high"))
        event.update((name, self.number()) for name in ("bits", "context"))
        return dict(event, sources=self.list(), list=self.list())

    def next(self):
        head = self.byte()
        kind, first, second = KINDS[head & 0x1F], head & 0x20, head & 0x40
        event = {"event": kind}
        if kind == "call":
            event["call"] = self.counted("call", first, 1)
            event["site"] = self.number()
            event["time"] = self.counted("time", True, 0)
        elif kind == "send":
            if first:
                self.last["context"] = self.number()
            event.update(self.message("to", second), context=self.last["context"], tag=self.signed())
            length = self.number()
            event.update(length=length >> 3, mode=length & 7, hash=self.data[self.at:self.at + 4].hex())
            self.at += 4
        elif kind == "post":
            event.update(post=self.counted("post", first, 1), filter=self.number())
        elif kind in ("match", "completed"):
            event["post"] = self.last["post"] + (self.signed() if first else 0)
            event.update(self.message("from", second) if kind == "match" else {})
        elif kind == "sent":
            event.update(self.message("to", second, 0))
        elif kind == "found":
            event.update(self.message("from", second), operation=self.byte(), filter=self.number())
        elif kind == "missed":
            event.update({"filter": self.number()} if first else {})
            event.update(operation=self.byte(), count=self.number(), call=self.number())
            self.last["call"] = event["call"]
        elif kind == "tested":
            event.update({"requests": self.number(), "positions": self.list()} if first else {})
            event.update(waited=bool(second), count=self.number())
        elif kind == "filter":
            event.update(self.filter())
        elif kind == "collective":
            event.update(string=self.number(), flow=self.byte())
            event.update((name, self.number()) for name in ("context", "number", "root", "members", "bytes"))
        else:
            event.update((name, read(self)) for name, read in FIELDS.get(kind, ()))
        return event


FIELDS = {
    "module": (("path", Events.text), ("build_id", Events.text)),
    "site": (("module", Events.number), ("offset", Events.number), ("call", Events.text)),
    "members": (("ranks", Events.list),),
    "string": (("string", Events.text),),
    "taken": (("rank", Events.signed), ("message", Events.number)),
    "unsent": (("rank", Events.signed), ("message", Events.number)),
    "lost": (("rank", Events.signed), ("message", Events.number)),
    "cancelled": (("post", Events.number),),
    "exec": (("operation", Events.number), ("ranks", Events.list)),
    "meeting": (("operation", Events.number), ("string", Events.number), ("count", Events.number)),
    "handler": (("handler", Events.number),),
    "waited": (("nanoseconds", Events.number),),
    "label": (("context", Events.number), ("name", Events.text)),
    "notice": (("message", Events.number), ("subject", Events.text)),
    "end": (("unreceived", Events.number),),
    "unreleased": (("site", Events.number), ("count", Events.number)),
    "mistyped": (("rank", Events.signed), ("message", Events.number), ("sent", Events.number), ("received", Events.number)),
    "collective_types": (("given", Events.number), ("taken", Events.number)),
    "send_completed": (("dest", Events.signed), ("message", Events.number), ("altered", Events.number)),
}


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    assert data[:8] == b"EARLTRC1", "this is no trace of Earl"
    for contents in frames(data):
        events = Events(contents)
        while events.at < len(contents):
            event = events.next()
            print(*(f"{value}" if name == "event" else f"{name}={value}" for name, value in event.items()))


if __name__ == "__main__":
    main()
