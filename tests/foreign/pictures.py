#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""xep of Debian's pvm-examples draws a picture whose tiles its mtile tasks compute, on a virtual
display: it is the one that it draws on native PVM.

usage: pictures.py earl     (exit 77: xep or Xvfb is not installed)
"""
import os
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

LIMIT = 40  # seconds
SCREEN = (400, 300)
CANVAS = {"left": 5, "top": 68, "width": 200, "height": 200}  # within it
# Of the canvas, as 32-bit pixels: the whole Mandelbrot set, drawn by PVM 3.4.6's own daemon.
NATIVE = 0xfa0e2f32


def display(folder):
    """A server without a socket or a lock in a folder, and the number of its display. Its screen is
    the file Xvfb_screen0."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-nolisten", "unix", "-nolisten", "tcp", "-noreset",
         "-screen", "0", "{}x{}x24".format(*SCREEN), "-fbdir", folder],
        pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with open(reading, encoding="ascii") as stdout:
        number = stdout.readline().strip() if select.select([stdout], [], [], LIMIT)[0] else ""
    return server, number


def canvas(folder):
    """The lines of pixels of the canvas."""
    with open(folder + "/Xvfb_screen0", "rb") as file:
        data = file.read()
    head = struct.unpack(">20I", data[:80])  # XWD's
    pixels = head[0] + 12 * head[19]
    line = 4 * SCREEN[0]
    return [data[at:at + 4 * CANVAS["width"]] for at in
            range(pixels + line * CANVAS["top"] + 4 * CANVAS["left"],
                  pixels + line * (CANVAS["top"] + CANVAS["height"]), line)]


def drawn(folder, job):
    """The picture's sum, once it is the native one or there is no more time, and its colours."""
    end = time.monotonic() + LIMIT
    while True:
        picture = b"".join(canvas(folder))
        colours = len(set(struct.unpack(f"<{len(picture) // 4}I", picture)))
        if zlib.crc32(picture) == NATIVE or job.poll() is not None or time.monotonic() > end:
            return zlib.crc32(picture), colours
        time.sleep(0.05)


def run(earl, folder, number):
    """The fault of the picture, or of the end of its program."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PVM")}
    job = subprocess.Popen([earl, "run", "/usr/bin/xep"], env=environment | {"DISPLAY": ":" + number},
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                           stderr=subprocess.STDOUT)
    picture, colours = drawn(folder, job)
    job.terminate()  # it has no button that a test could press
    try:
        said = job.communicate(timeout=LIMIT)[0]
    except subprocess.TimeoutExpired:
        job.kill()
        said = job.communicate()[0] + "it does not end when it is asked to\n"
    if picture == NATIVE and job.returncode == 143:
        return []
    return [f"the picture is {picture:#x} of {colours} colours, natively {NATIVE:#x}",
            f"exit status {job.returncode}", "--- its output", said]


def main():
    earl = os.path.abspath(sys.argv[1])
    if not os.path.exists("/usr/bin/xep") or not shutil.which("Xvfb"):
        print("xep (package pvm-examples) or Xvfb (xvfb) is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        server, number = display(folder)
        try:
            bad = run(earl, folder, number) if number else ["Xvfb has no display to offer"]
        finally:
            server.terminate()
            server.wait()
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
