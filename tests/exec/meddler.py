# SPDX-License-Identifier: BSD-3-Clause
"""A launcher that stands between an agent and EXEC: it has the agent call a proxy, which changes one byte of the data that goes
over the line and passes on all else.

Arguments: the sender of the byte (exec or agent), its place after the handshake, and the words of a launcher.
"""
import socket
import subprocess
import sys
import threading

CLAIM = 56  # an agent's first message: its identity, a fresh number, a keyed hash
PROOFS = 56  # EXEC's first message: a mark, a fresh number, a keyed hash


def relay(source, sink, change_at):
    """Until the end of `source`. A negative place is none."""
    seen = 0
    while piece := bytearray(receive(source)):
        if seen <= change_at < seen + len(piece):
            piece[change_at - seen] ^= 1
        seen += len(piece)
        try:
            sink.sendall(piece)
        except OSError:
            break
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def receive(source):
    try:
        return source.recv(65536)
    except OSError:
        return b""


def stand_between(listener, there, who, place):
    agent, _ = listener.accept()
    host, port = there.rsplit(":", 1)
    exec_ = socket.create_connection((host, int(port)))
    for source, sink, at in ((agent, exec_, CLAIM + place if who == "agent" else -1),
                             (exec_, agent, PROOFS + place if who == "exec" else -1)):
        threading.Thread(target=relay, args=(source, sink, at), daemon=True).start()


def main():
    who, place, *words = sys.argv[1:]
    *request, there = sys.stdin.readline().split()[:5]
    listener = socket.create_server((there.rsplit(":", 1)[0], 0))
    threading.Thread(target=stand_between, args=(listener, there, who, int(place)), daemon=True).start()
    line = " ".join([*request, "%s:%d" % listener.getsockname()]) + "\n"
    with subprocess.Popen(words, stdin=subprocess.PIPE, text=True) as launcher:
        launcher.stdin.write(line)
        launcher.stdin.close()
        return launcher.wait()


if __name__ == "__main__":
    sys.exit(main())
